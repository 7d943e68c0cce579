/** Writes and prints what a sweep found: its summary, its chart, its warnings. Its data are written by sweep-folder.ts. */

import { join } from 'node:path';
import type { SweepPlan } from '../../experiments/sweep/plan.js';
import { summarize } from '../../experiments/sweep/summary.js';
import { intervalChart } from '../../reports/charts/interval-chart.js';
import { sweepText } from '../../reports/experiment/sweep-console.js';
import { type Json, jsonText } from '../../results/json-text.js';
import { countText } from '../../results/numbers.js';
import type { SweepRun, SweepSummary } from '../../results/sweep-result.js';
import { oneLine } from '../../results/visible.js';
import { didYouMean } from '../../spec/nearest-name.js';
import { EXIT, Failure } from '../host/failure.js';
import type { PlayedPoint } from './searched-points.js';

/** Prints a summary, and gives its exit status. */
export function deliver(summary: SweepSummary, folder: string | undefined, json: boolean): number {
  process.stdout.write(json ? jsonText(summary as unknown as Json) : sweepText(summary));
  if (folder !== undefined && !json) console.log(`wrote ${join(folder, 'summary.json')}, rows.csv and rows.parquet`);
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

/** Measures of a sweep with their intervals, as SVG. Failure for one that no arm has. */
export function sweepChart(plan: SweepPlan, runs: readonly SweepRun[], measures: string): string {
  const names = measures.split(',');
  refuseUnmeasured(plan, names);
  const svg = intervalChart(summarize(plan, runs), names, `aips experiment sweep ${plan.inputs.file}`);
  if (svg === undefined) throw new Failure(`--chart ${measures}: no run of ${plan.inputs.file} has finished.`);
  return svg;
}

/** Throws a Failure for measures to draw that no arm of a sweep has. */
function refuseUnmeasured({ arms, inputs }: SweepPlan, names: readonly string[]): void {
  const known = new Set(
    arms.flatMap((arm) => arm.measures.map(({ measure, group }) => (group === null ? measure : `${measure}.${group}`))),
  );
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new Failure(
    `--chart ${unknown}: is not measured in ${inputs.file}; known: ${[...known].join(', ')}${didYouMean(unknown, [...known])}.`,
  );
}
