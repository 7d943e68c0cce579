/** Checks a request body against its endpoint's zod schema. The rules decide about valid bodies. */

import type { z } from 'zod';
import type { Endpoint, Facts } from '../../../spec/endpoint.js';
import { type Refusal, refuse } from '../../registry/refusal.js';
import type { Registry } from '../../registry/state.js';

/** Parses a body by the endpoint's schema. Refuses an invalid one with the endpoint's own error. */
export function parse(
  endpoint: Endpoint,
  facts: Facts,
  value: unknown,
): { readonly ok: true; readonly value: unknown } | Refusal {
  const schema = schemaOf(endpoint, facts);
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  const issue = result.error.issues[0];
  const at = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  return refuse(endpoint.invalid ?? 'any/INVALID_JSON', `${at}${issue?.message ?? 'the body is invalid'}`);
}

const factsByRegistry = new WeakMap<Registry, Facts>();

/** The facts that a registry's schemas depend on, as one object for each registry. */
export function factsOf(registry: Registry): Facts {
  const known = factsByRegistry.get(registry);
  if (known !== undefined) return known;
  const { protocol, dialect, policy } = registry;
  const facts: Facts = { protocol, dialect, loopbackWebhooks: policy.allowLoopbackWebhooks ?? false };
  factsByRegistry.set(registry, facts);
  return facts;
}

/** Schemas are built once for each set of facts. */
const schemas = new WeakMap<Endpoint, { readonly facts: Facts; readonly schema: z.ZodType }>();

function schemaOf(endpoint: Endpoint, facts: Facts): z.ZodType {
  const known = schemas.get(endpoint);
  if (known?.facts === facts) return known.schema;
  const schema = (endpoint.body as NonNullable<Endpoint['body']>)(facts);
  schemas.set(endpoint, { facts, schema });
  return schema;
}
