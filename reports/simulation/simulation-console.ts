/** Writes the result of a simulation for a terminal. Files and pages have writers of their own. */

import picocolors from 'picocolors';
import { countText, durationText, numberText, secondsText } from '../../results/numbers.js';
import type { OperationCount, SimulationResult } from '../../results/simulation-result.js';
import { oneLine } from '../../results/visible.js';
import { columns } from '../text/console-lines.js';
import {
  censoredText,
  headlines,
  heldText,
  measuredText,
  optionTable,
  refusalsByCode,
  refusedOf,
} from './simulation-view.js';

const INDENT = '  ';
const TOTALS_MAX = 12;

/**
 * The summary of one simulation for a terminal: the headline totals, operations by kind with their refusals by code,
 * expectations with measured values, and what reproduces it. Wall time comes last: it alone varies between runs of the
 * same seed.
 */
export function simulationSummary(result: SimulationResult, { colour }: { readonly colour: boolean }): string {
  const colours = picocolors.createColors(colour);
  const { manifest } = result;
  const good = result.expectations.every((expectation) => expectation.holds);
  const lines = [
    colours.bold(
      oneLine(
        `${manifest.scenario.name}: ${countText(manifest.agents, 'agent')}, ${durationText(manifest.simulated_ms)} of protocol time`,
      ),
    ),
    oneLine(result.question),
  ];
  if (manifest.partial) lines.push(colours.red('the run ended before its time: every number below is partial'));
  if (manifest.fork !== undefined) {
    lines.push(oneLine(`from ${durationText(manifest.fork.at_ms)} on: ${manifest.fork.name}`));
  }
  lines.push(...manifest.censored.map((each) => colours.red(oneLine(censoredText(each)))));
  lines.push(
    ...totalLines(result),
    ...optionLines(result),
    '',
    colours.bold(operationsLine(result)),
    ...operationLines(result),
  );
  lines.push('', colours.bold(good ? colours.green(heldText(result)) : colours.red(heldText(result))));
  for (const each of result.expectations) {
    const mark = each.holds ? colours.green('pass') : colours.red('FAIL');
    lines.push(`${INDENT}${mark}  ${oneLine(each.text)}  (measured ${measuredText(each)})`);
  }
  const checked = manifest.invariants.reduce((sum, invariant) => sum + invariant.checked, 0);
  lines.push(
    '',
    `${countText(manifest.invariants.length, 'invariant')} held, checked ${countText(checked, 'time')}`,
    `event hash  ${oneLine(manifest.event_hash)}`,
    `seed        ${manifest.seed}`,
    `again       ${oneLine(result.command)}`,
    `took        ${secondsText(manifest.run.wall_s)}, ${numberText(Math.round(manifest.run.operations_per_s))} operations/s`,
  );
  return `${lines.join('\n')}\n`;
}

function totalLines(result: SimulationResult): string[] {
  const rows = headlines(result).map(({ label, value }) => [oneLine(label), oneLine(value)]);
  if (rows.length === 0) return [];
  const left = rows.length - TOTALS_MAX;
  const more = left > 0 ? [`${INDENT}and ${countText(left, 'total')} more in summary.json`] : [];
  return ['', ...columns(rows.slice(0, TOTALS_MAX), ['left', 'right'], INDENT), ...more];
}

function optionLines(result: SimulationResult): string[] {
  const { heads, rows } = optionTable(result);
  if (rows.length === 0 || heads.length === 0) return [];
  const lines = rows.map(({ group, values }) => [oneLine(group), ...values.map(oneLine)]);
  const sides = ['left', ...heads.map(() => 'right')] as ('left' | 'right')[];
  return ['', 'options at the end', ...columns([['', ...heads], ...lines], sides, INDENT)];
}

function operationsLine({ manifest: { operations } }: SimulationResult): string {
  const counts = `${numberText(operations.accepted)} accepted, ${numberText(operations.refused)} refused`;
  return `${countText(operations.total, 'operation')}: ${counts}`;
}

function operationLines({ manifest: { operations } }: SimulationResult): string[] {
  const rows = operations.by_kind.map((count) => {
    return [oneLine(count.kind), numberText(count.accepted), numberText(refusedOf(count)), codesText(count)];
  });
  if (rows.length === 0) return [];
  const head = ['', 'accepted', 'refused', ''];
  return columns([head, ...rows], ['left', 'right', 'right', 'left'], INDENT);
}

function codesText(count: OperationCount): string {
  return refusalsByCode([count])
    .map(({ code, count: times }) => `${oneLine(code)} ${numberText(times)}`)
    .join(', ');
}
