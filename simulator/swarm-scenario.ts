import { stringify } from 'yaml';
import { agentKey, bits } from './stream.js';

/** A scenario file before it is text: the keys of `scenarios/file-schema.ts`. */
export interface ScenarioDraft {
  readonly format: 1;
  readonly name: string;
  readonly question: string;
  readonly seed: number;
  /** Seconds; written with their unit. */
  durationSec: number;
  protocol: Record<string, Record<string, number>>;
  populations: PopulationDraft[];
}

/** One population of a draft; what is absent is left to the defaults. */
export interface PopulationDraft {
  readonly name: string;
  count: number;
  class: unknown;
  arrivals?: unknown;
  heartbeat: Readonly<Record<string, unknown>>;
  budget: { wallet: string; top_up?: unknown };
  hash_rate: string;
  outages?: unknown;
  resync?: boolean;
}

/** Small whole numbers and choices, drawn one after the other for one scenario of a swarm. */
class Dice {
  private readonly key: { readonly high: number; readonly low: number };
  private n = 0;

  constructor(seed: number, index: number) {
    this.key = agentKey(seed, 'swarm', index);
  }

  /** From `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + (bits(this.key.high, this.key.low, 0, this.n++) % (high - low + 1));
  }

  one<T>(choices: readonly T[]): T {
    return choices[this.whole(0, choices.length - 1)] as T;
  }

  /** True in `percent` of a hundred cases. */
  chance(percent: number): boolean {
    return this.whole(1, 100) <= percent;
  }
}

const CLASSES = ['narrow_task', 'autonomous', 'orchestrator'] as const;
const AGENTS_MAX = 30;
const HOURS_MAX = 72;

const span = (dice: Dice, lowMin: number, highMin: number): object => {
  const mean = `${dice.whole(lowMin, highMin)}m`;
  return dice.one<() => object>([
    () => ({ distribution: 'fixed', mean }),
    () => ({ distribution: 'exponential', mean }),
    () => ({ distribution: 'lognormal', mean, sigma: dice.whole(1, 20) / 10 }),
    () => ({ distribution: 'weibull', mean, shape: dice.whole(5, 30) / 10 }),
  ])();
};

/** What a population can have or not: each is there in six of ten, so that whatever hides behind another shows alone. */
const FEATURES: readonly ((population: PopulationDraft, dice: Dice) => void)[] = [
  (population, dice) => {
    population.outages = { up: span(dice, 30, 1_500), down: span(dice, 5, 400) };
  },
  (population, dice) => {
    population.arrivals = dice.one([
      { pattern: 'uniform', over: `${dice.whole(1, 600)}m` },
      { pattern: 'poisson', rate: `${dice.whole(1, 60)} per hour` },
      { pattern: 'at', time: `${dice.whole(0, 7_200)}s` },
    ]);
  },
  (population, dice) => {
    const amount = `${dice.whole(1, 60)}000000 lamports`;
    const below = `${dice.whole(0, 30)}000000 lamports`;
    population.budget.top_up = { below, amount, after: `${dice.whole(0, 300)}m`, times: dice.whole(1, 20) };
  },
  (population) => {
    population.resync = false;
  },
  (population) => {
    population.class = { narrow_task: 0.5, autonomous: 0.3, orchestrator: 0.2 };
  },
  (population) => {
    population.budget.wallet = '0.36 SOL';
  },
];

/** Numbers of the protocol that bring within hours what otherwise takes months. Margins stay under the least DMS. */
const OVERLAYS: readonly ((dice: Dice) => Record<string, Record<string, number>>)[] = [
  (dice) => {
    const missedAnchorsMax = dice.whole(20, 90);
    return { dms: { missedAnchorsMax, warningAnchors: dice.whole(0, missedAnchorsMax) } };
  },
  (dice) => ({ heartbeat: { epochBeats: dice.whole(60, 2_000) } }),
  (dice) => {
    const tier1HeartbeatsMax = dice.whole(1, 20);
    return { heartbeat: { tier1HeartbeatsMax, tier2HeartbeatsMax: tier1HeartbeatsMax + dice.whole(1, 20) } };
  },
  (dice) => ({ heartbeat: { narrowTaskCap: dice.whole(1, 40), autonomousCap: dice.whole(1, 60) } }),
  (dice) => ({ heartbeat: { intervalBeatsMin: dice.whole(0, 30) } }),
  (dice) => ({ resync: { beatsPerMissedAnchor: dice.whole(1, 500), beatsMax: dice.whole(100, 50_000) } }),
  (dice) => ({ anchor: { intervalSec: dice.whole(30, 120), beatsPerAnchor: dice.whole(1, 4) } }),
];

const FEATURE_PERCENT = 60;
const OVERLAY_PERCENT = 40;

function populationDraft(dice: Dice, index: number): PopulationDraft {
  const population: PopulationDraft = {
    name: `p${index}`,
    count: dice.whole(1, AGENTS_MAX),
    class: dice.one(CLASSES),
    heartbeat: dice.one([
      { policy: 'interval', every: `${dice.whole(1, 90)}m`, jitter: dice.whole(0, 10) / 10 },
      { policy: 'keep_alive', margin: `${dice.whole(0, 240)}s`, spread: `${dice.whole(0, 200)}s` },
    ]),
    budget: { wallet: `${dice.whole(1, 20)} SOL` },
    hash_rate: dice.one(['40k hashes/s', '500k hashes/s', '3M hashes/s']),
  };
  for (const feature of FEATURES) if (dice.chance(FEATURE_PERCENT)) feature(population, dice);
  return population;
}

/** The `index`-th scenario of the swarm of a seed: small, with features and numbers of the protocol at random. */
export function swarmDraft(seed: number, index: number): ScenarioDraft {
  const dice = new Dice(seed, index);
  const protocol: ScenarioDraft['protocol'] = {};
  for (const overlay of OVERLAYS) {
    if (!dice.chance(OVERLAY_PERCENT)) continue;
    for (const [group, numbers] of Object.entries(overlay(dice))) protocol[group] = { ...protocol[group], ...numbers };
  }
  return {
    format: 1,
    name: `swarm-${seed}-${index}`,
    question: 'Do the invariants hold?',
    seed: dice.whole(0, 1_000_000),
    durationSec: dice.whole(1, HOURS_MAX) * 3_600,
    protocol,
    populations: Array.from({ length: dice.whole(1, 3) }, (_, i) => populationDraft(dice, i)),
  };
}

/** A draft as the text of a scenario file. */
export function draftText({ durationSec, protocol, populations, ...rest }: ScenarioDraft): string {
  return stringify({
    ...rest,
    duration: `${durationSec}s`,
    ...(Object.keys(protocol).length === 0 ? {} : { protocol }),
    populations,
    measures: { every: '1h' },
  });
}

/**
 * Every draft that is one step smaller, the largest steps first: populations, horizon, features, numbers of the protocol.
 * `untilSec`: nothing after this second bears on what is looked for.
 */
export function smallerDrafts(draft: ScenarioDraft, untilSec: number): ScenarioDraft[] {
  const { populations, protocol, durationSec } = draft;
  const withPopulations = (changed: PopulationDraft[]): ScenarioDraft => ({ ...draft, populations: changed });
  const replaced = (i: number, population: PopulationDraft): ScenarioDraft =>
    withPopulations(populations.map((each, j) => (j === i ? population : each)));
  const smaller: ScenarioDraft[] = [];
  if (populations.length > 1) {
    for (let i = 0; i < populations.length; i++) smaller.push(withPopulations(populations.filter((_, j) => j !== i)));
  }
  populations.forEach((population, i) => {
    for (const count of [Math.floor(population.count / 2), population.count - 1]) {
      if (count >= 1 && count < population.count) smaller.push(replaced(i, { ...population, count }));
    }
  });
  for (const shorter of [Math.floor(durationSec / 2), untilSec, durationSec - 60, durationSec - 1]) {
    if (shorter >= 1 && shorter < durationSec) smaller.push({ ...draft, durationSec: shorter });
  }
  populations.forEach((population, i) => {
    for (const key of ['outages', 'arrivals', 'resync'] as const) {
      const { [key]: dropped, ...rest } = population;
      if (dropped !== undefined) smaller.push(replaced(i, rest));
    }
    const { top_up: topUp, ...budget } = population.budget;
    if (topUp !== undefined) smaller.push(replaced(i, { ...population, budget }));
    if (typeof population.class !== 'string') smaller.push(replaced(i, { ...population, class: CLASSES[0] }));
  });
  for (const [group, numbers] of Object.entries(protocol)) {
    for (const key of Object.keys(numbers)) {
      const { [key]: _dropped, ...rest } = numbers;
      const { [group]: _group, ...others } = protocol;
      smaller.push({ ...draft, protocol: Object.keys(rest).length === 0 ? others : { ...others, [group]: rest } });
    }
  }
  return smaller;
}
