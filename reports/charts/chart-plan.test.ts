import { describe, expect, it } from 'vitest';
import type { Series } from '../../results/simulation-result.js';
import { emptySimulation, simulationFixture } from '../../test/fixtures/results.js';
import { type Chart, planCharts } from './chart-plan.js';

function series(name: string, unit: string, values: readonly number[], group?: string): Series {
  return { name, unit, label: `The ${name}`, values, ...(group === undefined ? {} : { group }) };
}

function planned(all: readonly Series[]): readonly Chart[] {
  return planCharts({ ...emptySimulation(), times_ms: [0, 1000], series: all });
}

function outline(chart: Chart): string {
  const labels = chart.kind === 'bars' ? chart.rows : chart.lines.map(({ label }) => label);
  return `${chart.kind} ${chart.title}: ${labels.join(' ')}`;
}

describe('planCharts', () => {
  it('draws statuses, money, shares, counts, operations and refusals', () => {
    expect(planCharts(simulationFixture()).map(outline)).toEqual([
      'areas Agents by status: active frozen',
      'areas Fees paid, by class: narrow_task autonomous orchestrator',
      'lines Share of agents frozen, by class: narrow_task autonomous orchestrator',
      'lines Heartbeats: Heartbeats accepted Heartbeats refused',
      'bars Operations by kind: heartbeat sigil register resync',
      'bars Refusals by code: HEARTBEAT_TOO_SOON AGENT_FROZEN PAYMENT_INVALID',
    ]);
  });

  it('draws nothing of a run in which nothing happened', () => {
    expect(planCharts(emptySimulation())).toEqual([]);
  });

  it('does not stack statuses that overlap', () => {
    const statuses = [series('active', 'agents', [5, 5]), series('frozen', 'agents', [1, 2])];
    const [stacked] = planned([series('registered', 'agents', [6, 7]), ...statuses]);
    expect(stacked?.kind).toBe('areas');
    expect(planned([series('registered', 'agents', [6, 6]), ...statuses]).map(outline)).toEqual([
      'lines Agents by status: active frozen registered',
    ]);
  });

  it('stacks money only where the parts add up to the whole', () => {
    const parts = [series('fees', 'lamports', [0, 3], 'narrow_task'), series('fees', 'lamports', [0, 4], 'autonomous')];
    expect(planned([series('fees', 'lamports', [0, 7]), ...parts]).map(outline)).toEqual([
      'areas The fees, by class: narrow_task autonomous',
    ]);
    expect(planned([series('fees', 'lamports', [0, 8]), ...parts]).map(outline)).toEqual([
      'lines The fees, by class: narrow_task autonomous',
    ]);
    expect(planned(parts).map(outline)).toEqual(['lines The fees, by class: narrow_task autonomous']);
  });

  it('draws all agents beside the groups only where they lie among them', () => {
    const counts = [series('freezes', '', [0, 3], 'narrow_task'), series('freezes', '', [0, 4], 'autonomous')];
    expect(planned([series('freezes', '', [0, 7]), ...counts]).map(outline)).toEqual([
      'lines The freezes, by class: narrow_task autonomous',
    ]);
    expect(planned([series('freezes', '', [0, 3.5]), ...counts]).map(outline)).toEqual([
      'lines The freezes, by class: all narrow_task autonomous',
    ]);
  });

  it('parts classes from populations, which overlap', () => {
    const groups = ['narrow_task', 'autonomous', 'workers', 'leaders'];
    const shares = groups.map((group) => series('frozen_share', 'share', [0, 0.5], group));
    expect(planned([series('frozen_share', 'share', [0, 0.5]), ...shares]).map(outline)).toEqual([
      'lines The frozen_share, by class: all narrow_task autonomous',
      'lines The frozen_share, by population: all workers leaders',
    ]);
  });

  it('tells all measures by class before any by population', () => {
    const groups = ['narrow_task', 'autonomous', 'workers', 'leaders'];
    const of = (name: string, unit: string): Series[] => groups.map((group, at) => series(name, unit, [0, at], group));
    const all = [
      ...of('dry', 'agents'),
      ...of('price', 'lamports'),
      ...of('frozen_share', 'share'),
      ...of('freezes', ''),
    ];
    expect(planned(all).map(({ title }) => title)).toEqual([
      'The frozen_share, by class',
      'The freezes, by class',
      'The dry, by class',
      'The price, by class',
      'The frozen_share, by population',
      'The freezes, by population',
      'The dry, by population',
      'The price, by population',
    ]);
  });

  it('draws the whole where there is one group only, and leaves out what stays zero', () => {
    const all = [series('dry', 'agents', [0, 1]), series('dry', 'agents', [0, 1], 'narrow_task')];
    const zero = [series('offline', 'agents', [0, 0]), series('offline', 'agents', [0, 0], 'narrow_task')];
    expect(planned([...all, ...zero]).map(outline)).toEqual(['lines The dry: all']);
  });

  it.each([
    ['Resyncs', 'Resyncs refused', 'Resyncs'],
    ['Agents active', 'Agents dry', 'Agents'],
    ['Live time', 'Time alive', 'Live time, Time alive'],
  ])('names a chart of %s and %s %s', (one, two, title) => {
    const [chart] = planned([
      { ...series('a', '', [0, 1]), label: one },
      { ...series('a_b', '', [0, 1]), label: two },
    ]);
    expect(chart?.title).toBe(title);
  });

  it('draws no line of a single sample', () => {
    const result = { ...emptySimulation(), times_ms: [0], series: [series('a', '', [1])] };
    expect(planCharts(result)).toEqual([]);
  });
});
