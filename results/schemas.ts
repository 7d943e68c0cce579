/** The published JSON Schemas of result files, of the registry and of the golden vectors. They are made of the schemas of each type. */

import { z } from 'zod';
import { goldenSchemas } from '../spec/golden-schema.js';
import { CONFORMANCE_SCHEMA, conformanceResultSchema } from './conformance-result.js';
import { ENTRY_SCHEMA, entrySchema, REGISTRY_SCHEMA, registrySchema } from './registry.js';
import { SIMULATION_SCHEMA, simulationManifestSchema, simulationSummarySchema } from './simulation-result.js';

/** A JSON Schema document (draft 2020-12). */
type JsonSchemaDocument = Readonly<Record<string, unknown>>;

function published(schema: z.ZodType, title: string): JsonSchemaDocument {
  return z.toJSONSchema(schema.meta({ title }), {
    target: 'draft-2020-12',
    // `readOnly` is about TypeScript's arrays here and would tell a reader of the file something untrue.
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly;
    },
  });
}

/** The published JSON Schemas of `conformance.json`, `manifest.json`, `summary.json`, `registry.json` and `entry.yaml`, as draft 2020-12. */
export function jsonSchemas(): {
  readonly conformance: JsonSchemaDocument;
  readonly manifest: JsonSchemaDocument;
  readonly simulation: JsonSchemaDocument;
  readonly registry: JsonSchemaDocument;
  readonly 'registry-entry': JsonSchemaDocument;
} {
  return {
    conformance: published(conformanceResultSchema, CONFORMANCE_SCHEMA),
    manifest: published(simulationManifestSchema, `${SIMULATION_SCHEMA} manifest.json`),
    simulation: published(simulationSummarySchema, `${SIMULATION_SCHEMA} summary.json`),
    registry: published(registrySchema, REGISTRY_SCHEMA),
    'registry-entry': published(entrySchema, ENTRY_SCHEMA),
  };
}

/** The JSON Schema of each file of spec/golden, as `golden/NAME`. */
export function goldenJsonSchemas(): Readonly<Record<string, JsonSchemaDocument>> {
  return Object.fromEntries(
    Object.entries(goldenSchemas).map(([name, schema]) => [
      `golden/${name}`,
      published(schema, `aips-lab/golden/1 ${name}.json`),
    ]),
  );
}
