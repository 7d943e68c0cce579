/** Makes proofs with one fault: beat proofs of an agent's chain (2.4, 4.9, 4.10) and work proofs (2.5, 4.8). */

import type { SpotCheck } from '../protocol/beats.js';
import { near } from './move.js';

/** The common fields of both kinds of proofs. */
interface Proof {
  readonly from_hash: string;
  readonly to_hash: string;
  readonly beats_computed: number;
  readonly anchor_hash: string;
  readonly spot_checks: readonly SpotCheck[];
}
type Fault = <P extends Proof>(proof: P) => object;

const flipped = (hash: string): string => [...hash].reverse().join('');
/** Makes a spot check invalid. */
const invalidHash =
  (field: 'hash' | 'prev'): Fault =>
  (proof) => ({
    ...proof,
    spot_checks: proof.spot_checks.map((check, place) =>
      place === 1 ? { ...check, [field]: near(check[field], 0) } : check,
    ),
  });

/** Changes that make a valid proof invalid without computing beats, by name. */
export const proofFaults = {
  count: (proof) => ({ ...proof, beats_computed: proof.beats_computed + 1 }),
  end: (proof) => ({ ...proof, spot_checks: proof.spot_checks.slice(0, -1) }),
  'to-hash': (proof) => ({ ...proof, to_hash: flipped(proof.to_hash) }),
  anchor: (proof) => ({ ...proof, anchor_hash: flipped(proof.anchor_hash) }),
  // The proof starts from another hash, and does not show its first beat.
  elsewhere: (proof) => ({
    ...proof,
    from_hash: flipped(proof.from_hash),
    spot_checks: proof.spot_checks.filter(({ prev }) => prev !== proof.from_hash),
  }),
} as const satisfies Readonly<Record<string, Fault>>;

/** More such changes, by name: an invalid spot check, and a count of beats below the last spot check. */
export const moreProofFaults = {
  hash: invalidHash('hash'),
  prev: invalidHash('prev'),
  fewer: (proof) => ({ ...proof, beats_computed: proof.beats_computed - 3 }),
} as const satisfies Readonly<Record<string, Fault>>;
