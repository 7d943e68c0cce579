/** Writes a comparison of specifications as Markdown, short enough for a comment on a pull request. */

import { measureText } from '../../results/numbers.js';
import type { DiffFinding, SpecDiff } from '../../results/spec-diff-result.js';
import { cell, code } from '../text/markdown-text.js';
import {
  bySize,
  countsLine,
  differenceText,
  isEffect,
  migrationLines,
  numberLine,
  partLine,
} from './spec-diff-view.js';

const LIST_MAX = 40;

function list(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > LIST_MAX ? ` and ${names.length - LIST_MAX} more` : '';
  return ['', `**${title}** (${names.length}): ${names.slice(0, LIST_MAX).map(code).join(' ')}${more}`];
}

/** Lines as they are, one under the other; nothing for none. */
const listed = (lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', ...lines.map((line) => `- ${code(line)}`)];

function findings(title: string, found: readonly DiffFinding[]): string[] {
  if (found.length === 0) return [];
  const rows = found.map(({ id, severity, arithmetic }) => `| ${severity} | ${code(id)} | ${cell(arithmetic)} |`);
  return ['', `### ${title}`, '', '| severity | finding | arithmetic |', '|---|---|---|', ...rows];
}

/** The clauses whose text the change rewrites, before and after. */
function changedTexts({ clauses }: SpecDiff): string[] {
  const rows = clauses.flatMap(({ id, text, after }) =>
    after === undefined ? [] : [`| ${code(id)} | ${cell(text)} | ${cell(after)} |`],
  );
  return rows.length === 0 ? [] : ['', '| clause | before | after |', '|---|---|---|', ...rows.slice(0, LIST_MAX)];
}

/** The parts of a comparison below its heading. */
export function specDiffParts(diff: SpecDiff): readonly string[] {
  const { statements, effects } = diff;
  const rows = bySize(effects).map((effect) => {
    const { label, unit, from, to } = effect;
    const difference = isEffect(effect) ? `**${differenceText(effect)}**` : differenceText(effect);
    return `| ${cell(label)} | ${measureText(from, unit)} | ${measureText(to, unit)} | ${difference} |`;
  });
  return [
    countsLine(diff),
    ...listed([...diff.numbers.map(numberLine), ...(diff.parts ?? []).map(partLine)]),
    ...migrationLines(diff).flatMap((line) => ['', `**Migration:** ${cell(line)}`]),
    ...list('Statements that are new', statements.added),
    ...list('Statements that are gone', statements.removed),
    ...list('Statements that say something else', statements.changed),
    ...list(
      'Clauses',
      diff.clauses.filter(({ after }) => after === undefined).map(({ id }) => id),
    ),
    ...changedTexts(diff),
    ...list('Errors', diff.errors),
    ...list('Endpoints', diff.endpoints),
    ...list('Checks', diff.checks),
    ...list('Mutants', diff.mutants),
    ...findings('Findings that appear', diff.findings.appear),
    ...findings(
      'Findings that become worse',
      (diff.findings.worse ?? []).map((each) => ({ ...each, arithmetic: `${each.arithmetic}; before: ${each.was}` })),
    ),
    ...findings('Findings that vanish', diff.findings.vanish),
    ...(rows.length === 0
      ? []
      : [
          '',
          '### Effects on people',
          '',
          `${diff.replicates} pairs of runs of each standard scenario from seed ${diff.seed} on; 95 % intervals.`,
          '',
          `| | ${cell(diff.from)} | ${cell(diff.to)} | difference |`,
          '|---|---|---|---|',
          ...rows,
        ]),
    ...diff.unmeasured.flatMap(({ scenario, reason }) => ['', `**Not measured:** ${code(scenario)}: ${cell(reason)}`]),
  ];
}

/** A comparison as Markdown. */
export function specDiffMarkdown(diff: SpecDiff): string {
  return `${[`## ${cell(diff.from)} → ${cell(diff.to)}`, '', ...specDiffParts(diff)].join('\n')}\n`;
}
