/** Draws random small scenario files for a swarm. Shrinking them is in smaller-drafts.ts. */

import { stringify } from 'yaml';
import { HOUR_SEC } from '../../spec/time.js';
import { bits, type StreamKey, streamKey } from '../chance/counter-random.js';
import { adaptsDraft } from './swarm-options.js';

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
  difficulty?: number;
  outages?: unknown;
  resync?: boolean;
  sigil?: string;
  lifetime?: unknown;
  reissue?: unknown;
  spawning?: { readonly into: string } & Readonly<Record<string, unknown>>;
  flagging?: { readonly targets: string } & Readonly<Record<string, unknown>>;
  misbehaves?: boolean;
  forges?: boolean;
  adapts?: unknown;
}

/** Random numbers and choices for one scenario of a swarm. */
class DraftRandom {
  readonly #key: StreamKey;
  #draws = 0;

  constructor(seed: number, index: number, part = 'swarm') {
    this.#key = streamKey(seed, part, index);
  }

  /** From `low` to `high`, both included. */
  whole(low: number, high: number): number {
    const drawn = bits(this.#key.high, this.#key.low, 0, this.#draws);
    this.#draws += 1;
    return low + (drawn % (high - low + 1));
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

const span = (random: DraftRandom, lowMin: number, highMin: number): object => {
  const mean = `${random.whole(lowMin, highMin)}m`;
  return random.one<() => object>([
    () => ({ distribution: 'fixed', mean }),
    () => ({ distribution: 'exponential', mean }),
    () => ({ distribution: 'lognormal', mean, sigma: random.whole(1, 20) / 10 }),
    () => ({ distribution: 'weibull', mean, shape: random.whole(5, 30) / 10 }),
  ])();
};

/** Optional parts of a population, each in 60 % of populations, so that every part also occurs without the others. */
const FEATURES: readonly ((population: PopulationDraft, random: DraftRandom) => void)[] = [
  (population, random) => {
    population.outages = { up: span(random, 30, 1_500), down: span(random, 5, 400) };
  },
  (population, random) => {
    population.arrivals = random.one([
      { pattern: 'uniform', over: `${random.whole(1, 600)}m` },
      { pattern: 'poisson', rate: `${random.whole(1, 60)} per hour` },
      { pattern: 'at', time: `${random.whole(0, 7_200)}s` },
    ]);
  },
  (population, random) => {
    const amount = `${random.whole(1, 60)}000000 lamports`;
    const below = `${random.whole(0, 30)}000000 lamports`;
    population.budget.top_up = { below, amount, after: `${random.whole(0, 300)}m`, times: random.whole(1, 20) };
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

/** Optional parts that 30 % of populations have. */
const RARE_FEATURES: readonly ((population: PopulationDraft, random: DraftRandom) => void)[] = [
  (population, random) => {
    population.lifetime = span(random, 60, 3_000);
  },
  (population, random) => {
    const sponsor = {
      cap: random.whole(1, 40),
      expires: `${random.whole(1, 20)}h`,
      renew: random.chance(70),
      generations: random.whole(1, 3),
    };
    population.spawning = {
      into: random.one(CHILD_POPULATIONS),
      every: span(random, 5, 300),
      children_max: random.whole(1, 6),
      depth_max: random.whole(1, 3),
      beats_max: random.whole(1_000, 4_000),
      sponsor,
    };
  },
  (population, random) => {
    population.flagging = { every: span(random, 5, 200), targets: 'p0' };
  },
  (population, random) => {
    population.reissue = { every: span(random, 60, 1_500) };
  },
  (population, random) => {
    population.difficulty = random.whole(100, 5_000);
  },
  (population) => {
    population.misbehaves = true;
  },
  (population) => {
    population.forges = true;
  },
];

/** The names of the populations of children. */
export const CHILD_POPULATIONS = ['brood', 'heirs'] as const;

/** Two populations of children: sponsored ones, and ones with money that make children too. */
function childPopulationDrafts(random: DraftRandom): PopulationDraft[] {
  const heartbeat = { policy: 'interval', every: `${random.whole(5, 70)}m`, jitter: 0.2 };
  const common = { heartbeat, class: 'narrow_task', arrivals: { pattern: 'spawned' }, hash_rate: '500k hashes/s' };
  const every = span(random, 10, 200);
  return [
    { ...common, name: 'brood', count: random.whole(1, AGENTS_MAX), budget: { wallet: '0 lamports' }, sigil: 'never' },
    {
      ...common,
      name: 'heirs',
      count: random.whole(1, AGENTS_MAX),
      budget: { wallet: `${random.whole(1, 5)} SOL` },
      sigil: random.one(['at_birth', 'at_cap', 'never']),
      spawning: { into: random.one(CHILD_POPULATIONS), every, children_max: 2, depth_max: 4, sponsor: { cap: 30 } },
    },
  ];
}

const minutes = (random: DraftRandom, durationSec: number): string =>
  `${random.whole(0, Math.floor(durationSec / 60) - 1)}m`;

/** Faults, each kind in 30 % of scenarios. */
const FAULTS: readonly ((random: DraftRandom, durationSec: number) => unknown)[] = [
  (random, durationSec) => ({
    kind: 'outage',
    at: minutes(random, durationSec),
    for: `${random.whole(1, 300)}m`,
    share: random.whole(1, 10) / 10,
  }),
  (random) => ({
    kind: 'outages',
    up: span(random, 30, 1_000),
    down: span(random, 5, 200),
    share: random.whole(1, 10) / 10,
  }),
  (random, durationSec) => ({
    kind: 'anchor_stall',
    at: minutes(random, durationSec),
    for: `${random.whole(1, 300)}m`,
    catch_up: random.chance(50),
  }),
  (random, durationSec) => ({
    kind: 'payments',
    at: minutes(random, durationSec),
    for: `${random.whole(1, 900)}m`,
    late: random.whole(0, 5) / 10,
    delay: span(random, 1, 60),
    dropped: random.whole(0, 5) / 10,
  }),
];

const INTERVENTIONS: readonly ((random: DraftRandom, durationSec: number) => unknown)[] = [
  (random, durationSec) => ({
    kind: 'protocol',
    at: minutes(random, durationSec),
    set: random.one([
      { heartbeat: { tier1FeeLamports: 7, tier2FeeLamports: 5, tier3FeeLamports: 3 } },
      { dms: { missedAnchorsMax: 100 } },
      { proof: { challengeChecks: 3 } },
      { heartbeat: { intervalBeatsMin: 17 } },
    ]),
  }),
  (random, durationSec) => ({ kind: 'revoke_keys', at: minutes(random, durationSec), share: random.whole(1, 10) / 10 }),
  (random, durationSec) => ({
    kind: 'subsidy',
    at: minutes(random, durationSec),
    share: random.whole(1, 10) / 10,
    discount_bps: random.whole(1, 10_000),
    for: `${random.whole(1, 2_000)}m`,
  }),
  (random) => ({
    kind: 'hold',
    every: `${random.whole(60, 1_000)}m`,
    target: random.one([
      { measure: 'revenue', per_day: '0.1 SOL' },
      { measure: 'availability', share: 0.9 },
    ]),
    gain: random.whole(1, 20) / 10,
  }),
];

/** Protocol numbers under which rare things happen within hours. Margins stay below the smallest DMS. */
const OVERLAYS: readonly ((random: DraftRandom) => Record<string, Record<string, number>>)[] = [
  (random) => {
    const missedAnchorsMax = random.whole(20, 90);
    return { dms: { missedAnchorsMax, warningAnchors: random.whole(0, missedAnchorsMax) } };
  },
  (random) => ({ heartbeat: { epochBeats: random.whole(60, 2_000) } }),
  (random) => ({ proof: { challengeChecks: 3 * random.whole(0, 1) } }),
  (random) => {
    const tier1HeartbeatsMax = random.whole(1, 20);
    return { heartbeat: { tier1HeartbeatsMax, tier2HeartbeatsMax: tier1HeartbeatsMax + random.whole(1, 20) } };
  },
  (random) => ({ heartbeat: { narrowTaskCap: random.whole(1, 40), autonomousCap: random.whole(1, 60) } }),
  (random) => ({ heartbeat: { intervalBeatsMin: random.whole(0, 30) } }),
  (random) => ({ resync: { beatsPerMissedAnchor: random.whole(1, 500), beatsMax: random.whole(100, 50_000) } }),
  (random) => ({ anchor: { intervalSec: random.whole(30, 120), beatsPerAnchor: random.whole(1, 4) } }),
];

const FEATURE_PERCENT = 60;
const OVERLAY_PERCENT = 40;
const RARE_PERCENT = 30;

function populationDraft(random: DraftRandom, index: number): PopulationDraft {
  const population: PopulationDraft = {
    name: `p${index}`,
    count: random.whole(1, AGENTS_MAX),
    class: random.one(CLASSES),
    heartbeat: random.one([
      { policy: 'interval', every: `${random.whole(1, 90)}m`, jitter: random.whole(0, 10) / 10 },
      { policy: 'keep_alive', margin: `${random.whole(0, 240)}s`, spread: `${random.whole(0, 200)}s` },
      { policy: 'daily', from: `${random.whole(0, 23)}h`, for: `${random.whole(1, 24)}h`, every: '20m', margin: '3m' },
      { policy: 'budget', per_day: `${random.whole(1, 50)}000000 lamports` },
      { policy: 'thrifty', every: '12m', worth: `${random.whole(1, 6)}00000 lamports`, margin: '5m' },
      { policy: 'elastic', every: '20m', at: '400000 lamports', elasticity: random.whole(1, 20) / 10, longest: '2h' },
      { policy: 'straddle', every: '11m', turns: random.whole(1, 3), margin: '5m' },
      { policy: 'on_demand', every: `${random.whole(3, 12)}h`, for: '90m', beat: '15m' },
      { policy: 'spam', every: `${random.whole(30, 900)}s` },
    ]),
    budget: { wallet: `${random.whole(1, 20)} SOL` },
    hash_rate: random.one(['60 hashes/s', '600 hashes/s', '6k hashes/s', '500k hashes/s']),
  };
  for (const feature of FEATURES) if (random.chance(FEATURE_PERCENT)) feature(population, random);
  for (const feature of RARE_FEATURES) if (random.chance(RARE_PERCENT)) feature(population, random);
  return population;
}

/** The `index`-th scenario of a seed's swarm: small, with random features and protocol numbers. */
export function swarmDraft(seed: number, index: number): ScenarioDraft {
  const random = new DraftRandom(seed, index);
  const protocol: ScenarioDraft['protocol'] = {};
  for (const overlay of OVERLAYS) {
    if (!random.chance(OVERLAY_PERCENT)) continue;
    for (const [group, numbers] of Object.entries(overlay(random)))
      protocol[group] = { ...protocol[group], ...numbers };
  }
  const own = random.whole(0, 1_000_000);
  const durationSec = random.whole(1, HOURS_MAX) * HOUR_SEC;
  const disturbed = (kinds: typeof FAULTS): unknown[] =>
    kinds.flatMap((kind) => (random.chance(RARE_PERCENT) ? [kind(random, durationSec)] : []));
  // Draws of their own leave all others of a seed as they were before there were options.
  const choosing = new DraftRandom(seed, index, 'swarm adapts');
  return withoutDanglingReferences({
    format: 1,
    name: `swarm-${seed}-${index}`,
    question: 'Do the invariants hold?',
    seed: own,
    durationSec,
    protocol,
    populations: [
      ...Array.from({ length: random.whole(1, 3) }, (_, i) => populationDraft(random, i)),
      ...childPopulationDrafts(random),
    ].map((each) => (choosing.chance(RARE_PERCENT) ? { ...each, adapts: adaptsDraft(choosing, each) } : each)),
    faults: disturbed(FAULTS),
    interventions: disturbed(INTERVENTIONS),
    ...(random.chance(50)
      ? {
          reviews: { delay: span(random, 10, 600), accuracy: random.whole(0, 10) / 10, resolve: span(random, 10, 900) },
        }
      : {}),
  });
}

/** A draft without references to missing populations, and without populations of children that no agent spawns. */
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
  // Other populations may refer to the removed ones.
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
  // YAML aliases would make two populations look like one.
  return stringify(file, { aliasDuplicateObjects: false });
}
