import { hash } from 'node:crypto';
import type { SpotCheck } from '../../spec/endpoints/proof-schemas.js';
import type { Protocol } from '../../spec/protocol.js';
import { type BeatCheck, checkBeatInline } from './beat.js';

/** A claimed run of beats and the few of them that it shows. */
export interface ClaimedRun {
  /** The run is the beats with an index in (fromBeat, toBeat]; at least one. */
  readonly fromBeat: number;
  readonly toBeat: number;
  readonly fromHash: string;
  readonly toHash: string;
  readonly difficulty: number;
  /** Every beat of the run weaves this anchor (D-07). */
  readonly anchorHash: string;
  readonly checks: readonly SpotCheck[];
  /** Recomputes a check; absent: here and now. */
  readonly checkBeat?: BeatCheck | undefined;
}

/** What can be wrong with the spot checks of a run, in the order in which it is looked for: the costly rule is last. */
export type SpotCheckFault =
  | 'too_few_checks'
  | 'too_many_checks'
  | 'index_out_of_range'
  | 'index_twice'
  | 'end_not_checked'
  | 'challenge_not_met'
  | 'start_not_linked'
  | 'neighbours_not_linked'
  | 'end_not_linked'
  | 'check_failed';

/**
 * D-07: the first rule that the spot checks of a run break, or undefined when they break none. The order in which the
 * checks are listed does not matter.
 *
 * What no rule here can see: a check is bound to the run's two ends only where it touches them. Between the checks the
 * prover is free to leave the beats out, since nothing commits them to the hashes that they would have had.
 */
export function spotCheckFault(run: ClaimedRun, protocol: Protocol): SpotCheckFault | undefined {
  const bounds = boundsOf(run, protocol);
  if (run.checks.length < bounds.min) return 'too_few_checks';
  if (run.checks.length > bounds.max) return 'too_many_checks';
  if (run.checks.some(({ index }) => !(index > run.fromBeat && index <= run.toBeat))) return 'index_out_of_range';
  const sorted = run.checks.toSorted((a, b) => a.index - b.index);
  if (sorted.some(({ index }, i) => index === sorted[i - 1]?.index)) return 'index_twice';
  if (sorted.at(-1)?.index !== run.toBeat) return 'end_not_checked';
  if (bounds.challenged !== undefined) {
    const { challenged } = bounds;
    if (sorted.some(({ index }, i) => index !== challenged[i])) return 'challenge_not_met';
  }
  return linkFault(run, sorted) ?? hashFault(run);
}

interface CheckBounds {
  readonly min: number;
  readonly max: number;
  /** Under `proof.challengeChecks`: the only indexes that may be checked. */
  readonly challenged?: readonly number[];
}

function boundsOf(run: ClaimedRun, { proof }: Protocol): CheckBounds {
  const beats = run.toBeat - run.fromBeat;
  if (proof.challengeChecks === 0) return { min: Math.min(proof.spotChecksMin, beats), max: proof.spotChecksMax };
  const count = Math.min(proof.challengeChecks, proof.spotChecksMax - 1);
  const challenged = challengeIndexes({ toHash: run.toHash, fromBeat: run.fromBeat, toBeat: run.toBeat, count });
  return { min: challenged.length, max: challenged.length, challenged };
}

function linkFault(run: ClaimedRun, sorted: readonly SpotCheck[]): SpotCheckFault | undefined {
  const first = sorted[0];
  if (first?.index === run.fromBeat + 1 && first.prev !== run.fromHash) return 'start_not_linked';
  for (const [i, check] of sorted.entries()) {
    const before = sorted[i - 1];
    if (before !== undefined && check.index === before.index + 1 && check.prev !== before.hash) {
      return 'neighbours_not_linked';
    }
  }
  return sorted.at(-1)?.hash === run.toHash ? undefined : 'end_not_linked';
}

function hashFault({
  checks,
  anchorHash,
  difficulty,
  checkBeat = checkBeatInline,
}: ClaimedRun): SpotCheckFault | undefined {
  const shows = ({ index, hash: claimed, prev, nonce }: SpotCheck): boolean =>
    checkBeat({ prev, index, nonce, anchorHash, difficulty }, claimed);
  return checks.every(shows) ? undefined : 'check_failed';
}

/** A run whose end hash decides which of its beats are checked. */
export interface Challenge {
  readonly toHash: string;
  readonly fromBeat: number;
  readonly toBeat: number;
  /** How many beats before the last are checked; all of them when the run has no more. */
  readonly count: number;
}

/**
 * `proof.challengeChecks` (D-07): the indexes that a proof has to check, ascending, and no others. The last beat is
 * always one. Of the n = toBeat − fromBeat − 1 beats before it, draw k = 0, 1, 2 … names `fromBeat + 1 + (first 13 hex
 * digits of SHA-256("beats:challenge:v1:<to_hash>:<k>") mod n)`; a beat named before is passed over, until min(count,
 * n) are named.
 *
 * What it buys: the end of the run must be known before the indexes are, so a prover can no longer show the only beats
 * that it computed in a row. What it does not buy: the `prev` of a check that touches neither an end nor another check
 * is the prover's choice, so a forgery still costs one beat for each check and no more.
 */
export function challengeIndexes({ toHash, fromBeat, toBeat, count }: Challenge): readonly number[] {
  const before = toBeat - fromBeat - 1;
  const named = new Set<number>();
  for (let draw = 0; named.size < Math.min(count, before); draw++) {
    const digest = hash('sha256', `beats:challenge:v1:${toHash}:${draw}`, 'hex');
    named.add(fromBeat + 1 + (Number.parseInt(digest.slice(0, 13), 16) % before));
  }
  return [...named, toBeat].sort((a, b) => a - b);
}
