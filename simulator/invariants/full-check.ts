/** Checks of the whole state at a sample, in one pass over all agents. Single events are checked in check-calls.ts. */

import { totalLamports } from '../../reference/ledger/ledger.js';
import { chunkSize, nextChunk } from '../../reference/registry/columns/chunk-lists.js';
import { heartbeatsInEpoch } from '../../reference/registry/heartbeat.js';
import { ACTIVE, FROZEN } from '../../reference/registry/state.js';
import { feeTypes } from '../../spec/vocabulary.js';
import { hasDeparted } from '../world/features.js';
import { AGREE, CONSERVED, COUNTED, DEPTH, NOT_LATE, SIGILS, SPONSORED, WATCHED } from '../world/invariant-list.js';
import { prefetchRows } from '../world/prefetch.js';
import type { World } from '../world/world.js';
import { checkDeposits, checkPaid } from './check-calls.js';
import { NO_AGENT, violated } from './violation.js';

/** Agents whose lines are read together before they are checked one by one (prefetch.ts). */
const BLOCK = 128;

/** The sums of one pass. */
interface Tally {
  running: number;
  named: number;
  /** By cell. */
  readonly registered: Float64Array;
  readonly live: Float64Array;
  readonly livePresent: Float64Array;
  readonly everFrozen: Float64Array;
}

/**
 * Checks all agents and accounts. `visit` is called with each agent, so that a caller who needs all of them shares the pass.
 * Throws InvariantViolation.
 */
export function checkAll(world: World, visit: (agent: number, row: number) => void = ignore): void {
  const { checks, ledger, registry, cells } = world;
  const before = checks.slice();
  checks[CONSERVED]! += 1;
  const total = totalLamports(ledger);
  if (total !== ledger.mintedLamports) {
    const detail = `${ledger.mintedLamports} lamports were minted, and the accounts hold ${total}`;
    violated(world, CONSERVED, NO_AGENT, detail);
  }
  for (let type = 0; type < feeTypes.length; type += 1) checkPaid(world, NO_AGENT, type);
  checkDeposits(world, NO_AGENT);
  const zeros = (): Float64Array => new Float64Array(cells.live.length);
  const tally: Tally = {
    ...{ running: 0, named: 0 },
    ...{ registered: zeros(), live: zeros(), livePresent: zeros(), everFrozen: zeros() },
  };
  const { rows } = registry.agents;
  for (let from = 0; from < rows; from += BLOCK) {
    const until = Math.min(from + BLOCK, rows);
    prefetchRows(world, from, until);
    for (let row = from; row < until; row += 1) {
      const agent = world.agentOfRow[row]!;
      checkDepth(world, agent, row);
      checkState(world, agent, row);
      count(world, agent, row, tally);
      visit(agent, row);
    }
  }
  checkTally(world, tally);
  checkSponsorships(world);
  world.checksOfWhole.forEach((count, i, counts) => {
    counts[i] = count + checks[i]! - before[i]!;
  });
  for (const each of [DEPTH, AGREE, NOT_LATE]) checks[each]! += rows;
}

function ignore(): void {
  // The caller needs no agents.
}

function count({ registry, agents, features }: World, agent: number, row: number, tally: Tally): void {
  const { line } = registry.agents;
  if (line.status(row) === ACTIVE) tally.running += 1;
  if (line.identityClass(row) !== 0) tally.named += 1;
  const cell = agents.cell(agent);
  tally.registered[cell]! += 1;
  if (agents.everFrozen(agent)) tally.everFrozen[cell]! += 1;
  if (agents.frozen(agent)) return;
  tally.live[cell]! += 1;
  if (!hasDeparted(features, agent)) tally.livePresent[cell]! += 1;
}

function checkDepth(world: World, agent: number, row: number): void {
  const { columns, line } = world.registry.agents;
  const above = columns.parent[row]!;
  const wanted = above < 0 ? world.registry.protocol.agent.rootDepth : line.depth(above) + 1;
  if (line.depth(row) !== wanted)
    violated(world, DEPTH, agent, `has depth ${line.depth(row)}, and should have ${wanted}`);
}

/** The registry's columns against what follows from the agent's calls. */
function checkState(world: World, agent: number, row: number): void {
  const { registry, agents } = world;
  const frozen = registry.agents.line.status(row) === FROZEN;
  if (frozen !== agents.frozen(agent)) {
    violated(world, AGREE, agent, `the registry has it ${frozen ? 'frozen' : 'running'}, and its calls do not`);
  }
  const counted = heartbeatsInEpoch(registry, row, world.epoch);
  if (counted !== agents.epochBeats(agent)) {
    const detail = `the registry counts ${counted} heartbeats in epoch ${world.epoch}, and it made ${agents.epochBeats(agent)}`;
    violated(world, AGREE, agent, detail);
  }
  const missed = registry.anchorIndex - agents.syncAnchor(agent);
  const judged = registry.anchorIndex !== world.protocolChangedAtAnchor;
  if (!frozen && judged && missed > registry.protocol.dms.missedAnchorsMax) {
    violated(world, NOT_LATE, agent, `runs, and has missed ${missed} anchors`);
  }
}

function checkTally(world: World, { running, named, ...counted }: Tally): void {
  const { cells, checks, registry } = world;
  checks[WATCHED]! += 1;
  const watched = watchedAgents(world);
  // Counts suffice: that every agent is frozen in time shows that the right ones are watched.
  if (watched !== running) violated(world, WATCHED, NO_AGENT, `${watched} agents are watched, and ${running} run`);
  checks[SIGILS]! += 1;
  const { sigils, sigilNames } = registry;
  if (named !== sigils.size || named !== sigilNames.size) {
    const detail = `${named} agents have a class, and there are ${sigils.size} SIGILs of ${sigilNames.size} names`;
    violated(world, SIGILS, NO_AGENT, detail);
  }
  checks[COUNTED]! += 1;
  for (const name of ['registered', 'live', 'livePresent', 'everFrozen'] as const) {
    for (let cell = 0; cell < cells.live.length; cell += 1) {
      if (counted[name][cell] === cells[name][cell]) continue;
      const place = `${cells.populations[cell]?.name} of ${cells.classes[cell]}`;
      const detail = `${place}: the counter ${name} is ${cells[name][cell]}, and ${counted[name][cell]} agents are so`;
      violated(world, COUNTED, NO_AGENT, detail);
    }
  }
}

function watchedAgents({ registry: { wheel } }: World): number {
  let watched = 0;
  for (const head of wheel.heads) {
    for (let chunk = head; chunk >= 0; chunk = nextChunk(wheel, chunk)) watched += chunkSize(wheel, chunk);
  }
  return watched;
}

function checkSponsorships(world: World): void {
  const { sponsorships } = world.registry;
  world.checks[SPONSORED]! += 1;
  for (const [child, given] of sponsorships.byChild) {
    for (const { used, heartbeatsEpochMax, parent } of given) {
      if (used <= heartbeatsEpochMax) continue;
      const detail = `its sponsor ${parent} has paid for ${used} heartbeats of at most ${heartbeatsEpochMax}`;
      violated(world, SPONSORED, world.agentOfRow[child]!, detail);
    }
  }
}
