/** POST /beat/verify as data, on the registry and on the beats service: beats are recomputed. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import type { Protocol } from '../protocol.js';
import { beatVerifyModes } from '../vocabulary.js';
import { beatProof, workProofSent } from './proof-schemas.js';
import { chainHash, count } from './shared.js';

/** D-02: one beat with all that its hash depends on but the difficulty. */
const beat = z.object({
  index: count,
  hash: chainHash,
  prev: chainHash,
  nonce: z.string().optional(),
  anchor_hash: chainHash.optional(),
});
export type Beat = z.output<typeof beat>;

/** D-57: a difficulty that is taken for the nearest allowed one. */
function clampedDifficulty({ work, beat }: Protocol) {
  return z
    .number()
    .overwrite((asked) => Math.min(Math.max(Math.floor(asked), work.difficultyMin), work.difficultyMax))
    .default(beat.difficulty);
}

/** D-10: a beat, a chain of beats, or a proof of either kind. Without a difficulty the protocol's own holds. */
function question(facts: Facts) {
  const { protocol, dialect } = facts;
  const difficulty =
    dialect.difficulty === 'clamped'
      ? clampedDifficulty(protocol)
      : z.int().min(1).max(protocol.work.difficultyMax).default(protocol.beat.difficulty);
  const shown = z.object({ spot_checks: z.array(z.unknown()).min(1).max(protocol.proof.spotChecksMax) });
  const proof = z.union([beatProof, workProofSent(facts)]);
  const shaped = proof.refine((each) => dialect.proofShape === undefined || shown.safeParse(each).success);
  return z.union([
    z.object({
      mode: z.literal('chain'),
      beats: z.array(beat).min(1).max(protocol.beatVerify.chainBeatsMax),
      difficulty,
      ...(dialect.beatVerify === 'sampled' ? { spot_checks: z.number().optional() } : {}),
    }),
    z.object({ mode: z.literal('proof'), proof: shaped, difficulty }),
    z.object({ mode: z.literal('beat').default('beat'), beat, difficulty }),
  ]);
}

/** D-10: the kind of request, and whether it is valid; `beats_checked` counts the beats that were recomputed. */
const beatVerified = z.discriminatedUnion('valid', [
  z.strictObject({
    ok: z.literal(true),
    mode: z.enum(beatVerifyModes),
    valid: z.literal(true),
    beats_checked: count.optional(),
  }),
  z.strictObject({
    ok: z.boolean(),
    mode: z.enum(beatVerifyModes),
    valid: z.literal(false),
    beats_checked: count.optional(),
    reason: z.string().optional(),
  }),
]);

const call = {
  stem: 'beat-verify',
  method: 'POST',
  path: '/api/v1/beat/verify',
  purpose: 'Recomputes beats and says whether they hold.',
  auth: 'none',
  buckets: [{ limit: 'beatVerify', by: 'ip' }],
  body: question,
  invalid: 'beat-verify/VALIDATION',
  changesNothing: true,
  bodyBytesMax: ({ protocol }: Facts) => protocol.body.proofBytesMax,
  replies: () => ({ 200: beatVerified }),
} as const;

/** 4.1 lists the route; D-10 gives its reply. */
export const beatVerify = {
  ...call,
  id: 'beat-verify',
  service: 'registry',
  section: '4.1',
} as const satisfies Endpoint;

/** D-08 and D-10: the same call on the beats service. */
export const beatsBeatVerify = {
  ...call,
  id: 'beats.beat-verify',
  service: 'beats',
  section: '4.8',
} as const satisfies Endpoint;
