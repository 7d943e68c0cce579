/** The life of a population as a picture: how many agents are in each standing over protocol time, with the table behind it. */

import { areaPaths } from '../../../reports/charts/area-paths.js';
import { numberText } from '../../../results/numbers.js';
import type { Standing } from '../../../spec/vocabulary.js';
import type { Moment } from '../../server/reference/moments.js';
import { html, useLive, useState, type VNode } from '../markup.js';
import { table, timeText } from '../parts.js';
import { figures, moments } from '../store.js';

/** From the bottom of the picture to its top. */
const LAYERS: readonly Standing[] = ['active', 'warning', 'frozen', 'refused', 'registered'];
const WIDTH = 1_000;
const HEIGHT = 150;

/** The picture, its key, and its table. */
export function Life(): VNode {
  const known = useLive(() => moments.value);
  const now = useLive(() => figures.value);
  // In a copy of an earlier moment the picture ends there, as the figures do.
  const all =
    now === undefined || now.past === null
      ? known
      : [...known.filter(({ nowMs }) => nowMs < now.nowMs), { nowMs: now.nowMs, counts: now.counts }];
  const [at, setAt] = useState<number | null>(null);
  const last = all.at(-1);
  const first = all[0];
  if (first === undefined || last === undefined || all.length < 2)
    return html`<p class="empty">Nothing has moved yet. Let some time pass on the Server view, and this picture grows.</p>`;
  const span = Math.max(1, last.nowMs - first.nowMs);
  const shown = all[at ?? all.length - 1] ?? last;
  const x = ({ nowMs }: Moment): number => ((nowMs - first.nowMs) / span) * WIDTH;
  const layers = LAYERS.map((layer) => all.map(({ counts }) => counts[layer]));
  const paths = areaPaths(all.map(x), layers, HEIGHT);
  const move = (event: PointerEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const wanted = first.nowMs + ((event.clientX - box.left) / box.width) * span;
    setAt(nearest(all, wanted));
  };
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -all.length, End: all.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setAt(Math.min(all.length - 1, Math.max(0, (at ?? all.length - 1) + step)));
  };
  return html`<figure class="life">
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="slider" tabindex="0" aria-label="Agents by standing over time"
      aria-valuemin="0" aria-valuemax=${all.length - 1} aria-valuenow=${at ?? all.length - 1} aria-valuetext=${words(shown)}
      onPointerMove=${move} onPointerLeave=${() => setAt(null)} onKeyDown=${key} onBlur=${() => setAt(null)}>
      ${paths.map((d, depth) => html`<path class=${`area s-${LAYERS[depth]}`} d=${d} />`)}
      ${at === null ? null : html`<line class="cursor" x1=${x(shown)} x2=${x(shown)} y1="0" y2=${HEIGHT} />`}
    </svg>
    <figcaption><span class="when">${timeText(shown.nowMs)}</span>${LAYERS.map((layer) => html`<span class="layer"><i class=${`s-${layer}`} aria-hidden="true"></i>${layer} <b>${numberText(shown.counts[layer])}</b></span>`)}</figcaption>
    <details><summary>Table</summary>${table('Agents by standing over time', [{ name: 'time', of: (each: Moment) => timeText(each.nowMs) }, ...LAYERS.map((layer) => ({ name: layer as string, of: (each: Moment) => numberText(each.counts[layer]), numeric: true }))], all.slice(-50).toReversed(), '')}</details>
  </figure>`;
}

function words(moment: Moment): string {
  return `${timeText(moment.nowMs)}: ${LAYERS.map((layer) => `${moment.counts[layer]} ${layer}`).join(', ')}`;
}

function nearest(all: readonly Moment[], wanted: number): number {
  let best = 0;
  for (let i = 1; i < all.length; i += 1)
    if (Math.abs((all[i]?.nowMs ?? 0) - wanted) < Math.abs((all[best]?.nowMs ?? 0) - wanted)) best = i;
  return best;
}
