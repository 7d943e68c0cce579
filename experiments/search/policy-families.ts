/**
 * The policies among which a population looks for its best response: which numbers each has, and what it does to the scenario. How
 * policies are compared is in best-response.ts.
 */

import type { Json } from '../../results/json-text.js';
import type { Protocol } from '../../spec/protocol.js';
import { DAY_SEC, HOUR_SEC, MINUTE_SEC } from '../../spec/time.js';
import type { ArmSettings } from '../design/designs.js';
import { type FactorRange, type RangeFile, readRange } from '../design/factor-range.js';
import type { PolicyName } from './policy-names.js';

/** A price of the protocol that some policies pay and others do without. */
export type PriceName = 'heartbeat' | 'sigil' | 'reissuance';

/** A policy that a population can have, with the numbers that are searched in it. */
export interface PolicyFamily {
  readonly name: PolicyName;
  /** The prices that this policy lives on; null for the scenario's own, which may be any. */
  readonly pays: readonly PriceName[] | null;
  readonly ranges: readonly FactorRange[];
  /** The settings of a point of the unit cube. */
  readonly settingsAt: (point: readonly number[]) => ArmSettings;
  /** The scenario that the settings are for. */
  readonly base: Json;
  /** The populations that make up the agents, that of children last. */
  readonly groups: readonly string[];
}

/** The reason why a policy is not for a population. */
interface NoFamily {
  readonly reason: string;
}

/** The population that responds, and its surroundings. */
interface Responding {
  readonly scenario: Readonly<Record<string, Json>>;
  readonly population: string;
  readonly count: number;
  readonly protocol: Protocol;
}

type Settings = (...values: readonly (number | string)[]) => Readonly<Record<string, Json>>;
type Yaml = Readonly<Record<string, Json>>;

/** The price of 10^9 hashes in lamports where the scenario names none: work is not free. */
const GIGAHASH = '1000 lamports';
/** A duration after which nothing happens within a scenario. */
const NEVER = '3650d';
const SPONSOR_CAP = 10_000;

const seconds = (from: number, to: number, scale: RangeFile['scale'] = 'log'): RangeFile => ({
  from: `${from}s`,
  to: `${to}s`,
  scale,
  whole: false,
});

/** The policies with these names, or the reason why one is not for this population. */
export function policyFamily(responding: Responding, name: PolicyName): PolicyFamily | NoFamily {
  const { anchor, dms, heartbeat, passport } = responding.protocol;
  const limitSec = dms.missedAnchorsMax * anchor.intervalSec;
  const leastSec = Math.min(heartbeat.intervalBeatsMin * anchor.intervalSec, Math.floor(limitSec / 2));
  const validSec = passport.validityHours * HOUR_SEC;
  const margin = seconds(MINUTE_SEC, Math.floor(limitSec / 2));
  const beating = ['heartbeat', 'sigil'] as const;
  const silent = { heartbeat: { policy: 'interval', every: NEVER }, resync: false };
  switch (name) {
    case 'as_it_is':
      return family(responding, name, null, [], () => ({}));
    case 'interval':
      return family(responding, name, beating, [seconds(leastSec, limitSec - MINUTE_SEC)], (every) => ({
        heartbeat: { policy: 'interval', every: every as Json },
      }));
    case 'margin':
      return family(responding, name, beating, [margin], (before) => ({
        heartbeat: { policy: 'keep_alive', margin: before as Json },
      }));
    case 'bunching':
      return family(
        responding,
        name,
        beating,
        [seconds(leastSec, limitSec - MINUTE_SEC), { from: 2, to: 4, scale: 'linear', whole: true }, margin],
        (every, turns, before) => ({
          heartbeat: { policy: 'straddle', every: every as Json, turns: turns as Json, margin: before as Json },
        }),
      );
    case 'sleeping':
      return family(
        responding,
        name,
        ['sigil'],
        [seconds(3 * limitSec, 2 * DAY_SEC), seconds(leastSec, 2 * limitSec), seconds(leastSec, limitSec - MINUTE_SEC)],
        (every, during, beat) => ({
          heartbeat: { policy: 'on_demand', every: every as Json, for: during as Json, beat: beat as Json },
          resync: true,
        }),
      );
    case 'freezing':
      return family(responding, name, ['sigil'], [seconds(limitSec + MINUTE_SEC, 24 * limitSec)], (every) => ({
        heartbeat: { policy: 'interval', every: every as Json },
        resync: true,
      }));
    case 'sponsoring':
      return sponsoring(responding, margin);
    case 'reissuing':
    case 'fetching': {
      const free = name === 'fetching';
      return family(
        responding,
        name,
        free ? ['sigil'] : ['sigil', 'reissuance'],
        [seconds(HOUR_SEC, validSec)],
        (every) => ({
          ...silent,
          reissue: { every: { distribution: 'fixed', mean: every as Json }, free },
        }),
      );
    }
    default:
      return name satisfies never;
  }
}

type Prices = PolicyFamily['pays'];

function family(
  responding: Responding,
  name: PolicyName,
  pays: Prices,
  ranges: readonly RangeFile[],
  settings: Settings,
): PolicyFamily | NoFamily {
  const { population } = responding;
  const base = withPopulation(responding, (own) => (name === 'as_it_is' ? own : withoutReissue(own)));
  return made(name, pays, ranges, base, [population], (...values) =>
    Object.fromEntries(
      Object.entries(settings(...values)).map(([key, value]) => [`populations.${population}.${key}`, value]),
    ),
  );
}

function made(
  name: PolicyName,
  pays: Prices,
  files: readonly RangeFile[],
  base: Json,
  groups: readonly string[],
  settings: Settings,
): PolicyFamily | NoFamily {
  const ranges: FactorRange[] = [];
  for (const file of files) {
    const range = readRange(file);
    if (typeof range === 'string') return { reason: `has no room from ${file.from} to ${file.to} under these numbers` };
    ranges.push(range);
  }
  const settingsAt = (point: readonly number[]): ArmSettings =>
    settings(...ranges.map((range, d) => range.value(point[d] as number)));
  return { name, pays, ranges, base, groups, settingsAt };
}

/** Parents buy a SIGIL and spawn the other agents as children, whose heartbeats they pay for. */
function sponsoring(responding: Responding, margin: RangeFile): PolicyFamily | NoFamily {
  const { scenario, population, count } = responding;
  const populations = scenario['populations'] as readonly Yaml[];
  if (populations.length > 1) return { reason: 'is for a population that is alone in its scenario' };
  if (count < 2) return { reason: 'is for two agents and more' };
  const own = populations[0] as Yaml;
  if (own['spawning'] !== undefined) return { reason: 'is for a population without spawning' };
  const members = population === 'members' ? 'wards' : 'members';
  const {
    count: _count,
    class: _class,
    arrivals: _arrivals,
    budget: _budget,
    reissue: _reissue,
    lifetime: _lifetime,
    ...shared
  } = own;
  const base = withPopulation(responding, withoutReissue, (priced) => ({
    ...shared,
    economics: priced['economics'] as Json,
    name: members,
    count: 0,
    class: 'narrow_task',
    arrivals: { pattern: 'spawned' },
    sigil: 'never',
    budget: { wallet: 0 },
    count_ends_growth: true,
  }));
  const ring: RangeFile = { from: 2, to: Math.max(3, count), scale: 'linear', whole: true };
  return made('sponsoring', ['heartbeat'], [ring, margin], base, [population, members], (ringSize, before) => {
    const heads = Math.ceil(count / Math.min(count, ringSize as number));
    const heartbeat = { policy: 'keep_alive', margin: before as Json };
    const spawning = {
      into: members,
      every: { distribution: 'fixed', mean: '10m' },
      children_max: Math.ceil((count - heads) / heads),
      sponsor: { cap: SPONSOR_CAP },
    };
    return {
      [`populations.${population}.count`]: heads,
      [`populations.${population}.heartbeat`]: heartbeat,
      [`populations.${population}.spawning`]: spawning,
      [`populations.${members}.count`]: count - heads,
      [`populations.${members}.heartbeat`]: heartbeat,
    };
  });
}

/** The scenario with its population changed, its work priced, and perhaps another population after all. */
function withPopulation(
  { scenario, population }: Responding,
  change: (own: Yaml) => Yaml,
  another?: (own: Yaml) => Yaml,
): Json {
  const populations = scenario['populations'] as readonly Yaml[];
  const own = populations.find(({ name }) => name === population) as Yaml;
  const economics = { gigahash: GIGAHASH, ...(own['economics'] as Yaml | undefined) };
  const priced = { ...change(own), economics };
  const changed = populations.map((each) => (each === own ? priced : each));
  return { ...scenario, populations: another === undefined ? changed : [...changed, another(priced)] };
}

/** How an agent comes by its passport is part of its policy. */
function withoutReissue({ reissue: _, ...rest }: Yaml): Yaml {
  return rest;
}
