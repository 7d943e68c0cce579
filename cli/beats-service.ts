/**
 * Client of a beats service for `aips beats`: its terms, its latest anchor, its receipts. The suite has a client of its
 * own.
 */

import { z } from 'zod';
import { protocol } from '../spec/protocol.js';
import { Failure } from './failure.js';
import { getJson, postJson } from './http-json.js';

/** The proofs that a beats service takes, as GET /beat/work-proof describes them. */
export interface ProofTerms {
  readonly difficultyMin: number;
  readonly difficultyMax: number;
  readonly spotChecksMin: number;
  readonly spotChecksMax: number;
}

const info = z.object({
  difficulty_min: z.int(),
  difficulty_max: z.int(),
  spot_checks_min: z.int(),
  spot_checks_max: z.int(),
});

/** The terms of a beats service; the specification's where it does not describe them. */
export async function proofTerms(beatsUrl: string): Promise<ProofTerms> {
  const described = info.safeParse(await getJson(`${beatsUrl}/api/v1/beat/work-proof`));
  if (!described.success) return { ...protocol.work, ...protocol.proof };
  const { difficulty_min, difficulty_max, spot_checks_min, spot_checks_max } = described.data;
  return {
    difficultyMin: difficulty_min,
    difficultyMax: difficulty_max,
    spotChecksMin: spot_checks_min,
    spotChecksMax: spot_checks_max,
  };
}

const anchorReply = z.object({
  anchor: z.object({ beat_index: z.int(), hash: z.string().regex(/^[0-9a-f]{64}$/) }).nullable(),
});

/** The latest anchor of a service, which a proof weaves. */
export async function currentAnchor(beatsUrl: string): Promise<{ readonly index: number; readonly hash: string }> {
  const url = `${beatsUrl}/api/v1/beat/anchor`;
  const reply = await getJson(url);
  const parsed = anchorReply.safeParse(reply);
  if (!parsed.success) throw new Failure(`${url}: ${refusalOf(reply)}. Is this the URL of a beats service?`);
  const { anchor } = parsed.data;
  if (anchor === null) throw new Failure(`${url}: no anchor has been issued yet. Try again in a minute.`);
  return { index: anchor.beat_index, hash: anchor.hash };
}

const submitReply = z.union([
  z.looseObject({ ok: z.literal(true), receipt: z.union([z.string(), z.record(z.string(), z.unknown())]) }),
  z.looseObject({ ok: z.literal(false), reason: z.string() }),
]);

/** The answer to a work proof: a receipt, or why there is none. */
export type ProofReply = z.output<typeof submitReply>;

/** Submits a proof to a beats service. An answer that does not judge it, such as a rate limit, is a Failure. */
export async function submitProof(beatsUrl: string, work_proof: object): Promise<ProofReply> {
  const url = `${beatsUrl}/api/v1/beat/work-proof`;
  const reply = await postJson(url, { work_proof });
  const parsed = submitReply.safeParse(reply);
  if (!parsed.success) throw new Failure(`${url}: ${refusalOf(reply)}.`);
  return parsed.data;
}

function refusalOf(reply: unknown): string {
  const refused = z.object({ error: z.string(), retry_after_ms: z.number().optional() }).safeParse(reply);
  if (!refused.success) return 'the answer is not that of a beats service';
  const { error, retry_after_ms: waitMs } = refused.data;
  return waitMs === undefined ? error : `${error}; try again in ${Math.ceil(waitMs / 1_000)} s`;
}
