/** Draws the registry on a canvas: marks in the colour of their standing, links of families, pulses of heartbeats, sparks of refusals, streams of fees. */

import type { Layout } from '../../../reports/views/agent-layout.js';
import { standings } from '../../../spec/vocabulary.js';
import type { Happening } from './alive-state.js';

/** The things that are drawn, in CSS pixels. */
export interface Scene {
  readonly layout: Layout;
  readonly parents: readonly number[];
  readonly standings: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** The colours of the page, which depend on its theme. */
export type Palette = Readonly<Record<'ink' | 'line' | 'soft' | 'bad' | 'fees', string>> & {
  readonly standings: readonly string[];
};

/** Something that is on its way across the picture. */
export interface Moving extends Happening {
  readonly sinceMs: number;
}

/** How long pulses and sparks are seen. */
export const SEEN_MS = 900;
const SPARK_RAYS = 8;
/** Where fees end, from the right edge. */
const FEES_PX = 60;
/** The length of a stream as a share of its way. */
const STREAM = 0.12;
const LABELS_MAX = 5;
const LABEL_PX = 13;
const BIN_PX = 8;

/** The colours of an element's theme. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ...{ ink: colour('ink'), line: colour('line'), soft: colour('soft'), bad: colour('refused'), fees: colour('fees') },
    standings: standings.map((standing) => colour(standing)),
  };
}

/** Draws the marks, without what moves. */
export function drawMarks(to: CanvasRenderingContext2D, scene: Scene, palette: Palette): void {
  to.clearRect(0, 0, scene.width, scene.height);
  if (scene.layout.isDense) drawDensity(to, scene, palette);
  else {
    drawLinks(to, scene, palette);
    const { x, y, radius } = scene.layout;
    // One path for each standing: a call for each mark would take several frames.
    for (const [standing, colour] of palette.standings.entries()) {
      to.beginPath();
      for (let row = 0; row < x.length; row += 1) {
        if (scene.standings[row] !== standing) continue;
        const [atX, atY, r] = [x[row] ?? 0, y[row] ?? 0, radius[row] ?? 0];
        to.moveTo(atX + r, atY);
        to.arc(atX, atY, r, 0, 2 * Math.PI);
      }
      to.fillStyle = colour;
      to.fill();
    }
  }
}

function drawLinks(to: CanvasRenderingContext2D, { layout: { x, y }, parents }: Scene, { soft }: Palette): void {
  to.beginPath();
  for (const [row, parent] of parents.entries()) {
    if (parent < 0) continue;
    to.moveTo(x[parent] ?? 0, y[parent] ?? 0);
    to.lineTo(x[row] ?? 0, y[row] ?? 0);
  }
  to.strokeStyle = soft;
  to.globalAlpha = 0.45;
  to.lineWidth = 1;
  to.stroke();
  to.globalAlpha = 1;
}

/** Squares of whole cells, the fuller the stronger, divided by standing: no standing hides another. */
function drawDensity(to: CanvasRenderingContext2D, { layout, standings: own, width }: Scene, palette: Palette): void {
  const [wide, high] = layout.cell.map((size) => size * Math.ceil(BIN_PX / size)) as [number, number];
  const columns = Math.ceil(width / wide);
  const bins = new Map<number, number[]>();
  for (const [row, standing] of own.entries()) {
    const at = Math.floor((layout.y[row] ?? 0) / high) * columns + Math.floor((layout.x[row] ?? 0) / wide);
    const counts = bins.get(at) ?? palette.standings.map(() => 0);
    counts[standing] = (counts[standing] ?? 0) + 1;
    bins.set(at, counts);
  }
  const sums = [...bins.values()].map((counts) => counts.reduce((sum, each) => sum + each, 0));
  const most = sums.reduce((best, each) => Math.max(best, each), 1);
  for (const [nth, [at, counts]] of [...bins].entries()) {
    const all = sums[nth] ?? 1;
    let left = (at % columns) * wide;
    to.globalAlpha = 0.3 + 0.7 * (all / most);
    for (const [standing, count] of counts.entries()) {
      const part = ((wide - 1) * count) / all;
      to.fillStyle = palette.standings[standing] ?? '';
      to.fillRect(left, Math.floor(at / columns) * high, part, high - 1);
      left += part;
    }
  }
  to.globalAlpha = 1;
}

/** Draws what moves over the marks, at a moment. A picture of density has sparks alone. */
export function drawMoving(
  to: CanvasRenderingContext2D,
  scene: Scene,
  palette: Palette,
  moving: readonly Moving[],
  nowMs: number,
): void {
  const { layout, standings: own } = scene;
  const { x, y, radius } = layout;
  if (!layout.isDense) drawFees(to, scene, palette, moving, nowMs);
  for (const { row, clause, lamports, sinceMs } of moving) {
    // In an earlier moment an agent may not be there.
    if (row >= x.length || lamports > 0 || (clause === null && layout.isDense)) continue;
    const share = Math.min(1, (nowMs - sinceMs) / SEEN_MS);
    const [atX, atY, r] = [x[row] ?? 0, y[row] ?? 0, radius[row] ?? 0];
    to.globalAlpha = 1 - share;
    to.beginPath();
    if (clause === null) to.arc(atX, atY, r + share * (4 + r), 0, 2 * Math.PI);
    else rays(to, atX, atY, r + 2 + 6 * share, 3 + 3 * share);
    to.strokeStyle = clause === null ? (palette.standings[own[row] ?? 0] ?? '') : palette.bad;
    to.lineWidth = clause === null ? 1.5 : 2;
    to.stroke();
  }
  drawLabels(to, scene, palette, moving, nowMs);
  to.globalAlpha = 1;
}

/** Fees run from the agents that pay to the sum below the picture. One path for all: many agents pay in one frame. */
function drawFees(
  to: CanvasRenderingContext2D,
  { layout: { x, y }, width, height }: Scene,
  palette: Palette,
  moving: readonly Moving[],
  nowMs: number,
): void {
  const paid = moving.filter(({ row, lamports }) => lamports > 0 && row < x.length);
  if (paid.length === 0) return;
  to.beginPath();
  for (const { row, sinceMs } of paid) {
    const [fromX, fromY] = [x[row] ?? 0, y[row] ?? 0];
    const along = (share: number): [number, number] => [
      fromX + (width - FEES_PX - fromX) * share,
      fromY + (height - fromY) * share ** 2,
    ];
    const share = Math.min(1, (nowMs - sinceMs) / SEEN_MS);
    to.moveTo(...along(Math.max(0, share - STREAM)));
    for (const part of [0.5, 1]) to.lineTo(...along(Math.max(0, share - STREAM * (1 - part))));
  }
  to.globalAlpha = 0.8;
  to.strokeStyle = palette.fees;
  to.lineWidth = 1.2;
  to.stroke();
}

function rays(to: CanvasRenderingContext2D, x: number, y: number, from: number, length: number): void {
  for (let ray = 0; ray < SPARK_RAYS; ray += 1) {
    const [dx, dy] = [Math.cos((2 * Math.PI * ray) / SPARK_RAYS), Math.sin((2 * Math.PI * ray) / SPARK_RAYS)];
    to.moveTo(x + dx * from, y + dy * from);
    to.lineTo(x + dx * (from + length), y + dy * (from + length));
  }
}

/** The clauses of the latest sparks, where no other one is in their place. */
function drawLabels(
  to: CanvasRenderingContext2D,
  { layout: { x, y, radius }, width }: Scene,
  palette: Palette,
  moving: readonly Moving[],
  nowMs: number,
): void {
  const taken: (readonly [left: number, right: number, top: number])[] = [];
  to.font = '11px system-ui, sans-serif';
  to.fillStyle = palette.bad;
  to.textAlign = 'left';
  for (const { row, clause, sinceMs } of moving.toReversed()) {
    if (clause === null || row >= x.length || taken.length >= LABELS_MAX) continue;
    const wide = to.measureText(clause).width;
    const left = Math.max(4, Math.min(width - wide - 4, (x[row] ?? 0) - wide / 2));
    const top = Math.max(LABEL_PX, (y[row] ?? 0) - (radius[row] ?? 0) - LABEL_PX);
    if (taken.some(([from, until, at]) => left < until + 8 && left + wide > from - 8 && Math.abs(at - top) < LABEL_PX))
      continue;
    taken.push([left, left + wide, top]);
    to.globalAlpha = Math.max(0, 1 - ((nowMs - sinceMs) / SEEN_MS) ** 2);
    to.fillText(clause, left, top);
  }
}

/** Draws a ring around the chosen mark. */
export function drawChosen(
  to: CanvasRenderingContext2D,
  { layout: { x, y, radius } }: Scene,
  { ink }: Palette,
  row: number,
): void {
  to.beginPath();
  to.arc(x[row] ?? 0, y[row] ?? 0, Math.max(4, (radius[row] ?? 0) + 3), 0, 2 * Math.PI);
  to.strokeStyle = ink;
  to.lineWidth = 2;
  to.stroke();
}
