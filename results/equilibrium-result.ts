/**
 * `equilibrium.json`, the result of `aips experiment equilibrium`, as a schema and the types that follow from it. Writers in reports/ read
 * it, and a page reads it back. It is computed in experiments/equilibrium.
 */

import { z } from 'zod';

/** The version of the shape of `equilibrium.json`. */
export const EQUILIBRIUM_SCHEMA = 'aips-lab/equilibrium/1';

const pair = z.tuple([z.number(), z.number()]).readonly();
/** A number for each role and option. */
const perOption = z.array(z.array(z.number()).readonly()).readonly();
/** Options of each role, by their places. */
const support = z.array(z.array(z.int()).readonly()).readonly();

const role = z.object({
  name: z.string(),
  agents: z.int(),
  /** Players of the role in the reduced game. */
  players: z.int(),
  options: z.array(z.string()).readonly(),
});

/** A mean over runs with an interval, in lamports for an agent and day. */
const measured = { mean: z.number(), interval: pair };

const difference = z.object({
  role: z.int(),
  option: z.int(),
  /** The agents of the others at each option: the payoff with `to` less that with `from`. */
  from: perOption,
  to: perOption,
  ...measured,
});

const deviation = z.object({ role: z.int(), option: z.int(), ...measured });

const equilibrium = z.object({
  /** `pure`: everyone of a role does the same; `continuum`: one of infinitely many next to each other. */
  kind: z.enum(['pure', 'mixed', 'continuum']),
  /** `confirmed`: the bound on its regret is within the resolution; `refuted`: its regret is larger by the whole interval. */
  status: z.enum(['confirmed', 'unconfirmed', 'refuted']),
  /** Shares of each role. */
  mixture: perOption,
  /** The agents by which it was judged: the nearest whole numbers, without those that deviate. */
  agents: perOption,
  /** Directions of a continuum, and its ends. */
  dimension: z.int(),
  ends: z.array(perOption).readonly(),
  /** Other options that give as much in the reduced game. */
  ties: z.array(z.tuple([z.int(), z.int()]).readonly()).readonly(),
  /** The share of starts from which the replicator dynamics lead here; null where its whole part was not measured. */
  basin: z.number().nullable(),
  /** Runs with other seeds, by which it was judged. */
  runs: z.int(),
  /** The most that an agent gains by another option, with an interval that holds for all options together. */
  regret: z.object(measured),
  /** The gain of each option over the mixture. */
  deviations: z.array(deviation).readonly(),
});

/** One equilibrium that was found, judged by runs with other seeds. */
export type JudgedEquilibrium = z.output<typeof equilibrium>;

const diagram = z.object({
  role: z.int(),
  options: z.tuple([z.int(), z.int()]).readonly(),
  /** Shares of the first option among the others. */
  shares: z.array(z.number()).readonly(),
  /** The gain of the first option over the second at each share, with its 95 % interval. */
  gains: z.array(z.object(measured)).readonly(),
});

/** The gain of one option over another, over the share of others that have it. */
export type InvasionDiagram = z.output<typeof diagram>;

const cell = z.object({
  role: z.int(),
  option: z.int(),
  /** The choices of the other players. */
  others: perOption,
  runs: z.int(),
  mean: z.number(),
  t95: pair,
});

const game = z.object({
  roles: z.array(role).readonly(),
  /** Whether each option of each role is in it. */
  whole: z.boolean(),
  /** Options of the part that was measured whole. */
  part: support,
  /** Whether agents divide exactly as players do. */
  exact: z.boolean(),
  /** Whether every support was tried; else only ends of the replicator dynamics are known. */
  enumerated: z.boolean(),
  cells: z.array(cell).readonly(),
});

/** A reduced game that was measured. */
export type MeasuredGame = z.output<typeof game>;

const answer = {
  coupling: z.object({
    verdict: z.enum(['uncoupled', 'coupled', 'undecided']),
    runs: z.int(),
    differences: z.array(difference).readonly(),
  }),
  game: game.nullable(),
  /** The best answer that is known: `none` where no candidate is left. */
  answer: z.enum(['confirmed', 'unconfirmed', 'none']),
  equilibria: z.array(equilibrium).readonly(),
  /** Parts of the game that the budget did not allow. */
  unexplored: z.array(support).readonly(),
  starts: z.object({ begun: z.int(), unsettled: z.number() }),
  diagrams: z.array(diagram).readonly(),
};

/** The part of the result that follows from payoffs. */
export type EquilibriumAnswer = z.output<z.ZodObject<typeof answer>>;

/** `equilibrium.json`. */
export const equilibriumResultSchema = z.object({
  schema: z.literal(EQUILIBRIUM_SCHEMA),
  version: z.string(),
  name: z.string(),
  question: z.string(),
  /** SHA-256 of the file and of the scenario. */
  digest: z.string(),
  seed: z.number(),
  held_out_seed: z.number(),
  roles: z.array(role).readonly(),
  deviators: z.int(),
  /** Payoffs count from this time on, in milliseconds. */
  warmup_ms: z.number(),
  /** Lamports for an agent and day. */
  resolution: z.number(),
  /** Different cells that were played, and runs of all. */
  played: z.object({ cells: z.int(), runs: z.int() }),
  ...answer,
});

/** The result of a look for equilibria. */
export type EquilibriumResult = z.output<typeof equilibriumResultSchema>;
