/**
 * Turns `adapts` of a population into the model's, and reports keys that do not fit together. The population with each option is resolved like any
 * other, in resolve-population.ts.
 */

import type { Adaptation, RevisionPlan } from './adaptation.js';
import type { ScenarioFile } from './file-schema.js';
import type { Population } from './scenario.js';

type PopulationFile = ScenarioFile['populations'][number];
type AdaptsFile = NonNullable<PopulationFile['adapts']>;
type ReportProblem = (path: readonly PropertyKey[], message: string) => void;

const OPTIONS_MAX = 16;
const SHARE_SLACK = 1e-9;

/** Keys that an agent cannot change after its arrival: its class and its SIGIL are bought, its wallet is filled and its outages and its departure are drawn by then. */
const AT_ARRIVAL: ReadonlySet<string> = new Set(['class', 'budget', 'outages', 'sigil', 'lifetime']);

/** The adaptation of a population. `resolve`: the population of a file with an option put into it. */
export function resolveAdaptation(
  file: PopulationFile,
  adapts: AdaptsFile,
  durationSec: number,
  resolve: (file: PopulationFile, report: ReportProblem) => Population,
  report: ReportProblem,
): Adaptation {
  const entries = Object.entries(adapts.options);
  const { length } = entries;
  if (length < 2 || length > OPTIONS_MAX) report(['options'], `are ${length}, and must be from 2 to ${OPTIONS_MAX}`);
  const { adapts: _, ...base } = file;
  // Of the population itself problems are reported once, not again with each option.
  const known = new Set<string>();
  resolve(base, (path, message) => known.add(`${path.join('.')} ${message}`));
  const options = entries.map(([name, { leaves, ...keys }]) => {
    const given = Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined));
    const population = resolve({ ...base, ...given } as PopulationFile, (path, message) => {
      if (known.has(`${path.join('.')} ${message}`)) return;
      const own = Object.hasOwn(given, String(path[0]));
      report(
        ['options', name, ...(own ? path : [])],
        own ? message : `makes ${path.join('.')} wrong, which ${message}`,
      );
    });
    checkOption(name, leaves, Object.keys(given), adapts.by, report);
    return { name, leaves, population };
  });
  return { options, start: startOf(file, adapts, report), revision: revisionOf(adapts, durationSec, report) };
}

function checkOption(
  name: string,
  leaves: boolean,
  keys: readonly string[],
  by: AdaptsFile['by'],
  report: ReportProblem,
): void {
  for (const key of keys) {
    if (leaves) report(['options', name, key], 'is of no use to an agent that leaves');
    else if (by !== 'fixed' && AT_ARRIVAL.has(key))
      report(['options', name, key], 'cannot change after an agent has arrived: only options with by: fixed have it');
  }
}

/** The shares or counts of a file; without any, equal shares of the options that do not leave. */
function startOf(file: PopulationFile, { options, start }: AdaptsFile, report: ReportProblem): Adaptation['start'] {
  const names = Object.keys(options);
  if (start === undefined) {
    const staying = names.filter((name) => options[name]?.leaves === false);
    if (staying.length === 0) report(['options'], 'have none that stays, so that nobody arrives');
    return { kind: 'shares', of: names.map((name) => (staying.includes(name) ? 1 / staying.length : 0)) };
  }
  const exact = isCounts(start);
  const path = exact ? ['start', 'counts'] : ['start'];
  const given: Readonly<Record<string, number>> = exact ? start.counts : start;
  for (const name of Object.keys(given)) {
    if (!names.includes(name)) report([...path, name], `is not an option; known: ${names.join(', ')}`);
    else if (file.arrivals.pattern === 'spawned' && options[name]?.leaves === true && given[name]! > 0)
      report([...path, name], 'is an option that leaves, and a child that is made arrives');
  }
  const of = names.map((name) => given[name] ?? 0);
  const sum = of.reduce((total, each) => total + each, 0);
  if (exact && sum !== file.count) report(path, `sum to ${sum}, and the population has ${file.count} agents`);
  if (exact && file.arrivals.pattern === 'spawned') report(path, 'are for roots: an option of children is drawn');
  if (!exact && Math.abs(sum - 1) > SHARE_SLACK) report(path, `has shares that sum to ${sum}, and must sum to 1`);
  return { kind: exact ? 'counts' : 'shares', of };
}

function isCounts(
  start: NonNullable<AdaptsFile['start']>,
): start is { readonly counts: Readonly<Record<string, number>> } {
  return typeof start['counts'] === 'object';
}

/** The rules that take each key, where not all that revise do. */
const TAKEN_BY: readonly (readonly [key: 'noise' | 'sees', rules: readonly AdaptsFile['by'][]])[] = [
  ['noise', ['imitation', 'replicator', 'logit']],
  ['sees', ['imitation', 'replicator']],
];
const REVISING = ['every', 'rate', 'noise', 'mutation', 'sees', 'outside'] as const;

function revisionOf(adapts: AdaptsFile, durationSec: number, report: ReportProblem): RevisionPlan | null {
  const { by, every, rate = 1, noise = 0, mutation = 0, sees = 'options', outside = 0 } = adapts;
  if (by === 'fixed') {
    for (const key of REVISING)
      if (adapts[key] !== undefined) report([key], 'is for agents that revise, and by is fixed');
    return null;
  }
  if (every === undefined) report(['every'], 'is missing: agents that revise need the time between two revisions');
  else if (every >= durationSec) report(['every'], 'must be before the end of the scenario');
  for (const [key, rules] of TAKEN_BY)
    if (adapts[key] !== undefined && !rules.includes(by)) report([key], `is for ${rules.join(', ')}, and by is ${by}`);
  if (rate === 0) report(['rate'], 'must be above zero');
  if (noise === 0 && (by === 'logit' || by === 'replicator')) report(['noise'], `must be above zero for ${by}`);
  if (outside > 0 && !Object.values(adapts.options).some(({ leaves }) => leaves))
    report(['outside'], 'is of an option that leaves, and none does');
  return { rule: { by, noise, mutation }, everySec: every ?? 1, rate, sees, outsideLamports: outside };
}

/** A population and each of its options, as the keys of the file that each has itself, with their path in the file. */
export function keyHolders(
  populations: ScenarioFile['populations'],
): readonly { readonly path: readonly PropertyKey[]; readonly keys: AdaptsFile['options'][string] | PopulationFile }[] {
  return populations.flatMap((population, i) => [
    { path: ['populations', i], keys: population },
    ...Object.entries(population.adapts?.options ?? {}).map(([name, keys]) => ({
      path: ['populations', i, 'adapts', 'options', name],
      keys,
    })),
  ]);
}
