import { expect, it } from 'vitest';
import type { SimulationResult } from '../../results/simulation-result.js';
import { findingOf } from './finding.js';

const series = (name: string, last: number, group?: string): SimulationResult['series'][number] => ({
  ...{ name, unit: 'agents', label: name, values: [0, last] },
  ...(group === undefined ? {} : { group }),
});
const refused = (population: string, code: string, count: number): SimulationResult['refusals'][number] => ({
  ...{ population, class: 'narrow_task', operation: 'heartbeat', code, count },
});
const result = (frozen: readonly number[]): Pick<SimulationResult, 'series' | 'refusals'> => ({
  series: [
    ...[
      series('registered', 1_600),
      series(
        'frozen',
        frozen.reduce((sum, each) => sum + each, 0),
      ),
    ],
    ...['fast', 'poor', 'calm'].map((name, at) => series('frozen', frozen[at] ?? 0, name)),
    ...[series('registered', 300, 'narrow_task'), series('frozen', 275, 'narrow_task')],
    ...[series('registered', 200, 'fast'), series('registered', 100, 'poor'), series('registered', 1_300, 'calm')],
    ...[series('dry', 0, 'fast'), series('dry', 90, 'poor')],
  ],
  refusals: [
    ...[refused('fast', 'AGENT_FROZEN', 900), refused('fast', 'VOLUME_CAP_REACHED', 200)],
    ...[refused('calm', 'AGENT_FROZEN', 7)],
  ],
});

it('a finding names the populations that are mostly frozen at the end, what of, and the rest', () => {
  expect(findingOf(result([180, 95, 20]))).toBe(
    'At the end 295 of 1,600 agents are frozen: 180 of 200 fast (VOLUME_CAP_REACHED refused 200 heartbeats), 95 of 100 poor (90 cannot pay a heartbeat), and 20 of the other 1,300.',
  );
  expect(findingOf(result([100, 50, 20]))).toBe('At the end 170 of 1,600 agents are frozen.');
  expect(findingOf({ series: [], refusals: [] })).toBeUndefined();
});
