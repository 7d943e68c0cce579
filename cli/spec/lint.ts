/** `aips spec lint`: prints what the rules of spec/lint/ find about the specification, or about it under an overlay. */

import { join } from 'node:path';
import type { Argv, CommandModule } from 'yargs';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { parsedOrFail, readText } from '../../runs/host/files.js';
import { packageRoot } from '../../runs/host/package.js';
import { HASH_RATE_FORM, parseHashRate } from '../../scenarios/units.js';
import { type Finding, factsOf, lint } from '../../spec/lint/index.js';
import { type KnownFinding, newErrors, parseKnownFindings } from '../../spec/lint/known.js';
import { readProtocol } from '../flags/facts.js';

interface Flags {
  readonly overlay: string | undefined;
  readonly json: boolean;
  readonly known: string | undefined;
  readonly 'hash-rate': string;
}

/** The findings that are known and stay: those of a file, or the specification's own. */
export function knownFindings(path: string = join(packageRoot(), 'spec/known-findings.yaml')): readonly KnownFinding[] {
  return parsedOrFail(parseKnownFindings(readText(path, 'file of known findings'), path));
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
      `         mended by: ${remedy}`,
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
      .option('json', {
        type: 'boolean',
        default: false,
        describe: 'Print [{id, severity, clauses, arithmetic, remedy}]',
      })
      .option('known', {
        type: 'string',
        describe: "YAML file of errors that are known: [{id, reason}]; absent: the specification's own",
      })
      .option('hash-rate', {
        type: 'string',
        default: '20k hashes/s',
        describe: 'The slowest agent that should be able to take part',
      })
      .example('$0 spec lint', 'the specification as it stands')
      .example('$0 spec lint change.yaml --json', 'under a change, for a program'),
  handler: ({ overlay, json, known: file, 'hash-rate': hashRate }) => {
    const hashesPerSec = parseHashRate(hashRate);
    if (hashesPerSec === undefined) throw new Failure(`--hash-rate must be ${HASH_RATE_FORM}.`);
    const known = knownFindings(file);
    const findings = lint(factsOf(readProtocol(overlay), hashesPerSec));
    if (newErrors(findings, known).length > 0) process.exitCode = EXIT.unclean;
    console.log(json ? JSON.stringify(findings, null, 2) : findingLines(findings, known));
  },
};
