/** Draws the front of two or three objectives as SVG: the first objective across, each other one in a panel, with 95 % intervals both ways. */

import type { DesignResult } from '../../results/design-result.js';
import { compactText } from '../../results/numbers.js';
import { xmlText } from '../text/xml.js';
import { axisStep } from './axis-step.js';
import { lightOf } from './palette.js';

const WIDTH = 640;
const PANEL = 320;
const [LEFT, RIGHT, TOP, BOTTOM] = [76, 24, 34, 52];
const FONT = 'system-ui, sans-serif';
const SCALES: Readonly<Record<string, readonly [scale: number, unit: string]>> = {
  lamports: [1e-9, 'SOL'],
  share: [100, '%'],
};

type Measured = DesignResult['front'][number]['objectives'][number];
type Axis = { readonly at: (value: number) => number; readonly marks: readonly number[]; readonly title: string };

/** The front; undefined with one objective. `command` is the one that makes it; it is printed below. */
export function frontChart(result: DesignResult, command: string): string | undefined {
  const others = result.objectives.slice(1);
  if (others.length === 0) return undefined;
  const height = others.length * PANEL + 26;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${xmlText(`${result.name}: points that no other beats`)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...others.map((_, i) => panel(result, i + 1, i * PANEL)),
    text(8, height - 8, command, 'start', 9),
    '</svg>\n',
  ].join('\n');
}

function panel(result: DesignResult, other: number, top: number): string {
  const points = result.front.map(({ objectives }) => [objectives[0], objectives[other]] as [Measured, Measured]);
  const x = axis(
    points.map(([first]) => first),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = axis(
    points.map(([, second]) => second),
    top + PANEL - BOTTOM,
    top + TOP,
  );
  const [floor, wall] = [top + PANEL - BOTTOM, WIDTH - RIGHT];
  return [
    text(8, top + 20, y.title, 'start', 13),
    ...y.marks.map((mark) => line(LEFT, y.at(mark), wall, y.at(mark), 'grid')),
    ...y.marks.map((mark) => text(LEFT - 6, y.at(mark) + 4, compactText(mark), 'end', 11)),
    ...x.marks.map((mark) => line(x.at(mark), top + TOP, x.at(mark), floor, 'grid')),
    ...x.marks.map((mark) => text(x.at(mark), floor + 16, compactText(mark), 'middle', 11)),
    text((LEFT + wall) / 2, floor + 34, x.title, 'middle', 12),
    ...points.map(([first, second], i) => {
      const [a, b] = [scaled(first), scaled(second)];
      const colour = i === result.chosen ? 'two' : 'one';
      return [
        line(x.at(a.low), y.at(b.mean), x.at(a.high), y.at(b.mean), colour),
        line(x.at(a.mean), y.at(b.low), x.at(a.mean), y.at(b.high), colour),
        `<circle cx="${x.at(a.mean)}" cy="${y.at(b.mean)}" r="${i === result.chosen ? 5 : 3}" fill="${lightOf(colour)}"/>`,
      ].join('\n');
    }),
  ].join('\n');
}

function scaled({ mean, t95: [low, high], unit }: Measured) {
  const [scale] = SCALES[unit] ?? [1];
  return { mean: scale * mean, low: scale * low, high: scale * high };
}

/** An axis from one place to another that holds all intervals. */
function axis(measured: readonly Measured[], start: number, end: number): Axis {
  const all = measured.map(scaled);
  const [least, most] = [Math.min(...all.map(({ low }) => low)), Math.max(...all.map(({ high }) => high))];
  const step = axisStep(most - least || Math.abs(most) || 1);
  const from = Math.floor(least / step) * step;
  const to = Math.max(Math.ceil(most / step) * step, from + step);
  const { measure = '', unit = '' } = measured[0] ?? {};
  const [, name = unit] = SCALES[unit] ?? [];
  return {
    at: (value) => Number((start + ((value - from) / (to - from)) * (end - start)).toFixed(2)),
    marks: Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) =>
      Number((from + i * step).toPrecision(6)),
    ),
    title: name === '' ? measure : `${measure} (${name})`,
  };
}

function line(x1: number, y1: number, x2: number, y2: number, colour: Parameters<typeof lightOf>[0]): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${lightOf(colour)}" stroke-width="1"/>`;
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end', size: number): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" font-family="${FONT}" font-size="${size}" fill="${lightOf('text')}">${xmlText(words)}</text>`;
}
