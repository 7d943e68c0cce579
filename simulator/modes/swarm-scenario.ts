import { stringify } from 'yaml';
import { bits, streamKey } from '../chance/counter-random.js';

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
  reviews?: unknown;
  faults: readonly unknown[];
  interventions: readonly unknown[];
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
  sigil?: string;
  lifetime?: unknown;
  spawning?: { readonly into: string } & Readonly<Record<string, unknown>>;
  flagging?: { readonly targets: string } & Readonly<Record<string, unknown>>;
  misbehaves?: boolean;
  forges?: boolean;
}

/** Small whole numbers and choices, drawn one after the other for one scenario of a swarm. */
class DraftRandom {
  private readonly key: { readonly high: number; readonly low: number };
  private n = 0;

  constructor(seed: number, index: number) {
    this.key = streamKey(seed, 'swarm', index);
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

export const CLASSES = ['narrow_task', 'autonomous', 'orchestrator'] as const;
const AGENTS_MAX = 30;
const HOURS_MAX = 72;

const span = (dice: DraftRandom, lowMin: number, highMin: number): object => {
  const mean = `${dice.whole(lowMin, highMin)}m`;
  return dice.one<() => object>([
    () => ({ distribution: 'fixed', mean }),
    () => ({ distribution: 'exponential', mean }),
    () => ({ distribution: 'lognormal', mean, sigma: dice.whole(1, 20) / 10 }),
    () => ({ distribution: 'weibull', mean, shape: dice.whole(5, 30) / 10 }),
  ])();
};

/** What a population can have or not: each is there in six of ten, so that whatever hides behind another shows alone. */
const FEATURES: readonly ((population: PopulationDraft, dice: DraftRandom) => void)[] = [
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

/** What a population can have besides, each in three of ten. */
const RARE_FEATURES: readonly ((population: PopulationDraft, dice: DraftRandom) => void)[] = [
  (population, dice) => {
    population.lifetime = span(dice, 60, 3_000);
  },
  (population, dice) => {
    const sponsor = { cap: dice.whole(1, 40), expires: `${dice.whole(1, 20)}h`, renew: dice.chance(70) };
    population.spawning = {
      into: dice.one(CHILD_POPULATIONS),
      every: span(dice, 5, 300),
      children_max: dice.whole(1, 6),
      depth_max: dice.whole(1, 3),
      beats_max: dice.whole(1_000, 4_000),
      sponsor,
    };
  },
  (population, dice) => {
    population.flagging = { every: span(dice, 5, 200), targets: 'p0' };
  },
  (population) => {
    population.misbehaves = true;
  },
  (population) => {
    population.forges = true;
  },
];

/** The populations of children. */
export const CHILD_POPULATIONS = ['brood', 'heirs'] as const;

/** Children of the two kinds: those that are sponsored and those with money, who may make children too. */
function childPopulationDrafts(dice: DraftRandom): PopulationDraft[] {
  const heartbeat = { policy: 'interval', every: `${dice.whole(5, 70)}m`, jitter: 0.2 };
  const common = { heartbeat, class: 'narrow_task', arrivals: { pattern: 'spawned' }, hash_rate: '500k hashes/s' };
  const every = span(dice, 10, 200);
  return [
    { ...common, name: 'brood', count: dice.whole(1, AGENTS_MAX), budget: { wallet: '0 lamports' }, sigil: 'never' },
    {
      ...common,
      name: 'heirs',
      count: dice.whole(1, AGENTS_MAX),
      budget: { wallet: `${dice.whole(1, 5)} SOL` },
      sigil: dice.one(['at_birth', 'at_cap', 'never']),
      spawning: { into: dice.one(CHILD_POPULATIONS), every, children_max: 2, depth_max: 4, sponsor: { cap: 30 } },
    },
  ];
}

const minutes = (dice: DraftRandom, durationSec: number): string =>
  `${dice.whole(0, Math.floor(durationSec / 60) - 1)}m`;

/** What can go wrong around the agents; each kind in three of ten. */
const FAULTS: readonly ((dice: DraftRandom, durationSec: number) => unknown)[] = [
  (dice, durationSec) => ({
    kind: 'outage',
    at: minutes(dice, durationSec),
    for: `${dice.whole(1, 300)}m`,
    share: dice.whole(1, 10) / 10,
  }),
  (dice) => ({ kind: 'outages', up: span(dice, 30, 1_000), down: span(dice, 5, 200), share: dice.whole(1, 10) / 10 }),
  (dice, durationSec) => ({
    kind: 'anchor_stall',
    at: minutes(dice, durationSec),
    for: `${dice.whole(1, 300)}m`,
    catch_up: dice.chance(50),
  }),
  (dice, durationSec) => ({
    kind: 'payments',
    at: minutes(dice, durationSec),
    for: `${dice.whole(1, 900)}m`,
    late: dice.whole(0, 5) / 10,
    delay: span(dice, 1, 60),
    dropped: dice.whole(0, 5) / 10,
  }),
];

const INTERVENTIONS: readonly ((dice: DraftRandom, durationSec: number) => unknown)[] = [
  (dice, durationSec) => ({
    kind: 'protocol',
    at: minutes(dice, durationSec),
    set: dice.one([
      { heartbeat: { tier1FeeLamports: 7, tier2FeeLamports: 5, tier3FeeLamports: 3 } },
      { dms: { missedAnchorsMax: 100 } },
      { proof: { challengeChecks: 3 } },
      { heartbeat: { intervalBeatsMin: 17 } },
    ]),
  }),
  (dice, durationSec) => ({ kind: 'revoke_keys', at: minutes(dice, durationSec), share: dice.whole(1, 10) / 10 }),
  (dice, durationSec) => ({
    kind: 'subsidy',
    at: minutes(dice, durationSec),
    share: dice.whole(1, 10) / 10,
    discount_bps: dice.whole(1, 10_000),
    for: `${dice.whole(1, 2_000)}m`,
  }),
];

/** Numbers of the protocol that bring within hours what otherwise takes months. Margins stay under the least DMS. */
const OVERLAYS: readonly ((dice: DraftRandom) => Record<string, Record<string, number>>)[] = [
  (dice) => {
    const missedAnchorsMax = dice.whole(20, 90);
    return { dms: { missedAnchorsMax, warningAnchors: dice.whole(0, missedAnchorsMax) } };
  },
  (dice) => ({ heartbeat: { epochBeats: dice.whole(60, 2_000) } }),
  (dice) => ({ proof: { challengeChecks: 3 * dice.whole(0, 1) } }),
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
const RARE_PERCENT = 30;

function populationDraft(dice: DraftRandom, index: number): PopulationDraft {
  const population: PopulationDraft = {
    name: `p${index}`,
    count: dice.whole(1, AGENTS_MAX),
    class: dice.one(CLASSES),
    heartbeat: dice.one([
      { policy: 'interval', every: `${dice.whole(1, 90)}m`, jitter: dice.whole(0, 10) / 10 },
      { policy: 'keep_alive', margin: `${dice.whole(0, 240)}s`, spread: `${dice.whole(0, 200)}s` },
      { policy: 'daily', from: `${dice.whole(0, 23)}h`, for: `${dice.whole(1, 24)}h`, every: '20m', margin: '3m' },
      { policy: 'budget', per_day: `${dice.whole(1, 50)}000000 lamports` },
      { policy: 'thrifty', every: '12m', worth: `${dice.whole(1, 6)}00000 lamports`, margin: '5m' },
      { policy: 'straddle', every: '11m', turns: dice.whole(1, 3), margin: '5m' },
      { policy: 'on_demand', every: `${dice.whole(3, 12)}h`, for: '90m', beat: '15m' },
      { policy: 'spam', every: `${dice.whole(30, 900)}s` },
    ]),
    budget: { wallet: `${dice.whole(1, 20)} SOL` },
    hash_rate: dice.one(['6k hashes/s', '60k hashes/s', '500k hashes/s', '3M hashes/s']),
  };
  for (const feature of FEATURES) if (dice.chance(FEATURE_PERCENT)) feature(population, dice);
  for (const feature of RARE_FEATURES) if (dice.chance(RARE_PERCENT)) feature(population, dice);
  return population;
}

/** The `index`-th scenario of the swarm of a seed: small, with features and numbers of the protocol at random. */
export function swarmDraft(seed: number, index: number): ScenarioDraft {
  const dice = new DraftRandom(seed, index);
  const protocol: ScenarioDraft['protocol'] = {};
  for (const overlay of OVERLAYS) {
    if (!dice.chance(OVERLAY_PERCENT)) continue;
    for (const [group, numbers] of Object.entries(overlay(dice))) protocol[group] = { ...protocol[group], ...numbers };
  }
  const own = dice.whole(0, 1_000_000);
  const durationSec = dice.whole(1, HOURS_MAX) * 3_600;
  const disturbed = (kinds: typeof FAULTS): unknown[] =>
    kinds.flatMap((kind) => (dice.chance(RARE_PERCENT) ? [kind(dice, durationSec)] : []));
  return withoutDanglingReferences({
    format: 1,
    name: `swarm-${seed}-${index}`,
    question: 'Do the invariants hold?',
    seed: own,
    durationSec,
    protocol,
    populations: [
      ...Array.from({ length: dice.whole(1, 3) }, (_, i) => populationDraft(dice, i)),
      ...childPopulationDrafts(dice),
    ],
    faults: disturbed(FAULTS),
    interventions: disturbed(INTERVENTIONS),
    ...(dice.chance(50)
      ? { reviews: { delay: span(dice, 10, 600), accuracy: dice.whole(0, 10) / 10, resolve: span(dice, 10, 900) } }
      : {}),
  });
}

/** A draft without what refers to populations that are not there, and without children that nobody makes. */
export function withoutDanglingReferences(draft: ScenarioDraft): ScenarioDraft {
  const names = new Set(draft.populations.map(({ name }) => name));
  const made = new Set(draft.populations.map(({ spawning }) => spawning?.into));
  const populations = draft.populations
    .filter(({ name }) => !(CHILD_POPULATIONS as readonly string[]).includes(name) || made.has(name))
    .map(({ spawning, flagging, ...rest }) => ({
      ...rest,
      ...(spawning !== undefined && names.has(spawning.into) ? { spawning } : {}),
      ...(flagging !== undefined && names.has(flagging.targets) ? { flagging } : {}),
    }));
  // What was left out may have been what others referred to.
  return populations.length === draft.populations.length
    ? { ...draft, populations }
    : withoutDanglingReferences({ ...draft, populations });
}

/** A draft as the text of a scenario file. */
export function draftText({
  durationSec,
  protocol,
  populations,
  faults,
  interventions,
  ...rest
}: ScenarioDraft): string {
  const file = {
    ...rest,
    duration: `${durationSec}s`,
    ...(Object.keys(protocol).length === 0 ? {} : { protocol }),
    populations,
    ...(faults.length === 0 ? {} : { faults }),
    ...(interventions.length === 0 ? {} : { interventions }),
    measures: { every: '1h' },
  };
  // Aliases would make two populations look like one.
  return stringify(file, { aliasDuplicateObjects: false });
}
