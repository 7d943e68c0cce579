import { describe, expect, it, vi } from 'vitest';
import type { SimulationResult } from '../../results/simulation-result.js';
import { elementsOf, readHtml, textOf } from '../../test/fixtures/markup-reader.js';
import { HOSTILE, hostileSimulation, simulationFixture } from '../../test/fixtures/results.js';
import { axisStep } from './axis-step.js';
import { planCharts, type TimeChart } from './chart-plan.js';
import { shownTop, timeUnit } from './chart-scale.js';
import { chartSvg } from './charts.js';
import { PALETTE } from './palette.js';

const drawings = vi.hoisted((): { isDisposed(): boolean }[] => []);

vi.mock('echarts/core', async (original) => {
  const core = await original<typeof import('echarts/core')>();
  const init: typeof core.init = (...parameters) => {
    const drawing = core.init(...parameters);
    drawings.push(drawing);
    return drawing;
  };
  return { ...core, init };
});

const charts = timeCharts(simulationFixture());

function timeCharts(result: SimulationResult): readonly TimeChart[] {
  return planCharts(result).flatMap((chart) => (chart.kind === 'bars' ? [] : [chart]));
}

function svgOf(text: string) {
  return elementsOf(readHtml(`<!doctype html>\n${text}`));
}

function lineChart(values: readonly number[], more: Partial<TimeChart> = {}): TimeChart {
  const times_ms = values.map((_, row) => row * 3_600_000);
  return { kind: 'lines', title: 'A', unit: 'agents', times_ms, lines: [{ label: 'a', slot: 'one', values }], ...more };
}

describe('chartSvg', () => {
  it('gives the same text again, and after other charts', () => {
    const first = charts.map((chart, at) => chartSvg(chart, `c${at}`));
    const again = charts.map((chart, at) => chartSvg(chart, `c${at}`)).reverse();
    expect(again.reverse()).toEqual(first);
    expect(first.join('')).not.toMatch(/zr\d/u);
  });

  it('gives the same text with a renderer that has drawn nothing yet', async () => {
    const [chart] = charts;
    if (chart === undefined) throw new Error('no chart');
    chartSvg(chart, 'c');
    const drawn = chartSvg(chart, 'c');
    vi.resetModules();
    const fresh = await import('./charts.js');
    expect(fresh.chartSvg).not.toBe(chartSvg);
    expect(fresh.chartSvg(chart, 'c')).toBe(drawn);
  });

  it('leaves no drawing behind that could keep a process alive', () => {
    drawings.length = 0;
    for (const chart of charts) chartSvg(chart, 'c');
    expect(drawings.map((drawing) => drawing.isDisposed())).toEqual(charts.map(() => true));
  });

  it('is well formed, scales with the page and refers to nothing but itself', () => {
    for (const [at, chart] of charts.entries()) {
      const [root, ...rest] = svgOf(chartSvg(chart, `c${at}`));
      expect(root?.name).toBe('svg');
      expect([...(root?.attributes.keys() ?? [])]).toEqual(['viewBox']);
      const ids = rest.flatMap((element) => element.attributes.get('id') ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(id.startsWith(`c${at}-`)).toBe(true);
      const used = rest.flatMap((element) => element.attributes.get('clip-path') ?? []);
      for (const url of used) expect(ids.map((id) => `url(#${id})`)).toContain(url);
      for (const element of rest) expect([...element.attributes.keys()]).not.toContain('href');
    }
  });

  it('colours everything by a slot of the palette, so that both themes can', () => {
    const slots = new Set(PALETTE.map(({ slot }) => slot));
    for (const chart of charts) {
      for (const element of svgOf(chartSvg(chart, 'c'))) {
        if (element.name === 'text') expect(element.attributes.get('class')).toBe('f-text');
      }
      const classes = [...chartSvg(chart, 'c').matchAll(/ class="([^"]*)"/gu)].flatMap(
        (match) => match[1]?.split(' ') ?? [],
      );
      for (const name of classes) expect(slots).toContain(name.slice(2));
      for (const { slot } of chart.lines) expect(classes.some((name) => name.slice(2) === slot)).toBe(true);
    }
  });

  it('labels its axes in SOL, percent and days', () => {
    const texts = charts.map((chart) => svgOf(chartSvg(chart, 'c')).map(textOf));
    expect(texts[1]).toContain('SOL');
    expect(texts[2]).toContain('%');
    expect(texts[0]).toEqual(expect.arrayContaining(['days', '0', '2', '14', '2k']));
  });

  it('draws a long series with few points and keeps its peak', () => {
    const values = Array.from({ length: 20_001 }, (_, row) => (row === 12_345 ? 900 : row % 7));
    const svg = chartSvg(lineChart(values), 'c');
    expect(svg.length).toBeLessThan(30_000);
    // Without its one sample of 900 the axis would end at 6.
    expect(svg).toContain('>1k<');
  });

  it('leaves a gap where a value is missing', () => {
    const whole = chartSvg(lineChart([1, 2, 3, 4]), 'c');
    const gap = chartSvg(lineChart([1, Number.NaN, 3, 4]), 'c');
    expect(gap).not.toBe(whole);
    expect(gap).not.toContain('NaN');
  });

  it.each([[[5, 5]], [[0, 0]], [[-3, 4]], [[1e-12, 2e-12]], [[0, 9e15]]])('draws the values %j', (values) => {
    const svg = chartSvg(lineChart(values), 'c');
    expect(svg).not.toMatch(/NaN|Infinity|undefined/u);
    expect(svgOf(svg).filter(({ name }) => name === 'path').length).toBeGreaterThan(5);
  });

  it('escapes hostile labels', () => {
    for (const chart of timeCharts(hostileSimulation())) {
      const svg = chartSvg(chart, 'c');
      expect(svg).not.toContain('<script');
      expect(svg).not.toContain('\u202e');
      expect(svgOf(svg).map(({ name }) => name)).not.toContain('script');
    }
    const [bars] = planCharts(hostileSimulation()).filter(({ kind }) => kind === 'bars');
    expect(bars?.kind === 'bars' ? bars.rows : []).toEqual([HOSTILE]);
  });
});

describe('shownTop', () => {
  const late = Array.from({ length: 100 }, (_, row) => 1 + (row % 3));
  it.each([
    ['everything', late, undefined],
    ['all but a beginning that hides the rest', [900, ...late], 3],
    ['a beginning that hides nothing', [17, ...late], undefined],
    ['a peak that comes later', [...late.slice(0, 50), 900, ...late], undefined],
    ['zeros after the beginning', [5, ...late.map(() => 0)], undefined],
  ])('shows %s', (_, values, top) => {
    expect(shownTop(lineChart(values))).toBe(top);
  });

  it('leaves out no part of a stack', () => {
    expect(shownTop(lineChart([900, ...late], { kind: 'areas' }))).toBeUndefined();
  });
});

describe('axes', () => {
  it.each([
    [14, 2],
    [7, 1],
    [90, 20],
    [365, 50],
    [2, 0.5],
    [8, 1],
    [9, 2],
  ])('a span of %d is cut every %d', (span, step) => {
    expect(axisStep(span)).toBeCloseTo(step, 9);
  });

  it.each([
    [14 * 86_400_000, 'days'],
    [47 * 3_600_000, 'hours'],
    [3 * 60_000, 'minutes'],
    [5000, 'seconds'],
  ])('%d ms are labelled in %s', (span, name) => {
    expect(timeUnit(span).name).toBe(name);
  });
});
