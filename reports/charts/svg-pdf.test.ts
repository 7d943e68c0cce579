import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DesignResult } from '../../results/design-result.js';
import type { EquilibriumResult } from '../../results/equilibrium-result.js';
import type { SurvivalPoint, SweepSummary } from '../../results/sweep-result.js';
import { simulationFixture } from '../../test/fixtures/results.js';
import { root } from '../../test/source-tree.js';
import { chartFile, linesFile } from './chart-file.js';
import { frontChart } from './front-chart.js';
import { intervalChart } from './interval-chart.js';
import { invasionChart } from './invasion-chart.js';
import { seriesChart, survivalChart } from './series-chart.js';
import { svgPdf } from './svg-pdf.js';

const LINEAR = { x: false, y: false };
const point = (arm: number, hours: number, mean: number) => ({
  ...{ arm, less_arm: null, measure: 'frozen_share', group: null, unit: 'share', time_ms: hours * 3_600_000 },
  ...{ n: 3, mean, low: mean / 2, high: 2 * mean },
});
const step = (group: string | null, hours: number, survival: number): SurvivalPoint => ({
  ...{ arm: 0, group, time_ms: hours * 3_600_000, at_risk: 9, events: 1, survival },
  ...{ low: survival / 2, high: Math.min(1, 1.2 * survival) },
});
const objective = (measure: string, mean: number) => ({ measure, mean, t95: [mean - 1, mean + 1], unit: '' });
const ARMS = [
  { arm: 0, name: 'few', set: {} },
  { arm: 1, name: 'more (of them)', set: {} },
];
const SUMMARY = {
  ...{ name: 'sweep', arms: ARMS },
  estimates: [0, 1].map((arm) => ({ ...point(arm, 1, 0.1), t95: [0.05, 0.2], bootstrap95: null })),
} as unknown as SweepSummary;
const FRONT = {
  ...{ name: 'front', objectives: ['a', 'b'], chosen: 0 },
  front: [1, 2].map((at) => ({ objectives: [objective('a', at), objective('b', 9 - at)] })),
} as unknown as DesignResult;
const GAME = {
  name: 'hawks',
  roles: [{ name: 'birds', options: ['hawk', 'dove'] }],
  diagrams: [
    {
      ...{ role: 0, options: [0, 1], shares: [0, 1] },
      gains: [1e9, -3e9].map((mean) => ({ mean, interval: [mean - 1e8, mean + 1e8] })),
    },
  ],
} as unknown as EquilibriumResult;
const RUN = simulationFixture();
const LINES = { id: 'l', name: 'lines', title: 'Lines', unit: 'agents', times_ms: [0, 3_600_000, 7_200_000] };

/** Every kind of figure that the package writes. */
const FIGURES: Readonly<Record<string, string | undefined>> = {
  'a measure of a run': chartFile(RUN, RUN.series[0]?.name ?? ''),
  'lines of the lab': linesFile({
    ...LINES,
    lines: [false, true].map((dashed) => ({ label: 'a', dashed, values: [1, Number.NaN, 3] })),
  }),
  estimates: intervalChart(SUMMARY, ['frozen_share'], LINEAR, 'aips'),
  series: seriesChart(
    { name: 's', arms: ARMS, means: [point(0, 0, 0.1), point(0, 1, 0.2), point(1, 0, 0.3)], differences: [] },
    ...([['frozen_share'], LINEAR, 'aips'] as const),
  ),
  survival: survivalChart(
    's',
    ARMS.slice(0, 1),
    [step('a', 0, 1), step('a', 9, 0.4), step('b', 3, 0.5)],
    LINEAR,
    'aips',
  ),
  'a front': frontChart(FRONT, 'aips'),
  'an invasion diagram': invasionChart(GAME, 0, 'aips'),
};
const of = (words: string): string => {
  const svg = FIGURES[words];
  if (svg === undefined) throw new Error(`there is no figure of ${words}`);
  return svg;
};
const textOf = (pdf: Uint8Array): string => Buffer.from(pdf).toString('latin1');

/** The operators of a PDF's page, read by its table of places. */
function operatorsOf(pdf: Uint8Array): readonly string[] {
  const text = textOf(pdf);
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  expect(text.slice(table, table + 5)).toBe('xref\n');
  const places = [...text.slice(table).matchAll(/(\d{10}) 00000 n/g)].map(([, place]) => Number(place));
  for (const [i, place] of places.entries()) expect(text.slice(place).startsWith(`${i + 1} 0 obj\n`)).toBe(true);
  const [, length, stream = ''] = /<< \/Length (\d+) >>\nstream\n([\s\S]*)\nendstream/.exec(text) ?? [];
  expect(stream).toHaveLength(Number(length));
  // Words in parentheses are no operators.
  const lines = stream.replace(/\((?:\\.|[^\\)])*\)/g, '()').split('\n');
  return lines.flatMap((line) => line.split(' ').filter((word) => /^[A-Za-z]+$/.test(word)));
}
const count = <T>(list: readonly T[], each: T): number => list.filter((one) => one === each).length;

describe('a figure as PDF', () => {
  it.each(Object.keys(FIGURES))('has every shape and word of its SVG, and the same bytes again: %s', (words) => {
    const svg = of(words);
    const pdf = svgPdf(svg);
    expect(svgPdf(svg)).toEqual(pdf);
    const operators = operatorsOf(pdf);
    expect(count(operators, 'q')).toBe(count(operators, 'Q'));
    const texts = [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text = '']) => text);
    expect(count(operators, 'Tj')).toBe(texts.length);
    for (const text of texts) {
      const written = text.replaceAll('&gt;', '>').replace(/[()]/g, '\\$&').replaceAll('−', '-');
      expect(textOf(pdf).includes(`(${written}) Tj`) ? text : textOf(pdf)).toBe(text);
    }
    const drawn = operators.filter((each) => ['f', 'S', 'B', 'n'].includes(each)).length - count(operators, 'W');
    expect(drawn).toBe(
      svg.replace(/<clipPath[\s\S]*?<\/clipPath>/g, '').match(/<(?:rect|line|circle|path|poly\w+) /g)?.length,
    );
    // PDF knows no exponents.
    expect(/\d[eE][-+]?\d|NaN|Infinity/.test(textOf(pdf).replace(/\(.*?\) Tj/g, ''))).toBe(false);
  });

  it('of each document is drawn', () => {
    const folder = join(root, 'docs/figures');
    const names = readdirSync(folder).filter((name) => name.endsWith('.svg') && name !== 'life.svg');
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) expect(svgPdf(readFileSync(join(folder, name), 'utf8')).length).toBeGreaterThan(1_000);
  });

  it('is where SVG says, upside down, in the colours, widths and opacities of the SVG', () => {
    const pdf = textOf(
      svgPdf(
        '<svg width="100" height="50"><title>T (1)</title><g transform="translate(3 4)"><rect x="1" y="2" width="8" height="9" fill="#ff0000" opacity="0.2"/></g><polyline points="0,1 2,3.25" fill="none" stroke="#0000ff" stroke-width="2" stroke-dasharray="4,2"/><text x="100" y="20" font-size="10" text-anchor="end">il €</text></svg>',
      ),
    );
    expect(pdf).toContain('/MediaBox [0 0 100 50]');
    expect(pdf).toContain('1 0 0 -1 0 50 cm');
    expect(pdf).toContain('q\n1 0 0 1 3 4 cm\nq\n/G0 gs\n1 0 0 rg\n1 2 8 9 re\nf\nQ\nQ');
    expect(pdf).toContain('0 0 1 RG 2 w\n0 J 0 j\n[4 2] 0 d\n0 1 m\n2 3.25 l\nS');
    expect(pdf).toContain('/G0 << /ca 0.2 /CA 0.2 >> /G1 << /ca 1 /CA 1 >>');
    // Helvetica: i and l are 222 wide, a space is 278 and a euro 556.
    expect(pdf).toContain('1 0 0 -1 87.22 20 Tm (il \x80) Tj');
    expect(pdf).toContain('/Title (T \\(1\\))');
  });

  it('writes a letter that Helvetica does not have as its number', () => {
    expect(textOf(svgPdf('<svg width="9" height="9"><text x="0" y="0">a中−</text></svg>'))).toContain('(aU+4E2D-) Tj');
  });

  it.each([
    ['<ellipse/>', 'a figure has <ellipse>, which is not drawn in PDF'],
    ['<rect rx="3"/>', 'a figure has rx in <rect>, which is not drawn in PDF'],
    ['<path d="M0 0A1 1"/>', 'a figure has A in a path, which is not drawn in PDF'],
    ['<rect fill="red"/>', 'a figure has the colour red, which is not drawn in PDF'],
    ['<g transform="rotate(9)"/>', 'a figure has the transform rotate(9), which is not drawn in PDF'],
    ['<text text-anchor="left">a</text>', 'a figure has the value left, which is not drawn in PDF'],
    ['<circle r="x"/>', 'a figure has x in place of a number'],
    ['<g clip-path="url(#c)"/>', 'a figure has no clip path url(#c)'],
    [
      '<svg width="3" height="3" viewBox="0 0 9 9"/>',
      'a figure has an SVG with the view 0 0 9 9 of another size, which is not drawn in PDF',
    ],
    ['<g>', 'a figure closes <svg>, which is not open'],
    ['<!-- -->', 'a figure is no SVG that can be read from character 33 on'],
  ])('is refused with %s', (part, message) => {
    expect(() => svgPdf(`<svg width="100" height="100">  ${part}</svg>`)).toThrow(new RangeError(message));
  });
});
