import { describe, expect, it } from 'vitest';
import { elementsOf, readHtml, textOf } from '../../test/fixtures/markup-reader.js';
import { byClass, byName } from '../../test/fixtures/page-checks.js';
import type { TimeChart } from '../charts/chart-plan.js';
import { ArmBands, ChartFigure } from './chart.js';
import { type Markup, textOfMarkup } from './markup.js';

function figureOf(markup: Markup) {
  return elementsOf(readHtml(`<!doctype html>\n${textOfMarkup(markup)}`));
}

function chartOf(values: readonly number[], more: Partial<TimeChart> = {}): string {
  const times_ms = values.map((_, row) => row * 3_600_000);
  const lines = [{ label: 'a', slot: 'one' as const, values }];
  return textOfMarkup(
    ChartFigure({ chart: { kind: 'lines', title: 'A', unit: 'agents', times_ms, lines, ...more }, id: 'c' }),
  );
}

describe('ChartFigure', () => {
  it.each([[[5, 5]], [[0, 0]], [[-3, 4]], [[1e-12, 2e-12]], [[0, 9e15]], [[1, Number.NaN, 3]], [[]]])(
    'draws the values %j within its frame',
    (values) => {
      const drawn = elementsOf(readHtml(`<!doctype html>\n${chartOf(values)}`));
      const paths = byName(drawn, 'path').map(({ attributes }) => attributes.get('d') ?? '');
      expect(paths.join()).not.toMatch(/NaN|Infinity|undefined/u);
      for (const [, x = '', y = ''] of paths.join('').matchAll(/M(-?[\d.]+) (-?[\d.]+)/gu)) {
        expect([Number(x), Number(y)].every((place) => place >= 0 && place <= 1000)).toBe(true);
      }
    },
  );

  it('leaves a gap where a value is missing', () => {
    expect(
      chartOf([1, Number.NaN, 3, 4])
        .match(/class="s-one" d="[^"]*"/u)?.[0]
        .match(/M/gu),
    ).toHaveLength(2);
    expect(
      chartOf([1, 2, 3, 4])
        .match(/class="s-one" d="[^"]*"/u)?.[0]
        .match(/M/gu),
    ).toHaveLength(1);
  });

  it('keeps the peak of a long series in its scale, and stays small', () => {
    const text = chartOf(Array.from({ length: 20_001 }, (_, row) => (row === 12_345 ? 900 : row % 7)));
    expect(text).toContain('>1k<');
    expect(text.length).toBeLessThan(20_000);
  });

  it('stacks areas: the last lies on top of all', () => {
    const lines = [
      { label: 'a', slot: 'one' as const, values: [1, 1] },
      { label: 'b', slot: 'two' as const, values: [1, 1] },
    ];
    const paths = chartOf([1, 1], { kind: 'areas', lines }).match(/class="f-[a-z]+" d="M0 [\d.]+/gu);
    expect(paths).toEqual(['class="f-one" d="M0 500', 'class="f-two" d="M0 0']);
  });
});

describe('ArmBands', () => {
  it('places means and intervals on one scale, and has their numbers', () => {
    const bands = [
      { name: 'low', mean: 1, interval: [0, 2] as const, runs: 8 },
      { name: 'high', mean: 10, interval: null, runs: 1 },
    ];
    const drawn = figureOf(ArmBands({ id: 'x', title: 'fees', unit: 'agents', bands }));
    const styles = byClass(drawn, 'band').flatMap((band) =>
      elementsOf(band)
        .slice(1)
        .map(({ attributes }) => attributes.get('style')),
    );
    expect(styles).toEqual(['left:4%;width:18.4%', 'left:13.2%', 'left:96%;width:0%', 'left:96%']);
    const rows = byName(drawn, 'tr').map(textOf);
    expect(rows[1]).toBe('low1 agents0 agents to 2 agents8');
    expect(rows[2]).toBe('high10 agents1');
  });
});
