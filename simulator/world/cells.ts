/** Counters by population, option and class. Samples and goals read them; they are counted by the code of each event. */

import { variantsOf } from '../../scenarios/adaptation.js';
import type { Population } from '../../scenarios/scenario.js';
import { type IdentityClass, identityClasses } from '../../spec/vocabulary.js';

/**
 * Running counts for each cell: the agents of one class in one population, with one option where they have some. Groups and totals are sums of cells, so an event is
 * counted once.
 */
export interface Cells {
  /** By cell: its population, and the class that its agents want. */
  readonly populations: readonly Population[];
  readonly classes: readonly IdentityClass[];
  /** By cell: the index of its population, and that of its option or null; by population: its first cell. */
  readonly indices: readonly number[];
  readonly options: readonly (number | null)[];
  readonly firstCells: readonly number[];
  readonly registered: Float64Array;
  /** Registered agents that are not frozen. */
  readonly live: Float64Array;
  /** Registered agents that froze at least once. */
  readonly everFrozen: Float64Array;
  /** Registered agents that are neither frozen nor departed. */
  readonly livePresent: Float64Array;
  readonly dry: Float64Array;
  /** SIGILs bought. */
  readonly sigils: Float64Array;
  /** Fees of SIGILs, which are part of `feesLamports`. */
  readonly sigilFeesLamports: Float64Array;
  readonly heartbeats: Float64Array;
  readonly heartbeatsRefused: Float64Array;
  readonly heartbeatsSkipped: Float64Array;
  readonly freezes: Float64Array;
  readonly resyncs: Float64Array;
  readonly resyncsRefused: Float64Array;
  readonly feesLamports: Float64Array;
  /** The parts of these that go to each of `feeShares` (4.5). */
  readonly feesToOperations: Float64Array;
  readonly feesToContributors: Float64Array;
  readonly feesToDevelopment: Float64Array;
  readonly feesToTreasury: Float64Array;
  readonly feesToReferral: Float64Array;
  /** Deposits that its agents have paid, and those of them that freezes have taken. */
  readonly depositsPaid: Float64Array;
  readonly depositsForfeited: Float64Array;
  readonly topUpsLamports: Float64Array;
  /** Low wallets for which the most top-ups had been requested. */
  readonly topUpsOmitted: Float64Array;
  readonly left: Float64Array;
  readonly reissues: Float64Array;
  readonly spawns: Float64Array;
  readonly heartbeatsSponsored: Float64Array;
  /** Fees of its agents' heartbeats, whichever agent paid; `feesLamports` are the fees that its agents paid. */
  readonly heartbeatFeesLamports: Float64Array;
  /** Fees that sponsors paid for its agents, and that its agents paid for others. */
  readonly feesBySponsorsLamports: Float64Array;
  readonly feesForOthersLamports: Float64Array;
  /** Complaints that its agents filed, and sustained complaints against them. */
  readonly flags: Float64Array;
  readonly flagsSustained: Float64Array;
  readonly paymentsTroubled: Float64Array;
  readonly keysRevoked: Float64Array;
  /** Options that its agents took in place of another. */
  readonly switches: Float64Array;
  readonly subsidiesLamports: Float64Array;
  /** Hashes that its agents computed. */
  readonly hashes: Float64Array;
  /**
   * Agent-seconds without the part that still runs: minus the second at which each interval began, plus the one at which it
   * ended. With n intervals open at second t the time is this plus n × t.
   */
  readonly liveSec: Float64Array;
  readonly registeredSec: Float64Array;
  /** The same until departure. */
  readonly livePresentSec: Float64Array;
  readonly presentSec: Float64Array;
  /**
   * Agent-seconds in an outage while neither frozen nor departed, as far as they have been counted (offline-time.ts): all of them at a
   * sample.
   */
  readonly offlineSec: Float64Array;
  /** Turns of a shared income without the part that still runs; and the clock of a population in its first cell (live-time.ts). */
  readonly turns: Float64Array;
  readonly turnClock: Float64Array;
  readonly turnClockSec: Float64Array;
  /** Potential entrants that stayed out. */
  readonly stayedOut: Float64Array;
}

/** The name of a counter. */
export type Counter = Exclude<keyof Cells, keyof CellPlaces>;

/** The parts of the cells that no event changes. */
type CellPlaces = Pick<Cells, 'populations' | 'classes' | 'indices' | 'options' | 'firstCells'>;

/** The counters of the cells, without the parts that no event changes. */
export function countersOf({
  populations: _p,
  classes: _c,
  indices: _i,
  options: _o,
  firstCells: _f,
  ...counters
}: Cells): Omit<Cells, keyof CellPlaces> {
  return counters;
}

/** Cells of zeros: one for each population, option and class. */
export function createCells(populations: readonly Population[]): Cells {
  const variants = variantsOf(populations);
  const zeros = (): Float64Array => new Float64Array(variants.length * identityClasses.length);
  return {
    populations: variants.flatMap(({ population }) => identityClasses.map(() => population)),
    classes: variants.flatMap(() => identityClasses),
    indices: variants.flatMap(({ index }) => identityClasses.map(() => index)),
    options: variants.flatMap(({ option }) => identityClasses.map(() => option)),
    firstCells: populations.map((_, i) => variants.findIndex(({ index }) => index === i) * identityClasses.length),
    registered: zeros(),
    live: zeros(),
    everFrozen: zeros(),
    livePresent: zeros(),
    dry: zeros(),
    sigils: zeros(),
    sigilFeesLamports: zeros(),
    heartbeats: zeros(),
    heartbeatsRefused: zeros(),
    heartbeatsSkipped: zeros(),
    freezes: zeros(),
    resyncs: zeros(),
    resyncsRefused: zeros(),
    feesLamports: zeros(),
    feesToOperations: zeros(),
    feesToContributors: zeros(),
    feesToDevelopment: zeros(),
    feesToTreasury: zeros(),
    feesToReferral: zeros(),
    depositsPaid: zeros(),
    depositsForfeited: zeros(),
    topUpsLamports: zeros(),
    topUpsOmitted: zeros(),
    left: zeros(),
    reissues: zeros(),
    spawns: zeros(),
    heartbeatsSponsored: zeros(),
    heartbeatFeesLamports: zeros(),
    feesBySponsorsLamports: zeros(),
    feesForOthersLamports: zeros(),
    flags: zeros(),
    flagsSustained: zeros(),
    paymentsTroubled: zeros(),
    keysRevoked: zeros(),
    switches: zeros(),
    subsidiesLamports: zeros(),
    hashes: zeros(),
    liveSec: zeros(),
    registeredSec: zeros(),
    livePresentSec: zeros(),
    presentSec: zeros(),
    offlineSec: zeros(),
    turns: zeros(),
    turnClock: zeros(),
    turnClockSec: zeros(),
    stayedOut: zeros(),
  };
}

/** Whether agents of a population share an income. */
export function isSharing({ populations, firstCells }: Cells, index: number): boolean {
  return populations[firstCells[index]!]!.economics.sharedDayLamports !== undefined;
}
