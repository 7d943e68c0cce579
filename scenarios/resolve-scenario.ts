/**
 * Turns a parsed scenario file into a scenario, with defaults filled in, and reports whatever does not fit together.
 * The YAML is read and held against the schema in schema.ts.
 */

import type { z } from 'zod';
import { brokenRelations, mergedOverlay, type Overlay, withOverlay } from '../spec/overlay.js';
import type { Protocol } from '../spec/protocol.js';
import { DAY_SEC } from '../spec/time.js';
import { identityClasses } from '../spec/vocabulary.js';
import { optionGroups } from './adaptation.js';
import { type Expectation, parseExpectation } from './expectation.js';
import { featuresOf } from './features.js';
import type { ScenarioFile } from './file-schema.js';
import { classesOf, nameableGroups } from './groups.js';
import { measuresFor } from './measures.js';
import { resolveAdaptation } from './resolve-adaptation.js';
import { checkReferences, resolveFault, resolveIntervention } from './resolve-disturbance.js';
import { type ReportProblem, resolveDuration, resolvePopulation } from './resolve-population.js';
import { meanOf } from './resolve-traits.js';
import { type Population, SCENARIO_FORMAT, type Scenario } from './scenario.js';
import { fillInTraces } from './traces.js';

const YEARS_MAX = 10;
const SCENARIO_SEC_MAX = YEARS_MAX * 365 * DAY_SEC;
const AGENTS_MAX = 10_000_000;
const SAMPLES_MAX = 100_000;

/** The scenario of a file. Problems between its parts are added to the context. */
export function resolveScenario(file: ScenarioFile, context: z.core.$RefinementCtx<ScenarioFile>): Scenario {
  const report: ReportProblem = (path, message) =>
    context.addIssue({ code: 'custom', path: [...path], message, input: file });
  const protocol = withOverlay(file.protocol ?? {});
  fillInTraces(file, report);
  checkNumbers(file, report);
  checkSizes(file, report);
  checkNames(file, report);
  const populations = file.populations.map((population, i) =>
    resolveAdapting(population, file.duration, protocol, (path, message) =>
      report(['populations', i, ...path], message),
    ),
  );
  checkReferences(file, report);
  const names = file.populations.map(({ name }) => name);
  const { reviews } = file;
  const parts = {
    populations,
    reviews:
      reviews === undefined
        ? null
        : {
            delay: resolveDuration(reviews.delay),
            accuracy: reviews.accuracy,
            resolve: reviews.resolve === undefined ? null : resolveDuration(reviews.resolve),
          },
    faults: file.faults.map((fault) => resolveFault(fault, names)),
    interventions: file.interventions.map((intervention) => resolveIntervention(intervention, names)),
  };
  return {
    format: SCENARIO_FORMAT,
    name: file.name,
    question: file.question,
    description: file.description,
    seed: file.seed,
    durationSec: file.duration,
    protocol,
    ...parts,
    measures: {
      everySec: file.measures.every,
      names: file.measures.list ?? measuresFor(featuresOf({ ...parts, protocol })),
    },
    expectations: expectationsOf(file, populations, report),
    sometimes: file.sometimes,
  };
}

/** A population of a file, with what its agents choose among. */
function resolveAdapting(
  file: ScenarioFile['populations'][number],
  durationSec: number,
  protocol: Protocol,
  report: ReportProblem,
): Population {
  const population = resolvePopulation(file, protocol, report);
  if (file.adapts === undefined) return population;
  const adapts = resolveAdaptation(
    file,
    file.adapts,
    durationSec,
    (each, reportOfOption) => resolvePopulation(each, protocol, reportOfOption),
    (path, message) => report(['adapts', ...path], message),
  );
  return { ...population, adapts };
}

/** Reports protocol numbers that contradict each other, from the start or after an intervention. */
function checkNumbers(file: ScenarioFile, report: ReportProblem): void {
  const contradiction = (overlay: Overlay, path: readonly PropertyKey[]): void => {
    for (const wanted of brokenRelations(withOverlay(overlay))) {
      report(path, `has numbers that contradict each other; wanted: ${wanted}`);
    }
  };
  let overlay = file.protocol ?? {};
  contradiction(overlay, ['protocol']);
  const changes = file.interventions
    .map((each, i) => ({ each, i }))
    .toSorted((a, b) => a.each.at - b.each.at || a.i - b.i);
  for (const { each, i } of changes) {
    if (each.kind !== 'protocol') continue;
    overlay = mergedOverlay(overlay, each.set);
    contradiction(overlay, ['interventions', i, 'set']);
  }
}

function checkSizes(file: ScenarioFile, report: ReportProblem): void {
  if (file.duration > SCENARIO_SEC_MAX) report(['duration'], `must be at most ${YEARS_MAX * 365}d`);
  if (file.duration / file.measures.every > SAMPLES_MAX) {
    report(['measures', 'every'], `makes more than ${SAMPLES_MAX} samples of the duration`);
  }
  const agents = file.populations.reduce((sum, { count }) => sum + count, 0);
  if (agents > AGENTS_MAX)
    report(['populations'], `are ${agents} agents together, and at most ${AGENTS_MAX} are possible`);
  const lamports = file.populations.reduce((sum, { count, budget, adapts }) => {
    const wallets = Object.values(adapts?.options ?? {}).map((option) => meanOf(option.budget?.wallet ?? 0));
    return sum + count * Math.max(meanOf(budget.wallet), ...wallets);
  }, 0);
  if (lamports > Number.MAX_SAFE_INTEGER) report(['populations'], 'hold more than 2^53 - 1 lamports in their wallets');
}

function checkNames(file: ScenarioFile, report: ReportProblem): void {
  const seen = new Set<string>(identityClasses);
  file.populations.forEach(({ name }, i) => {
    const taken = (identityClasses as readonly string[]).includes(name) ? 'a class' : 'another population';
    if (seen.has(name)) report(['populations', i, 'name'], `is the name of ${taken}`);
    seen.add(name);
  });
}

function expectationsOf(file: ScenarioFile, populations: readonly Population[], report: ReportProblem): Expectation[] {
  const scope = {
    groups: nameableGroups({ populations }),
    durationSec: file.duration,
  };
  return file.expectations.flatMap((text, i) => {
    const parsed = parseExpectation(text, scope);
    const problem = parsed.ok
      ? emptyGroupProblem(parsed.value.group, populations)
      : `column ${parsed.column}: ${parsed.message}`;
    if (problem !== null) report(['expectations', i], problem);
    return parsed.ok ? [parsed.value] : [];
  });
}

/** The problem of an expectation about a group without agents, which would hold in any case; null if there are some. */
function emptyGroupProblem(group: string | null, populations: readonly Population[]): string | null {
  const some = populations.filter(({ count }) => count > 0);
  const known = some.flatMap((each) => [each.name, ...optionGroups(each), ...classesOf({ populations: [each] })]);
  if (group === null ? some.length > 0 : known.includes(group)) return null;
  if (known.length === 0) return 'is about no agents: no population has any';
  return `is about no agents: none is of ${group}; known: ${[...new Set(known)].join(', ')}`;
}
