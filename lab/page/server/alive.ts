/** The registry, alive: one mark an agent on a canvas, and the same as a table. Arrows choose an agent, Enter opens it. */

import { type Layout, layoutOf, nearestRow } from '../../../reports/views/agent-layout.js';
import { numberText, solText } from '../../../results/numbers.js';
import { standings } from '../../../spec/vocabulary.js';
import { html, useEffect, useLive, useRef, useState, type VNode } from '../markup.js';
import { table, timeText } from '../parts.js';
import { goTo, hrefTo } from '../place.js';
import { figures, reducesMotion, requests } from '../store.js';
import {
  drawChosen,
  drawMarks,
  drawMoving,
  type Moving,
  type Palette,
  paletteOf,
  type Scene,
  SEEN_MS,
} from './alive-drawing.js';
import { marks, marksChanged, readMarks, takeHappenings } from './alive-state.js';
import { clauseLink } from './request-panel.js';

const HEIGHT = 320;
const ROWS = 40;

/** A canvas that is drawn while something moves in it, and not while the tab is hidden. */
class Picture {
  readonly #canvas: HTMLCanvasElement;
  readonly #marks = document.createElement('canvas');
  #layout: Layout = layoutOf([], 1, 1);
  #laid = '';
  #palette: Palette;
  #moving: Moving[] = [];
  #isStale = true;
  #frame = 0;
  chosen = -1;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#palette = paletteOf(canvas);
  }

  get layout(): Layout {
    return this.#layout;
  }

  /** Draws with the next frame; `themed`: the colours may be others. */
  ask(themed = false): void {
    if (themed) this.#palette = paletteOf(this.#canvas);
    this.#isStale = true;
    this.#schedule();
  }

  /** Ends what moves: a pause acts at once. */
  rest(): void {
    this.#moving = [];
    this.ask();
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
  }

  #schedule(): void {
    if (this.#frame !== 0 || document.hidden) return;
    this.#frame = requestAnimationFrame((nowMs) => {
      this.#frame = 0;
      this.#draw(nowMs);
      if (this.#moving.length > 0) this.#schedule();
    });
  }

  #draw(nowMs: number): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width === 0) return;
    const happened = takeHappenings();
    if (reducesMotion()) this.#moving = [];
    else {
      const begun = happened.map((each) => ({ ...each, sinceMs: nowMs }));
      this.#moving = [...this.#moving.filter(({ sinceMs }) => nowMs - sinceMs < SEEN_MS), ...begun];
    }
    const scene = this.#scene(width, height);
    const ratio = devicePixelRatio;
    for (const each of [this.#canvas, this.#marks]) {
      if (each.width === Math.round(width * ratio) && each.height === Math.round(height * ratio)) continue;
      each.width = Math.round(width * ratio);
      each.height = Math.round(height * ratio);
      this.#isStale = true;
    }
    const [shown, still] = [this.#canvas, this.#marks].map((each) => each.getContext('2d'));
    if (shown == null || still == null) return;
    if (this.#isStale) {
      still.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawMarks(still, scene, this.#palette);
      this.#isStale = false;
    }
    shown.setTransform(1, 0, 0, 1, 0, 0);
    shown.clearRect(0, 0, shown.canvas.width, shown.canvas.height);
    shown.drawImage(this.#marks, 0, 0);
    shown.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawMoving(shown, scene, this.#palette, this.#moving, nowMs);
    if (this.chosen >= 0) drawChosen(shown, scene, this.#palette, this.chosen);
  }

  #scene(width: number, height: number): Scene {
    const { parents, standings: own } = marks;
    const laid = `${parents.length} ${width} ${height}`;
    if (laid !== this.#laid) this.#layout = layoutOf(parents, width, height);
    this.#laid = laid;
    return { layout: this.#layout, parents, standings: own, width, height };
  }
}

/** The picture with its key and its table. */
export function Alive(): VNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<Picture | null>(null);
  const [at, setAt] = useState(-1);
  const count = useLive(() => (marksChanged.value > 0 ? marks.names.length : 0));
  const now = useLive(() => figures.value);
  // Another moment, or the lab was started again: other marks.
  const place = useLive(() => (figures.value?.past === null || figures.value === undefined ? 'present' : 'past'));
  useEffect(() => {
    if (canvas.current === null) return;
    const drawn = new Picture(canvas.current);
    picture.current = drawn;
    const ask = (): void => drawn.ask(true);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const size = new ResizeObserver(ask);
    size.observe(canvas.current);
    scheme.addEventListener('change', ask);
    document.addEventListener('visibilitychange', ask);
    const follow = marksChanged.subscribe(() => drawn.ask());
    let isPlaying = false;
    const rest = figures.subscribe((value) => {
      if (isPlaying && value?.playing === null) drawn.rest();
      isPlaying = value !== undefined && value.playing !== null;
    });
    return () => {
      for (const stop of [follow, rest]) stop();
      size.disconnect();
      scheme.removeEventListener('change', ask);
      document.removeEventListener('visibilitychange', ask);
      drawn.stop();
    };
  }, []);
  useEffect(() => {
    picture.current?.rest();
    void readMarks();
  }, [place]);
  const choose = (row: number): void => {
    setAt(row);
    if (picture.current === null) return;
    picture.current.chosen = row;
    picture.current.ask();
  };
  const rowAt = (event: PointerEvent | MouseEvent): number => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    return picture.current === null
      ? -1
      : nearestRow(picture.current.layout, event.clientX - box.left, event.clientY - box.top);
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && at >= 0) goTo('server', 'agent', String(at));
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1, Home: -count, End: count }[event.key];
    if (step === undefined || count === 0) return;
    event.preventDefault();
    choose(Math.min(count - 1, Math.max(0, at + step)));
  };
  const words = at < 0 || at >= count ? `${numberText(count)} agents` : wordsOf(at);
  return html`<figure class="alive">
    <div role="slider" tabindex="0" aria-label="The agents of the registry" aria-valuemin="0" aria-valuemax=${Math.max(0, count - 1)} aria-valuenow=${Math.max(0, at)} aria-valuetext=${words}
      onPointerMove=${(event: PointerEvent) => choose(rowAt(event))} onPointerLeave=${() => choose(-1)} onBlur=${() => choose(-1)} onKeyDown=${key}
      onClick=${(event: MouseEvent) => count > 0 && goTo('server', 'agent', String(rowAt(event)))}><canvas ref=${canvas} style=${{ height: `${HEIGHT}px` }} aria-hidden="true"></canvas></div>
    <figcaption><span class="when">${words}</span>${standings.map((standing) => html`<span class="layer"><i class=${`s-${standing}`} aria-hidden="true"></i>${standing} <b>${numberText(now?.counts[standing] ?? 0)}</b></span>`)}<span class="layer fees"><i class="s-fees" aria-hidden="true"></i>fees <b>${solText(now?.feesLamports ?? 0)}</b></span></figcaption>
    <${Latest} /></figure>`;
}

const wordsOf = (row: number): string => `${marks.names[row]}: ${standings[marks.standings[row] ?? 0]}`;

/** The latest happenings of the picture as a table, while it is open. */
function Latest(): VNode {
  const [open, setOpen] = useState(false);
  return html`<details onToggle=${(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}><summary>Table</summary>${open ? html`<${LatestTable} />` : null}</details>`;
}

function LatestTable(): VNode {
  const all = useLive(() => requests.value);
  const last = useLive(() =>
    figures.value?.past === null ? Number.POSITIVE_INFINITY : (figures.value?.requests ?? 0),
  );
  const rows = all.filter(({ agent, n }) => agent >= 0 && n <= last);
  return table(
    'The latest requests of agents',
    [
      { name: 'time', of: ({ atMs }) => timeText(atMs) },
      {
        name: 'agent',
        of: ({ agent }) => html`<a href=${hrefTo('server', 'agent', String(agent))}>${marks.names[agent] ?? agent}</a>`,
      },
      { name: 'is', of: ({ agent }) => standings[marks.standings[agent] ?? 0] },
      { name: 'did', of: ({ path }) => path.replace(/^.*\//u, '') },
      { name: 'refused by', of: ({ refused }) => (refused === undefined ? '' : clauseLink(refused)) },
    ],
    rows.slice(-ROWS).toReversed(),
    'No agent has asked for anything yet. Press Play.',
  );
}
