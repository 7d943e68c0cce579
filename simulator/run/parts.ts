/**
 * Puts the parts of one run together, each played by a world of its own that has a share of the agents. It starts no
 * threads: runs/simulation/play-threads.ts does.
 */

import type { Scenario } from '../../scenarios/scenario.js';
import { type Cells, countersOf, createCells } from '../world/cells.js';
import { CHAINS, createEventChains, type EventChains } from '../world/event-chain.js';
import { createOperationCounts, WORLD_EVENTS } from '../world/operations.js';
import { HANDS, type Share } from '../world/share.js';
import { createTallies, tally } from '../world/tallies.js';
import { joined } from './first-freeze.js';
import { type FeatureCounts, type Outcome, outcomeOf } from './outcome.js';
import type { Run } from './run.js';
import { createSamples, endSample, GREATEST, type Samples } from './samples.js';

type Columns = Readonly<Record<string, Float64Array>>;

/** The counts of one part as of a sample, by name. */
export interface PartSample {
  readonly second: number;
  readonly cells: Columns;
  readonly counted: Columns;
}

/** The outcome of one part, as plain data that crosses threads. */
export interface Part extends Omit<Outcome, 'scenario' | 'seed' | 'cells' | 'feeBook' | 'features'> {
  readonly share: Share;
  readonly cells: Columns;
  readonly fees: Float64Array;
  readonly features: FeatureCounts | null;
  readonly checksOfWhole: Float64Array;
  readonly mintedLamports: number;
}

/** Parts whose sums no number holds exactly, so that they would depend on the order of adding. */
export class InexactSum extends Error {
  override readonly name = 'InexactSum';
}

/** A copy of the counts of a run that has just been sampled. */
export function partSampleOf({ world, samples }: Run): PartSample {
  return { second: world.second, cells: copies(countersOf(world.cells)), counted: copies(countedOf(samples)) };
}

/** The outcome of a run that has one share of the agents. */
export function partOf({ world }: Run): Part {
  const { scenario: _s, seed: _d, cells, feeBook, features, ...rest } = outcomeOf(world);
  return {
    ...rest,
    share: world.share,
    cells: countersOf(cells),
    fees: feeBook.sums,
    features: features === null ? null : featureCountsOf(features),
    checksOfWhole: world.checksOfWhole,
    mintedLamports: world.ledger.mintedLamports,
  };
}

function countedOf({ timesSec: _t, groups: _g, tracks: _r, ...counted }: Samples): Columns {
  return counted;
}

function copies(columns: Columns): Columns {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.slice()]));
}

function featureCountsOf(features: FeatureCounts): FeatureCounts {
  const { eventCounts, grandchildren, censoredBirths, censoredSec, spawningEffects } = features;
  const { faultEffects, interventionEffects, floorEffects, heldNumbers } = features;
  return {
    ...{ eventCounts, grandchildren, censoredBirths, censoredSec, spawningEffects },
    ...{ faultEffects, interventionEffects, floorEffects, heldNumbers },
  };
}

/** Adds a column to another. Throws InexactSum beyond 2^53 - 1. */
function add(to: Float64Array, from: Float64Array): void {
  for (let i = 0; i < to.length; i += 1) {
    const sum = to[i]! + from[i]!;
    if (Math.abs(sum) > Number.MAX_SAFE_INTEGER) throw new InexactSum(`a count has reached ${sum}, beyond 2^53 - 1`);
    to[i] = sum;
  }
}

function addAll(to: Columns, from: Columns): void {
  for (const [name, column] of Object.entries(to)) add(column, from[name] as Float64Array);
}

/** The samples of a run from those of its parts, which come from each part in order, and from the parts in any order. */
export class PartSamples {
  readonly samples: Samples;
  readonly #cells: Cells;
  readonly #parts: number;
  /** Sums that wait for samples of other parts, the earliest first; and how many samples each part has given. */
  readonly #waiting: { readonly second: number; readonly cells: Columns; readonly counted: Columns; parts: number }[] =
    [];
  readonly #given: number[];

  constructor(scenario: Scenario, parts: number) {
    this.#cells = createCells(scenario.populations);
    this.samples = createSamples({ scenario, cells: this.#cells });
    this.#parts = parts;
    this.#given = Array.from({ length: parts }, () => 0);
  }

  /** Adds the next sample of a part. Throws InexactSum. */
  add(part: number, { second, cells, counted }: PartSample): void {
    const at = (this.#given[part] as number) - this.samples.timesSec.length;
    this.#given[part]! += 1;
    const sum = this.#waiting[at];
    if (sum === undefined) this.#waiting.push({ second, cells: copies(cells), counted: copies(counted), parts: 1 });
    else {
      if (sum.second !== second) throw new Error(`parts were sampled at ${sum.second} s and at ${second} s`);
      addAll(sum.cells, cells);
      for (const [name, column] of Object.entries(sum.counted)) {
        const part = counted[name] as Float64Array;
        if (GREATEST.includes(name)) column.set(column.map((value, cell) => Math.max(value, part[cell]!)));
        else add(column, part);
      }
      sum.parts += 1;
    }
    while (this.#waiting[0]?.parts === this.#parts) this.#end();
  }

  #end(): void {
    const sum = this.#waiting.shift();
    if (sum === undefined) return;
    for (const [name, column] of Object.entries(countersOf(this.#cells))) column.set(sum.cells[name] as Float64Array);
    for (const [name, column] of Object.entries(countedOf(this.samples))) column.set(sum.counted[name] as Float64Array);
    endSample({ cells: this.#cells, second: sum.second }, this.samples);
  }
}

/**
 * The outcome of a run from its parts, in the order of their shares. Throws InexactSum, and an Error for parts that are not of one run up
 * to one second.
 */
export function outcomeOfParts(scenario: Scenario, seed: number, parts: readonly Part[]): Outcome {
  const [first] = parts;
  if (first === undefined) throw new Error('there are no parts');
  refuseStrangers(parts, first);
  const cells = createCells(scenario.populations);
  const zeros = (like: Float64Array): Float64Array => new Float64Array(like.length);
  const merged = {
    counts: createOperationCounts(),
    checks: zeros(first.checks),
    tierBeats: zeros(first.tierBeats),
    topUpCount: zeros(first.topUpCount),
  };
  const fees = zeros(first.fees);
  const tallies = createTallies();
  for (const part of parts) {
    addAll(countersOf(cells), part.cells);
    addAll(merged, part as unknown as Columns);
    add(fees, part.fees);
    for (const name of ['refusals', 'sponsored', 'sponsoredLamports'] as const) {
      for (const [key, count] of part.tallies[name]) tally(tallies[name], key, count);
    }
  }
  // Checks of the whole state and of anchors were made by each part, and one run makes them once.
  first.checksOfWhole.forEach((count, i) => {
    merged.checks[i]! -= count * (parts.length - 1);
  });
  return {
    ...{ scenario, seed, second: first.second, epoch: first.epoch, cells, tallies, ...merged },
    features: featuresOfParts(parts),
    feeBook: { sums: fees },
    eventChains: chainsOfParts(parts),
    registered: parts.reduce((sum, { registered }) => sum + registered, 0),
    heartbeatsMost: Math.max(...parts.map(({ heartbeatsMost }) => heartbeatsMost)),
    freezeTimes: first.freezeTimes.map((_, cell) => joined(parts.map(({ freezeTimes }) => freezeTimes[cell]!))),
  };
}

/** Throws if parts have not come to the same second and epoch with the same anchors and disturbances. */
function refuseStrangers(parts: readonly Part[], first: Part): void {
  let hands = 0;
  for (const part of parts) {
    if (part.share.first !== hands)
      throw new Error(`the part from hand ${part.share.first} on follows hand ${hands - 1}`);
    hands += part.share.hands;
    const alike =
      part.second === first.second &&
      part.epoch === first.epoch &&
      part.checksOfWhole.every((count, i) => count === first.checksOfWhole[i]) &&
      part.eventChains.events[HANDS] === first.eventChains.events[HANDS] &&
      digestAt(part.eventChains, HANDS).equals(digestAt(first.eventChains, HANDS)) &&
      WORLD_EVENTS.every((event) => part.features?.eventCounts[event] === first.features?.eventCounts[event]);
    if (!alike)
      throw new Error(`parts of one run differ at ${first.second} s and ${part.second} s: a mistake of the simulator`);
  }
  if (hands !== HANDS) throw new Error(`the parts have ${hands} of ${HANDS} hands`);
}

/** The counts of the optional parts of the model; events of no agent happened in each part, and count once. */
function featuresOfParts(parts: readonly Part[]): FeatureCounts | null {
  const [first, ...others] = parts.map(({ features }) => features);
  if (first === null || first === undefined) return null;
  const sums = {
    eventCounts: first.eventCounts.slice(),
    faultEffects: first.faultEffects.slice(),
    interventionEffects: first.interventionEffects.slice(),
    floorEffects: first.floorEffects.slice(),
  };
  for (const features of others) addAll(sums, features as unknown as Columns);
  for (const event of WORLD_EVENTS) sums.eventCounts[event] = first.eventCounts[event]!;
  // Children, and what prevents them, couple agents: only a run in one part has them.
  return { ...first, ...sums };
}

/** The chains of each share, and that of no agent from the first. */
function chainsOfParts(parts: readonly Part[]): EventChains {
  const chains = createEventChains();
  const take = (from: EventChains, chain: number): void => {
    chains.lanes.set(from.lanes.subarray(2 * chain, 2 * chain + 2), 2 * chain);
    chains.events[chain] = from.events[chain]!;
    const bytes = digestAt(from, chain);
    chains.digests.set(bytes, chain * bytes.length);
  };
  for (const { share, eventChains } of parts) {
    for (let hand = share.first; hand < share.first + share.hands; hand += 1) take(eventChains, hand);
  }
  take((parts[0] as Part).eventChains, HANDS);
  return chains;
}

function digestAt({ digests }: EventChains, chain: number): Buffer {
  const bytes = digests.length / CHAINS;
  return Buffer.from(digests.slice(chain * bytes, (chain + 1) * bytes));
}
