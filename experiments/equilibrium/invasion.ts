/** Invasion diagrams: how much one option gains over another, by the share of others that have it. Where the gain is above 0, it spreads. */

import type { InvasionDiagram } from '../../results/equilibrium-result.js';
import type { Samples } from './quiesce.js';
import { simultaneous } from './regret-bound.js';
import { cellsOf, type PerOption, type Role, type Support, surfaceOf } from './role-game.js';

/** Points of a diagram. */
const SHARES = 21;

/**
 * For each two options of a role in the measured part: the gain of one over the other, over its share among the role's other agents. Other
 * roles do as in the equilibrium `at`.
 */
export function diagramsOf(
  roles: readonly Role[],
  part: Support,
  at: PerOption | undefined,
  samples: Samples,
): InvasionDiagram[] {
  return part.flatMap((options, role) =>
    options.flatMap((a, i) => options.slice(i + 1).map((b) => diagramOf(roles, part, role, [a, b], at, samples))),
  );
}

function diagramOf(
  roles: readonly Role[],
  part: Support,
  role: number,
  [a, b]: readonly [number, number],
  at: PerOption | undefined,
  samples: Samples,
): InvasionDiagram {
  const shares = Array.from({ length: SHARES }, (_, i) => i / (SHARES - 1));
  const mixtures = shares.map(
    (share): PerOption =>
      roles.map(({ options }, of) => {
        if (of !== role) return inPart(at?.[of], part[of] ?? [], options.length);
        return options.map((_, option) => (option === a ? share : option === b ? 1 - share : 0));
      }),
  );
  const against = part.map((chosen, of) => (of === role ? [a, b] : chosen));
  const cells = cellsOf(roles, against).filter((cell) => cell.role === role);
  const runs = Math.min(...cells.map((cell) => samples(cell).length));
  const lists = mixtures.map((): number[] => []);
  for (let k = 0; k < runs; k += 1) {
    const surface = surfaceOf(
      { roles, payoff: (cell) => (cell.role === role ? (samples(cell)[k] as number) : 0) },
      against,
    );
    mixtures.forEach((mixture, i) => {
      const payoffs = surface(mixture)[role] ?? [];
      lists[i]?.push((payoffs[a] ?? 0) - (payoffs[b] ?? 0));
    });
  }
  const gains = lists.flatMap((list) => simultaneous([list]));
  return { role, options: [a, b], shares, gains };
}

/** A role's shares, if all of them are of options in a part; else an even division of the part. */
function inPart(shares: readonly number[] | undefined, chosen: readonly number[], count: number): readonly number[] {
  if (shares?.every((share, option) => share === 0 || chosen.includes(option)) === true) return shares;
  return Array.from({ length: count }, (_, option) => (chosen.includes(option) ? 1 / chosen.length : 0));
}
