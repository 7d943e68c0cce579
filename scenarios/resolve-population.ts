/**
 * Turns a population of a scenario file into the model's, and reports keys that do not fit together. References
 * between populations are in resolve-disturbance.ts.
 */

import type { Protocol } from '../spec/protocol.js';
import { DAY_SEC, HOUR_SEC } from '../spec/time.js';
import { identityClasses } from '../spec/vocabulary.js';
import type { ArrivalPattern } from './behaviours/arrival.js';
import type { ClassMix } from './behaviours/class-mix.js';
import type { DurationDistribution } from './behaviours/duration.js';
import type { HeartbeatPolicy } from './behaviours/heartbeat-policy.js';
import type { SpawnPolicy } from './behaviours/spawn-policy.js';
import { cheapestDifficulty, workDifficulty } from './behaviours/work-difficulty.js';
import type { ScenarioFile } from './file-schema.js';
import { meanOf, resolveTraits } from './resolve-traits.js';
import type { Population } from './scenario.js';

type PopulationFile = ScenarioFile['populations'][number];
/** Reports a problem at a path within the file. */
export type ReportProblem = (path: readonly PropertyKey[], message: string) => void;

const SHARE_SLACK = 1e-9;

/** The population of a file. Problems between its keys are reported. */
export function resolvePopulation(file: PopulationFile, protocol: Protocol, report: ReportProblem): Population {
  const { top_up: topUp } = file.budget;
  const wallet = meanOf(file.budget.wallet);
  const spawned = file.arrivals.pattern === 'spawned';
  const classes = resolveClasses(file, report);
  checkSigil(file, spawned, classes, report);
  if (file.count_ends_growth && !spawned) report(['count_ends_growth'], 'is for populations of children');
  checkDifficulty(file, protocol, report);
  checkArrivals(file, report);
  return {
    name: file.name,
    count: file.count,
    classes,
    arrivals: resolveArrivals(file.arrivals),
    heartbeat: resolveHeartbeat(file, protocol, report),
    budget: {
      walletLamports: wallet,
      topUp:
        topUp === undefined
          ? null
          : {
              belowLamports: topUp.below,
              amountLamports: topUp.amount,
              afterSec: topUp.after,
              timesMax: topUp.times ?? null,
            },
    },
    hashesPerSec: meanOf(file.hash_rate),
    difficulty: file.difficulty ?? null,
    outages:
      file.outages === undefined
        ? null
        : { up: resolveDuration(file.outages.up), down: resolveDuration(file.outages.down) },
    resync: file.resync,
    countEndsGrowth: file.count_ends_growth,
    spawned,
    sponsored: resolveSponsored(file, spawned, wallet === 0 && topUp === undefined, report),
    sigil: file.sigil,
    lifetime: file.lifetime === undefined ? null : resolveDuration(file.lifetime),
    reissue:
      file.reissue === undefined ? null : { every: resolveDuration(file.reissue.every), free: file.reissue.free },
    spawning: file.spawning === undefined ? null : resolveSpawning(file.spawning, protocol, report),
    flagging:
      file.flagging === undefined
        ? null
        : {
            every: resolveDuration(file.flagging.every),
            targets: file.flagging.targets,
            assertedClass: file.flagging.asserts,
          },
    misbehaves: file.misbehaves,
    forges: file.forges,
    economics: {
      liveDayLamports: file.economics.live_day,
      heartbeatLamports: file.economics.heartbeat,
      gigahashLamports: file.economics.gigahash,
      ...(file.economics.shared_day === undefined ? {} : { sharedDayLamports: file.economics.shared_day }),
    },
    ...resolveTraits(file, report),
  };
}

/** Roots need a SIGIL for heartbeats, children do not; without one their cap is that of narrow_task (4.5, D-50). */
function checkSigil(file: PopulationFile, spawned: boolean, classes: ClassMix, report: ReportProblem): void {
  const { sigil } = file;
  const unpaid = meanOf(file.budget.wallet) === 0 && file.budget.top_up === undefined;
  if (!spawned && sigil !== 'at_birth') report(['sigil'], 'must be at_birth for roots');
  if (spawned && unpaid && file.reissue?.free === false) report(['reissue'], 'is for agents with money of their own');
  if (spawned && unpaid && sigil !== 'never') report(['sigil'], 'must be never for children without money');
  if (sigil === 'never' && classes.narrow_task !== 1) {
    report(['class'], 'must be narrow_task where no SIGIL is bought: its cap is theirs');
  }
  if (file.flagging !== undefined && sigil !== 'at_birth') report(['flagging'], 'is for agents with a SIGIL');
}

/** Children without money are sponsored; others pay for themselves unless the file says otherwise. */
function resolveSponsored({ sponsored }: PopulationFile, spawned: boolean, unpaid: boolean, report: ReportProblem) {
  if (sponsored === true && !spawned) report(['sponsored'], 'is for children: roots have no ancestor that pays');
  if (sponsored === false && spawned && unpaid) report(['sponsored'], 'must be true for children without money');
  return spawned && (sponsored ?? unpaid);
}

function checkArrivals({ arrivals, count }: PopulationFile, report: ReportProblem): void {
  if (arrivals.pattern !== 'trace' || arrivals.valuesSec.length === 0 || count <= arrivals.valuesSec.length) return;
  report(['count'], `is more than the ${arrivals.valuesSec.length} arrivals of the trace ${arrivals.trace}`);
}

function checkDifficulty({ difficulty }: PopulationFile, protocol: Protocol, report: ReportProblem): void {
  if (difficulty === undefined || difficulty === workDifficulty(protocol, difficulty)) return;
  const [low, high] = [cheapestDifficulty(protocol), protocol.work.difficultyMax];
  report(['difficulty'], `must be from ${low} to ${high}: receipts of no other difficulty are given and taken`);
}

function resolveSpawning(
  file: NonNullable<PopulationFile['spawning']>,
  protocol: Protocol,
  report: ReportProblem,
): SpawnPolicy {
  const { sponsor } = file;
  if (sponsor?.expires !== undefined && sponsor.expires % HOUR_SEC !== 0) {
    report(['spawning', 'sponsor', 'expires'], 'must be whole hours');
  }
  return {
    into: file.into,
    every: resolveDuration(file.every),
    childrenMax: file.children_max,
    depthMax: file.depth_max,
    beatsMax: file.beats_max,
    sponsor:
      sponsor === undefined
        ? null
        : {
            heartbeatsEpochMax: sponsor.cap ?? protocol.sponsor.heartbeatsEpochDefault,
            expiresInHours: sponsor.expires === undefined ? null : sponsor.expires / HOUR_SEC,
            renew: sponsor.renew,
            answerSec: sponsor.answer,
            generations: sponsor.generations,
          },
  };
}

function resolveClasses({ class: given }: PopulationFile, report: ReportProblem): ClassMix {
  const none: ClassMix = { narrow_task: 0, autonomous: 0, orchestrator: 0 };
  if (typeof given === 'string') return { ...none, [given]: 1 };
  const mix = Object.fromEntries(identityClasses.map((name) => [name, given[name] ?? 0])) as ClassMix;
  const sum = mix.narrow_task + mix.autonomous + mix.orchestrator;
  if (Math.abs(sum - 1) > SHARE_SLACK) report(['class'], `has shares that sum to ${sum}, and must sum to 1`);
  return mix;
}

function resolveArrivals(file: PopulationFile['arrivals']): ArrivalPattern {
  switch (file.pattern) {
    case 'at':
      return { pattern: 'at', timeSec: file.time };
    case 'uniform':
      return { pattern: 'uniform', fromSec: file.from, overSec: file.over };
    case 'poisson':
      return { pattern: 'poisson', fromSec: file.from, gapSec: file.rate };
    case 'entry':
      return {
        pattern: 'entry',
        fromSec: file.from,
        gapSec: file.rate,
        everySec: file.every,
        aboveLamports: file.above,
      };
    case 'trace':
      return { pattern: 'trace', timesSec: file.valuesSec };
    case 'spawned':
      return { pattern: 'spawned' };
    default:
      return file satisfies never;
  }
}

/** A keep-alive margin as long as the DMS would make an agent send heartbeats without pause. */
function resolveHeartbeat(
  { heartbeat: file }: PopulationFile,
  protocol: Protocol,
  report: ReportProblem,
): HeartbeatPolicy {
  const lastSec = protocol.dms.missedAnchorsMax * protocol.anchor.intervalSec;
  const under = (marginSec: number, what: string): void => {
    if (marginSec < lastSec) return;
    report(['heartbeat'], `has a ${what} of ${marginSec} s, and must stay under the ${lastSec} s of the DMS`);
  };
  switch (file.policy) {
    case 'interval':
      return { policy: 'interval', everySec: file.every, jitter: file.jitter };
    case 'keep_alive':
      under(file.margin + file.spread, 'margin and spread');
      return { policy: 'keep_alive', marginSec: file.margin, spreadSec: file.spread };
    case 'daily':
      under(file.margin, 'margin');
      if (file.for > DAY_SEC || file.from >= DAY_SEC) report(['heartbeat'], 'has hours that are not within a day');
      return {
        policy: 'daily',
        fromSec: file.from,
        forSec: file.for,
        everySec: file.every,
        marginSec: file.margin,
      };
    case 'budget':
      if (file.per_day === 0) report(['heartbeat', 'per_day'], 'must be above zero');
      return { policy: 'budget', dayLamports: Math.max(1, file.per_day) };
    case 'thrifty':
      under(file.margin, 'margin');
      return { policy: 'thrifty', everySec: file.every, worthLamports: meanOf(file.worth), marginSec: file.margin };
    case 'elastic':
      if (file.at === 0) report(['heartbeat', 'at'], 'must be above zero');
      if (file.shortest > file.longest) report(['heartbeat', 'shortest'], 'must be at most longest');
      return {
        policy: 'elastic',
        everySec: file.every,
        atLamports: Math.max(1, file.at),
        elasticity: file.elasticity,
        shortestSec: file.shortest,
        longestSec: file.longest,
      };
    case 'straddle':
      under(file.margin, 'margin');
      return { policy: 'straddle', everySec: file.every, turns: file.turns, marginSec: file.margin };
    case 'on_demand':
      if (file.for >= file.every) report(['heartbeat', 'for'], 'must be less than every');
      return { policy: 'on_demand', everySec: file.every, forSec: file.for, beatSec: file.beat };
    case 'trace':
      return { policy: 'trace', gapsSec: file.valuesSec };
    case 'spam':
      return { policy: 'spam', everySec: file.every };
    case 'own':
      return { policy: 'own', behaviour: file.behaviour, options: file.options };
    default:
      return file satisfies never;
  }
}

/** A duration of a file. */
export function resolveDuration(file: NonNullable<PopulationFile['outages']>['up']): DurationDistribution {
  if (file.distribution === 'trace') return { distribution: 'trace', valuesSec: file.valuesSec };
  const { mean: meanSec, ...rest } = file;
  return { ...rest, meanSec };
}
