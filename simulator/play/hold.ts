/**
 * Holds a measure at its target: after each period numbers of the protocol are multiplied by a power of target / measured. It sees no agent
 * but through counters.
 */

import type { Hold } from '../../scenarios/disturbance.js';
import { boundsOf } from '../../spec/number-bounds.js';
import { brokenRelations, mergedOverlay, type Overlay, overlayOf, withOverlay } from '../../spec/overlay.js';
import { changesOf } from '../../spec/overlay-changes.js';
import { DAY_SEC } from '../../spec/time.js';
import { recordEvent } from '../agents/calls.js';
import { countOffline } from '../agents/schedule.js';
import { power } from '../chance/exact-math.js';
import { addToAgenda } from '../world/agenda.js';
import { DUE_INTERVENTION } from '../world/due-kinds.js';
import { type Features, NONE } from '../world/features.js';
import { ACCEPTED, RULES_CHANGED } from '../world/operations.js';
import { livePresentSec, presentSec, sumOf } from '../world/profit.js';
import type { World } from '../world/world.js';
import { changeWorldProtocol } from './change-protocol.js';

/** Begins to hold a measure, or answers the period that has just ended; and schedules the next answer. */
export function answerHold(world: World, features: Features, index: number, hold: Hold): void {
  const state = features.holds[index] ?? null;
  const sums = sumsOf(world, features, hold);
  if (state === null) {
    const now = valuesOf(world, hold);
    features.holds[index] = { bases: now, set: [...now], factor: 1, ...sums };
  } else {
    const measured = measuredOf(hold, sums.part - state.part, sums.whole - state.whole);
    state.part = sums.part;
    state.whole = sums.whole;
    // A period in which no agent was present shows no availability.
    if (!Number.isNaN(measured)) answer(world, features, index, hold, measured);
  }
  const next = world.second + hold.everySec;
  if (next < world.scenario.durationSec) addToAgenda(features.agenda, next, DUE_INTERVENTION, NONE, index);
}

function answer(world: World, features: Features, index: number, hold: Hold, measured: number): void {
  const state = features.holds[index];
  if (state == null) throw new Error(`intervention ${index} holds nothing yet`);
  const wanted = state.factor * power(hold.target / measured, hold.gain);
  const factor = Math.min(hold.factorMax, Math.max(hold.factorMin, wanted));
  const now = valuesOf(world, hold);
  // A number that something else has changed meanwhile is multiplied from there on.
  now.forEach((value, i) => {
    if (value !== state.set[i]) state.bases[i] = value / state.factor;
  });
  const numbers = hold.numbers.map((path, i) => multiplied(path, state.bases[i]!, factor));
  const overlay = hold.numbers.reduce<Overlay>((all, path, i) => mergedOverlay(all, overlayOf(path, numbers[i]!)), {});
  // Numbers that would contradict each other stay as they are.
  if (brokenRelations(withOverlay(overlay, world.registry.protocol)).length > 0) return;
  state.factor = factor;
  state.set.splice(0, state.set.length, ...numbers);
  if (numbers.every((value, i) => value === now[i])) return;
  changeWorldProtocol(world, overlay);
  features.interventionEffects[index]! += 1;
  features.eventCounts[RULES_CHANGED]! += 1;
  features.heldNumbers.push({ intervention: index, second: world.second, measured, factor, numbers });
  recordEvent(world, NONE, RULES_CHANGED, ACCEPTED, 0);
}

/** A number times a factor, whole and within its bounds; one that is not zero does not become zero. */
function multiplied(path: string, base: number, factor: number): number {
  const { low, high } = boundsOf(path);
  return Math.min(high, Math.max(low, base > 0 ? 1 : 0, Math.round(base * factor)));
}

function valuesOf({ registry }: World, { numbers }: Hold): number[] {
  const values = changesOf(registry.protocol as unknown as Overlay);
  return numbers.map((path) => values[path] as number);
}

function measuredOf({ measure, everySec }: Hold, part: number, whole: number): number {
  return measure === 'availability' ? part / whole : (part * DAY_SEC) / everySec;
}

/** The sums since the start whose growth in a period is measured: fees; or seconds active and online, and seconds until departure. */
function sumsOf(world: World, features: Features, hold: Hold): { readonly part: number; readonly whole: number } {
  const { cells, agents } = world;
  const own = cells.indices.flatMap((population, cell) => (hold.populations.includes(population) ? [cell] : []));
  if (hold.measure === 'revenue') return { part: sumOf(cells.feesLamports, own), whole: 0 };
  if (hold.measure === 'heartbeat_revenue') return { part: sumOf(cells.heartbeatFeesLamports, own), whole: 0 };
  for (const index of hold.populations) {
    for (let agent = features.firstAgent[index]!; agent < features.firstAgent[index + 1]!; agent += 1) {
      if (agents.row(agent) >= 0) countOffline(world, agent);
    }
  }
  return { part: livePresentSec(world, own) - sumOf(cells.offlineSec, own), whole: presentSec(world, own) };
}
