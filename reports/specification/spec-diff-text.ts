/** Writes a comparison of specifications for the console and as JSON. */

import { type Json, jsonText } from '../../results/json-text.js';
import { measureText } from '../../results/numbers.js';
import type { DiffFinding, SpecDiff } from '../../results/spec-diff-result.js';
import { oneLine, visible } from '../../results/visible.js';
import {
  bySize,
  clauseLine,
  countsLine,
  differenceText,
  migrationLines,
  numberLine,
  partLine,
} from './spec-diff-view.js';

const block = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${visible(line).replaceAll('\n', ' ')}`)];

const findingLine = ({ id, severity, arithmetic }: DiffFinding): string => `${severity} ${id}: ${arithmetic}`;

/** A comparison of two specifications, for a terminal. */
export function specDiffConsole(diff: SpecDiff): string {
  const { statements, findings, effects } = diff;
  const shown = bySize(effects).map(
    (effect) =>
      `${effect.label}: ${measureText(effect.from, effect.unit)} → ${measureText(effect.to, effect.unit)}, ${differenceText(effect)}`,
  );
  return [
    oneLine(`${diff.from} → ${diff.to}: ${countsLine(diff)}`),
    ...block('numbers', diff.numbers.map(numberLine)),
    ...block('migration', migrationLines(diff)),
    ...block('parts', (diff.parts ?? []).map(partLine)),
    ...block('statements that are new', statements.added),
    ...block('statements that are gone', statements.removed),
    ...block('statements that say something else', statements.changed),
    ...block(
      'clauses',
      diff.clauses.map((clause) => `${clause.section.padEnd(5)} ${clauseLine(clause)}`),
    ),
    ...block('errors', diff.errors),
    ...block('endpoints', diff.endpoints),
    ...block('checks', diff.checks),
    ...block('mutants', diff.mutants),
    ...block('findings that appear', findings.appear.map(findingLine)),
    ...block(
      'findings that become worse',
      (findings.worse ?? []).map((each) => `${findingLine(each)}; before: ${each.was}`),
    ),
    ...block('findings that vanish', findings.vanish.map(findingLine)),
    ...block(`effects, ${diff.replicates} pairs of runs each, 95 % intervals`, shown),
    ...block(
      'not measured',
      diff.unmeasured.map(({ scenario, reason }) => `${scenario}: ${reason}`),
    ),
  ].join('\n');
}

/** A comparison as JSON. */
export function specDiffJson(diff: SpecDiff): string {
  return jsonText(diff as unknown as Json);
}
