import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../reference/registry/fingerprint.js';
import { features, featuresOf } from '../scenarios/features.js';
import { goalNames } from '../scenarios/goals.js';
import { measureNames } from '../scenarios/measures.js';
import { parseScenario } from '../scenarios/schema.js';
import { describeProblem } from '../spec/document.js';
import { HOUR_SEC } from '../spec/time.js';
import { checkpointOf, readCheckpoint, restoreRun } from './modes/checkpoint.js';
import { timesReached } from './run/goals.js';
import { advance, type Run, startRun } from './run/run.js';
import { resultOf } from './run/simulate.js';

const file = 'every-feature.yaml';
const parsed = parseScenario(readFileSync(new URL(`../test/fixtures/${file}`, import.meta.url), 'utf8'), file);
if (!parsed.ok) throw new Error(parsed.problems.map(describeProblem).join('\n'));
const scenario = parsed.value;
const SEED = 3;

function outcome(run: Run): unknown {
  advance(run, scenario.durationSec);
  const origin = { source: { file, sha256: '' }, versions: { aips_lab: '0', node: '0' } };
  return [fingerprint(run.world.registry), resultOf(run, origin, { wallSec: 1, peakRssMb: 1 })];
}

function restored(run: Run): Run {
  const read = readCheckpoint(
    checkpointOf(run, { file, scenario: '', overlay: null, set: {}, seed: SEED, version: '0' }),
  );
  if (!read.ok) throw new Error(read.reason);
  return restoreRun(scenario, SEED, read.state);
}

describe('a scenario that uses everything', () => {
  const straight = startRun(scenario, SEED);
  const expected = outcome(straight);

  it('uses every feature and measure, and comes to everything that a scenario can demand', () => {
    expect([...featuresOf(scenario)]).toEqual(features);
    expect(scenario.measures.names).toEqual(measureNames);
    expect(goalNames.filter((goal) => timesReached(straight.world, goal) === 0)).toEqual([]);
  });

  it('is the same a second time', () => {
    expect(outcome(startRun(scenario, SEED))).toEqual(expected);
  });

  it.each([
    1,
    4 * HOUR_SEC,
    5 * HOUR_SEC + 1_111,
    9 * HOUR_SEC + 700,
    12 * HOUR_SEC + 1,
    15 * HOUR_SEC + HOUR_SEC,
    18 * HOUR_SEC,
    23 * HOUR_SEC,
  ])('goes on from a checkpoint at %i s to the very result of the straight run', (second) => {
    const run = startRun(scenario, SEED);
    advance(run, second);
    expect(outcome(restored(run))).toEqual(expected);
    expect(outcome(run)).toEqual(expected);
  });

  it('played second by second for a while, it is the same', () => {
    const run = startRun(scenario, SEED);
    for (let second = 0; second < 3 * HOUR_SEC; second += 7) advance(run, second);
    expect(outcome(run)).toEqual(expected);
  });
});
