/** The schema of a file for `aips experiment equilibrium`: a scenario whose agents have options, and how surely it is measured. */

import { z } from 'zod';
import { withKnownKeys } from '../../scenarios/known-keys.js';
import { moment, money, whole } from '../../scenarios/schema-parts.js';
import { type Parsed, parseYaml } from '../../spec/document.js';
import { experimentKeys } from '../sweep/sweep-file.js';

/** A single run has no interval. */
const REPLICATES_MIN = 2;
const REPLICATES_MAX = 100_000;
/** Players of a role in the reduced game. */
const PLAYERS_MAX = 12;

const replicates = whole(REPLICATES_MIN, REPLICATES_MAX);

const equilibriumSchema = z
  .strictObject({
    ...experimentKeys,
    /** Runs of each cell. */
    replicates: replicates.default(4),
    /** The most, where it is not sure; absent: four times as many. */
    replicates_max: replicates.optional(),
    /** Runs with seeds of their own, by which what was found is judged. */
    held_out: replicates.default(8),
    held_out_max: replicates.optional(),
    /** A difference in payoff, for an agent and day, below which nothing matters. */
    resolution: money.default(100_000),
    /** The time until payoffs count. */
    warmup: moment.default(0),
    /** Agents that deviate together. */
    deviators: whole(1, 1_000_000).default(1),
    /** Players of each role in the reduced game; absent: 4, or as many as there are agents. */
    reduction: z.record(z.string(), whole(1, PLAYERS_MAX)).default({}),
    /** The most cells of the game that are played. */
    points: whole(1, 100_000).default(200),
    /** Mixtures from which the replicator dynamics start. */
    starts: whole(0, 100_000).default(100),
  })
  .transform((file) => ({
    ...file,
    replicates_max: file.replicates_max ?? 4 * file.replicates,
    held_out_max: file.held_out_max ?? 4 * file.held_out,
  }))
  .refine((file) => file.replicates_max >= file.replicates, {
    path: ['replicates_max'],
    message: 'must be at least the replicates',
  })
  .refine((file) => file.held_out_max >= file.held_out, {
    path: ['held_out_max'],
    message: 'must be at least the held_out runs',
  });

/** A file for `aips experiment equilibrium`, with defaults filled in. */
export type EquilibriumFile = z.output<typeof equilibriumSchema>;

/** Reads a file; every mistake is a problem with its line and key. */
export function parseEquilibrium(text: string, file: string): Parsed<EquilibriumFile> {
  return withKnownKeys(parseYaml(text, file, equilibriumSchema), equilibriumJsonSchema);
}

/** The JSON Schema (draft 2020-12) of such files, for editors. */
export function equilibriumJsonSchema(): Readonly<Record<string, unknown>> {
  const titled = equilibriumSchema.meta({
    title: 'aips-lab equilibrium',
    description: 'A scenario whose agents choose among options, and how surely its equilibria are measured.',
  });
  return z.toJSONSchema(titled, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' });
}
