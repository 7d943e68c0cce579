/** Finds agent hashes in requests in another case than the service issued. Section 2 does not say whether they name the agent (D-39). */

import type { Call } from '../reading/call.js';
import { isAgentHash } from '../reading/field-tests.js';
import type { State } from './state.js';

const FIELDS = ['child_hash', 'target_hash', 'agent_hash', 'parent'];

/** Whether a hash is in another case than the service issued; for a hash of no agent, whether it has capitals. */
export function isRespelled({ agents }: State, hash: unknown): boolean {
  if (typeof hash !== 'string' || !isAgentHash.holds(hash)) return false;
  const lower = hash.toLowerCase();
  return hash !== (agents.find(lower)?.written ?? lower);
}

/** Whether a request names an agent by its hash in another case. */
export function respells(state: State, { hashWritten, body = {} }: Call): boolean {
  const { hashes } = body;
  const listed: readonly unknown[] = Array.isArray(hashes) ? hashes : [];
  return [hashWritten, ...FIELDS.map((field) => body[field]), ...listed].some((hash) => isRespelled(state, hash));
}
