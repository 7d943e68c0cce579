import { describe, expect, it } from 'vitest';
import type { EquilibriumResult, MeasuredGame } from '../../results/equilibrium-result.js';
import { nfgText } from './nfg.js';

/** A strategic game as a reader of Gambit's format takes it: white space separates, quotes hold, the first player's strategy changes fastest. */
function readNfg(text: string) {
  const tokens = text.match(/"(?:\\.|[^"\\])*"|[{}]|[^\s{}"]+/g) ?? [];
  let at = 0;
  const next = (wanted?: string): string => {
    const token = tokens[at] ?? '';
    if (wanted !== undefined && token !== wanted) throw new Error(`token ${at} is ${token}, not ${wanted}`);
    at += 1;
    return token;
  };
  const string = (): string => {
    const token = next();
    if (!token.startsWith('"')) throw new Error(`${token} is no text`);
    return token.slice(1, -1).replace(/\\(.)/g, '$1');
  };
  const list = <T>(item: () => T): T[] => {
    const items: T[] = [];
    for (next('{'); tokens[at] !== '}'; ) items.push(item());
    next('}');
    return items;
  };
  for (const word of ['NFG', '1', 'R']) next(word);
  const title = string();
  const players = list(string);
  const strategies = list(() => list(string));
  const comment = string();
  const numbers = tokens.slice(at).map((token) => {
    if (!/^-?\d+(\.\d+)?$/.test(token)) throw new Error(`${token} is no number`);
    return Number(token);
  });
  const profiles = strategies.reduce((product, { length }) => product * length, 1);
  if (strategies.length !== players.length || numbers.length !== profiles * players.length)
    throw new Error('there are too few or too many payoffs');
  const payoffs = (...chosen: readonly number[]): number[] => {
    const index = chosen.reduceRight((all, option, player) => all * (strategies[player]?.length ?? 0) + option, 0);
    return numbers.slice(index * players.length, (index + 1) * players.length);
  };
  return { title, players, strategies, comment, payoffs };
}

const cell = (role: number, option: number, others: number[][], mean: number): MeasuredGame['cells'][number] => ({
  ...{ role, option, others, mean, runs: 2 },
  t95: [mean, mean],
});

/** Two workers that work or rest, and one owner; an owner's payoff counts the workers. */
const game: MeasuredGame = {
  roles: [
    { name: 'workers', agents: 100, players: 2, options: ['work', 'idle', 'rest'] },
    { name: 'owner', agents: 1, players: 1, options: ['pay', 'keep'] },
  ],
  ...{
    whole: false,
    part: [
      [0, 2],
      [0, 1],
    ],
    exact: true,
    enumerated: true,
  },
  cells: [
    ...[0, 2].flatMap((option) =>
      [0, 2].flatMap((other) =>
        [0, 1].map((owner) =>
          cell(
            0,
            option,
            [[0, 1, 2].map((each) => (each === other ? 1 : 0)), owner === 0 ? [1, 0] : [0, 1]],
            100 * option + 10 * other + owner + 0.125,
          ),
        ),
      ),
    ),
    ...[0, 1].flatMap((option) =>
      [2, 1, 0].map((working) =>
        cell(
          1,
          option,
          [
            [working, 0, 2 - working],
            [0, 0],
          ],
          -working - option / 3e6,
        ),
      ),
    ),
  ],
};

const result = (measured: MeasuredGame | null): EquilibriumResult =>
  ({ name: 'small', question: 'Who "works"?', game: measured }) as unknown as EquilibriumResult;

describe('a game for Gambit', () => {
  const read = readNfg(nfgText(result(game)) ?? '');

  it('has the players of the reduced game, with the options that were measured', () => {
    expect(read.title).toBe('small');
    expect(read.comment).toBe('Who "works"? Payoffs in lamports for an agent and day.');
    expect(read.players).toEqual(['workers 1', 'workers 2', 'owner']);
    expect(read.strategies).toEqual([
      ['work', 'rest'],
      ['work', 'rest'],
      ['pay', 'keep'],
    ]);
  });

  it.each([
    [
      [0, 0, 0],
      [0.125, 0.125, -2],
    ],
    [
      [1, 0, 0],
      [200.125, 20.125, -1],
    ],
    [
      [0, 1, 0],
      [20.125, 200.125, -1],
    ],
    [
      [1, 1, 1],
      [221.125, 221.125, 0],
    ],
    [
      [1, 0, 1],
      [201.125, 21.125, -1],
    ],
  ])('has the payoffs of %j', (profile, payoffs) => {
    const values = read.payoffs(...profile);
    values.forEach((value, player) => {
      expect(value).toBeCloseTo(payoffs[player] ?? 0, 5);
    });
  });

  it('is not written where none was measured, or it is too large', () => {
    expect(nfgText(result(null))).toBeUndefined();
    const [workers, owner] = game.roles;
    const large = { ...game, roles: [{ ...workers, players: 24 }, owner] } as MeasuredGame;
    expect(nfgText(result(large))).toBeUndefined();
  });

  it.each([
    'NFG 1 R "a" { "x" } { { "s" } } "" 1 2',
    'NFG 1 R "a" { "x" } { { "s" } } "" 1e-7',
    'NFG 1 D "a" { "x" } { { "s" } } "" 1',
  ])('the reader of this test refuses %j', (text) => {
    expect(() => readNfg(text)).toThrow();
  });
});
