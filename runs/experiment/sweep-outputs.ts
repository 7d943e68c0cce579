/** Writes and prints what a sweep found: its summary, its chart, its warnings. Its data are written by sweep-folder.ts. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SweepPlan } from '../../experiments/sweep/plan.js';
import { seriesDifferences, seriesMeans } from '../../experiments/sweep/series.js';
import { summarize } from '../../experiments/sweep/summary.js';
import { survivalPoints } from '../../experiments/sweep/survival-curves.js';
import { intervalChart } from '../../reports/charts/interval-chart.js';
import type { LogAxes } from '../../reports/charts/plot-axis.js';
import { seriesChart, survivalChart } from '../../reports/charts/series-chart.js';
import { sweepText } from '../../reports/experiment/sweep-console.js';
import { type Json, jsonText } from '../../results/json-text.js';
import { countText } from '../../results/numbers.js';
import type { SweepRun, SweepSummary } from '../../results/sweep-result.js';
import { oneLine } from '../../results/visible.js';
import { didYouMean } from '../../spec/nearest-name.js';
import { EXIT, Failure } from '../host/failure.js';
import { withRules } from '../host/with-rules.js';
import type { PlayedPoint } from './searched-points.js';
import { RESULT_FILES } from './sweep-folder.js';

/** Prints a summary, and gives its exit status. */
export function deliver(summary: SweepSummary, folder: string | undefined, json: boolean): number {
  process.stdout.write(json ? jsonText(summary as unknown as Json) : sweepText(summary));
  if (folder !== undefined && !json) {
    const names = RESULT_FILES.filter((name) => existsSync(join(folder, name)));
    console.log(`wrote ${join(folder, names.slice(0, -1).join(', '))} and ${names.at(-1)}`);
  }
  const clean =
    summary.failures.length === 0 &&
    summary.half_width_reached !== false &&
    summary.expectations.every(({ holds }) => holds);
  return clean ? EXIT.clean : EXIT.unclean;
}

/** Warns of keys of the scenario that had no effect in any run of an arm. */
export function warnOfNoEffects({ arms, inputs }: SweepPlan, runs: readonly SweepRun[]): void {
  const armsOfNote = new Map<string, number>();
  for (const { arm } of arms) {
    const [first, ...others] = runs.filter((run) => run.arm === arm && run.error === undefined);
    for (const note of first?.no_effect ?? []) {
      if (others.every(({ no_effect: notes = [] }) => notes.includes(note)))
        armsOfNote.set(note, (armsOfNote.get(note) ?? 0) + 1);
    }
  }
  for (const [note, count] of armsOfNote)
    console.error(oneLine(`${inputs.scenario_file}: ${note} (in ${count} of ${countText(arms.length, 'arm')})`));
}

/** Warns of keys without effect in any run of half of the points of a search, or of its best point. */
export function warnOfIdlePoints(scenarioFile: string, points: readonly PlayedPoint[], best: PlayedPoint): void {
  const idleIn = ({ runs: [first, ...others] }: PlayedPoint): readonly string[] =>
    (first?.no_effect ?? []).filter((note) => others.every(({ no_effect: notes = [] }) => notes.includes(note)));
  const pointsOfNote = new Map<string, number>();
  for (const note of points.flatMap(idleIn)) pointsOfNote.set(note, (pointsOfNote.get(note) ?? 0) + 1);
  const ofBest = new Set(idleIn(best));
  for (const [note, count] of pointsOfNote) {
    if (2 * count < points.length && !ofBest.has(note)) continue;
    const among = ofBest.has(note) ? ', the best among them' : '';
    console.error(oneLine(`${scenarioFile}: ${note} (in ${count} of ${countText(points.length, 'point')}${among})`));
  }
}

/**
 * Charts of a sweep's measures as SVG, by the names of their files: the estimates with their intervals, and those of its series over time.
 * Failure for a measure that no arm has, or that an axis by ratio cannot show.
 */
export function sweepCharts(
  plan: SweepPlan,
  runs: readonly SweepRun[],
  measures: string,
  log: LogAxes,
): Readonly<Record<string, string>> {
  const names = measures.split(',');
  const overTime = new Set(plan.arms.flatMap(({ series }) => series.map(nameOf)));
  const survives = new Set(plan.file.survival === undefined ? [] : [plan.file.survival.of]);
  const estimated = new Set(plan.arms.flatMap((arm) => arm.measures.map(nameOf)));
  refuseUnmeasured(plan, names, [...new Set([...estimated, ...overTime, ...survives])]);
  if (runs.every(({ error }) => error !== undefined))
    throw new Failure(`--chart ${measures}: no run of ${plan.inputs.file} has finished.`);
  const command = withRules(`aips experiment sweep ${plan.inputs.file}`);
  const drawn = (svg: string | undefined): string => {
    if (svg !== undefined) return svg;
    throw new Failure(`--chart ${measures}: there is no value above 0, which --log needs, or none at all.`);
  };
  const [still, moving] = [estimated, overTime].map((known) => names.filter((name) => known.has(name))) as [
    string[],
    string[],
  ];
  const { arms, inputs } = plan;
  const means = moving.length === 0 ? [] : [...seriesMeans(plan, runs)];
  const differences = moving.length === 0 ? [] : [...seriesDifferences(plan, runs)];
  const series = { name: inputs.name, arms, means, differences };
  const lives = names.some((name) => (survives as ReadonlySet<string>).has(name));
  return {
    ...(lives ? { 'survival.svg': drawn(survivalFigure(plan, runs, log)) } : {}),
    ...(still.length === 0 ? {} : { 'chart.svg': drawn(intervalChart(summarize(plan, runs), still, log, command)) }),
    ...(moving.length === 0 ? {} : { 'series.svg': drawn(seriesChart(series, moving, log, command)) }),
  };
}

/** The curves of survival of a sweep as SVG; undefined where it has none that the axes can show. */
export function survivalFigure(
  { arms, inputs, ...plan }: SweepPlan,
  runs: readonly SweepRun[],
  log: LogAxes,
): string | undefined {
  const points = [...survivalPoints({ arms, inputs, ...plan }, runs)];
  return survivalChart(inputs.name, arms, points, log, withRules(`aips experiment sweep ${inputs.file}`));
}

function nameOf({ measure, group }: { readonly measure: string; readonly group: string | null }): string {
  return group === null ? measure : `${measure}.${group}`;
}

/** Throws a Failure for measures to draw that no arm of a sweep has. */
function refuseUnmeasured({ inputs }: SweepPlan, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Failure(
    `--chart ${unknown}: is not measured in ${inputs.file}; known: ${known.join(', ')}${didYouMean(unknown, known)}.`,
  );
}
