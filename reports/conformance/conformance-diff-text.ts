/** Writes a comparison of two conformance reports: console, JSON, and Markdown of the size of a comment. */

import { type Json, jsonText } from '../../results/json-text.js';
import { countText } from '../../results/numbers.js';
import { shortLine } from '../../results/visible.js';
import { code, prose } from '../text/markdown-text.js';
import { stateLabel } from './clause-states.js';
import type { ChangedClause, ConformanceDiff } from './conformance-diff.js';

const SHOWN_MAX = 20;
const WHY_MAX = 200;
const NOT_CONFIRMED = 'not confirmed, since no check that failed has judged again';

const short = (text: string): string => shortLine(text, WHY_MAX);

/** The parts of a comparison in the order in which they matter. */
function parts(diff: ConformanceDiff): readonly (readonly [title: string, clauses: readonly ChangedClause[]])[] {
  return [
    ['regressed', diff.regressed],
    ['fixed', diff.fixed],
    ...(diff.unconfirmed.length === 0 ? [] : ([[NOT_CONFIRMED, diff.unconfirmed]] as const)),
    ['newly judged', diff.newly_judged],
    ['no longer judged', diff.no_longer_judged],
  ];
}

/** `2 regressed, 1 fixed, …`, and how many clauses and checks were added, removed or reworded. */
function diffHeadline(diff: ConformanceDiff): string {
  const specification = Object.values(diff.specification).reduce((sum, ids) => sum + ids.length, 0);
  const counts = parts(diff).map(([title, clauses]) => `${clauses.length} ${title}`);
  return `${counts.join(', ')}, ${diff.still_failing.length} still failing; ${
    specification === 0
      ? 'the same specification and suite'
      : `${countText(specification, 'change')} of specification and suite`
  }`;
}

/** A comparison of two conformance reports, for a terminal. */
export function conformanceDiffConsole(diff: ConformanceDiff): string {
  const { specification } = diff;
  const changed = parts(diff).flatMap(([title, clauses]) =>
    clauses.length === 0
      ? []
      : [
          title,
          ...clauses.map(
            ({ id, level, from, to, why }) =>
              `  ${level.padEnd(8)} ${short(id)}: ${stateLabel(from)} → ${stateLabel(to)}${why === undefined ? '' : ` (${short(why)})`}`,
          ),
        ],
  );
  const stated = Object.entries(specification)
    .filter(([, ids]) => ids.length > 0)
    .map(([what, ids]) => `  ${what.replaceAll('_', ' ')}: ${ids.map(short).join(', ')}`);
  return [
    diffHeadline(diff),
    ...changed,
    ...(diff.checks.length === 0 ? [] : ['verdicts that changed']),
    ...diff.checks.map(({ id, from, to }) => `  ${short(id)}: ${short(from)} → ${short(to)}`),
    ...(stated.length === 0 ? [] : ['specification changed', ...stated]),
  ].join('\n');
}

/** A comparison as Markdown, for a comment or the page of a job. */
export function conformanceDiffMarkdown(diff: ConformanceDiff): string {
  const mark = diff.regressed.length > 0 ? '❌' : '✅';
  const tables = parts(diff).flatMap(([title, clauses]) => {
    if (clauses.length === 0) return [];
    const rows = clauses
      .slice(0, SHOWN_MAX)
      .map(
        ({ id, level, from, to, text, why }) =>
          `| ${code(id)} | ${level} | ${stateLabel(from)} → ${stateLabel(to)} | ${prose(short(why ?? text))} |`,
      );
    const more = clauses.length > SHOWN_MAX ? ['', `and ${clauses.length - SHOWN_MAX} more.`] : [];
    return [
      '',
      `**${title}** (${clauses.length})`,
      '',
      '| clause | level | | |',
      '|---|---|---|---|',
      ...rows,
      ...more,
    ];
  });
  const stated = Object.entries(diff.specification)
    .filter(([, ids]) => ids.length > 0)
    .map(([what, ids]) => `- ${what.replaceAll('_', ' ')}: ${ids.length}`);
  const specification = stated.length === 0 ? [] : ['', '**specification changed**', '', ...stated];
  return `${[`## ${mark} ${diffHeadline(diff)}`, ...tables, ...specification].join('\n')}\n`;
}

/** A comparison as JSON. */
export function conformanceDiffJson(diff: ConformanceDiff): string {
  return jsonText(diff as unknown as Json);
}
