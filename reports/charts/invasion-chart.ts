/**
 * Draws invasion diagrams as SVG: how much one option gains over another, by the share of others that have it. Where the gain is above 0
 * the option spreads; a bar below shows from which shares imitation leads to which end.
 */

import type { EquilibriumResult, InvasionDiagram } from '../../results/equilibrium-result.js';
import { compactText } from '../../results/numbers.js';
import { xmlText } from '../text/xml.js';
import { axisStep } from './axis-step.js';
import { lightOf } from './palette.js';

const WIDTH = 640;
const PANEL = 300;
const LEFT = 76;
const RIGHT = 24;
const TOP = 34;
const BOTTOM = 66;
const FONT = 'system-ui, sans-serif';
const LAMPORTS_PER_SOL = 1e9;

/** The diagrams of each role as a file, `invasion-ROLE.svg`. `command` is the one that makes it; it is printed below. */
export function invasionFiles(result: EquilibriumResult, command: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    result.roles.flatMap(({ name }, role) => {
      const svg = invasionChart(result, role, command);
      return svg === undefined ? [] : [[`invasion-${name}.svg`, svg]];
    }),
  );
}

/** The diagrams of a role, one below the other; undefined if it has none. */
export function invasionChart(result: EquilibriumResult, role: number, command: string): string | undefined {
  const diagrams = result.diagrams.filter((each) => each.role === role);
  if (diagrams.length === 0) return undefined;
  const height = diagrams.length * PANEL + 26;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${xmlText(`${result.name}: gains of options of ${result.roles[role]?.name}`)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...diagrams.map((diagram, i) => panel(result, diagram, i * PANEL)),
    text(8, height - 8, command, 'start', 9),
    '</svg>\n',
  ].join('\n');
}

function panel(result: EquilibriumResult, diagram: InvasionDiagram, top: number): string {
  const { shares, gains, role } = diagram;
  const [a, b] = diagram.options.map((option) => result.roles[role]?.options[option] ?? '') as [string, string];
  const ends = gains.flatMap(({ interval }) => interval).map((gain) => gain / LAMPORTS_PER_SOL);
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const step = axisStep(most - least || 1);
  const [from, to] = [
    Math.floor(least / step) * step,
    Math.max(Math.ceil(most / step), Math.floor(least / step) + 1) * step,
  ];
  const x = (share: number): number => rounded(LEFT + share * (WIDTH - LEFT - RIGHT));
  const y = (sol: number): number => rounded(top + TOP + ((to - sol) / (to - from)) * (PANEL - TOP - BOTTOM));
  const place = (share: number, gain: number): string => `${x(share)},${y(gain / LAMPORTS_PER_SOL)}`;
  const band = [
    ...shares.map((share, i) => place(share, gains[i]?.interval[1] ?? 0)),
    ...shares.map((share, i) => place(share, gains[i]?.interval[0] ?? 0)).toReversed(),
  ];
  const marks = Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step);
  const bar = top + PANEL - 34;
  return [
    text(8, top + 20, `${a} over ${b}: gain (SOL for an agent and day)`, 'start', 13),
    ...marks.map((mark) =>
      line(LEFT, y(mark), WIDTH - RIGHT, y(mark), lightOf(Math.abs(mark) < step / 2 ? 'axis' : 'grid')),
    ),
    ...marks.map((mark) => text(LEFT - 6, y(mark) + 4, compactText(Number(mark.toPrecision(6))), 'end', 11)),
    `<polygon points="${band.join(' ')}" fill="${lightOf('one')}" opacity="0.2"/>`,
    `<polyline points="${shares.map((share, i) => place(share, gains[i]?.mean ?? 0)).join(' ')}" fill="none" stroke="${lightOf('one')}" stroke-width="2"/>`,
    ...flows(diagram).map(({ low, high, sign }) => {
      const colour = lightOf(sign > 0 ? 'three' : sign < 0 ? 'two' : 'plain');
      return `<rect x="${x(low)}" y="${bar}" width="${rounded(x(high) - x(low))}" height="8" fill="${colour}"/>`;
    }),
    ...[0, 0.25, 0.5, 0.75, 1].map((share) => text(x(share), bar - 6, `${100 * share} %`, 'middle', 11)),
    text(LEFT, bar + 24, `share of others with ${a}; bar: green ${a} spreads, orange ${b} spreads`, 'start', 11),
  ].join('\n');
}

/** Where the option grows (sign 1), shrinks (−1) or neither; a zero is placed on the line between two points. */
function flows({ shares, gains }: InvasionDiagram): { low: number; high: number; sign: number }[] {
  const pieces: { low: number; high: number; sign: number }[] = [];
  const add = (low: number, high: number, sign: number): void => {
    const last = pieces.at(-1);
    if (last?.sign === sign) last.high = high;
    else pieces.push({ low, high, sign });
  };
  for (let i = 1; i < shares.length; i += 1) {
    const [low, high] = [shares[i - 1] ?? 0, shares[i] ?? 0];
    const [before, after] = [gains[i - 1]?.mean ?? 0, gains[i]?.mean ?? 0];
    if (before * after >= 0) add(low, high, Math.sign(before + after));
    else {
      const zero = low + ((high - low) * before) / (before - after);
      add(low, zero, Math.sign(before));
      add(zero, high, Math.sign(after));
    }
  }
  return pieces;
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

function line(x1: number, y1: number, x2: number, y2: number, colour: string): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}" stroke-width="1"/>`;
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end', size: number): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" font-family="${FONT}" font-size="${size}" fill="${lightOf('text')}">${xmlText(words)}</text>`;
}
