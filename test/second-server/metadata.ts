/** Mutable fields of a SIGIL, by sections 2.8 and 4.11. */

import { sigilText } from './paid.js';
import { Refusal } from './refusal.js';
import type { Call, Reply } from './server.js';
import type { World } from './world.js';

type Test = (value: unknown) => boolean;
const oneOf =
  (...words: string[]): Test =>
  (value) =>
    typeof value === 'string' && words.includes(value);
const text =
  (max: number): Test =>
  (value) =>
    typeof value === 'string' && [...value].length <= max;
const list =
  (items: number, max: number): Test =>
  (value) =>
    Array.isArray(value) && value.length <= items && value.every(text(max));

/** The vendors by their place in the text, and by the names that the published service has. */
const VENDOR = /^(custom|<?vendor_[1-8]>?|anthropic|openai|google|meta|mistral|xai|cohere|deepseek)$/;

export const MUTABLE = new Map<string, Test>([
  ['substrate', oneOf('frontier', 'open', 'local', 'symbolic', 'hybrid', 'human')],
  ['substrate_provider', (value) => typeof value === 'string' && VENDOR.test(value)],
  ['substrate_model', text(256)],
  ['capability', oneOf('analyst', 'executor', 'orchestrator', 'guardian', 'retriever', 'renderer', 'witness')],
  ['capability_scope', text(256)],
  ['tools', list(32, 64)],
  ['modality_input', list(16, 32)],
  ['modality_output', list(16, 32)],
  ['protocol', oneOf('http', 'grpc', 'websocket', 'mcp', 'a2a', 'custom')],
  ['endpoint', (value) => text(256)(value) && URL.canParse(String(value))],
  ['compliance_regime', oneOf('gdpr', 'pdpa', 'hipaa', 'sox', 'aisi', 'none', 'custom')],
  ['generation_trigger', text(256)],
]);
const IMMUTABLE = ['sigil', 'sigil_name', 'principal', 'tier', 'identity_class'];

/** PATCH /agent/metadata */
export function changeMetadata(world: World, call: Call): Reply {
  const agent = world.agentOf(call.headers.authorization);
  world.limit('metadata', agent.hash);
  if (agent.sigil === null) throw new Refusal(403, null, 'Buy a SIGIL first.');
  const fixed = IMMUTABLE.find((field) => field in call.body);
  if (fixed !== undefined) throw new Refusal(400, null, `${fixed} cannot be changed.`);
  const fields = Object.keys(call.body).filter((field) => MUTABLE.has(field));
  if (fields.length === 0) throw new Refusal(400, null, `Send one of ${[...MUTABLE.keys()].join(', ')}.`);
  for (const field of fields) {
    if (MUTABLE.get(field)?.(call.body[field]) !== true) throw new Refusal(400, null, `${field} has no such value.`);
  }
  for (const field of fields) agent.mutable[field] = call.body[field];
  if (fields.includes('generation_trigger')) agent.generation += 1;
  return {
    body: { ok: true, sigil: sigilText(agent.sigil), generation: agent.generation, updated_fields: fields },
  };
}
