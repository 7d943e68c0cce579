/**
 * The Dead Man's Switch (3.1, D-24): moves protocol time on by an anchor, freezes agents that have missed too many, and
 * reactivates them. When anchors are due is decided in service.ts.
 */

import { CHUNK_CAPACITY, chunkSize, chunkValue, releaseChunk } from './columns/chunk-lists.js';
import { schedule, takeDue } from './columns/wheel.js';
import { forfeitDeposit } from './deposit.js';
import { appendLineage } from './lineage.js';
import { purgeOneTime } from './one-time.js';
import { emit } from './outbox.js';
import { purgeReservations } from './reservation.js';
import { revokeOnFreeze } from './sponsor.js';
import { ACTIVE, currentBeat, FROZEN, missedAnchors, type Registry } from './state.js';

const NONE: readonly number[] = Object.freeze([]);

/** Starts or restarts the count of missed anchors of an agent that is on no list of the wheel. */
export function armDeadManSwitch(registry: Registry, row: number): void {
  registry.agents.line.setLastSyncAnchor(row, registry.anchorIndex);
  scheduleFreeze(registry, row);
}

/** Puts an agent that is on no list of the wheel on that of the first anchor that can freeze it. */
function scheduleFreeze(registry: Registry, row: number): void {
  // 3.1: more than 60 missed, so the 61st freezes.
  const deadline = registry.agents.line.lastSyncAnchor(row) + registry.protocol.dms.missedAnchorsMax + 1;
  schedule(registry.wheel, row, deadline, registry.anchorIndex);
}

/**
 * Moves protocol time on by one anchor, and runs the Dead Man's Switch (3.1, D-24). Returns the agents that froze, in
 * the order of their rows.
 */
export function advanceAnchor(registry: Registry, nowMs: number): readonly number[] {
  registry.anchorIndex += 1;
  registry.anchorAtMs = nowMs;
  if (registry.oneTime.size > 0) purgeOneTime(registry, nowMs);
  if (registry.reservations.size > 0) purgeReservations(registry, nowMs);
  purgeReceipts(registry);
  const { wheel } = registry;
  let chunk = takeDue(wheel, registry.anchorIndex);
  if (chunk < 0) return NONE;
  const { missedAnchorsMax } = registry.protocol.dms;
  const frozen: number[] = [];
  const missed = new Int32Array(CHUNK_CAPACITY);
  for (; chunk >= 0; chunk = releaseChunk(wheel, chunk)) {
    const size = chunkSize(wheel, chunk);
    // Reads all lines first and judges them afterwards: the rows are anywhere in memory, so their reads overlap.
    for (let i = 0; i < size; i++) missed[i] = missedAnchors(registry, chunkValue(wheel, chunk, i));
    for (let i = 0; i < size; i++) {
      const row = chunkValue(wheel, chunk, i);
      if (missed[i]! > missedAnchorsMax) frozen.push(row);
      else scheduleFreeze(registry, row);
    }
  }
  // The order within a list is not part of the rules.
  frozen.sort((a, b) => a - b);
  for (const row of frozen) freeze(registry, row, nowMs);
  return frozen;
}

function freeze(registry: Registry, row: number, nowMs: number): void {
  const { columns, line } = registry.agents;
  line.setStatus(row, FROZEN);
  columns.frozenAtBeat[row] = currentBeat(registry);
  appendLineage(registry, row, 'frozen', nowMs);
  forfeitDeposit(registry, row);
  if (registry.sponsorships.byChild.size > 0) revokeOnFreeze(registry, row, nowMs);
  if (line.partner(row) < 0) return;
  emit(registry, 'agent.frozen', row, nowMs, {
    missed_anchors: missedAnchors(registry, row),
    last_global_sync: line.lastSyncAnchor(row),
    frozen_at_beat: currentBeat(registry),
  });
}

/** The recovery of an agent: the anchors that it had missed, and the beats that it proved. */
interface Recovery {
  readonly gapAnchors: number;
  readonly beatsProven: number;
}

/** 3.1: reactivates a frozen agent that has resynced. */
export function unfreeze(registry: Registry, row: number, { gapAnchors, beatsProven }: Recovery, nowMs: number): void {
  const { columns, line } = registry.agents;
  line.setStatus(row, ACTIVE);
  columns.frozenAtBeat[row] = -1;
  armDeadManSwitch(registry, row);
  appendLineage(registry, row, 'unfrozen', nowMs);
  if (line.partner(row) < 0) return;
  emit(registry, 'agent.unfrozen', row, nowMs, { gap_anchors: gapAnchors, beats_proven: beatsProven });
}

/** Forgets used receipts that are too old to be accepted again (D-09). */
function purgeReceipts(registry: Registry): void {
  for (const [pair, goodThroughAnchor] of registry.usedReceipts) {
    if (goodThroughAnchor < registry.anchorIndex) registry.usedReceipts.delete(pair);
  }
}
