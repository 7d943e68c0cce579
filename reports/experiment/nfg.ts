/**
 * A measured game in the format of Gambit's strategic games (.nfg), so that other solvers can read it: each player of the reduced game with
 * the options that were measured. Payoffs are means, in lamports for an agent and day.
 */

import type { EquilibriumResult, MeasuredGame } from '../../results/equilibrium-result.js';
import { quietJson } from '../../results/visible.js';

/** A file with more payoffs is of no use. */
const PAYOFFS_MAX = 1_000_000;

/** The game of a result; undefined where none was measured, or it has more than a million payoffs. */
export function nfgText({ name, question, game }: EquilibriumResult): string | undefined {
  if (game === null) return undefined;
  const players = game.roles.flatMap((role, of) =>
    Array.from({ length: role.players }, (_, i) => ({
      of,
      name: role.players === 1 ? role.name : `${role.name} ${i + 1}`,
    })),
  );
  const optionsOf = (of: number): readonly number[] => game.part[of] ?? [];
  const profiles = players.reduce((product, { of }) => product * optionsOf(of).length, 1);
  if (profiles * players.length > PAYOFFS_MAX) return undefined;
  const payoff = payoffsOf(game);
  const rows = Array.from({ length: profiles }, (_, profile) => {
    let rest = profile;
    // The option of the first player changes fastest.
    const chosen = players.map(({ of }) => {
      const options = optionsOf(of);
      const option = options[rest % options.length] as number;
      rest = Math.floor(rest / options.length);
      return { of, option };
    });
    return chosen
      .map((own, i) =>
        decimal(
          payoff(
            own,
            chosen.filter((__, j) => j !== i),
          ),
        ),
      )
      .join(' ');
  });
  const strategies = players.map(
    ({ of }) =>
      `{ ${optionsOf(of)
        .map((option) => quoted(game.roles[of]?.options[option] ?? ''))
        .join(' ')} }`,
  );
  return [
    `NFG 1 R ${quoted(name)} { ${players.map((player) => quoted(player.name)).join(' ')} }`,
    `{ ${strategies.join('\n  ')}\n}`,
    quoted(`${question} Payoffs in lamports for an agent and day.`),
    '',
    ...rows,
    '',
  ].join('\n');
}

interface Choice {
  readonly of: number;
  readonly option: number;
}

/** The payoff of a player by its choice and those of all others. */
function payoffsOf({ roles, cells }: MeasuredGame): (own: Choice, others: readonly Choice[]) => number {
  const keyOf = (role: number, option: number, others: readonly (readonly number[])[]): string =>
    JSON.stringify([role, option, others]);
  const means = new Map(cells.map(({ role, option, others, mean }) => [keyOf(role, option, others), mean]));
  return ({ of, option }, others) => {
    const counts = roles.map((role, r) =>
      role.options.map((_, o) => others.filter((other) => other.of === r && other.option === o).length),
    );
    const mean = means.get(keyOf(of, option, counts));
    if (mean === undefined) throw new Error('a cell of the measured game is missing');
    return mean;
  };
}

/** Without an exponent, to a millionth. */
function decimal(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '');
}

function quoted(text: string): string {
  return `"${quietJson(text).replace(/\s+/g, ' ').replace(/[\\"]/g, '\\$&')}"`;
}
