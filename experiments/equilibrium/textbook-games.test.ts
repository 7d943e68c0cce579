import { describe, expect, it } from 'vitest';
import { drawsOf } from '../statistics/draws.js';
import { findEquilibria } from './find-equilibria.js';
import { gainsOf, type PerOption, type RoleGame, surfaceOf, wholeSupport } from './role-game.js';

/** Numbers in rows, such as `3 0 | 5 1`, `1/3` among them. */
function rows(text: string): number[][] {
  const value = (word: string): number => {
    const [over = 0, under = 1] = word.split('/').map(Number);
    return over / under;
  };
  return text.split('|').map((row) => row.trim().split(' ').map(value));
}

/** Two players of one role: the payoff of a row against a column. */
function symmetric(text: string): RoleGame {
  const payoffs = rows(text);
  return {
    roles: [{ name: 'all', players: 2, options: payoffs.map((_, i) => String(i)) }],
    payoff: ({ option, others }) => payoffs[option]?.[others[0]?.indexOf(1) ?? 0] as number,
  };
}

/** Two roles of one player: the payoffs of each by row and column. */
function bimatrix(ofRow: string, ofColumn: string): RoleGame {
  const [a, b] = [rows(ofRow), rows(ofColumn)];
  return {
    roles: [
      { name: 'row', players: 1, options: a.map((_, i) => String(i)) },
      { name: 'column', players: 1, options: (a[0] ?? []).map((_, i) => String(i)) },
    ],
    payoff: ({ role, option, others }) => {
      const other = others[1 - role]?.indexOf(1) ?? 0;
      return (role === 0 ? a[option]?.[other] : b[other]?.[option]) as number;
    },
  };
}

/** Players of one role with two options: the payoff of each by how many others chose the first, as two rows. */
function many(text: string): RoleGame {
  const payoffs = rows(text);
  return {
    roles: [{ name: 'all', players: payoffs[0]?.length ?? 0, options: ['first', 'second'] }],
    payoff: ({ option, others }) => payoffs[option]?.[others[0]?.[0] ?? 0] as number,
  };
}

interface Expected {
  /** Ends of a continuum; empty: it is isolated. */
  readonly ends: readonly string[];
  readonly ties: number;
  readonly basin: number | undefined;
}
const found = (basin?: number): Expected => ({ ends: [], ties: 0, basin });
const tied = (ties: number): Expected => ({ ends: [], ties, basin: undefined });
const between = (ends: readonly string[], ties = 0): Expected => ({ ends, ties, basin: undefined });

/** Games with their equilibria, and the share of starts that come to no rest. */
type Row = readonly [name: string, game: RoleGame, expected: Readonly<Record<string, Expected>>, unsettled?: number];

const games: readonly Row[] = [
  ["prisoner's dilemma", symmetric('3 0 | 5 1'), { '0 1': found(1) }],
  // Hares are safe: from less than two thirds of stags the hunt breaks down.
  ['stag hunt', symmetric('3 0 | 2 2'), { '1 0': found(1 / 3), '0 1': found(2 / 3), '2/3 1/3': found(0) }],
  ['hawk and dove', symmetric('-1 2 | 0 1'), { '1/2 1/2': found(1) }],
  ['coordination on two', symmetric('1 0 | 0 1'), { '1 0': found(0.5), '0 1': found(0.5), '1/2 1/2': found(0) }],
  ['rock, paper, scissors', symmetric('0 -1 1 | 1 0 -1 | -1 1 0'), { '1/3 1/3 1/3': found(0) }, 1],
  ['generous rock, paper, scissors', symmetric('0 -1 2 | 2 0 -1 | -1 2 0'), { '1/3 1/3 1/3': found(1) }],
  [
    'coordination on three',
    symmetric('1 0 0 | 0 1 0 | 0 0 1'),
    {
      ...{ '1 0 0': found(1 / 3), '0 1 0': found(1 / 3), '0 0 1': found(1 / 3), '1/3 1/3 1/3': found(0) },
      ...{ '1/2 1/2 0': found(0), '1/2 0 1/2': found(0), '0 1/2 1/2': found(0) },
    },
  ],
  ['matching pennies', bimatrix('1 -1 | -1 1', '-1 1 | 1 -1'), { '1/2 1/2 | 1/2 1/2': found(0) }, 1],
  [
    'battle of the sexes',
    bimatrix('2 0 | 0 1', '1 0 | 0 2'),
    { '1 0 | 1 0': found(0.5), '0 1 | 0 1': found(0.5), '2/3 1/3 | 1/3 2/3': found(0) },
  ],
  [
    'chicken',
    bimatrix('0 -1 | 1 -10', '0 1 | -1 -10'),
    { '1 0 | 0 1': found(0.5), '0 1 | 1 0': found(0.5), '9/10 1/10 | 9/10 1/10': found(0) },
  ],
  [
    "Shapley's game",
    bimatrix('1 0 0 | 0 1 0 | 0 0 1', '0 1 0 | 0 0 1 | 1 0 0'),
    { '1/3 1/3 1/3 | 1/3 1/3 1/3': found(0) },
    1,
  ],
  ['public good of four', many('-1/2 0 1/2 1 | 0 1/2 1 3/2'), { '0 1': found(1) }],
  // Nobody else volunteers with (1 − p)², which is the price over the good, a half.
  ["volunteer's dilemma of three", many('1 1 1 | 0 2 2'), { [`${1 - Math.SQRT1_2} ${Math.SQRT1_2}`]: found(1) }],
  ['minority of three', many('1 0 0 | 0 0 1'), { '1/2 1/2': found(1) }],
  [
    // The difference is −(1−p)³ + 6p(1−p)² − 6p²(1−p) + p³, with three roots.
    'four with three mixed equilibria',
    many('-1 2 -2 1 | 0 0 0 0'),
    {
      ...{ '1 0': found(0.173), '0 1': found(0.173), '1/2 1/2': found(0.655) },
      ...{ '0.1726731646 0.8273268354': found(0), '0.8273268354 0.1726731646': found(0) },
    },
  ],
  // (1 − 2p)²: the roots fall together, and the mixed equilibrium attracts from one side alone.
  ['three with a double root', many('1 -1 1 | 0 0 0'), { '1 0': found(0.5), '1/2 1/2': found(0.5) }],
  [
    'rock, paper, scissors, lizard, Spock',
    symmetric('0 -1 1 1 -1 | 1 0 -1 -1 1 | -1 1 0 1 -1 | -1 1 -1 0 1 | 1 -1 1 -1 0'),
    { '1/5 1/5 1/5 1/5 1/5': found(0) },
    1,
  ],
  ['a tie at the end', symmetric('1 1 | 1 0'), { '1 0': tied(1) }],
  ['nothing matters', symmetric('1 1 | 1 1'), { '1 0': tied(1), '0 1': tied(1), '1/2 1/2': between(['1 0', '0 1']) }],
  [
    // The entrant stays out while a fight is at least as likely as not.
    'chain store',
    bimatrix('1 1 | 0 2', '2 2 | 0 1'),
    { '1 0 | 1 0': tied(1), '0 1 | 0 1': found(), '1 0 | 0.6 0.4': between(['1 0 | 1 0', '1 0 | 1/2 1/2'], 1) },
  ],
  [
    'a choice that is there twice',
    symmetric('3 0 0 | 5 1 1 | 5 1 1'),
    { '0 1 0': tied(1), '0 0 1': tied(1), '0 1/2 1/2': between(['0 1 0', '0 0 1']) },
  ],
];

const near = (a: PerOption, b: PerOption, by: number): boolean =>
  a.every((shares, role) => shares.every((share, i) => Math.abs(share - (b[role]?.[i] ?? 9)) < by));

describe('textbook games', () => {
  it.each(games.map((row) => [row[0], row] as const))(
    '%s has its equilibria, and no others are found',
    (_name, row) => {
      const [, game, expected, unsettled = 0] = row;
      const within = wholeSupport(game.roles);
      // Paths without rest are followed for long; a few of them say it.
      const answer = findEquilibria(game, within, unsettled === 1 ? 3 : 40, drawsOf(1, 'textbook'));
      expect([answer.enumerated, answer.unsettled]).toEqual([true, unsettled]);
      const surface = surfaceOf(game, within);
      for (const { mixture } of answer.equilibria) {
        expect(Math.max(...gainsOf(surface(mixture), mixture).flat())).toBeLessThan(1e-9);
      }
      for (const [text, { ends, ties, basin }] of Object.entries(expected)) {
        const own = answer.equilibria.filter(({ mixture, dimension }) =>
          ends.length > 0 ? dimension > 0 : dimension === 0 && near(mixture, rows(text), 1e-8),
        );
        expect([text, own.length]).toEqual([text, 1]);
        const [equilibrium] = own;
        expect(equilibrium?.ties).toHaveLength(ties);
        expect(equilibrium?.ends).toHaveLength(ends.length);
        expect(ends.filter((end) => !equilibrium?.ends.some((each) => near(each, rows(end), 1e-5)))).toEqual([]);
        // Some three standard errors of 40 starts.
        if (basin !== undefined) expect(Math.abs((equilibrium?.basin ?? 9) - basin)).toBeLessThan(0.22);
      }
      expect(answer.equilibria).toHaveLength(Object.keys(expected).length);
    },
  );

  it('of which nothing in three options matters is a continuum of two dimensions', () => {
    const game = symmetric('1 1 1 | 1 1 1 | 1 1 1');
    const { equilibria } = findEquilibria(game, wholeSupport(game.roles), 0, drawsOf(1, 'textbook'));
    expect(equilibria.map(({ dimension }) => dimension).toSorted()).toEqual([0, 0, 0, 1, 1, 1, 2]);
  });
});
