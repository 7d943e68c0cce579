/** The end of a summary for a terminal: missing endpoints, checks that were not chosen, and what to do next. Failures are in console.ts. */

import type picocolors from 'picocolors';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { countText } from '../../results/numbers.js';
import { oneLine, shortLine } from '../../results/visible.js';
import { columns } from '../text/console-lines.js';
import { shellWord } from '../text/shell-word.js';
import { bySection, type ConformanceWriting, headlineColumns } from './conformance-view.js';
import { leftToOthers } from './left-to-others.js';
import { nextSteps } from './next-step.js';
import { lackingEndpoints } from './not-served.js';
import { roadOf } from './roadmap.js';

type Colours = ReturnType<typeof picocolors.createColors>;

const INDENT = '  ';
const TITLE_MAX = 60;

/** The missing endpoints, one per line, and the result for the others; empty if none is missing. */
export function lackingLines(result: ConformanceResult, colours: Colours): string[] {
  const lacking = lackingEndpoints(result);
  if (lacking.length === 0) return [];
  const rows = lacking.map(({ name, section, status, note }) => [name, section, status, oneLine(note)]);
  const judged = bySection(result)
    .filter(({ clauses }) => clauses.some(({ state }) => state === 'holds' || state === 'fails'))
    .map(({ section, title, clauses }) => [shortLine(`${section} ${title}`, TITLE_MAX), ...headlineColumns(clauses)]);
  return [
    '',
    `${colours.red('NOT SERVED')}  ${countText(lacking.length, 'endpoint')}: answered as what the target does not have`,
    ...columns(rows, ['left', 'left', 'left', 'left'], INDENT),
    '',
    colours.bold('judged, by section'),
    ...columns(judged, ['left', 'left', 'left'], INDENT),
  ];
}

const NAMED_MAX = 5;

/** The checks of other families that judge the chosen families too, and the option that adds them. */
export function otherFamilyLines(result: ConformanceResult, colours: Colours): string[] {
  const isChoice = result.clauses.some(({ why }) => why?.kind === 'unchosen');
  const left = isChoice ? leftToOthers(result) : [];
  if (left.length === 0) return [];
  const lines = left.flatMap(({ family, clauses, checks }) => {
    const named = clauses.slice(0, NAMED_MAX).join(', ') + (clauses.length > NAMED_MAX ? ', …' : '');
    const alone = clauses.length === 0 ? '' : `, ${countText(clauses.length, 'clause')} of it alone: ${named}`;
    const others = countText(checks.length, 'check');
    return [
      `${INDENT}${family}  ${others} of other families ${checks.length === 1 ? 'judges' : 'judge'} it too${alone}`,
      `${INDENT}${INDENT}with them: --only ${shellWord(`${family}/*`)} ${shellWord(`${family}.*`)}`,
    ];
  });
  const note = 'Any check may meet a fault of another family in passing: a run without --only judges all.';
  return ['', colours.bold('not chosen'), ...lines, colours.dim(`${INDENT}${note}`)];
}

const MARKS = { done: 'done', wrong: 'WRONG', lacking: 'to do', unclear: 'open' } as const;
const DETAIL_MAX = 240;

/** Every stage of building a server, and how far the target is. */
export function roadLines(result: ConformanceResult, writing: ConformanceWriting, colours: Colours): string[] {
  const road = roadOf(result, writing);
  const done = road.filter(({ state }) => state === 'done').length;
  const rows = road.map(({ title, state, detail }, at) => [
    `${at + 1}`,
    MARKS[state],
    title,
    shortLine(detail, DETAIL_MAX),
  ]);
  return [
    '',
    `${colours.bold('the way to a whole server')}  ${done} of ${countText(road.length, 'stage')} done`,
    ...columns(rows, ['right', 'left', 'left', 'left'], INDENT),
  ];
}

/** The next steps, with what to type: `next: give …`. */
export function nextLines(result: ConformanceResult, writing: ConformanceWriting, colours: Colours): string[] {
  const lines = nextSteps(result, writing).flatMap(({ text, subject, frees, lines: typed }, index) => [
    (index === 0 ? `${colours.bold('next:')} ` : INDENT) +
      oneLine([text, subject, frees && `(${frees})`].filter((part) => part !== undefined).join(' ')),
    ...typed.map((line) => `${INDENT}${INDENT}${oneLine(line)}`),
  ]);
  return lines.length === 0 ? [] : ['', ...lines];
}
