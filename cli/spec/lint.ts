/** `aips spec lint`: prints what the rules of spec/lint/ find about the specification, or about it under an overlay. */

import { join } from 'node:path';
import type { Argv, CommandModule } from 'yargs';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { parsedOrFail, readText } from '../../runs/host/files.js';
import { packageRoot } from '../../runs/host/package.js';
import { HASH_RATE_FORM, parseHashRate } from '../../scenarios/units.js';
import type { AcceptedChanges } from '../../spec/accepted-changes.js';
import { type Finding, factsOf, lint } from '../../spec/lint/index.js';
import { isWorse, type Known, newErrors, parseKnownFindings, toleranceOf } from '../../spec/lint/known.js';
import { type Protocol, protocol } from '../../spec/protocol.js';
import { json } from '../flags/common-options.js';
import { readProtocol } from '../flags/facts.js';
import { acceptedChanges, acceptedFile } from './accepted-file.js';

interface Flags {
  readonly overlay: string | undefined;
  readonly json: boolean;
  readonly accepted: string | undefined;
  readonly all: boolean;
  readonly 'hash-rate': string;
}

/** The findings of the specification that are known and stay, as they are held against those of a changed one. */
export function knownFindings(changed: Protocol = protocol): Known {
  const path = join(packageRoot(), 'spec/known-findings.yaml');
  const entries = parsedOrFail(parseKnownFindings(readText(path, 'file of known findings'), path));
  return { entries, stated: lint(factsOf()), tolerance: toleranceOf(protocol, changed) };
}

/** The entry that accepts a finding; one with `arithmetic` accepts that line alone. */
export function acceptanceOf(
  { id, arithmetic }: Pick<Finding, 'id' | 'arithmetic'>,
  { findings }: AcceptedChanges,
): { reason: string } | undefined {
  return findings.find((each) => each.id === id && (each.arithmetic ?? arithmetic) === arithmetic);
}

/** A finding under a change, and how it compares with the specification. */
interface ComparedFinding extends Omit<Finding, 'harm'> {
  readonly state: 'new' | 'worse' | 'known';
  /** The arithmetic that it is worse than. */
  readonly was?: string;
}

/** New findings first, then those that are worse, each by severity. */
function compared(findings: readonly Finding[], { stated, tolerance }: Known): readonly ComparedFinding[] {
  const all = findings.map((each): ComparedFinding => {
    const { harm: _, ...finding } = each;
    const was = stated.find(({ id }) => id === finding.id);
    if (was === undefined) return { ...finding, state: 'new' };
    return isWorse(each, was, tolerance)
      ? { ...finding, state: 'worse', was: was.arithmetic }
      : { ...finding, state: 'known' };
  });
  return (['new', 'worse', 'known'] as const).flatMap((state) => all.filter((each) => each.state === state));
}

/** The findings, for people; those of the specification that are no worse are only counted, unless `all`. */
function findingLines(
  findings: readonly Finding[],
  { known, accepted, all }: { readonly known: Known; readonly accepted: AcceptedChanges; readonly all: boolean },
): string {
  const open = newErrors(findings, known).filter((finding) => acceptanceOf(finding, accepted) === undefined);
  const rows = compared(findings, known);
  const lines = rows
    .filter(({ state }) => all || state !== 'known')
    .map((finding) => {
      const { id, severity, arithmetic, clauses, remedy, state, was } = finding;
      const acceptance = acceptanceOf(finding, accepted);
      const reason = acceptance?.reason ?? known.entries.find((entry) => state === 'known' && entry.id === id)?.reason;
      const said = [...(state === 'known' ? [] : [state]), ...(acceptance === undefined ? [] : ['accepted'])].join(
        ', ',
      );
      return [
        `${severity.padEnd(8)} ${id}${said === '' ? '' : ` (${said})`}`,
        `         ${arithmetic}`,
        ...(was === undefined ? [] : [`         the specification has: ${was}`]),
        `         clauses: ${clauses.join(', ')}`,
        `         fixed by:  ${remedy}`,
        ...(reason === undefined ? [] : [`         known: ${reason}`]),
      ].join('\n');
    });
  const count = (severity: string): number => findings.filter((each) => each.severity === severity).length;
  const hidden = rows.length - lines.length;
  const sum = `${findings.length} findings: ${count('error')} errors, of which ${open.length} not known, ${count('warning')} warnings, ${count('note')} notes.`;
  const more = `${hidden} of them are the specification's own and no worse: --all shows them.`;
  return [...lines, sum, ...(hidden > 0 ? [more] : [])].join('\n');
}

/** `aips spec lint [overlay]`: exit 1 with an error that is not known. */
export const lintCommand: CommandModule<object, Flags> = {
  command: 'lint [overlay]',
  describe: 'Derive what the numbers and tables make impossible, contradictory, dominated or endless',
  builder: (args: Argv) =>
    args
      .positional('overlay', { type: 'string', describe: 'YAML overlay: judge the specification with this change' })
      .options({ ...acceptedFile, ...json })
      .option('all', {
        type: 'boolean',
        default: false,
        describe: 'Under an overlay, show the findings too that the specification has as it stands',
      })
      .option('hash-rate', {
        type: 'string',
        default: '20k hashes/s',
        describe: 'The slowest agent that should be able to take part',
      })
      .example('$0 spec lint', 'the specification as it stands')
      .example('$0 spec lint change.yaml --json', 'under a change, for a program'),
  handler: ({ overlay, json, accepted: file, all, 'hash-rate': hashRate }) => {
    const hashesPerSec = parseHashRate(hashRate);
    if (hashesPerSec === undefined) throw new Failure(`--hash-rate must be ${HASH_RATE_FORM}.`);
    const changed = readProtocol(overlay);
    const [known, accepted] = [knownFindings(changed), acceptedChanges(file)];
    const findings = lint(factsOf(changed, hashesPerSec));
    const open = newErrors(findings, known).filter((finding) => acceptanceOf(finding, accepted) === undefined);
    if (open.length > 0) process.exitCode = EXIT.unclean;
    const shown = { known, accepted, all: all || overlay === undefined };
    console.log(json ? JSON.stringify(compared(findings, known), null, 2) : findingLines(findings, shown));
  },
};
