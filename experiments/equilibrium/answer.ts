/**
 * Answers a file: is there coupling, which equilibria are found, and by how much can an agent gain in each? Payoffs come from cells that it
 * asks for, some with the seeds by which equilibria are found, and others with held-out seeds by which they are judged.
 */

import type { EquilibriumAnswer, JudgedEquilibrium } from '../../results/equilibrium-result.js';
import type { Draws } from '../statistics/draws.js';
import { meanInterval } from '../statistics/estimate.js';
import { cellAt, looksOf, type Measuring, measureCoupling } from './coupling-measure.js';
import type { EquilibriumFile } from './equilibrium-file.js';
import type { FoundEquilibrium } from './find-equilibria.js';
import { diagramsOf } from './invasion.js';
import { type Batch, explore, meanGame, type Samples } from './quiesce.js';
import { fullCounts } from './reduction.js';
import { MISSING, regretOf, regretStatus, simultaneous } from './regret-bound.js';
import { type Cell, cellsOf, type Role, type Support, supportOf, wholeSupport } from './role-game.js';

/** The two sets of seeds. */
export type Seeds = 'game' | 'held_out';

/** Cells of agents that are to be played with one set of seeds. */
export interface Request extends Batch {
  readonly seeds: Seeds;
}

type Limits = Pick<
  EquilibriumFile,
  'replicates' | 'replicates_max' | 'held_out' | 'held_out_max' | 'deviators' | 'resolution' | 'points' | 'starts'
>;
type Asking<T> = Generator<Request, T, undefined>;
type Found = Omit<FoundEquilibrium, 'basin'> & { readonly basin: number | null };

/** Answers a game: yields requests, after each of which `samples` has their cells. */
export function* answerGame(
  roles: readonly Role[],
  agents: readonly number[],
  limits: Limits,
  samples: (seeds: Seeds) => Samples,
  draws: Draws,
): Asking<EquilibriumAnswer> {
  const { deviators, resolution, replicates, replicates_max, held_out, held_out_max } = limits;
  const measuring = { roles, agents, deviators, resolution, looks: looksOf(replicates, replicates_max) };
  const coupling = yield* withSeeds('game', measureCoupling(measuring, samples('game')));
  const found =
    coupling.verdict === 'uncoupled'
      ? alone(measuring, samples('game'))
      : yield* together(measuring, limits, samples('game'), draws);
  const judging = { ...measuring, looks: looksOf(held_out, held_out_max) };
  const equilibria: JudgedEquilibrium[] = [];
  for (const candidate of found.candidates) equilibria.push(yield* judged(judging, candidate, samples('held_out')));
  const rank = { confirmed: 0, unconfirmed: 1, refuted: 2 } as const;
  equilibria.sort((a, b) => rank[a.status] - rank[b.status] || (b.basin ?? 0) - (a.basin ?? 0));
  const best = equilibria[0]?.status ?? 'refuted';
  return {
    coupling,
    game: found.game,
    answer: best === 'refuted' ? 'none' : best,
    equilibria,
    unexplored: found.unexplored,
    starts: found.starts,
    diagrams:
      found.game === null ? [] : diagramsOf(found.players, found.game.part, equilibria[0]?.mixture, found.samples),
  };
}

function* withSeeds<T>(seeds: Seeds, batches: Generator<Batch, T, undefined>): Asking<T> {
  for (;;) {
    const next = batches.next();
    if (next.done === true) return next.value;
    yield { ...next.value, seeds };
  }
}

/** Candidates, and the reduced game in which they were found. */
interface Candidates extends Pick<EquilibriumAnswer, 'game' | 'unexplored' | 'starts'> {
  readonly candidates: readonly Found[];
  /** The roles of the reduced game, and the samples of its cells. */
  readonly players: readonly Role[];
  readonly samples: Samples;
}

/** Without coupling everyone's best option is an equilibrium, whatever others do. A game of few players says the same to other programs. */
function alone(measuring: Measuring, samples: Samples): Candidates {
  const { roles } = measuring;
  const players = roles.map((role) => ({ ...role, players: roles.length === 1 && role.players > 1 ? 2 : 1 }));
  const first = roles.map(({ options }) => options.map((_, i) => (i === 0 ? 1 : 0)));
  const payoffs = ({ role, option, others }: Cell): readonly number[] => {
    const play = first.map((shares, of) => (others[of]?.some((count) => count > 0) === true ? others[of] : shares));
    return samples(cellAt(measuring, role, option, roles.length === 1 ? play : first));
  };
  const { payoff } = meanGame(players, payoffs);
  const others = players.map(({ players: count, options }, of) =>
    options.map((_, i) => (i === 0 ? count - (of === 0 && players.length === 1 ? 1 : 0) : 0)),
  );
  const mixture = roles.map(({ options }, role) => {
    const own = options.map((_, option) => payoff({ role, option, others }));
    const best = own.indexOf(Math.max(...own));
    return options.map((_, option) => (option === best ? 1 : 0));
  });
  return {
    candidates: [{ mixture, dimension: 0, ends: [], ties: [], basin: null }],
    game: gameOf(measuring, players, payoffs, wholeSupport(players), { exact: true, enumerated: true }),
    ...{ unexplored: [], starts: { begun: 0, unsettled: 0 }, players, samples: payoffs },
  };
}

/** With coupling the reduced game is explored. */
function* together(measuring: Measuring, limits: Limits, samples: Samples, draws: Draws): Asking<Candidates> {
  const { roles, agents, deviators, resolution } = measuring;
  let exact = true;
  const full = (cell: Cell): Cell => {
    const counts = fullCounts(cell.role, cell.others, agents, deviators);
    exact &&= counts.exact;
    return { ...cell, others: counts.others };
  };
  const reduced: Samples = (cell) => samples(full(cell));
  const exploring = explore(roles, reduced, {
    ...{ replicates: limits.replicates, replicatesMax: limits.replicates_max, cellsMax: limits.points },
    ...{ resolution, starts: limits.starts, draws },
  });
  let step = exploring.next();
  for (; step.done !== true; step = exploring.next()) {
    yield { seeds: 'game', cells: step.value.cells.map(full), replicates: step.value.replicates };
  }
  const { candidates, unexplored, part } = step.value;
  const basins = part?.found.equilibria ?? [];
  return {
    candidates: candidates.map((each) => ({ ...each, basin: basins.includes(each) ? each.basin : null })),
    game:
      part === null
        ? null
        : gameOf(measuring, roles, reduced, part.support, { exact, enumerated: part.found.enumerated }),
    unexplored,
    starts: { begun: part === null ? 0 : limits.starts, unsettled: part?.found.unsettled ?? 0 },
    ...{ players: roles, samples: reduced },
  };
}

function gameOf(
  { agents }: Measuring,
  roles: readonly Role[],
  samples: Samples,
  part: Support,
  facts: { readonly exact: boolean; readonly enumerated: boolean },
): EquilibriumAnswer['game'] {
  const { payoff } = meanGame(roles, samples);
  return {
    roles: roles.map((role, of) => ({ ...role, agents: agents[of] as number })),
    whole: part.every((options, of) => options.length === roles[of]?.options.length),
    part,
    ...facts,
    cells: cellsOf(roles, part).map((cell) => {
      const values = samples(cell);
      const centre = payoff(cell);
      return { ...cell, runs: values.length, mean: centre, t95: meanInterval(values) ?? [centre, centre] };
    }),
  };
}

/** Judges a candidate by held-out runs of the whole game: its own agents, and one option after another for those that deviate. */
function* judged(measuring: Measuring, candidate: Found, samples: Samples): Asking<JudgedEquilibrium> {
  const { roles, looks, resolution } = measuring;
  const { mixture } = candidate;
  const cells = roles.map(({ options }, role) => options.map((_, option) => cellAt(measuring, role, option, mixture)));
  const options = cells.flatMap((own, role) =>
    own.flatMap((_, option) => (mixture[role]?.[option] === 1 ? [] : [[role, option] as const])),
  );
  const pure = supportOf(mixture).every(({ length }) => length === 1);
  for (const [i, replicates] of looks.entries()) {
    yield { seeds: 'held_out', cells: cells.flat(), replicates };
    const gains = simultaneous(
      options.map(([role, option]) => gainsAt(cells[role] ?? [], mixture[role] ?? [], option, samples)),
      MISSING / looks.length,
    );
    const regret = regretOf(gains);
    const status = regretStatus(regret, resolution);
    if (status === 'unconfirmed' && i + 1 < looks.length) continue;
    return {
      kind: candidate.dimension > 0 ? 'continuum' : pure ? 'pure' : 'mixed',
      ...{ status, ...candidate },
      agents: cells.map((own, role) => own[0]?.others[role] ?? []),
      runs: replicates,
      regret,
      deviations: options.map(([role, option], d) => ({ role, option, ...(gains[d] as (typeof gains)[number]) })),
    };
  }
  throw new RangeError('a judgement has at least one look');
}

/** The gain of an option over a mixture in each run. */
function gainsAt(cells: readonly Cell[], shares: readonly number[], option: number, samples: Samples): number[] {
  const lists = cells.map(samples);
  return (lists[option] ?? []).map((value, k) =>
    lists.reduce((rest, list, of) => {
      const share = shares[of] ?? 0;
      return share === 0 ? rest : rest - share * (list[k] as number);
    }, value),
  );
}
