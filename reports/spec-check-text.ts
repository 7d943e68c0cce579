/** Writes a check of a change for the console, as JSON, and as the Markdown of a CI job. */

import { type Json, jsonText } from './json-text.js';
import { cell, code } from './markdown-text.js';
import { countText } from './numbers.js';
import type { CheckStep, SpecCheck } from './spec-check-result.js';
import { specDiffParts } from './spec-diff-markdown.js';
import { oneLine, visible } from './visible.js';

const SHOWN_MAX = 30;

/** Whether a step speaks against the change. */
export function stepFails({ faults }: CheckStep): boolean {
  return faults.some(({ accepted }) => accepted === undefined);
}

function verdict(step: CheckStep): string {
  const open = step.faults.filter(({ accepted }) => accepted === undefined).length;
  const accepted = step.faults.length - open;
  if (step.unable !== undefined) return `could not be judged: ${step.unable}`;
  const also = accepted === 0 ? '' : `, ${countText(accepted, 'accepted change')}`;
  return open === 0 ? `passes${also}` : `${countText(open, 'fault')}${also}`;
}

/** Entries for the file of accepted changes, to be given their reasons: without one the file is refused. */
function acceptableLines({ steps }: SpecCheck): readonly string[] {
  const open = steps.flatMap(({ faults }) => faults.filter(({ accepted }) => accepted === undefined));
  const entries = open.flatMap(({ entry }) => entry ?? []);
  const rows = (list: typeof entries): readonly string[] =>
    list.map((entry) => {
      const fields = Object.entries({ ...entry, reason: '' }).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
      return `  - { ${fields.join(', ')} }`;
    });
  const part = (title: string, list: typeof entries) => (list.length === 0 ? [] : [`${title}:`, ...rows(list)]);
  return [
    ...part(
      'findings',
      entries.filter((entry) => 'id' in entry),
    ),
    ...part(
      'scenarios',
      entries.filter((entry) => 'scenario' in entry),
    ),
  ];
}

const TO_ACCEPT = 'To accept what is meant, add these entries to the file of --accepted, each with its reason:';

const HEADLINES = {
  0: 'The change passes',
  1: 'The change fails',
  2: 'The change could not be judged',
} as const;

/** The causes of an exit status other than 0: the steps that fail or could not be judged, and entries that nothing needs. */
function causesOf({ steps, stale }: Pick<SpecCheck, 'steps' | 'stale'>): readonly string[] {
  const bad = steps.filter((step) => stepFails(step) || step.unable !== undefined).map(({ name }) => name);
  return [...bad, ...(stale.length === 0 ? [] : ['accepted changes that nothing needs'])];
}

/** A check of a change, for a terminal. */
export function specCheckConsole(check: SpecCheck): string {
  const lines = check.steps.flatMap((step) => [
    `${stepFails(step) || step.unable !== undefined ? 'FAIL' : 'ok  '} ${oneLine(`${step.name}: ${verdict(step)} (${step.looked})`)}`,
    ...step.faults.map(({ id, text, accepted }) =>
      oneLine(`${id}: ${text}${accepted === undefined ? '' : ` [accepted: ${accepted}]`}`).replace(/^/, '       '),
    ),
  ]);
  const stale = check.stale.map((entry) => oneLine(`FAIL accepted changes: ${entry} is not needed any more`));
  const entries = acceptableLines(check).map((line) => visible(line));
  const paste = entries.length === 0 ? [] : [TO_ACCEPT, ...entries];
  return [
    ...lines,
    ...stale,
    ...paste,
    oneLine(`${HEADLINES[check.exit_status]}: ${[check.change, ...causesOf(check)].join('; ')}.`),
  ].join('\n');
}

/** A check as the Markdown summary of a CI job. */
export function specCheckMarkdown(check: SpecCheck): string {
  const mark = { 0: '✅', 1: '❌', 2: '⚠️' }[check.exit_status];
  const rows = check.steps.map((step) => {
    const bad = stepFails(step) || step.unable !== undefined;
    return `| ${bad ? '❌' : '✅'} | ${cell(step.name)} | ${cell(verdict(step))} | ${cell(step.looked)} |`;
  });
  const faults = check.steps.flatMap(({ name, faults: found }) =>
    found.map(
      ({ id, text, accepted }) =>
        `| ${cell(name)} | ${code(id)} | ${cell(text)} | ${cell(accepted ?? '❌ not accepted')} |`,
    ),
  );
  const table = faults.slice(0, SHOWN_MAX);
  return `${[
    `## ${mark} ${HEADLINES[check.exit_status]}: ${code(check.change)}`,
    '',
    '| | step | result | examined |',
    '|---|---|---|---|',
    ...rows,
    ...(table.length === 0 ? [] : ['', '| step | | what | accepted |', '|---|---|---|---|', ...table]),
    ...(faults.length > SHOWN_MAX ? ['', `and ${countText(faults.length - SHOWN_MAX, 'more fault')}.`] : []),
    ...(acceptableLines(check).length === 0
      ? []
      : ['', TO_ACCEPT, '', ['```yaml', ...acceptableLines(check), '```'].join('\n')]),
    ...check.stale.map((entry) => `\n**Accepted, and not needed any more:** ${code(entry)}`),
    '',
    `### What it changes`,
    '',
    ...specDiffParts(check.diff),
  ].join('\n')}\n`;
}

/** A check as JSON. */
export function specCheckJson(check: SpecCheck): string {
  return jsonText({ ...check, causes: causesOf(check) } as unknown as Json);
}
