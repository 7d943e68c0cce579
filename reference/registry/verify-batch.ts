/** The rule of POST /verify/batch (4.14): the results for a list of hashes. One result is built in verify.ts. */

import { agentHashPattern } from '../../spec/formats.js';
import { type Refusal, refuse } from './refusal.js';
import { type Registry, rowOf } from './state.js';
import { verify } from './verify.js';

/** 4.14: verifies a list of hashes, with the results in the same order. Refuses a bad list as a whole. */
export function verifyBatch(registry: Registry, hashes: unknown, nowMs: number) {
  const refused = refuseList(registry, hashes);
  if (refused !== null) return refused;
  const results = (hashes as readonly string[]).map((hash) => {
    // D-39: rowOf reads hex digits of either case as the same bytes.
    const agent = rowOf(registry, hash);
    return agent < 0
      ? { verified: false as const, hash, error: 'no agent has this hash' }
      : verify(registry, agent, nowMs);
  });
  const verified = results.filter((result) => result.verified).length;
  const summary = { total: results.length, verified, not_found: results.length - verified };
  return { ok: true as const, results, summary };
}

function refuseList(registry: Registry, hashes: unknown): Refusal | null {
  const { hashesMin, hashesMax } = registry.protocol.verifyBatch;
  if (!Array.isArray(hashes)) return refuse('verify-batch/INVALID_INPUT', 'hashes: must be a list of agent hashes');
  if (hashes.length < hashesMin) return refuse('verify-batch/INVALID_INPUT', `hashes: at least ${hashesMin}`);
  if (hashes.length > hashesMax) return refuse('verify-batch/BATCH_TOO_LARGE', `hashes: at most ${hashesMax}`);
  const form = agentHashPattern(registry.protocol);
  const bad = hashes.findIndex((hash) => typeof hash !== 'string' || !form.test(hash));
  return bad < 0 ? null : refuse('verify-batch/INVALID_HASH', `hashes.${bad}: is not an agent hash`);
}
