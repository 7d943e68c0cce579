import type { z } from 'zod';
import { withOverlay } from '../spec/overlay.js';
import type { Protocol } from '../spec/protocol.js';
import { identityClasses } from '../spec/vocabulary.js';
import type { ArrivalPattern } from './behaviours/arrival.js';
import type { ClassMix } from './behaviours/class-mix.js';
import type { HeartbeatPolicy } from './behaviours/heartbeat-policy.js';
import type { Span } from './behaviours/outage.js';
import { type Expectation, parseExpectation } from './expectation.js';
import type { ScenarioFile } from './file-schema.js';
import { measureNames } from './measures.js';
import { type Population, SCENARIO_FORMAT, type Scenario } from './scenario.js';

type PopulationFile = ScenarioFile['populations'][number];
type Report = (path: readonly PropertyKey[], message: string) => void;

const YEARS_MAX = 10;
const DURATION_SEC_MAX = YEARS_MAX * 365 * 86_400;
const AGENTS_MAX = 4_000_000;
const SAMPLES_MAX = 100_000;
const SHARE_SLACK = 1e-9;

/** The scenario of a file whose parts go together; whatever does not is added to the context. */
export function scenarioOf(file: ScenarioFile, context: z.core.$RefinementCtx<ScenarioFile>): Scenario {
  const report: Report = (path, message) => context.addIssue({ code: 'custom', path: [...path], message, input: file });
  const protocol = withOverlay(file.protocol ?? {});
  checkSizes(file, report);
  checkNames(file, report);
  const populations = file.populations.map((population, i) =>
    populationOf(population, protocol, (path, message) => report(['populations', i, ...path], message)),
  );
  return {
    format: SCENARIO_FORMAT,
    name: file.name,
    question: file.question,
    description: file.description,
    seed: file.seed,
    durationSec: file.duration,
    protocol,
    populations,
    measures: { everySec: file.measures.every, names: file.measures.list ?? measureNames },
    expectations: expectationsOf(file, report),
    sometimes: file.sometimes,
  };
}

function checkSizes(file: ScenarioFile, report: Report): void {
  if (file.duration > DURATION_SEC_MAX) report(['duration'], `must be at most ${YEARS_MAX * 365}d`);
  if (file.duration / file.measures.every > SAMPLES_MAX) {
    report(['measures', 'every'], `makes more than ${SAMPLES_MAX} samples of the duration`);
  }
  const agents = file.populations.reduce((sum, { count }) => sum + count, 0);
  if (agents > AGENTS_MAX)
    report(['populations'], `are ${agents} agents together, and at most ${AGENTS_MAX} are possible`);
  const lamports = file.populations.reduce((sum, { count, budget }) => sum + count * budget.wallet, 0);
  if (lamports > Number.MAX_SAFE_INTEGER) report(['populations'], 'hold more than 2^53 - 1 lamports in their wallets');
}

function checkNames(file: ScenarioFile, report: Report): void {
  const seen = new Set<string>(identityClasses);
  file.populations.forEach(({ name }, i) => {
    const taken = (identityClasses as readonly string[]).includes(name) ? 'a class' : 'another population';
    if (seen.has(name)) report(['populations', i, 'name'], `is the name of ${taken}`);
    seen.add(name);
  });
}

function populationOf(file: PopulationFile, protocol: Protocol, report: Report): Population {
  const { top_up: topUp, wallet } = file.budget;
  return {
    name: file.name,
    count: file.count,
    classes: classesOf(file, report),
    arrivals: arrivalsOf(file.arrivals),
    heartbeat: heartbeatOf(file, protocol, report),
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
    hashesPerSec: file.hash_rate,
    outages: file.outages === undefined ? null : { up: spanOf(file.outages.up), down: spanOf(file.outages.down) },
    resync: file.resync,
  };
}

function classesOf({ class: given }: PopulationFile, report: Report): ClassMix {
  const none: ClassMix = { narrow_task: 0, autonomous: 0, orchestrator: 0 };
  if (typeof given === 'string') return { ...none, [given]: 1 };
  const mix = Object.fromEntries(identityClasses.map((name) => [name, given[name] ?? 0])) as ClassMix;
  const sum = mix.narrow_task + mix.autonomous + mix.orchestrator;
  if (Math.abs(sum - 1) > SHARE_SLACK) report(['class'], `has shares that sum to ${sum}, and must sum to 1`);
  return mix;
}

function arrivalsOf(file: PopulationFile['arrivals']): ArrivalPattern {
  switch (file.pattern) {
    case 'at':
      return { pattern: 'at', timeSec: file.time };
    case 'uniform':
      return { pattern: 'uniform', fromSec: file.from, overSec: file.over };
    case 'poisson':
      return { pattern: 'poisson', fromSec: file.from, gapSec: file.rate };
    default:
      return file satisfies never;
  }
}

/** A keep-alive that is due before the last sign of life would beat without end. */
function heartbeatOf({ heartbeat }: PopulationFile, protocol: Protocol, report: Report): HeartbeatPolicy {
  if (heartbeat.policy === 'interval') {
    return { policy: 'interval', everySec: heartbeat.every, jitter: heartbeat.jitter };
  }
  const { margin, spread } = heartbeat;
  const lastSec = protocol.dms.missedAnchorsMax * protocol.anchor.intervalSec;
  if (margin + spread >= lastSec) {
    report(
      ['heartbeat'],
      `has a margin and spread of ${margin + spread} s, and must stay under the ${lastSec} s of the DMS`,
    );
  }
  return { policy: 'keep_alive', marginSec: margin, spreadSec: spread };
}

function spanOf(file: NonNullable<PopulationFile['outages']>['up']): Span {
  const { mean: meanSec, ...rest } = file;
  return { ...rest, meanSec };
}

function expectationsOf(file: ScenarioFile, report: Report): Expectation[] {
  const scope = {
    groups: [...identityClasses, ...file.populations.map(({ name }) => name)],
    durationSec: file.duration,
  };
  return file.expectations.flatMap((text, i) => {
    const parsed = parseExpectation(text, scope);
    if (parsed.ok) return [parsed.value];
    report(['expectations', i], `column ${parsed.column}: ${parsed.message}`);
    return [];
  });
}
