/** Reads a scenario file, and gives its JSON Schema. The parts of the schema are in file-schema.ts. */

import { z } from 'zod';
import { type Parsed, parseYaml } from '../spec/document.js';
import { mergedOverlay, type Overlay } from '../spec/overlay.js';
import { scenarioFileSchema } from './file-schema.js';
import { withKnownKeys } from './known-keys.js';
import { withPurposes } from './purposes.js';
import { resolveScenario } from './resolve-scenario.js';
import type { Scenario } from './scenario.js';

/** The schema of a file, with an overlay over the protocol numbers that the file sets. */
function scenarioSchema(overlay: Overlay): z.ZodType<Scenario> {
  return scenarioFileSchema.transform((file, context) =>
    resolveScenario({ ...file, protocol: mergedOverlay(file.protocol ?? {}, overlay) }, context),
  );
}

/** The JSON Schema, once a mistake has been found: it takes long to make. */
let known: ReturnType<typeof scenarioJsonSchema> | undefined;

/**
 * Parses a scenario file. Every unknown key, wrong unit, value out of range and unreadable expectation is a problem with its line,
 * its key and what is allowed there. `overlay`: protocol numbers that replace those of the file.
 */
export function parseScenario(text: string, file: string, overlay: Overlay = {}): Parsed<Scenario> {
  return withKnownKeys(parseYaml(text, file, scenarioSchema(overlay)), () => {
    known ??= scenarioJsonSchema();
    return known;
  });
}

/** The JSON Schema (draft 2020-12) of scenario files, for editors. */
export function scenarioJsonSchema(): Readonly<Record<string, unknown>> {
  const titled = scenarioFileSchema.meta({
    title: 'aips-lab scenario',
    description: 'A question about the protocol: who takes part, for how long, what is measured and what is expected.',
  });
  return withPurposes(z.toJSONSchema(titled, { target: 'draft-2020-12', io: 'input' }));
}
