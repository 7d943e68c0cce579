import type { Endpoint } from '../../../spec/endpoint.js';
import type { ErrorKey } from '../../../spec/errors.js';
import { agentHashPattern } from '../../../spec/formats.js';
import { refuse } from '../../registry/refusal.js';
import { rowOf } from '../../registry/state.js';
import { type EndpointCall, type HandlerResult, reply } from '../request/route.js';

/** The agent that a path names, shown by `view`; a hash of another form is 400, an unknown one 404 with the fields that `absent` gives. */
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
