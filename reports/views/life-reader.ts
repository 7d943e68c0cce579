/** The part of a page's script that shows the life of a population at the moment of a slider, and plays it. */

import { durationText } from '../../results/numbers.js';
import type { PackedLife } from './life.js';
import { lifeCounts, lifeGroups, lifePaths, lifeWords } from './life-marks.js';

/** How long the whole time takes to play. */
const PLAY_MS = 8_000;

/** Adds the slider to a picture; and a button that plays it, unless the reader wants less motion. */
export function readLife(place: HTMLElement, { lives, times_ms: times }: PackedLife): void {
  const groups = lifeGroups(lives);
  const words = [...place.querySelectorAll('.marks span')];
  const drawn = [...place.querySelectorAll('.marks svg')].map((svg) => [...svg.querySelectorAll('path')]);
  const when = place.querySelector('.when b');
  const slider = document.createElement('input');
  const last = times.length - 1;
  Object.assign(slider, { type: 'range', min: '0', max: String(last), value: String(last) });
  slider.setAttribute('aria-label', 'Moment of the picture');
  const show = (): void => {
    const ms = times[Number(slider.value)] ?? 0;
    const said = groups.map((group, at) => {
      lifePaths(lives, group, ms / 1_000).forEach((d, state) => {
        drawn[at]?.[state]?.setAttribute('d', d);
      });
      const text = lifeWords(lifeCounts(lives, group.agents, ms / 1_000));
      words[at]?.replaceChildren(text);
      return `${group.name} ${text}`;
    });
    when?.replaceChildren(durationText(ms));
    slider.setAttribute('aria-valuetext', `${durationText(ms)}: ${said.join('; ')}`);
  };
  show();
  place.querySelector('.time')?.append(slider);
  const play = document.createElement('button');
  Object.assign(play, { type: 'button', textContent: 'Play' });
  let frame = 0;
  const stop = (): void => {
    cancelAnimationFrame(frame);
    frame = 0;
    play.textContent = 'Play';
  };
  play.addEventListener('click', () => {
    if (frame !== 0) return stop();
    const from = Number(slider.value) % last;
    let startMs: number | undefined;
    const step = (nowMs: number): void => {
      startMs ??= nowMs;
      const at = Math.min(last, from + Math.floor((last * (nowMs - startMs)) / PLAY_MS));
      if (String(at) !== slider.value) {
        slider.value = String(at);
        show();
      }
      if (at === last) stop();
      else frame = requestAnimationFrame(step);
    };
    play.textContent = 'Pause';
    frame = requestAnimationFrame(step);
  });
  slider.addEventListener('input', () => {
    stop();
    show();
  });
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) when?.parentElement?.append(' ', play);
}
