/** The schema of a file for `aips experiment design`: numbers of the protocol, what they are to bring, and what agents choose under them. */

import { z } from 'zod';
import { withKnownKeys } from '../../scenarios/known-keys.js';
import { between, naming, whole } from '../../scenarios/schema-parts.js';
import { type Parsed, parseYaml } from '../../spec/document.js';
import { formulasKey } from '../sweep/measure-formula.js';
import { experimentKeys, factorRanges, RUNS_MAX } from '../sweep/sweep-file.js';

/** A single run has no interval. */
const REPLICATES_MIN = 2;
const OBJECTIVES_MAX = 3;
const POINTS_MAX = 100_000;
/** More points of a front than a figure shows apart. */
const FRONT_MAX = 100;

const measure = naming('measures', z.string());
const OBJECTIVE = 'must be one of maximize and minimize, with a measure such as fees_lamports';
const objective = z
  .strictObject({ maximize: measure.optional(), minimize: measure.optional() })
  .refine(({ maximize, minimize }) => (maximize === undefined) !== (minimize === undefined), OBJECTIVE);

const designSchema = z
  .strictObject({
    ...experimentKeys,
    replicates: whole(REPLICATES_MIN, RUNS_MAX).default(4),
    /** Numbers of the protocol, with their bounds. */
    numbers: factorRanges,
    ...formulasKey,
    /** One has an optimum; two or three have a front. */
    objectives: z
      .array(objective)
      .min(1, 'must hold at least one objective such as { maximize: fees_lamports }')
      .max(OBJECTIVES_MAX, `must be at most ${OBJECTIVES_MAX} objectives`),
    /** Limits that a point has to keep. */
    goals: z.array(z.string()).default([]),
    /** The most points that are played; absent: 100, and 100 for each number. */
    points: whole(1, POINTS_MAX).optional(),
    /** Runs with seeds of their own, by which the final figures are measured. */
    confirm: whole(REPLICATES_MIN, RUNS_MAX).default(20),
    /** Points that are not shown to be worse than the best by more than this share of its value are near-optimal. */
    tolerance: between(0, 1).default(0.01),
    /** The most points of a front that are measured by other seeds. */
    front: whole(2, FRONT_MAX).default(12),
    /** A file for `aips experiment equilibrium`, from the folder of this one: what agents choose before and after the change. */
    equilibrium: z.string().min(1, 'must name a file for aips experiment equilibrium').optional(),
  })
  .superRefine(({ numbers }, context) => {
    for (const path of Object.keys(numbers)) {
      if (path.startsWith('protocol.')) continue;
      const message =
        'is no number of the protocol, which begins with protocol.; for others there is experiment search';
      context.addIssue({ code: 'custom', path: ['numbers', path], message });
    }
  });

/** A file that was read, with defaults filled in. */
export type DesignFile = z.output<typeof designSchema>;

/** Reads a file; every mistake is a problem with its line and key. */
export function parseDesign(text: string, file: string): Parsed<DesignFile> {
  return withKnownKeys(parseYaml(text, file, designSchema), designJsonSchema);
}

/** The JSON Schema (draft 2020-12) of such files, for editors. */
export function designJsonSchema(): Readonly<Record<string, unknown>> {
  const titled = designSchema.meta({
    title: 'aips-lab design',
    description:
      'Numbers of the protocol to choose, objectives and limits by which they are chosen, and a game that they change.',
  });
  return z.toJSONSchema(titled, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' });
}
