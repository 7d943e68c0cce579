/** The schema of a file for `aips search` that looks for numbers. Its points are played by the command; see numbers-search.ts. */

import { z } from 'zod';
import { type Parsed, parseYaml } from '../../spec/document.js';
import { experimentKeys, factorRanges, RUNS_MAX } from '../sweep/sweep-file.js';

/** A single run has no interval, and a goal is reached by an interval. */
const REPLICATES_MIN = 2;

const whole = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int(error).min(least, error).max(most, error);
};

const searchSchema = z
  .strictObject({
    ...experimentKeys,
    replicates: whole(REPLICATES_MIN, RUNS_MAX).default(5),
    numbers: factorRanges,
    goals: z.array(z.string()).min(1, 'must hold at least one goal such as uptime_share > 99 %'),
    minimize: z.string().optional(),
    maximize: z.string().optional(),
    /** The most points that are played. */
    points: whole(1, 100_000).default(60),
    /** Runs with seeds of their own, by which the point that was found is confirmed. */
    confirm: whole(REPLICATES_MIN, RUNS_MAX).default(20),
  })
  .refine(({ minimize, maximize }) => minimize === undefined || maximize === undefined, {
    path: ['maximize'],
    message: 'cannot stand beside minimize',
  });

/** A file that was read. */
export type SearchFile = z.output<typeof searchSchema>;

/** Reads a file; every mistake is a problem with its line and key. */
export function parseSearch(text: string, file: string): Parsed<SearchFile> {
  return parseYaml(text, file, searchSchema);
}

/** The JSON Schema (draft 2020-12) of such files, for editors. */
export function searchJsonSchema(): Readonly<Record<string, unknown>> {
  const titled = searchSchema.meta({
    title: 'aips-lab search',
    description: 'A scenario, numbers within bounds, and the goals that they are to reach.',
  });
  return z.toJSONSchema(titled, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' });
}
