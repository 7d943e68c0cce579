import { describe, expect, it } from 'vitest';
import type { Revision } from '../../scenarios/adaptation.js';
import { uniform } from './counter-random.js';
import { imitationChance, switchChances } from './revision-chances.js';

/** A game in a population: the payoff of each option at some shares, and the textbook's end of the way from a start. */
interface Game {
  readonly name: string;
  readonly payoffs: (shares: readonly number[]) => number[];
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** Absent: 0.001. */
  readonly tolerance?: number;
  /** The start of a finite population, away from the border of a basin; null: chance alone decides where it goes. Absent: `start`. */
  readonly finite?: readonly number[] | null;
  /** The factor of payoffs and of noise; absent: 1. */
  readonly scale?: number;
}

const matrix =
  (rows: readonly (readonly number[])[], scale = 1) =>
  (shares: readonly number[]): number[] =>
    rows.map((row) => scale * row.reduce((sum, payoff, other) => sum + payoff * shares[other]!, 0));

const third = [1 / 3, 1 / 3, 1 / 3];
const dilemma = [
  [3, 0],
  [5, 1],
];
const stagHunt = matrix([
  [4, 0],
  [3, 2],
]);
const unequal = matrix([
  [2, 0],
  [0, 1],
]);

const games: readonly Game[] = [
  { name: "prisoner's dilemma", payoffs: matrix(dilemma), start: [0.9, 0.1], end: [0, 1] },
  { name: 'the same in lamports', payoffs: matrix(dilemma, 1e7), scale: 1e7, start: [0.9, 0.1], end: [0, 1] },
  { name: 'the same without defectors', payoffs: matrix(dilemma), start: [1, 0], end: [1, 0] },
  // Help costs 1 and is worth 3 to the other.
  {
    name: 'donation',
    payoffs: matrix([
      [2, -1],
      [3, 0],
    ]),
    start: [0.9, 0.1],
    end: [0, 1],
  },
  // A prize of 2 and injuries of 4: hawks are 2 in 4.
  {
    name: 'hawk and dove',
    payoffs: matrix([
      [-1, 2],
      [0, 1],
    ]),
    start: [0.1, 0.9],
    end: [0.5, 0.5],
  },
  {
    name: 'snowdrift',
    payoffs: matrix([
      [3, 2],
      [4, 0],
    ]),
    start: [0.1, 0.9],
    end: [2 / 3, 1 / 3],
  },
  {
    name: 'stag hunt with more than two in three',
    payoffs: stagHunt,
    start: [0.68, 0.32],
    end: [1, 0],
    finite: [0.85, 0.15],
  },
  { name: 'stag hunt with fewer', payoffs: stagHunt, start: [0.65, 0.35], end: [0, 1], finite: [0.5, 0.5] },
  {
    name: 'coordination',
    payoffs: matrix([
      [1, 0],
      [0, 1],
    ]),
    start: [0.51, 0.49],
    end: [1, 0],
    finite: [0.7, 0.3],
  },
  {
    name: 'unequal coordination above a third',
    payoffs: unequal,
    start: [0.34, 0.66],
    end: [1, 0],
    finite: [0.5, 0.5],
  },
  { name: 'unequal coordination below', payoffs: unequal, start: [0.32, 0.68], end: [0, 1], finite: [0.15, 0.85] },
  {
    name: 'anti-coordination',
    payoffs: matrix([
      [0, 1],
      [1, 0],
    ]),
    start: [0.99, 0.01],
    end: [0.5, 0.5],
  },
  {
    name: 'rock, paper, scissors where a win is worth more than a loss',
    payoffs: matrix([
      [0, -1, 2],
      [2, 0, -1],
      [-1, 2, 0],
    ]),
    ...{ start: [0.6, 0.3, 0.1], end: third, tolerance: 0.002 },
  },
  {
    name: 'hawk, dove and bourgeois',
    payoffs: matrix([
      [-1, 2, 0.5],
      [0, 1, 0.5],
      [-0.5, 1.5, 1],
    ]),
    ...{ start: [0.4, 0.4, 0.2], end: [0, 0, 1] },
  },
  {
    name: 'a dominated option',
    payoffs: matrix([
      [2, 1, 1],
      [1, 2, 1],
      [0, 0, 0],
    ]),
    ...{ start: [0.3, 0.2, 0.5], end: [1, 0, 0], finite: [0.4, 0.1, 0.5] },
  },
  {
    name: "traveller's dilemma",
    payoffs: matrix([
      [1, 3, 3, 3],
      [-1, 2, 4, 4],
      [-1, 0, 3, 5],
      [-1, 0, 1, 4],
    ]),
    ...{ start: [0.25, 0.25, 0.25, 0.25], end: [1, 0, 0, 0] },
  },
  // The share of the second falls as 1 / t.
  {
    name: 'weak dominance',
    payoffs: matrix([
      [1, 1],
      [1, 0],
    ]),
    start: [0.5, 0.5],
    end: [1, 0],
    tolerance: 0.02,
    finite: null,
  },
  {
    name: 'three options alike',
    payoffs: matrix([
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
    ]),
    start: [0.2, 0.3, 0.5],
    end: [0.2, 0.3, 0.5],
    finite: null,
  },
  {
    name: 'payoffs that only others decide',
    payoffs: matrix([
      [1, 0],
      [1, 0],
    ]),
    start: [0.3, 0.7],
    end: [0.3, 0.7],
    finite: null,
  },
  {
    name: 'twins that are worse',
    payoffs: matrix([
      [1, 1, 1],
      [1, 1, 1],
      [2, 2, 2],
    ]),
    start: [0.3, 0.6, 0.1],
    end: [0, 0, 1],
  },
  {
    name: 'twins that are better keep their proportion',
    payoffs: matrix([
      [2, 2, 2],
      [2, 2, 2],
      [1, 1, 1],
    ]),
    ...{ start: [0.1, 0.3, 0.6], end: [0.25, 0.75, 0], finite: null },
  },
  // Of five, each that gives 1 adds 3 / 5 to all.
  {
    name: 'public goods',
    payoffs: ([giver = 0]) => [2.4 * giver + 0.6 - 1, 2.4 * giver],
    start: [0.9, 0.1],
    end: [0, 1],
  },
  // Of three, one has to pay 1/4 for all to have 1: nobody does with a probability of a half for each.
  { name: "volunteer's dilemma", payoffs: ([, idle = 0]) => [0.75, 1 - idle ** 2], start: [0.9, 0.1], end: [0.5, 0.5] },
];

const replicator: Revision = { by: 'replicator', noise: 6, mutation: 0 };
const fermi: Revision = { by: 'imitation', noise: 1, mutation: 0 };
const scaled = (rule: Revision, { scale = 1 }: Game): Revision => ({ ...rule, noise: rule.noise * scale });

/** The mean change of shares in a large population of which all revise. */
function drift(rule: Revision, payoffs: readonly number[], shares: readonly number[]): number[] {
  const next = shares.map(() => 0);
  shares.forEach((share, own) => {
    switchChances(rule, own, payoffs, shares).forEach((chance, option) => {
      next[option]! += share * chance;
    });
  });
  return next.map((share, option) => share - shares[option]!);
}

function meanField(
  rule: Revision,
  game: Pick<Game, 'payoffs' | 'start'>,
  rate: number,
  steps: number,
): readonly number[] {
  let shares = game.start;
  for (let step = 0; step < steps; step += 1) {
    const change = drift(rule, game.payoffs(shares), shares);
    shares = shares.map((share, option) => share + rate * change[option]!);
  }
  return shares;
}

/** The mean shares in the last quarter of a run of `size` agents, of whom a share `rate` revises in each step. */
function finite(rule: Revision, payoffs: Game['payoffs'], start: readonly number[], rate: number): number[] {
  const [size, steps] = [1_000, 600];
  const agents = start.flatMap((share, option) => Array.from({ length: Math.round(share * size) }, () => option));
  const sums = start.map(() => 0);
  let draws = 0;
  const draw = (): number => {
    draws += 1;
    return uniform(7, 11, 0, draws);
  };
  for (let step = 0; step < steps; step += 1) {
    const counts = start.map(() => 0);
    for (const option of agents) counts[option]! += 1;
    const found = payoffs(counts.map((count) => count / size));
    const known = found.map((payoff, option) => (counts[option] === 0 ? Number.NaN : payoff));
    const rows = start.map((_, own) =>
      switchChances(
        rule,
        own,
        known,
        counts.map((count, option) => (count - (option === own ? 1 : 0)) / (size - 1)),
      ),
    );
    agents.forEach((own, agent) => {
      if (draw() >= rate) return;
      let rest = draw();
      agents[agent] = rows[own]!.findIndex((chance) => {
        rest -= chance;
        return rest < 0;
      });
    });
    if (step >= (steps * 3) / 4) for (const option of agents) sums[option]! += 1;
  }
  return sums.map((sum) => sum / (size * (steps / 4)));
}

describe.each(games.map((game) => [game.name, game] as const))('%s', (_name, game) => {
  const { payoffs, start, end, tolerance = 0.001, scale = 1 } = game;

  it('has the drift of the replicator equation and of pairwise comparison', () => {
    for (const shares of [start, start.map((_, i) => (i + 1) / ((start.length * (start.length + 1)) / 2))]) {
      const found = payoffs(shares);
      const mean = found.reduce((sum, payoff, option) => sum + payoff * shares[option]!, 0);
      const tanh = (i: number): number =>
        shares.reduce((sum, share, j) => sum + share * Math.tanh((found[i]! - found[j]!) / (2 * scale)), 0);
      shares.forEach((share, i) => {
        expect(drift(scaled(replicator, game), found, shares)[i]).toBeCloseTo(
          (share * (found[i]! - mean)) / (6 * scale),
          12,
        );
        expect(drift(scaled(fermi, game), found, shares)[i]).toBeCloseTo(share * tanh(i), 12);
      });
    }
  });

  it.each([replicator, fermi])('ends where the textbook says by $by', (rule) => {
    const found = meanField(scaled(rule, game), game, 0.2, 3_000);
    end.forEach((share, option) => {
      expect(Math.abs(found[option]! - share)).toBeLessThan(tolerance);
    });
  });
});

describe.each(games.filter(({ finite: own }) => own !== null).map((game) => [game.name, game] as const))(
  '%s of 1,000 agents',
  (_name, game) => {
    it.each([
      [replicator, 0.5],
      [fermi, 0.2],
    ] as const)('ends there too by $by', (rule, rate) => {
      const found = finite(scaled(rule, game), game.payoffs, game.finite ?? game.start, rate);
      game.end.forEach((share, option) => {
        expect(Math.abs(found[option]! - share)).toBeLessThan(0.05);
      });
    });
  },
);

describe('rock, paper, scissors', () => {
  const start = [0.5, 0.25, 0.25];
  const product = (shares: readonly number[]): number => shares.reduce((all, share) => all * share, 1);

  it('goes around by the replicator where a win is worth a loss: the product of shares stays', () => {
    const game = {
      payoffs: matrix([
        [0, -1, 1],
        [1, 0, -1],
        [-1, 1, 0],
      ]),
      start,
    };
    const end = meanField(replicator, game, 0.01, 10_000);
    expect(Math.abs(product(end) / product(start) - 1)).toBeLessThan(0.01);
    expect(Math.max(...end.map((share, i) => Math.abs(share - start[i]!)))).toBeGreaterThan(0.05);
  });

  it('goes to the edges where a loss is worse', () => {
    const game = {
      payoffs: matrix([
        [0, -2, 1],
        [1, 0, -2],
        [-2, 1, 0],
      ]),
      start: [0.34, 0.33, 0.33],
    };
    expect(product(meanField(replicator, game, 0.2, 6_000))).toBeLessThan(1e-6);
  });
});

describe('a constant difference of payoff', () => {
  // Of an advantage d the odds grow as e^(dt), where time is counted by rate and noise; by pairwise comparison as e^(tanh(d / 2) t).
  it.each([
    [replicator, 1 / 6],
    [fermi, Math.tanh(0.5)],
  ] as const)('makes shares follow the logistic curve by $by', (rule, speed) => {
    const game = { payoffs: () => [0, 1], start: [0.99, 0.01] };
    for (const time of [10, 30, 60]) {
      const odds = (0.01 / 0.99) * Math.exp(speed * time);
      const found = meanField(rule, game, 0.01, time * 100)[1]!;
      expect(Math.abs(found - odds / (1 + odds))).toBeLessThan(0.002);
    }
  });
});

describe('chances of switching', () => {
  const rules = ['imitation', 'replicator', 'best_response', 'logit'] as const;

  it('sum to 1 and are none below 0, whatever is known', () => {
    for (const by of rules)
      for (const noise of by === 'imitation' || by === 'best_response' ? [0, 1e-300, 1, 1e300] : [1e-300, 1, 1e300])
        for (const payoffs of [
          [1, 2, 3],
          [Number.NaN, 2, 2],
          [Number.NaN, Number.NaN, Number.NaN],
          [-1e15, 0, 1e15],
        ])
          for (const own of [0, 1, 2]) {
            const chances = switchChances({ by, noise, mutation: 0.1 }, own, payoffs, [0.2, 0.3, 0.5]);
            expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 12);
            expect(Math.min(...chances)).toBeGreaterThan(0);
          }
  });

  it('of the logit are the closed form, also far apart', () => {
    const found = switchChances({ by: 'logit', noise: 2, mutation: 0 }, 0, [1, 3, 7], []);
    const sum = Math.exp(0.5) + Math.exp(1.5) + Math.exp(3.5);
    [0.5, 1.5, 3.5].forEach((x, option) => {
      expect(found[option]).toBeCloseTo(Math.exp(x) / sum, 14);
    });
    expect(switchChances({ by: 'logit', noise: 1, mutation: 0 }, 0, [-1e9, 1e9], [])).toEqual([0, 1]);
  });

  it('of a best response are all on the best: an own one, or equal ones alike', () => {
    const best: Revision = { by: 'best_response', noise: 0, mutation: 0 };
    expect(switchChances(best, 0, [1, 3, 2], [])).toEqual([0, 1, 0]);
    expect(switchChances(best, 0, [1, 3, 3], [])).toEqual([0, 0.5, 0.5]);
    expect(switchChances(best, 2, [1, 3, 3], [])).toEqual([0, 0, 1]);
  });

  it('leave out what nobody has, except by mutation', () => {
    for (const by of rules) {
      expect(switchChances({ by, noise: 1, mutation: 0 }, 0, [1, Number.NaN, 1], [0.5, 0, 0.5])[1]).toBe(0);
      expect(switchChances({ by, noise: 1, mutation: 0.3 }, 0, [1, Number.NaN, 1], [0.5, 0, 0.5])[1]).toBeCloseTo(
        0.1,
        14,
      );
    }
  });

  it('of an imitation without noise are sure for a better one, and none for an equal one', () => {
    const chance = (own: number, other: number): number => imitationChance({ by: 'imitation', noise: 0 }, own, other);
    expect([chance(1, 2), chance(1, 1), chance(2, 1), chance(Number.NaN, 1)]).toEqual([1, 0, 0, 0]);
    expect(imitationChance({ by: 'replicator', noise: 2 }, 1, 2)).toBe(0.5);
    expect(imitationChance({ by: 'replicator', noise: 2 }, 1, 9)).toBe(1);
  });
});
