/**
 * The zod schemas of the result files, from which their JSON Schemas are made. The types are in conformance-result.ts
 * and simulation-result.ts.
 */

import { z } from 'zod';
import { CONFORMANCE_SCHEMA } from './conformance-result.js';
import type { Json } from './json-text.js';
import { SIMULATION_SCHEMA } from './simulation-result.js';

const count = z.int().nonnegative();
const texts = z.array(z.string()).readonly();
const headers = z.record(z.string(), z.string());
const level = z.enum(['must', 'decision']);

const exchange = z.object({
  request: z.object({ method: z.string(), url: z.string(), headers, body: z.string().exactOptional() }),
  response: z.object({ status: z.int(), headers, body: z.string() }).exactOptional(),
  failure: z.string().exactOptional(),
  at: z.string().exactOptional(),
});

const verdict = z.enum(['pass', 'fail', 'advisory', 'not-applicable', 'not-tested', 'inconclusive', 'error']);

const knownFailure = z.object({ reason: z.string(), link: z.string().exactOptional(), expires: z.string() });

const baseline = z.object({
  file: z.string(),
  known: count,
  faults: z
    .array(z.object({ entry: z.string(), fault: z.enum(['passes', 'expired', 'unknown']), text: z.string() }))
    .readonly(),
});

const judged = {
  id: z.string(),
  title: z.string(),
  clauses: texts,
  level,
  wall_ms: z.number().nonnegative(),
  transcript: z.array(exchange).readonly(),
  not_served: z.string().exactOptional(),
  known: knownFailure.exactOptional(),
  ended: z.string().exactOptional(),
  flaky: z
    .array(z.object({ seed: z.number(), verdict }))
    .readonly()
    .exactOptional(),
};

const check = z.discriminatedUnion('verdict', [
  z.object({ ...judged, verdict: z.literal('pass') }),
  z.object({
    ...judged,
    verdict: z.enum(['fail', 'advisory']),
    about: z.string(),
    expected: z.string(),
    actual: z.string(),
  }),
  z.object({
    ...judged,
    verdict: z.enum(['not-applicable', 'not-tested', 'inconclusive', 'error']),
    reason: z.string(),
  }),
]);

const notServed = z.object({
  endpoint: z.string(),
  method: z.string(),
  path: z.string(),
  section: z.string(),
  stem: z.string(),
  checks: count,
});

const evidence = z.object({
  check: z.string(),
  step: z.string(),
  level,
  about: z.string(),
  ok: z.boolean(),
  expected: z.string().exactOptional(),
  actual: z.string().exactOptional(),
});

const finding = z.object({
  id: z.string(),
  clauses: texts,
  level,
  endpoint: z.string(),
  about: z.string(),
  expected: z.string(),
  actual: z.string(),
  checks: texts,
  transcript: z.array(exchange).readonly(),
  known: knownFailure.exactOptional(),
});

const clauseCounts = z.object({ total: count, judged: count, hold: count, fail: count });

const reportedClause = z.object({
  id: z.string(),
  section: z.string(),
  section_title: z.string(),
  where: z.string(),
  level,
  text: z.string(),
  state: z.enum(['holds', 'fails', 'not-judged', 'excluded']),
  reason: z.string().exactOptional(),
  checks: texts,
  excluded: z.string().exactOptional(),
  evidence: z.array(evidence).readonly(),
});

/** `conformance.json`. Parsing keeps the fields of the contract in their fixed order and drops every other. */
export const conformanceResultSchema = z.object({
  schema: z.literal(CONFORMANCE_SCHEMA),
  tool_version: z.string(),
  target: z.object({
    base_url: z.string(),
    beats_url: z.string().nullable(),
    network: z.string(),
    dialect: z.string(),
    offers: texts,
  }),
  seed: z.number(),
  repeat: count.exactOptional(),
  started_at: z.string(),
  wall_s: z.number().nonnegative(),
  requests: count,
  lamports: count,
  stopped: z.string().exactOptional(),
  unpaid: z.string().exactOptional(),
  summary: z.object({
    pass: count,
    fail: count,
    advisory: count,
    not_applicable: count,
    not_tested: count,
    inconclusive: count,
    error: count,
    clauses: z.object({ must: clauseCounts, decision: clauseCounts }),
  }),
  not_served: z.array(notServed).readonly().exactOptional(),
  baseline: baseline.exactOptional(),
  exit_status: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  transcripts: z.string().exactOptional(),
  findings: z.array(finding).readonly(),
  checks: z.array(check).readonly(),
  coverage: z.object({ clauses: count, judged: count, held: count, excluded: count }),
  clauses: z.array(reportedClause).readonly(),
});

const operationCount = z.object({ kind: z.string(), accepted: count, refused: z.record(z.string(), count) });

const numbersByPath = z.record(z.string(), z.number());
const jsonObject = z.record(z.string(), z.unknown() as z.ZodType<Json>);
const resolvedInputs = z.object({
  scenario: jsonObject,
  protocol: jsonObject,
  overlay: z.object({ file: z.string(), numbers: numbersByPath }).nullable(),
  set: numbersByPath,
});

const censoredGrowth = z.object({
  population: z.string(),
  count,
  at_ms: count,
  births_prevented: count,
  allowed: z.boolean(),
});

/** `manifest.json`. `run` stands last: everything before it is the same on every run of the same seed. */
export const simulationManifestSchema = z.object({
  schema: z.literal(SIMULATION_SCHEMA),
  scenario: z.object({ name: z.string(), file: z.string(), sha256: z.string(), text: z.string().exactOptional() }),
  seed: z.number(),
  protocol_digest: z.string(),
  resolved: resolvedInputs,
  versions: z.object({ aips_lab: z.string(), scenario_format: z.number() }),
  behaviours: z.object({ file: z.string(), sha256: z.string() }).exactOptional(),
  fork: z.object({ name: z.string(), at_ms: count, set: z.record(z.string(), z.number()) }).exactOptional(),
  event_hash: z.string(),
  operations: z.object({
    total: count,
    accepted: count,
    refused: count,
    by_kind: z.array(operationCount).readonly(),
  }),
  agents: count,
  simulated_ms: count,
  censored: z.array(censoredGrowth).readonly(),
  no_effect: z
    .array(z.object({ key: z.string(), text: z.string() }))
    .readonly()
    .exactOptional(),
  invariants: z.array(z.object({ name: z.string(), text: z.string(), checked: count })).readonly(),
  model: texts,
  partial: z.boolean(),
  run: z.object({
    wall_s: z.number().nonnegative(),
    operations_per_s: z.number().nonnegative(),
    peak_rss_mb: z.number().nonnegative(),
    node: z.string(),
  }),
});

const series = z.object({
  name: z.string(),
  unit: z.string(),
  label: z.string(),
  group: z.string().exactOptional(),
  values: z.array(z.number()).readonly(),
});

const quantileMs = z.number().nonnegative().nullable();
const firstFreeze = z.object({
  group: z.string().exactOptional(),
  agents: count,
  frozen: count,
  censored: count,
  quantiles_ms: z.object({ p10: quantileMs, p25: quantileMs, p50: quantileMs, p75: quantileMs, p90: quantileMs }),
});
const refusalCount = z.object({
  population: z.string(),
  class: z.string(),
  operation: z.string(),
  code: z.string(),
  count,
});
const agentsOf = z.object({ population: z.string(), class: z.string() });
const sponsoredFees = z.object({ sponsor: agentsOf, sponsored: agentsOf, heartbeats: count, lamports: count });

/** Everything that one simulation found. */
export const simulationResultSchema = z.object({
  manifest: simulationManifestSchema,
  question: z.string(),
  description: z.string(),
  times_ms: z.array(z.number()).readonly(),
  series: z.array(series).readonly(),
  totals: z.record(z.string(), z.number()),
  first_freeze: z.array(firstFreeze).readonly(),
  refusals: z.array(refusalCount).readonly(),
  sponsored_fees: z.array(sponsoredFees).readonly(),
  expectations: z.array(z.object({ text: z.string(), holds: z.boolean(), measured: z.number() })).readonly(),
  command: z.string(),
});

/** `summary.json`: the result without what varies between runs of the same seed. */
export const simulationSummarySchema = simulationResultSchema.extend({
  manifest: simulationManifestSchema.omit({ run: true }),
});

/** A JSON Schema document (draft 2020-12). */
export type JsonSchemaDocument = Readonly<Record<string, unknown>>;

function published(schema: z.ZodType, title: string): JsonSchemaDocument {
  return z.toJSONSchema(schema.meta({ title }), {
    target: 'draft-2020-12',
    // `readOnly` is about TypeScript's arrays here and would tell a reader of the file something untrue.
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly;
    },
  });
}

/** The published JSON Schemas of `conformance.json`, `manifest.json` and `summary.json`, as draft 2020-12. */
export function jsonSchemas(): {
  readonly conformance: JsonSchemaDocument;
  readonly manifest: JsonSchemaDocument;
  readonly simulation: JsonSchemaDocument;
} {
  return {
    conformance: published(conformanceResultSchema, CONFORMANCE_SCHEMA),
    manifest: published(simulationManifestSchema, `${SIMULATION_SCHEMA} manifest.json`),
    simulation: published(simulationSummarySchema, `${SIMULATION_SCHEMA} summary.json`),
  };
}
