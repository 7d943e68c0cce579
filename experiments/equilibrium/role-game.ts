/**
 * Role-symmetric games: players of a role are alike, so a payoff depends on the player's option and on how many of the others chose each.
 * Mixtures of the others give expected payoffs. How a population of agents becomes such a game is in reduction.ts.
 */

/** Players that are alike, and the options that each of them has. */
export interface Role {
  readonly name: string;
  readonly players: number;
  readonly options: readonly string[];
}

/** A number for each role and option, in their order: players that chose it, a share of them, or a payoff. */
export type PerOption = readonly (readonly number[])[];

/** Some options of each role, by their places, ascending. */
export type Support = readonly (readonly number[])[];

/** One player's option, and the choices of all others: its payoff is a number of the game. */
export interface Cell {
  readonly role: number;
  readonly option: number;
  /** How many others chose each option; in the player's own role they are one less than its players. */
  readonly others: PerOption;
}

/** A game with a payoff for each cell that is asked for. */
export interface RoleGame {
  readonly roles: readonly Role[];
  readonly payoff: (cell: Cell) => number;
}

/** A text that two cells share if they are the same. */
export function cellKey({ role, option, others }: Cell): string {
  return `${role}.${option}|${others.map((counts) => counts.join(',')).join('|')}`;
}

/** All options of each role. */
export function wholeSupport(roles: readonly Role[]): Support {
  return roles.map(({ options }) => options.map((_, option) => option));
}

/** The options that a mixture uses. */
export function supportOf(mixture: PerOption): Support {
  return mixture.map((shares) => shares.flatMap((share, option) => (share > 0 ? [option] : [])));
}

/** The mixture in which each role divides itself evenly among some options. */
export function evenMixture(roles: readonly Role[], support: Support): PerOption {
  return roles.map(({ options }, role) =>
    options.map((_, option) => (support[role]?.includes(option) === true ? 1 / support[role].length : 0)),
  );
}

/** One list of each, in every combination; the last changes fastest. */
export function combinations<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>((rows, list) => rows.flatMap((row) => list.map((item) => [...row, item])), [[]]);
}

/** Every way to divide `total` among `parts`. */
function divisions(total: number, parts: number): number[][] {
  if (parts === 1) return [[total]];
  return Array.from({ length: total + 1 }, (_, i) => total - i).flatMap((first) =>
    divisions(total - first, parts - 1).map((rest) => [first, ...rest]),
  );
}

/** Every choice of the others of a player of `role`, from some options. */
function othersOf(roles: readonly Role[], role: number, support: Support): PerOption[] {
  return combinations(
    roles.map(({ players, options }, of) => {
      const chosen = support[of] ?? [];
      return divisions(players - (of === role ? 1 : 0), chosen.length).map((counts) =>
        options.map((_, option) => counts[chosen.indexOf(option)] ?? 0),
      );
    }),
  );
}

/** The cells of a game in which the others use the options `against`, and the player one of `of`. */
export function cellsOf(roles: readonly Role[], against: Support, of: Support = against): Cell[] {
  return roles.flatMap((_, role) =>
    othersOf(roles, role, against).flatMap((others) =>
      (of[role] ?? []).map((option): Cell => ({ role, option, others })),
    ),
  );
}

/** The number of these cells, without making them. */
export function cellCount(roles: readonly Role[], support: Support): number {
  const choose = (n: number, k: number): number =>
    Array.from({ length: k }, (_, i) => i).reduce((product, i) => (product * (n - i)) / (i + 1), 1);
  return roles.reduce((sum, _, role) => {
    const others = roles.reduce((product, { players }, of) => {
      const chosen = support[of]?.length ?? 0;
      return product * choose(players - (of === role ? 1 : 0) + chosen - 1, chosen - 1);
    }, 1);
    return sum + Math.round(others) * (support[role]?.length ?? 0);
  }, 0);
}

/** The expected payoffs against a mixture, which may be any point near the simplex: payoffs are polynomials of its shares. */
type Surface = (mixture: PerOption) => number[][];

/** The same over numbers in one row, the options of the first role first; it writes to its second argument. */
export type FlatSurface = (shares: Float64Array, payoffs: Float64Array) => void;

/** The place of each role's first option in one row of all options, and the number of all. */
export function placesOf(roles: readonly Role[]): readonly number[] {
  const places = [0];
  for (const { options } of roles) places.push((places.at(-1) as number) + options.length);
  return places;
}

/**
 * The payoff surface of a game. The others use the options `against`; payoffs are those of the options `of`, and 0 for all other options.
 */
export function surfaceOf(game: RoleGame, against: Support, of: Support = against): Surface {
  const places = placesOf(game.roles);
  const flat = flatSurfaceOf(game, against, of);
  return (mixture) => {
    const payoffs = new Float64Array(places.at(-1) as number);
    flat(Float64Array.from(mixture.flat()), payoffs);
    return game.roles.map((_, role) => [...payoffs.subarray(places[role], places[role + 1])]);
  };
}

/** The same over numbers in one row. */
export function flatSurfaceOf({ roles, payoff }: RoleGame, against: Support, of: Support = against): FlatSurface {
  const places = placesOf(roles);
  const rows = roles.flatMap((_, role) =>
    othersOf(roles, role, against).map((others) => ({
      ways: others.reduce((product, counts) => product * multinomial(counts), 1),
      /** The place of each other player's option. */
      chosen: others.flatMap((counts, j) =>
        counts.flatMap((count, t) => new Array<number>(count).fill((places[j] as number) + t)),
      ),
      payoffs: (of[role] ?? []).map(
        (option) => [(places[role] as number) + option, payoff({ role, option, others })] as const,
      ),
    })),
  );
  return (shares, sums) => {
    sums.fill(0);
    for (const { ways, chosen, payoffs } of rows) {
      let probability = ways;
      for (const place of chosen) probability *= shares[place] as number;
      for (const [place, value] of payoffs) sums[place] = (sums[place] as number) + probability * value;
    }
  };
}

function multinomial(counts: readonly number[]): number {
  let [ways, n] = [1, 0];
  for (const count of counts) {
    for (let i = 1; i <= count; i += 1) {
      n += 1;
      ways = (ways * n) / i;
    }
  }
  return Math.round(ways);
}

/** How much more each option gives than the mixture's mean payoff of its role. */
export function gainsOf(payoffs: PerOption, mixture: PerOption): number[][] {
  return payoffs.map((ofRole, role) => {
    const shares = mixture[role] ?? [];
    const mean = ofRole.reduce((sum, payoff, option) => sum + payoff * (shares[option] ?? 0), 0);
    return ofRole.map((payoff) => payoff - mean);
  });
}

/** The distance between the least and the greatest payoff of a game's cells with these options; where all are equal, their size or 1. */
export function payoffRange({ roles, payoff }: RoleGame, support: Support): number {
  const payoffs = cellsOf(roles, support).map(payoff);
  const [least, most] = [Math.min(...payoffs), Math.max(...payoffs)];
  const size = Math.max(Math.abs(least), Math.abs(most));
  // Differences in the last bits are of rounding.
  return most - least > 1e-12 * size ? most - least : size || 1;
}
