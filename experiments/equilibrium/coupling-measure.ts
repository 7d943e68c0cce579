/** Measures if payoffs depend on the play of others: each option against plays that are far apart. It plays nothing. */

import type { EquilibriumAnswer } from '../../results/equilibrium-result.js';
import type { Batch, Samples } from './quiesce.js';
import { apportioned } from './reduction.js';
import { couplingVerdict, MISSING, simultaneous } from './regret-bound.js';
import { type Cell, combinations, evenMixture, type PerOption, type Role, wholeSupport } from './role-game.js';

/** More plays than these are not compared: roles change one by one then. */
const PLAYS_MAX = 16;

/** A game of agents, how many of a role deviate together, and how surely its payoffs are measured. */
export interface Measuring {
  readonly roles: readonly Role[];
  readonly agents: readonly number[];
  readonly deviators: number;
  /** A difference in payoff below which nothing matters. */
  readonly resolution: number;
  /** Runs of a cell at each look at the results. */
  readonly looks: readonly number[];
}

/** Runs at each look: twice as many each time. */
export function looksOf(first: number, most: number): number[] {
  return first >= most ? [most] : [first, ...looksOf(2 * first, most)];
}

/** The cell of agents in which the others of a player divide themselves like a mixture. */
export function cellAt(
  { agents, deviators }: Pick<Measuring, 'agents' | 'deviators'>,
  role: number,
  option: number,
  mixture: PerOption,
): Cell {
  const others = mixture.map((shares, of) =>
    apportioned((agents[of] as number) - (of === role ? deviators : 0), shares),
  );
  return { role, option, others };
}

/** Plays that are far apart: everyone of a role does the same, in every combination, and an even division. */
function farPlays(roles: readonly Role[]): readonly PerOption[] {
  const pure = combinations(wholeSupport(roles).map((options) => options.map((option) => [option])));
  const first = pure[0] ?? [];
  const chosen =
    pure.length <= PLAYS_MAX
      ? pure
      : [
          first,
          ...roles.flatMap(({ options }, role) =>
            options.slice(1).map((_, i) => first.map((own, of) => (of === role ? [i + 1] : own))),
          ),
        ];
  return [...chosen.map((support) => evenMixture(roles, support)), evenMixture(roles, wholeSupport(roles))];
}

/** Compares the payoffs of every option against far plays; more runs are asked for until the verdict is sure, or there are no more looks. */
export function* measureCoupling(
  measuring: Measuring,
  samples: Samples,
): Generator<Batch, EquilibriumAnswer['coupling'], undefined> {
  const { roles, looks, resolution } = measuring;
  const [base = [], ...plays] = farPlays(roles);
  const pairs = roles.flatMap(({ options }, role) =>
    options.flatMap((_, option) =>
      plays.map((play) => ({ from: cellAt(measuring, role, option, base), to: cellAt(measuring, role, option, play) })),
    ),
  );
  for (const [i, replicates] of looks.entries()) {
    yield { cells: pairs.flatMap(({ from, to }) => [from, to]), replicates };
    const differences = simultaneous(
      pairs.map(({ from, to }) => {
        const before = samples(from);
        return samples(to).map((value, k) => value - (before[k] as number));
      }),
      MISSING / looks.length,
    );
    const verdict = couplingVerdict(differences, resolution);
    if (verdict === 'undecided' && i + 1 < looks.length) continue;
    return {
      verdict,
      runs: replicates,
      differences: differences.map((difference, p) => {
        const { from, to } = pairs[p] as (typeof pairs)[number];
        return { role: from.role, option: from.option, from: from.others, to: to.others, ...difference };
      }),
    };
  }
  throw new RangeError('a measurement has at least one look');
}
