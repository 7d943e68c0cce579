/** POST /agent/beats/submit (4.9). Invalid proofs are in proof.ts. */

import type { BeatProof } from '../protocol/beats.js';
import type { Move, Sender } from './move.js';

/** Submits a proof, or any other body. */
export const submitBeats = ({ key }: Sender, body: unknown): Move => ({ endpoint: 'beats-submit', key, body });

type Fault = (proof: BeatProof) => object;

const without =
  (field: keyof BeatProof): Fault =>
  (proof) => ({ ...proof, [field]: undefined });
const asText =
  (field: keyof BeatProof): Fault =>
  (proof) => ({ ...proof, [field]: String(proof[field]) });
/** Only the last spot check has this field. */
const checksWithout =
  (field: 'prev' | 'hash'): Fault =>
  (proof) => ({
    ...proof,
    spot_checks: proof.spot_checks.map((check) =>
      check.index === proof.to_beat ? check : { ...check, [field]: undefined },
    ),
  });

/** Proofs with a field that is missing or of another type, by name. */
export const malformedProofs = {
  'no-from-hash': without('from_hash'),
  'no-from-beat': without('from_beat'),
  'no-to-beat': without('to_beat'),
  'no-checks': without('spot_checks'),
  'count-as-text': asText('beats_computed'),
  'from-beat-as-text': asText('from_beat'),
  'to-beat-as-text': asText('to_beat'),
  'anchor-as-text': asText('global_anchor'),
  'checks-without-prev': checksWithout('prev'),
  'checks-without-hash': checksWithout('hash'),
} as const satisfies Readonly<Record<string, Fault>>;
