/** Writes a check of a change for the console, as JSON, and as the Markdown of a CI job. */

import type { BlastClause } from '../../results/blast-result.js';
import { type Json, jsonText } from '../../results/json-text.js';
import { countText } from '../../results/numbers.js';
import {
  type AcceptableEntry,
  type CheckedFault,
  type CheckStep,
  SPEC_CHECK_FILES as FILES,
  type SpecCheck,
} from '../../results/spec-check-result.js';
import { oneLine, visible } from '../../results/visible.js';
import type { Verdict } from '../conformance/verdict-text.js';
import { cell, code, prose } from '../text/markdown-text.js';
import { specDiffParts } from './spec-diff-markdown.js';

const SHOWN_MAX = 30;
const NAMED_MAX = 8;

/** Whether a step fails the change. */
export function stepFails({ faults }: CheckStep): boolean {
  return faults.some(({ accepted }) => accepted === undefined);
}

/** A fault counts more than what could not be judged. */
const stateOf = (step: CheckStep): keyof typeof MARKS =>
  stepFails(step) ? 'fails' : step.unable === undefined ? 'passes' : 'open';

/** How the state of a step begins its line on a terminal, and its row in Markdown. */
const MARKS = {
  passes: { word: 'ok  ', sign: '✅' },
  fails: { word: 'FAIL', sign: '❌' },
  open: { word: 'OPEN', sign: '⚠️' },
} as const;

/** The result of a step in a few words. */
export function stepVerdict(step: CheckStep): string {
  const open = step.faults.filter(({ accepted }) => accepted === undefined).length;
  const accepted = step.faults.length - open;
  if (step.unable !== undefined) return `could not be judged: ${step.unable}`;
  const also = accepted === 0 ? '' : `, ${countText(accepted, 'accepted change')}`;
  return open === 0 ? `passes${also}` : `${countText(open, 'fault')}${also}`;
}

/** The lists of a file of accepted changes, each with the key by which its entries are known. */
const LISTS = [
  ['findings', 'id'],
  ['scenarios', 'scenario'],
  ['checks', 'check'],
  ['mutants', 'mutant'],
] as const;

/** An entry of the file of accepted changes. */
export type AcceptedEntry = AcceptableEntry & { readonly reason: string };

/** Entries for the file of accepted changes, to be given their reasons: without one the file is refused. */
function acceptableLines({ steps }: SpecCheck): readonly string[] {
  const open = steps.flatMap(({ faults }) => faults.filter(({ accepted }) => accepted === undefined));
  return acceptedLines(open.flatMap(({ entry }) => (entry === undefined ? [] : [{ ...entry, reason: '' }])));
}

/** The lines of a file of accepted changes. */
export function acceptedLines(entries: readonly AcceptedEntry[]): readonly string[] {
  const rows = (list: typeof entries): readonly string[] =>
    list.map((entry) => {
      const fields = Object.entries(entry).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
      return `  - { ${fields.join(', ')} }`;
    });
  const part = (title: string, list: typeof entries) => (list.length === 0 ? [] : [`${title}:`, ...rows(list)]);
  return LISTS.flatMap(([title, key]) =>
    part(
      title,
      entries.filter((entry) => key in entry),
    ),
  );
}

const shownBy = ({ shown }: CheckedFault): readonly string[] => (shown === undefined ? [] : [shown]);
const fixedBy = ({ remedy }: CheckedFault): readonly string[] => (remedy === undefined ? [] : [`fixed by: ${remedy}`]);

const TO_ACCEPT = 'To accept what is meant, add these entries to the file of --accepted, each with its reason:';

/** The verdict in a few words, by exit status. */
export const HEADLINES = {
  0: 'The change passes',
  1: 'The change fails',
  2: 'The change could not be judged',
} as const;

/** The causes of an exit status other than 0: the steps that fail or could not be judged, and entries that nothing needs. */
function causesOf({ steps, stale }: Pick<SpecCheck, 'steps' | 'stale'>): readonly string[] {
  const bad = steps.filter((step) => stepFails(step) || step.unable !== undefined).map(({ name }) => name);
  return [...bad, ...(stale.length === 0 ? [] : ['accepted changes that nothing needs'])];
}

/** The verdict in the words of the command, with what each step that fails or could not be judged says. */
export function specCheckVerdict(check: SpecCheck): Verdict {
  const { steps, stale, exit_status } = check;
  const bad = steps.filter((step) => stepFails(step) || step.unable !== undefined);
  const needless = stale.map((entry) => `accepted changes: ${entry} is not needed any more`);
  const said = (bad.length + needless.length === 0 ? steps : bad).map((step) => `${step.name}: ${stepVerdict(step)}`);
  const tone = ({ 0: 'good', 1: 'bad', 2: 'open' } as const)[exit_status];
  return { tone, word: HEADLINES[exit_status], text: `${[...said, ...needless].join('; ')}.` };
}

/** A check of a change, for a terminal. */
export function specCheckConsole(check: SpecCheck): string {
  const lines = check.steps.flatMap((step) => [
    `${MARKS[stateOf(step)].word} ${oneLine(`${step.name}: ${stepVerdict(step)} (${step.looked})`)}`,
    ...step.faults.flatMap((fault) => {
      const { id, text, accepted } = fault;
      const line = `${id}: ${text}${accepted === undefined ? '' : ` [accepted: ${accepted}]`}`;
      return [line, ...shownBy(fault), ...(accepted === undefined ? fixedBy(fault) : [])].map(
        (each) => `       ${oneLine(each)}`,
      );
    }),
    ...(step.warnings ?? []).flatMap((warning) =>
      [`warning: ${warning.id}: ${warning.text}`, ...shownBy(warning), ...fixedBy(warning)].map(
        (each) => `       ${oneLine(each)}`,
      ),
    ),
  ]);
  const notes = blastLines(check, NAMED_MAX).map((line) => `     ${oneLine(line)}`);
  const stale = check.stale.map((entry) => oneLine(`FAIL accepted changes: ${entry} is not needed any more`));
  const entries = acceptableLines(check).map((line) => visible(line));
  const paste = entries.length === 0 ? [] : [TO_ACCEPT, ...entries];
  return [
    ...lines,
    ...notes,
    ...stale,
    ...paste,
    oneLine(`${HEADLINES[check.exit_status]}: ${[check.change, ...causesOf(check)].join('; ')}.`),
  ].join('\n');
}

/** A check as the Markdown summary of a CI job. */
export function specCheckMarkdown(check: SpecCheck): string {
  const mark = { 0: '✅', 1: '❌', 2: '⚠️' }[check.exit_status];
  const rows = check.steps.map((step) => {
    return `| ${MARKS[stateOf(step)].sign} | ${cell(step.name)} | ${cell(stepVerdict(step))} | ${cell(step.looked)} |`;
  });
  const rowOf = (name: string, fault: CheckedFault, state: string): string => {
    const shown = shownBy(fault).map((text) => code(text));
    const text = [...[fault.text, ...fixedBy(fault)].map((line) => cell(line.trim())), ...shown].join('<br>');
    return `| ${cell(name)} | ${code(fault.id)} | ${text} | ${cell(state)} |`;
  };
  const all = check.steps.flatMap(({ name, faults: found }) => found.map((fault) => ({ name, fault })));
  const isOpen = ({ fault }: (typeof all)[number]): boolean => fault.accepted === undefined;
  // Faults that fail the change come first, since a long table is cut.
  const faults = [...all.filter(isOpen), ...all.filter((each) => !isOpen(each))].map(({ name, fault }) =>
    rowOf(name, fault, fault.accepted ?? '❌ not accepted'),
  );
  const warnings = check.steps.flatMap(({ name, warnings: found = [] }) =>
    found.map((warning) => rowOf(name, warning, '⚠️ a warning, which fails nothing')),
  );
  const table = [...faults, ...warnings].slice(0, SHOWN_MAX);
  const left = faults.length + warnings.length - table.length;
  return `${[
    `## ${mark} ${HEADLINES[check.exit_status]}: ${code(check.change)}`,
    '',
    '| | step | result | examined |',
    '|---|---|---|---|',
    ...rows,
    ...(table.length === 0 ? [] : ['', '| step | | what | accepted |', '|---|---|---|---|', ...table]),
    ...(left > 0 ? ['', `and ${countText(left, 'more row')}.`] : []),
    ...(acceptableLines(check).length === 0
      ? []
      : ['', TO_ACCEPT, '', ['```yaml', ...acceptableLines(check), '```'].join('\n')]),
    ...blastLines(check, Number.POSITIVE_INFINITY).map((line) => `\n${cell(line)}`),
    ...witnessMarkdown(check),
    ...check.stale.map((entry) => `\n**Accepted, and not needed any more:** ${code(entry)}`),
    '',
    `### What it changes`,
    '',
    ...specDiffParts(check.diff),
  ].join('\n')}\n`;
}

/** Something wrong with a file that the check reads. */
interface FileProblem {
  readonly file: string;
  readonly line: number;
  readonly key: string;
  readonly message: string;
}

/** The summary of a CI job whose change cannot be read: each mistake with its file, line and key, or the message where there is none. */
export function unreadableMarkdown(change: string, problems: readonly FileProblem[], message: string): string {
  const rows = problems.map(
    ({ file, line, key, message: text }) =>
      `| ${code(`${file}:${line}`)} | ${key === '' ? '' : code(key)} | ${cell(text)} |`,
  );
  const left = rows.length > SHOWN_MAX ? [`\nand ${countText(rows.length - SHOWN_MAX, 'more mistake')}.`] : [];
  const body = rows.length === 0 ? [cell(message)] : ['| line | key | what to do |', '|---|---|---|'];
  const head = `## ⚠️ ${HEADLINES[2]}: ${code(change)}`;
  return `${[head, '', ...body, ...rows.slice(0, SHOWN_MAX), ...left].join('\n')}\n`;
}

/** The summary of a CI job without a change: there is no overlay. */
export function absentMarkdown(change: string): string {
  return `## ✅ There is no change to judge: ${code(change)} is not there\n`;
}

/**
 * The verdicts of recorded servers under a change that are no warnings: lines for the console and the summary. Each line names `namedMax` clauses; the
 * others are in the files.
 */
function blastLines({ blast }: SpecCheck, namedMax: number): readonly string[] {
  if (blast === undefined) return ['no recorded server was judged: --recordings names recordings of servers'];
  const { recordings, clauses } = blast;
  const of = recordings.length;
  const counted = (words: string, list: (one: BlastClause) => readonly unknown[]): readonly string[] => {
    const met = clauses.filter((one) => list(one).length > 0);
    const named = met.slice(0, namedMax).map((one) => `${one.id} (${list(one).length} of ${of})`);
    const left = met.length - named.length;
    const more = left > 0 ? `, and ${left} more in ${FILES.summary} and ${FILES.json} of --out, or by --json` : '';
    return met.length === 0 ? [] : [`${words}: ${countText(met.length, 'clause')}: ${named.join(', ')}${more}`];
  };
  const changed = Math.max(0, ...recordings.map(({ changed_checks }) => changed_checks));
  return [
    ...counted('recorded servers would begin to pass', ({ begin_to_pass }) => begin_to_pass),
    ...counted('decisions that recorded servers would begin to fail', ({ level, begin_to_fail }) =>
      level === 'must' ? [] : begin_to_fail,
    ),
    ...configuredLines(clauses, namedMax),
    ...counted(
      'not predicted, since the checks send requests that a recording does not have',
      ({ unpredicted }) => unpredicted,
    ),
    ...(changed === 0
      ? []
      : [`under the change ${countText(changed, 'check')} of a recording at most send other requests`]),
  ];
}

/** The servers that a changed number does not fail, each with the reply that shows the value that its operator has configured. */
function configuredLines(clauses: readonly BlastClause[], namedMax: number): readonly string[] {
  const all = clauses.flatMap(({ id, configured }) =>
    configured.map(
      ({ recording, number, value, check, n, by, section }) =>
        `${id} is not failed by ${recording}: its reply ${n} in ${check} shows ${number} ${value}, which ${section} allows to configure (${by})`,
    ),
  );
  const left = all.length - namedMax;
  return left > 0
    ? [...all.slice(0, namedMax), `and ${left} more such pairs in ${FILES.summary} and ${FILES.json}`]
    : all;
}

/** A table of the exchanges behind the clauses that recorded servers would begin to fail. */
function witnessMarkdown({ blast }: SpecCheck): readonly string[] {
  const rows = (blast?.clauses ?? []).flatMap(({ id, begin_to_fail: fail }) => {
    const [first] = fail;
    if (first === undefined) return [];
    const { exchange: { request, response } = {}, endpoint, recording, expected, actual } = first;
    const sent = request === undefined ? endpoint : `${request.method} ${request.url} ${request.body ?? ''}`;
    const reply = response === undefined ? actual : `${response.status} ${response.body}`;
    const share = `${fail.length} of ${blast?.recordings.length}`;
    return [`| ${code(id)} | ${share} | ${code(recording)} | ${code(sent)} | ${code(reply)} | ${prose(expected)} |`];
  });
  const left = rows.length > SHOWN_MAX ? [`\nand ${countText(rows.length - SHOWN_MAX, 'more clause')}.`] : [];
  const head = [
    '| clause | servers | recording | request | reply | the changed text demands |',
    '|---|---|---|---|---|---|',
  ];
  return rows.length === 0
    ? []
    : ['', '### Recorded servers that would begin to fail', '', ...head, ...rows.slice(0, SHOWN_MAX), ...left];
}

/** A check as JSON. */
export function specCheckJson(check: SpecCheck): string {
  return jsonText({ ...check, causes: causesOf(check) } as unknown as Json);
}
