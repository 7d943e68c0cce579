/** The protocol clock of the reference: how time is moved forward, stopped, and opened at an earlier moment. */

import type { Speed } from '../../server/reference/player.js';
import { useKept } from '../drafts.js';
import { html, useEffect, useLive, useRef, useState, type VNode } from '../markup.js';
import { pill, timeText } from '../parts.js';
import { goToMoment, opensMoment } from '../place.js';
import { attempt, type Figures, figures } from '../store.js';

const STEPS = [
  ['+1 anchor', 60_000],
  ['+10 min', 600_000],
  ['+1 hour', 3_600_000],
  ['+1 day', 86_400_000],
] as const;

/** The time without a press after which the chosen moment is opened. */
const SETTLE_MS = 300;

interface Marked extends Figures {
  readonly marks: readonly { readonly atMs: number; readonly fingerprint: string }[];
}

const SPEEDS: readonly (readonly [Speed, string])[] = [
  ['1x', '1×'],
  ['60x', '60×'],
  ['1h', '1 h/s'],
  ['fastest', 'as fast as it can'],
];

/** Plays and pauses: the button acts at once, before the lab has answered. */
function Play({ now }: { readonly now: Figures }): VNode {
  const [speed, setSpeed] = useKept<Speed>('server/speed', '60x');
  const { playing } = now;
  const act = async (path: string, body: object, shown: Speed | null): Promise<void> => {
    figures.value = { ...now, playing: shown };
    const after = await attempt<Figures>(path, body);
    if (after !== undefined) figures.value = after;
  };
  const choose = (chosen: Speed): void => {
    setSpeed(chosen);
    if (playing !== null) void act('server/play', { speed: chosen }, chosen);
  };
  return html`<div class="steps play" role="group" aria-label="Play time">
    <button type="button" class="main" disabled=${now.moving} onClick=${() => (playing === null ? act('server/play', { speed }, speed) : act('server/pause', {}, null))}>${playing === null ? 'Play' : 'Pause'}</button>
    <button type="button" disabled=${now.moving || playing !== null} onClick=${() => act('server/step', {}, null)}>Step</button>
    <label><span class="unseen">Speed</span><select onChange=${(event: Event) => choose((event.target as HTMLSelectElement).value as Speed)}>${SPEEDS.map(([id, text]) => html`<option value=${id} selected=${id === (playing ?? speed)}>${text}</option>`)}</select></label></div>`;
}

/** The ruler of time with its controls. */
export function Clock(): VNode | null {
  const now = useLive(() => figures.value);
  const [marks, setMarks] = useState<Marked['marks']>([]);
  const [wanted, setWanted] = useState<number | null>(null);
  const settling = useRef<{ timer?: ReturnType<typeof setTimeout> } | undefined>(undefined);
  const presentMs = now?.presentMs ?? 0;
  useEffect(() => {
    // The wanted moment stays on the ruler until it is shown, so that further presses add to it.
    if (settling.current === undefined && !opensMoment()) setWanted(null);
  }, [now]);
  useEffect(() => {
    if (now?.moving === false && now.playing === null)
      void attempt<Marked>('server/figures').then((full) => full && setMarks(full.marks));
  }, [now?.playing === null ? presentMs : 0, now?.moving, now?.playing]);
  if (now === undefined) return null;
  const startMs = marks[0]?.atMs ?? now.nowMs;
  const { past } = now;
  const back = (atMs: number): void => {
    settling.current = undefined;
    const to = atMs >= presentMs ? null : atMs;
    if (to === (past?.atMs ?? null) && !opensMoment()) setWanted(null);
    else goToMoment(to);
  };
  const want = (event: Event): void => {
    clearTimeout(settling.current?.timer);
    settling.current = {};
    setWanted(Number((event.target as HTMLInputElement).value));
  };
  // Presses of a key follow each other: the last moment alone is opened.
  const settle = (event: Event): void => {
    const atMs = nearestMark(marks, Number((event.target as HTMLInputElement).value), presentMs);
    clearTimeout(settling.current?.timer);
    settling.current = { timer: setTimeout(() => back(atMs), SETTLE_MS) };
  };
  // A drag that ends where it began chooses nothing.
  const leave = (): void => {
    if (settling.current === undefined || settling.current.timer !== undefined) return;
    settling.current = undefined;
    setWanted(null);
  };
  const shown = wanted ?? now.nowMs;
  return html`<section class=${`clock ${past === null ? '' : 'past'}`} aria-label="Protocol clock">
    <div class="now"><p class="time">${timeText(shown)}<span> UTC</span></p>
      <p class="soft">beat ${now.beat}, anchor ${now.anchor}, epoch ${now.epoch} ${now.stalled ? pill('anchors stalled', 'warm') : ''} ${now.moving ? pill('moving', 'good') : ''}</p></div>
    <${Play} now=${now} />
    <div class="steps moves">${STEPS.map(([text, ms]) => html`<button type="button" disabled=${past !== null || now.moving || now.playing !== null} onClick=${() => attempt('server/advance', { ms })}>${text}</button>`)}
      <button type="button" aria-pressed=${String(now.stalled)} disabled=${past !== null} onClick=${() => attempt('server/stall', { on: !now.stalled })}>${now.stalled ? 'Let anchors go on' : 'Stall anchors'}</button></div>
    <label class="ruler"><span>Go back to</span>
      <input type="range" min=${startMs} max=${presentMs} step="60000" value=${shown} disabled=${now.moving || presentMs === startMs} list="marks" aria-valuetext=${timeText(shown)}
        onInput=${want} onChange=${settle} onBlur=${leave} />
      <datalist id="marks">${marks.map(({ atMs }) => html`<option value=${atMs} />`)}</datalist></label>
    ${
      past === null
        ? null
        : html`<p class="pastnote" role="status"><b>A copy of ${timeText(past.atMs)}.</b> ${past.replayed === 1 ? '1 command was' : `${past.replayed} commands were`} replayed in memory; ${fingerprintText(past.same)}${past.agreed > 1 ? ` ${past.agreed} fingerprints on its way are the same.` : ''} The reference is at ${timeText(presentMs)} and has not moved.
      <button type="button" onClick=${() => goToMoment(null)}>Back to the present</button></p>`
    }
    ${now.population.ended === null || past !== null ? null : html`<p class="soft">The population no longer lives: ${now.population.ended}.</p>`}
  </section>`;
}

function fingerprintText(same: boolean | null): string {
  if (same === null) return 'no fingerprint was taken at this moment.';
  return same
    ? 'its fingerprint is the one of that moment.'
    : 'its fingerprint is NOT the one of that moment: report this.';
}

/** A click close to a moment with a fingerprint chooses that moment. */
function nearestMark(marks: readonly { readonly atMs: number }[], wanted: number, presentMs: number): number {
  const near = marks.map(({ atMs }) => atMs).toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
  return near !== undefined && Math.abs(near - wanted) <= presentMs / 1e8 ? near : wanted;
}
