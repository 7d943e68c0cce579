/** The schema of a file for `aips experiment sensitivity`, and the sweep that evaluates its points. The indices are in the other files. */

import { stringify } from 'yaml';
import { z } from 'zod';
import { withKnownKeys } from '../../scenarios/known-keys.js';
import { type Parsed, parseYaml } from '../../spec/document.js';
import { drawsOf } from '../statistics/draws.js';
import { formulasKey } from '../sweep/measure-formula.js';
import { experimentKeys, factorRanges } from '../sweep/sweep-file.js';
import { type MorrisDesign, type MorrisEffect, morrisDesign, morrisEffects } from './morris.js';
import { type SobolIndex, sobolIndexPoints, sobolIndices } from './sobol-indices.js';

/** Two dimensions of the sequence for each factor. */
const SOBOL_FACTORS_MAX = 10;

const whole = (least: number, most: number) => z.int('must be a whole number').min(least).max(most);
const method = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('morris'),
    trajectories: whole(2, 10_000).default(10),
    levels: whole(2, 100)
      .refine((levels) => levels % 2 === 0, 'must be even')
      .default(4),
  }),
  z.strictObject({ kind: z.literal('sobol'), rows: whole(8, 100_000).default(64) }),
]);

const sensitivitySchema = z
  .strictObject({
    ...experimentKeys,
    method,
    factors: factorRanges,
    ...formulasKey,
    measures: z.array(z.string()).min(1, 'must hold at least one measure'),
  })
  .refine((file) => file.method.kind === 'morris' || Object.keys(file.factors).length <= SOBOL_FACTORS_MAX, {
    path: ['factors'],
    message: `must be at most ${SOBOL_FACTORS_MAX} for the method sobol: screen them with morris first`,
  });

/** A file for `aips experiment sensitivity`, with defaults filled in. */
type SensitivityFile = z.output<typeof sensitivitySchema>;

/** Reads a file; every mistake is a problem with its line and key. */
export function parseSensitivity(text: string, file: string): Parsed<SensitivityFile> {
  return withKnownKeys(parseYaml(text, file, sensitivitySchema), sensitivityJsonSchema);
}

/** The JSON Schema (draft 2020-12) of such files, for editors. */
export function sensitivityJsonSchema(): Readonly<Record<string, unknown>> {
  const titled = sensitivitySchema.meta({
    title: 'aips-lab sensitivity analysis',
    description: 'A scenario, and factors whose effects on some measures are asked for.',
  });
  return z.toJSONSchema(titled, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' });
}

/** The effect of one factor on a measure. */
type FactorEffect = { readonly factor: string } & (MorrisEffect | SobolIndex);

/** An analysis that is planned: a sweep whose arms are its points, and the effects that follow from a value for each arm. */
interface Analysis {
  readonly sweepText: string;
  readonly effects: (values: readonly number[]) => readonly FactorEffect[];
}

/** The analysis of a file. The same file gives the same points and the same effects. */
export function planAnalysis(file: SensitivityFile): Analysis {
  const factors = Object.entries(file.factors);
  const draws = (purpose: string) => drawsOf(file.seed, `${file.method.kind} ${purpose}`);
  const named = (effects: readonly (MorrisEffect | SobolIndex)[]): readonly FactorEffect[] =>
    effects.map((effect, i) => ({ factor: factors[i]?.[0] ?? '', ...effect }));
  const sweepText = (points: readonly (readonly number[])[]): string => {
    const { format, name, question, description, scenario, seed, replicates, formulas, measures } = file;
    const named = Object.keys(formulas).length === 0 ? {} : { formulas };
    const rows = points.map((point, i) => ({
      name: `point-${i}`,
      set: Object.fromEntries(factors.map(([path, range], d) => [path, range.value(point[d] as number)])),
    }));
    const design = { kind: 'table', rows };
    return stringify({ format, name, question, description, scenario, seed, replicates, ...named, measures, design });
  };
  if (file.method.kind === 'morris') {
    const { trajectories, levels } = file.method;
    const design: MorrisDesign = morrisDesign(trajectories, factors.length, levels, draws('points'));
    return {
      sweepText: sweepText(design.points),
      effects: (values) => named(morrisEffects(design, values, factors.length, draws('bootstrap'))),
    };
  }
  return {
    sweepText: sweepText(sobolIndexPoints(file.method.rows, factors.length, draws('points'))),
    effects: (values) => named(sobolIndices(values, factors.length, draws('bootstrap'))),
  };
}
