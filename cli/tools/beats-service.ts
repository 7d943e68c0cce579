/**
 * Client of a beats service for `aips tools beats`: its terms, its latest anchor, its receipts. The suite has a client of its
 * own.
 */

import { z } from 'zod';
import { Failure } from '../../runs/host/failure.js';
import { getJson, postJson } from '../../runs/host/http-json.js';
import { protocol } from '../../spec/protocol.js';

/** The proofs that a beats service takes, as GET /beat/work-proof describes them. */
export interface ProofTerms {
  readonly difficultyMin: number;
  readonly difficultyMax: number;
  readonly spotChecksMin: number;
  readonly spotChecksMax: number;
  /** The latest anchors that a proof may weave, the very latest among them. */
  readonly graceAnchors: number;
}

const info = z.object({
  difficulty_min: z.int(),
  difficulty_max: z.int(),
  spot_checks_min: z.int(),
  spot_checks_max: z.int(),
});

/** The same as the published service has it (D-57); its window counts the anchors before the latest. */
const publicCaps = z.object({
  public_caps: z.object({
    min_difficulty: z.int(),
    max_difficulty: z.int(),
    min_spot_checks: z.int(),
    max_spot_checks: z.int(),
    anchor_grace_window: z.int().min(0).optional(),
  }),
});

/** The terms of a beats service; the specification's where it does not describe them. */
export async function proofTerms(beatsUrl: string): Promise<ProofTerms> {
  const reply = await getJson(`${beatsUrl}/api/v1/beat/work-proof`);
  const { graceAnchors } = protocol.anchor;
  const capped = publicCaps.safeParse(reply);
  if (capped.success) {
    const { anchor_grace_window: window = graceAnchors - 1, ...caps } = capped.data.public_caps;
    return {
      difficultyMin: caps.min_difficulty,
      difficultyMax: caps.max_difficulty,
      spotChecksMin: caps.min_spot_checks,
      spotChecksMax: caps.max_spot_checks,
      graceAnchors: window + 1,
    };
  }
  const described = info.safeParse(reply);
  if (!described.success) return { ...protocol.work, ...protocol.proof, graceAnchors };
  const { difficulty_min, difficulty_max, spot_checks_min, spot_checks_max } = described.data;
  return {
    difficultyMin: difficulty_min,
    difficultyMax: difficulty_max,
    spotChecksMin: spot_checks_min,
    spotChecksMax: spot_checks_max,
    graceAnchors,
  };
}

/** An anchor as `aips tools beats` weaves it. */
export interface Anchor {
  readonly index: number;
  readonly hash: string;
}

const anchorReply = z.object({
  anchor: z.object({ beat_index: z.int(), hash: z.string().regex(/^[0-9a-f]{64}$/) }).nullable(),
});

/** The latest anchor of a service, which a proof weaves. */
export async function currentAnchor(beatsUrl: string): Promise<Anchor> {
  const url = `${beatsUrl}/api/v1/beat/anchor`;
  const reply = await getJson(url);
  const parsed = anchorReply.safeParse(reply);
  if (!parsed.success) throw new Failure(`${url}: ${refusalOf(reply)}. Is this the URL of a beats service?`);
  const { anchor } = parsed.data;
  if (anchor === null) throw new Failure(`${url}: no anchor has been issued yet. Try again in a minute.`);
  return { index: anchor.beat_index, hash: anchor.hash };
}

const receipt = z.union([z.string().min(1), z.record(z.string(), z.unknown())]);
/** With `ok`, as the specification has it, or with `valid` alone, as the published service does (D-57). */
const accepted = z.union([
  z.looseObject({ ok: z.literal(true), receipt }),
  z.looseObject({ ok: z.undefined().optional(), valid: z.literal(true), receipt }),
]);
const refused = z.union([
  z.looseObject({ ok: z.literal(false), reason: z.string() }),
  z.looseObject({ ok: z.undefined().optional(), valid: z.literal(false), reason: z.string() }),
]);

/** The answer to a work proof: a receipt, or why there is none, and the reply itself. */
type ProofReply =
  | { readonly receipt: z.output<typeof receipt>; readonly reply: object }
  | { readonly receipt: undefined; readonly reason: string; readonly reply: object };

/** Submits a proof to a beats service. An answer that does not judge it, such as a rate limit, is a Failure. */
export async function submitProof(beatsUrl: string, work_proof: object): Promise<ProofReply> {
  const url = `${beatsUrl}/api/v1/beat/work-proof`;
  const reply = await postJson(url, { work_proof });
  const good = accepted.safeParse(reply);
  if (good.success) return { receipt: good.data.receipt, reply: good.data };
  const bad = refused.safeParse(reply);
  if (bad.success) return { receipt: undefined, reason: bad.data.reason, reply: bad.data };
  throw new Failure(`${url}: ${refusalOf(reply)}.`);
}

function refusalOf(reply: unknown): string {
  const refused = z.object({ error: z.string(), retry_after_ms: z.number().optional() }).safeParse(reply);
  if (!refused.success) return 'the answer is not that of a beats service';
  const { error, retry_after_ms: waitMs } = refused.data;
  return waitMs === undefined ? error : `${error}; try again in ${Math.ceil(waitMs / 1_000)} s`;
}
