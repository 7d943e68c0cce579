/** `aips spec lint`: prints what the rules of spec/lint/ find about the specification, or about it under an overlay. */

import { join } from 'node:path';
import type { Argv, CommandModule } from 'yargs';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { parsedOrFail, readText } from '../../runs/host/files.js';
import { packageRoot } from '../../runs/host/package.js';
import { HASH_RATE_FORM, parseHashRate } from '../../scenarios/units.js';
import { type AcceptedChanges, NOTHING_ACCEPTED, parseAcceptedChanges } from '../../spec/accepted-changes.js';
import { type Finding, factsOf, lint } from '../../spec/lint/index.js';
import { type KnownFinding, newErrors, parseKnownFindings } from '../../spec/lint/known.js';
import { json } from '../flags/common-options.js';
import { readProtocol } from '../flags/facts.js';

interface Flags {
  readonly overlay: string | undefined;
  readonly json: boolean;
  readonly accepted: string | undefined;
  readonly 'hash-rate': string;
}

/** The findings of the specification that are known and stay. */
export function knownFindings(): readonly KnownFinding[] {
  const path = join(packageRoot(), 'spec/known-findings.yaml');
  return parsedOrFail(parseKnownFindings(readText(path, 'file of known findings'), path));
}

/** The option for the file of accepted changes. */
export const acceptedFile = {
  accepted: {
    type: 'string',
    describe: 'YAML file of accepted changes: {findings: [{id, reason}], scenarios: [{scenario, expectation, reason}]}',
  },
} as const;

/** The changes of a file of accepted ones; none without a file. */
export function acceptedChanges(path: string | undefined): AcceptedChanges {
  if (path === undefined) return NOTHING_ACCEPTED;
  return parsedOrFail(parseAcceptedChanges(readText(path, 'file of accepted changes'), path));
}

/** The findings, for people. */
export function findingLines(findings: readonly Finding[], known: readonly KnownFinding[]): string {
  const fresh = newErrors(findings, known);
  const lines = findings.map((finding) => {
    const { id, severity, arithmetic, clauses, remedy } = finding;
    const stays = known.find((each) => each.id === id);
    const state = fresh.includes(finding) ? ' (not known)' : '';
    const reason = stays === undefined ? [] : [`         known: ${stays.reason}`];
    return [
      `${severity.padEnd(8)} ${id}${state}`,
      `         ${arithmetic}`,
      `         clauses: ${clauses.join(', ')}`,
      `         fixed by:  ${remedy}`,
      ...reason,
    ].join('\n');
  });
  const count = (severity: string): number => findings.filter((each) => each.severity === severity).length;
  const sum = `${findings.length} findings: ${count('error')} errors, of which ${fresh.length} not known, ${count('warning')} warnings, ${count('note')} notes.`;
  return [...lines, sum].join('\n');
}

/** `aips spec lint [overlay]`: exit 1 with an error that is not known. */
export const lintCommand: CommandModule<object, Flags> = {
  command: 'lint [overlay]',
  describe: 'Derive what the numbers and tables make impossible, contradictory, dominated or endless',
  builder: (args: Argv) =>
    args
      .positional('overlay', { type: 'string', describe: 'YAML overlay: judge the specification with this change' })
      .options({ ...acceptedFile, ...json })
      .option('hash-rate', {
        type: 'string',
        default: '20k hashes/s',
        describe: 'The slowest agent that should be able to take part',
      })
      .example('$0 spec lint', 'the specification as it stands')
      .example('$0 spec lint change.yaml --json', 'under a change, for a program'),
  handler: ({ overlay, json, accepted, 'hash-rate': hashRate }) => {
    const hashesPerSec = parseHashRate(hashRate);
    if (hashesPerSec === undefined) throw new Failure(`--hash-rate must be ${HASH_RATE_FORM}.`);
    const known = [...knownFindings(), ...acceptedChanges(accepted).findings];
    const findings = lint(factsOf(readProtocol(overlay), hashesPerSec));
    if (newErrors(findings, known).length > 0) process.exitCode = EXIT.unclean;
    console.log(json ? JSON.stringify(findings, null, 2) : findingLines(findings, known));
  },
};
