/** The rules for the spot checks of a claimed run of beats, which beat proofs and work proofs share (D-07). */

import { hash } from 'node:crypto';
import type { SpotCheck } from '../../spec/endpoints/proof-schemas.js';
import type { Protocol } from '../../spec/protocol.js';
import { type BeatCheck, checkBeatInline } from './beat.js';

/** A claimed run of beats, and the few of its beats that the proof shows. */
interface ClaimedRun {
  /** The run is the beats with an index in (fromBeat, toBeat]; at least one. */
  readonly fromBeat: number;
  readonly toBeat: number;
  readonly fromHash: string;
  readonly toHash: string;
  readonly difficulty: number;
  /** Every beat of the run weaves this anchor (D-07). */
  readonly anchorHash: string;
  readonly checks: readonly SpotCheck[];
  /** Checks the hash of a shown beat; absent: it is recomputed at once. */
  readonly checkBeat?: BeatCheck | undefined;
}

/** The rule that spot checks break. The rules are checked in this order, the costly one last. */
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
 * D-07: the first rule that the spot checks of a run break; undefined if they are valid. The order in which they are
 * listed does not matter.
 *
 * No rule can see the beats between the checks: a check is tied to the run only if it touches one of its ends. So a
 * prover may leave the rest of the beats uncomputed, since nothing commits it to their hashes.
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
  /** With `proof.challengeChecks`: the only indexes that may be checked. */
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
interface Challenge {
  readonly toHash: string;
  readonly fromBeat: number;
  readonly toBeat: number;
  /** How many beats before the last are checked; all of them if the run has no more. */
  readonly count: number;
}

/**
 * `proof.challengeChecks` (D-07): the indexes that a proof has to check, ascending, and no others. The last beat is
 * always one. Of the n = toBeat − fromBeat − 1 beats before it, draw k = 0, 1, 2 … selects `fromBeat + 1 + (first 13
 * hex digits of SHA-256("beats:challenge:v1:<to_hash>:<k>") mod n)`; a beat selected before is skipped, until
 * min(count, n) are selected.
 *
 * The gain: the end of the run must be known before the indexes are, so a prover can no longer choose to show the only
 * beats that it has computed in a row. The limit: the `prev` of a check that touches neither an end nor another check
 * is the prover's choice, so a forgery still costs only one beat for each check.
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
