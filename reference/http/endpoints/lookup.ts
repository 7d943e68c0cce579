/**
 * The part that lookups by hash share: status, verify and beat-status. The replies themselves are built in the
 * registry.
 */

import type { Endpoint } from '../../../spec/endpoint.js';
import type { ErrorKey } from '../../../spec/errors.js';
import { agentHashPattern } from '../../../spec/formats.js';
import { refuse } from '../../registry/refusal.js';
import { rowOf } from '../../registry/state.js';
import { type EndpointCall, type HandlerResult, reply } from '../request/route.js';

/**
 * Answers for the agent whose hash is in the path, with the body of `view`. Refuses a malformed hash with 400, and an
 * unknown one with 404 and the fields of `absent`.
 */
export function lookup<E extends Endpoint>(
  call: EndpointCall<E>,
  stem: 'status' | 'verify' | 'beat-status',
  view: (agent: number) => object,
  absent: (hash: string) => Readonly<Record<string, unknown>>,
): HandlerResult {
  const { registry, hash } = call;
  if (!agentHashPattern(registry.protocol).test(hash)) return refuse(`${stem}/INVALID_HASH` satisfies ErrorKey);
  const agent = rowOf(registry, hash.toLowerCase());
  if (agent >= 0) return reply(view(agent));
  return refuse(`${stem}/AGENT_NOT_FOUND` satisfies ErrorKey, undefined, absent(hash));
}
