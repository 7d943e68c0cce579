import type { Population } from '../../scenarios/scenario.js';
import { type IdentityClass, identityClasses } from '../../spec/vocabulary.js';

/**
 * What is counted while a run goes on, for each cell: a population's agents of one class. Groups and totals are sums of
 * cells, so an event counts in one place.
 */
export interface Cells {
  /** Whose agents a cell counts: the population, and the class that they want. */
  readonly populations: readonly Population[];
  readonly classes: readonly IdentityClass[];
  readonly registered: Float64Array;
  /** Registered agents that are not frozen. */
  readonly live: Float64Array;
  readonly dry: Float64Array;
  readonly heartbeats: Float64Array;
  readonly heartbeatsRefused: Float64Array;
  readonly heartbeatsSkipped: Float64Array;
  readonly freezes: Float64Array;
  readonly resyncs: Float64Array;
  readonly resyncsRefused: Float64Array;
  readonly feesLamports: Float64Array;
  readonly topUpsLamports: Float64Array;
  readonly left: Float64Array;
  readonly spawns: Float64Array;
  readonly heartbeatsSponsored: Float64Array;
  /** Fees of heartbeats, whoever paid them; `feesLamports` counts for who paid. */
  readonly heartbeatFeesLamports: Float64Array;
  /** Complaints that its agents filed, and those against them that were sustained. */
  readonly flags: Float64Array;
  readonly flagsSustained: Float64Array;
  readonly paymentsTroubled: Float64Array;
  readonly keysRevoked: Float64Array;
  readonly subsidiesLamports: Float64Array;
  /** Hashes that its agents have computed. */
  readonly hashes: Float64Array;
  /**
   * Agent-seconds, less what is still running: minus the second at which an agent began, plus the one at which it ended.
   * With n agents running at second t the time is this plus n × t.
   */
  readonly liveSec: Float64Array;
  readonly registeredSec: Float64Array;
}

/** The name of something that cells count. */
export type Counter = Exclude<keyof Cells, 'populations' | 'classes'>;

/** Cells of zeros: for each population one for each class. */
export function createCells(populations: readonly Population[]): Cells {
  const zeros = (): Float64Array => new Float64Array(populations.length * identityClasses.length);
  return {
    populations: populations.flatMap((population) => identityClasses.map(() => population)),
    classes: populations.flatMap(() => identityClasses),
    registered: zeros(),
    live: zeros(),
    dry: zeros(),
    heartbeats: zeros(),
    heartbeatsRefused: zeros(),
    heartbeatsSkipped: zeros(),
    freezes: zeros(),
    resyncs: zeros(),
    resyncsRefused: zeros(),
    feesLamports: zeros(),
    topUpsLamports: zeros(),
    left: zeros(),
    spawns: zeros(),
    heartbeatsSponsored: zeros(),
    heartbeatFeesLamports: zeros(),
    flags: zeros(),
    flagsSustained: zeros(),
    paymentsTroubled: zeros(),
    keysRevoked: zeros(),
    subsidiesLamports: zeros(),
    hashes: zeros(),
    liveSec: zeros(),
    registeredSec: zeros(),
  };
}
