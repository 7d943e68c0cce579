import { describe, expect, it } from 'vitest';
import type { EquilibriumAnswer } from '../../results/equilibrium-result.js';
import { normalQuantile } from '../statistics/distributions.js';
import { drawsOf } from '../statistics/draws.js';
import { answerGame, type Seeds } from './answer.js';
import { apportioned, fullCounts } from './reduction.js';
import { type Cell, cellCount, cellKey, cellsOf, type Role, wholeSupport } from './role-game.js';

const limits = {
  ...{ replicates: 4, replicates_max: 16, held_out: 4, held_out_max: 16 },
  ...{ deviators: 1, resolution: 0.05, points: 100, starts: 20 },
};

/** Plays a game of agents with these true payoffs, and noise that a seed gives to all cells and to each. */
function answered(
  roles: readonly Role[],
  agents: readonly number[],
  truth: (cell: Cell) => number,
  changes: Partial<typeof limits> & { readonly noise?: number } = {},
): EquilibriumAnswer & { readonly played: ReadonlyMap<string, number> } {
  const { noise = 0.001, ...rest } = changes;
  const played = new Map<string, number[]>();
  const at = (seeds: Seeds) => (cell: Cell) => played.get(`${seeds} ${cellKey(cell)}`) ?? [];
  const asking = answerGame(roles, agents, { ...limits, ...rest }, at, drawsOf(1, 'answer'));
  let step = asking.next();
  for (; step.done !== true; step = asking.next()) {
    const { cells, seeds, replicates } = step.value;
    for (const cell of cells) {
      const sum = (of: number): number => cell.others[of]?.reduce((all, count) => all + count, 0) ?? 0;
      expect(roles.map((_, of) => sum(of))).toEqual(agents.map((count, of) => count - (of === cell.role ? 1 : 0)));
      const values = Array.from({ length: replicates }, (_, k) => {
        const draw = (key: string): number => normalQuantile(drawsOf(k, `${seeds} ${key}`)());
        return truth(cell) + draw('luck') + noise * draw(cellKey(cell));
      });
      played.set(`${seeds} ${cellKey(cell)}`, values);
    }
  }
  return { ...step.value, played: new Map([...played].map(([key, values]) => [key, values.length])) };
}

const role = (players: number, ...options: readonly string[]): Role => ({ name: 'all', players, options });
/** The share of the others at an option. */
const shareOf = ({ others }: Cell, option: number): number =>
  (others[0]?.[option] ?? 0) / (others[0]?.reduce((sum, count) => sum + count, 0) ?? 1);

describe('an answer', () => {
  it('without coupling is the best response, judged by other seeds', () => {
    const game = answered([role(4, 'low', 'high')], [100], ({ option }) => [1, 1.2][option] ?? 0);
    expect(game.coupling.verdict).toBe('uncoupled');
    expect(game.coupling.differences).toHaveLength(4);
    expect(game.answer).toBe('confirmed');
    expect(game.equilibria).toMatchObject([{ kind: 'pure', mixture: [[0, 1]], agents: [[0, 99]], basin: null }]);
    const [gain] = game.equilibria[0]?.deviations ?? [];
    expect(gain).toMatchObject({ role: 0, option: 0 });
    expect(gain?.mean).toBeCloseTo(-0.2, 1);
    expect(gain?.interval[1]).toBeLessThan(-0.15);
    expect(game.game?.roles).toEqual([{ name: 'all', agents: 100, players: 2, options: ['low', 'high'] }]);
    expect(game.game?.cells).toHaveLength(4);
  });

  it('finds the mixture of hawks and doves of many agents, where hawks meet hawks', () => {
    const truth = (cell: Cell): number => {
      const hawks = shareOf(cell, 0);
      return cell.option === 0 ? 2 * (1 - hawks) - 2 * hawks : 1 - hawks;
    };
    const game = answered([role(4, 'hawk', 'dove')], [301], truth);
    expect(game.coupling.verdict).toBe('coupled');
    expect(game.answer).toBe('confirmed');
    const [equilibrium] = game.equilibria;
    // 2 − 4h = 1 − h, so a third are hawks; from all starts.
    expect(equilibrium).toMatchObject({ kind: 'mixed', status: 'confirmed', basin: 1, agents: [[100, 200]] });
    expect(equilibrium?.mixture[0]?.[0]).toBeCloseTo(1 / 3, 2);
    expect(equilibrium?.regret.interval[1]).toBeLessThan(0.05);
    expect(game.starts).toEqual({ begun: 20, unsettled: 0 });
    expect(game.unexplored).toEqual([]);
    const [diagram] = game.diagrams;
    expect(diagram?.gains[0]?.mean).toBeCloseTo(1, 1);
    expect(diagram?.gains.at(-1)?.mean).toBeCloseTo(-2, 1);
    expect(diagram?.gains[10]?.interval[0]).toBeLessThan(diagram?.gains[10]?.mean ?? 0);
  });

  it('refutes what only the reduced game has', () => {
    // Four players cannot see that the first option is good near a share of a half alone.
    const truth = (cell: Cell): number => {
      const share = shareOf(cell, 0);
      return cell.option === 1 ? 0 : share > 0.4 && share < 0.6 ? 1 : share - 0.5;
    };
    const game = answered([role(4, 'a', 'b')], [301], truth);
    const mixed = game.equilibria.filter(({ kind }) => kind === 'mixed');
    expect(mixed.map(({ status }) => status)).toEqual(['refuted']);
    expect(game.equilibria.map(({ kind, status }) => [kind, status])).toEqual([
      ['pure', 'confirmed'],
      ['pure', 'confirmed'],
      ['mixed', 'refuted'],
    ]);
  });

  it('plays more runs where it is not sure, up to the most', () => {
    const { answer, coupling, played } = answered([role(2, 'a', 'b')], [11], () => 0, { noise: 0.3 });
    expect([coupling.verdict, coupling.runs]).toEqual(['undecided', 16]);
    expect(answer).toBe('unconfirmed');
    expect(new Set([...played].filter(([key]) => key.startsWith('held_out')).map(([, runs]) => runs))).toContain(16);
  });

  it('of a game that is too large goes from part to part, and lists those that it did not come to', () => {
    // Each option beats the one before it; the last one beats all.
    const options = ['a', 'b', 'c', 'd', 'e', 'f'];
    const roles = [role(5, ...options)];
    const truth = (cell: Cell): number => cell.option + 0.3 * shareOf(cell, 0);
    expect(cellCount(roles, wholeSupport(roles))).toBe(cellsOf(roles, wholeSupport(roles)).length);
    const { equilibria, unexplored, game, played } = answered(roles, [41], truth, { points: 60 });
    expect(equilibria).toMatchObject([{ kind: 'pure', status: 'confirmed', mixture: [[0, 0, 0, 0, 0, 1]] }]);
    expect(game?.whole).toBe(false);
    expect(played.size).toBeLessThan(150);
    const none = answered(roles, [41], truth, { points: 3 });
    expect([none.answer, unexplored.length]).toEqual(['none', 1]);
    // Of the six options alone the first three were tried.
    expect(none.unexplored).toEqual([[[3]], [[4]], [[5]]]);
  });

  it('has none where a cycle is all there is of pure play, and the mixture is refuted', () => {
    const wins = [2, 0, 1];
    const truth = (cell: Cell): number => {
      const beaten = shareOf(cell, wins[cell.option] ?? 0);
      // Even play is bad for the first option, and only even play.
      return (
        beaten - shareOf(cell, wins.indexOf(cell.option)) + (cell.option === 0 && beaten > 0.3 && beaten < 0.36 ? 1 : 0)
      );
    };
    const { answer, equilibria } = answered([role(2, 'rock', 'paper', 'scissors')], [301], truth);
    expect(equilibria.map(({ status }) => status)).toEqual(['refuted']);
    expect(answer).toBe('none');
  });

  it('of two roles has a payoff for each, and the one without coupling does not hide that of the other', () => {
    const roles: readonly Role[] = [
      { name: 'buyers', players: 2, options: ['look', 'trust'] },
      { name: 'sellers', players: 2, options: ['honest', 'cheat'] },
    ];
    const truth = ({ role: own, option, others }: Cell): number => {
      const look = (others[0]?.[0] ?? 0) / ((others[0]?.[0] ?? 0) + (others[0]?.[1] ?? 0));
      const cheat = (others[1]?.[1] ?? 0) / ((others[1]?.[0] ?? 0) + (others[1]?.[1] ?? 0));
      if (own === 0) return option === 0 ? -0.2 : -cheat;
      return option === 0 ? 0 : 1 - 2 * look;
    };
    const { equilibria, coupling } = answered(roles, [41, 41], truth, { resolution: 0.1 });
    expect(coupling.verdict).toBe('coupled');
    const [first] = equilibria;
    expect(first?.kind).toBe('mixed');
    expect(first?.status).toBe('confirmed');
    // Sellers cheat as often as a look costs, and buyers look every other time.
    expect(first?.mixture[0]?.[0]).toBeCloseTo(0.5, 1);
    expect(first?.mixture[1]?.[1]).toBeCloseTo(0.2, 1);
  });
});

describe('the reduction', () => {
  it('keeps a deviation of one agent, and multiplies the others', () => {
    expect(fullCounts(0, [[3, 0]], [10], 1)).toEqual({ others: [[9, 0]], exact: true });
    expect(fullCounts(0, [[2, 1]], [10], 1)).toEqual({ others: [[6, 3]], exact: true });
    expect(fullCounts(0, [[2, 1]], [11], 1)).toEqual({ others: [[7, 3]], exact: false });
    expect(
      fullCounts(
        1,
        [
          [2, 2],
          [0, 1],
        ],
        [8, 5],
        1,
      ),
    ).toEqual({
      others: [
        [4, 4],
        [0, 4],
      ],
      exact: true,
    });
    // One player of a role without others.
    expect(fullCounts(0, [[0, 0]], [1], 1)).toEqual({ others: [[0, 0]], exact: true });
  });

  it.each([
    [10, [1, 1, 1], [4, 3, 3]],
    [7, [0.5, 0.5], [4, 3]],
    [100, [0.1, 0.2, 0.7], [10, 20, 70]],
    [3, [0, 0], [0, 0]],
  ] as const)('divides %d by %j', (total, weights, counts) => {
    expect(apportioned(total, weights)).toEqual(counts);
  });
});
