/** Reads the file of accepted changes of `--accepted`, and refuses names in it that nothing has. Its form is in spec/accepted-changes.ts. */

import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { allChecks } from '../../conformance/checks/index.js';
import { derivedMutants } from '../../conformance/mutants/derived.js';
import { parsedOrFail, readText } from '../../runs/host/files.js';
import { packageRoot } from '../../runs/host/package.js';
import { parseScenario } from '../../scenarios/schema.js';
import { birthsText } from '../../simulator/run/censored.js';
import { type AcceptedChanges, NOTHING_ACCEPTED, parseAcceptedChanges } from '../../spec/accepted-changes.js';
import { BREAK_KINDS } from '../../spec/breaking.js';
import { type Path, type Problem, problemIn } from '../../spec/document.js';
import { lintRules } from '../../spec/lint/index.js';
import { didYouMean } from '../../spec/nearest-name.js';
import { INVARIANTS_HOLD, libraryNames, PLAYABLE } from './library.js';

/** The option for the file of accepted changes. */
export const acceptedFile = {
  accepted: {
    type: 'string',
    describe:
      'YAML file of accepted changes: {findings: [{id, arithmetic, reason}], scenarios: [{scenario, expectation, reason}]}',
  },
} as const;

/** The changes that a file accepts; none without a file, or where it is not there yet. Failure for names that no part of a check has. */
export function acceptedChanges(path: string | undefined): AcceptedChanges {
  if (path === undefined) return NOTHING_ACCEPTED;
  // A path below a file is a mistake, no file that is not there yet.
  if (!existsSync(path) && statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === true) {
    process.stderr.write(`${path}: there is no such file of accepted changes, so that nothing is accepted.\n`);
    return NOTHING_ACCEPTED;
  }
  const text = readText(path, 'file of accepted changes');
  const accepted = parsedOrFail(parseAcceptedChanges(text, path));
  const problems = unknownNames(accepted, (at, message) => problemIn(text, path, at, message));
  return parsedOrFail(problems.length === 0 ? { ok: true, value: accepted } : { ok: false, problems });
}

type Blame = (at: Path, message: string) => Problem;

/** The unknown names in a file of accepted changes. Findings depend on the change, so only their kinds are known. */
function unknownNames({ findings, scenarios, checks, mutants }: AcceptedChanges, blame: Blame): readonly Problem[] {
  const unless = (known: readonly string[], written: string, at: Path, what: string): readonly Problem[] =>
    known.includes(written) ? [] : [blame(at, `"${written}" is no ${what}${didYouMean(written, known)}`)];
  const kinds = [...lintRules.map(({ kind }) => kind), ...Object.values(BREAK_KINDS)];
  const kindOf = (id: string, at: Path): readonly Problem[] =>
    unless(kinds, id.split('/', 1)[0] as string, at, `kind of finding, with which ${id} begins`);
  const checkIds = allChecks.map(({ id }) => id);
  const mutantIds = derivedMutants.map(({ id }) => id);
  return [
    ...findings.flatMap(({ id }, i) => kindOf(id, ['findings', i, 'id'])),
    ...scenarios.flatMap(({ scenario, expectation }, i) => {
      const strange = unless(libraryNames(), scenario, ['scenarios', i, 'scenario'], 'scenario of the library');
      if (strange.length > 0) return strange;
      return unless(
        expectationsOf(scenario),
        expectation,
        ['scenarios', i, 'expectation'],
        `expectation of ${scenario}`,
      );
    }),
    ...checks.flatMap(({ check, finding }, i) => [
      ...unless(checkIds, check, ['checks', i, 'check'], 'check of the suite'),
      ...kindOf(finding, ['checks', i, 'finding']),
    ]),
    ...mutants.flatMap(({ mutant, finding }, i) => [
      ...unless(mutantIds, mutant, ['mutants', i, 'mutant'], 'mutant that follows from a table'),
      ...kindOf(finding, ['mutants', i, 'finding']),
    ]),
  ];
}

/** The expectations of a scenario of the library that a change can break, as entries name them. */
function expectationsOf(name: string): readonly string[] {
  const file = `scenarios/library/${name}.yaml`;
  const scenario = parsedOrFail(parseScenario(readText(join(packageRoot(), file), 'scenario of the library'), file));
  const goals = scenario.sometimes.map((goal) => `sometimes ${goal}`);
  const births = scenario.populations
    .filter(({ spawned }) => spawned)
    .map(({ name: population }) => birthsText(population));
  return [...scenario.expectations.map(({ text }) => text), ...goals, ...births, PLAYABLE, INVARIANTS_HOLD];
}
