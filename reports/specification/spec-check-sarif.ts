/** Writes the faults of a change of the specification as SARIF 2.1.0 and as annotations, at the lines of the overlay. */

import { jsonText } from '../../results/json-text.js';
import type { CheckedFault, SpecCheck } from '../../results/spec-check-result.js';
import { visible } from '../../results/visible.js';
import { SARIF_SCHEMA } from '../conformance/sarif.js';
import { type Annotation, annotationLines } from '../text/annotations.js';
import { type PathLine, physicalLocation, type SourceLine } from '../text/source-line.js';

interface Fault extends CheckedFault {
  readonly step: string;
  readonly level: 'error' | 'warning';
}

/** The steps of a check, or of another command that judges a change. */
type JudgedSteps = Pick<SpecCheck, 'steps' | 'stale' | 'tool_version' | 'exit_status'>;

/** Everything that a report lists: faults, entries that nothing needs, and warnings. */
function faultsOf({ steps, stale }: JudgedSteps): readonly Fault[] {
  return [
    ...steps.flatMap(({ name, faults }) => faults.map((fault) => ({ ...fault, step: name, level: 'error' as const }))),
    ...stale.map((entry) => ({
      step: 'accepted changes',
      id: entry,
      text: 'nothing needs this entry any more',
      level: 'error' as const,
      remedy: 'remove the entry from the file of accepted changes',
    })),
    ...steps.flatMap(({ name, warnings = [] }) =>
      warnings.map((warning) => ({ ...warning, step: name, level: 'warning' as const })),
    ),
  ];
}

const remedyText = ({ remedy, shown }: Pick<CheckedFault, 'remedy' | 'shown'>): string =>
  `${shown === undefined ? '' : `\n${shown}`}${remedy === undefined ? '' : `\nfixed by: ${remedy}`}`;

/** The lines of the change, each once: first those that a fault is about, in the order of the file. */
function linesOf({ about }: Pick<CheckedFault, 'about'>, lines: readonly PathLine[]): readonly SourceLine[] {
  const rank = ({ of }: PathLine): number => (of !== undefined && about?.includes(of) ? 0 : 1);
  return lines
    .toSorted((a, b) => rank(a) - rank(b) || a.line - b.line)
    .filter(({ line }, at, all) => all.findIndex((each) => each.line === line) === at);
}

function resultOf(fault: Fault, lines: readonly PathLine[]) {
  const { step, id, text, accepted, level } = fault;
  const [first, ...others] = linesOf(fault, lines).map(physicalLocation);
  return {
    ruleId: visible(id),
    kind: 'fail',
    level,
    message: { text: visible(`${step}: ${text}${remedyText(fault)}`) },
    locations: first === undefined ? [] : [first],
    ...(others.length === 0 ? {} : { relatedLocations: others }),
    partialFingerprints: { 'aipsChange/v1': visible(`${step} ${id}`) },
    ...(accepted === undefined
      ? {}
      : { suppressions: [{ kind: 'external', status: 'accepted', justification: visible(accepted) }] }),
  };
}

/** SARIF of a check: a result for each fault, at the first line that it is about, with the other lines of the change as related ones. */
export function specCheckSarif(check: JudgedSteps, lines: readonly PathLine[]): string {
  const faults = faultsOf(check);
  const ids = [...new Set(faults.map(({ id }) => id))];
  const unable = check.steps.flatMap(({ name, unable: why }) => (why === undefined ? [] : [`${name}: ${why}`]));
  const results = faults.map((fault) => ({ ...resultOf(fault, lines), ruleIndex: ids.indexOf(fault.id) }));
  const rules = ids.map((id) => {
    const remedy = faults.find((fault) => fault.id === id && fault.remedy !== undefined)?.remedy;
    const help = remedy === undefined ? {} : { help: { text: visible(`Fixed by: ${remedy}.`) } };
    return { id: visible(id), shortDescription: { text: visible(id) }, ...help };
  });
  const invocation = {
    executionSuccessful: check.exit_status !== 2,
    exitCode: check.exit_status,
    toolExecutionNotifications: unable.map((text) => ({ level: 'error', message: { text: visible(text) } })),
  };
  const driver = { name: 'aips-lab', version: check.tool_version, rules };
  return jsonText({
    $schema: SARIF_SCHEMA,
    version: '2.1.0',
    runs: [{ tool: { driver }, invocations: [invocation], results }],
  });
}

/** The annotations of a check: each fault that is not accepted, each warning, and each step that could not be judged, at the change. */
export function specCheckAnnotations(check: SpecCheck, lines: readonly PathLine[]): string {
  const at = (fault: Pick<CheckedFault, 'about'>): SourceLine | undefined => linesOf(fault, lines)[0];
  const open = faultsOf(check).filter(({ accepted }) => accepted === undefined);
  return annotationLines([
    ...open.map((each): Annotation => {
      const text = `${each.text}${remedyText(each)}`;
      return { level: each.level, title: `${each.step}: ${each.id}`, text, at: at(each) };
    }),
    ...check.steps.flatMap(({ name, unable }): readonly Annotation[] =>
      unable === undefined ? [] : [{ level: 'error', title: `${name}: could not be judged`, text: unable, at: at({}) }],
    ),
  ]);
}
