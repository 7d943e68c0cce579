import { z } from 'zod';
import { type Parsed, parseYaml } from '../spec/document.js';
import { mergedOverlay, type Overlay } from '../spec/overlay.js';
import { scenarioFileSchema } from './file-schema.js';
import { withKnownKeys } from './known-keys.js';
import { resolveScenario } from './resolve-scenario.js';
import type { Scenario } from './scenario.js';

/** What a file is read as, with other numbers of the protocol laid over those that it sets itself. */
function scenarioSchema(overlay: Overlay): z.ZodType<Scenario> {
  return scenarioFileSchema.transform((file, context) =>
    resolveScenario({ ...file, protocol: mergedOverlay(file.protocol ?? {}, overlay) }, context),
  );
}

/**
 * Reads a scenario file. Every unknown key, wrong unit, value out of range and expectation that cannot be read is a problem
 * with its line, its key and what is allowed there. `overlay`: numbers of the protocol that hold whatever the file says.
 */
export function parseScenario(text: string, file: string, overlay: Overlay = {}): Parsed<Scenario> {
  const parsed = parseYaml(text, file, scenarioSchema(overlay));
  return parsed.ok ? parsed : { ok: false, problems: withKnownKeys(parsed.problems, scenarioJsonSchema()) };
}

/** The JSON Schema (draft 2020-12) of scenario files, by which editors complete them. */
export function scenarioJsonSchema(): Readonly<Record<string, unknown>> {
  const titled = scenarioFileSchema.meta({
    title: 'aips-lab scenario',
    description: 'A question about the protocol: who takes part, for how long, what is measured and what is expected.',
  });
  return z.toJSONSchema(titled, { target: 'draft-2020-12', io: 'input' });
}
