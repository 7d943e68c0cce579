/** The moving picture of the front page as an SVG: the life of a population, a mark an agent. It moves by styles alone, and not for who wants less motion. */

import type { AgentLives } from '../../results/agent-lives.js';
import { HOUR_SEC } from '../../spec/time.js';
import { areaPaths } from '../charts/area-paths.js';
import { PALETTE } from '../charts/palette.js';
import { xmlText } from '../text/xml.js';
import { LIFE_STATES, lifeCounts, stateAt } from '../views/life-marks.js';

/** A population of the picture: what its agents do, and what became of it, in words. */
interface PictureGroup {
  readonly name: string;
  readonly does: string;
  readonly outcome: string;
}

interface LifePicture {
  readonly title: string;
  readonly lives: AgentLives;
  readonly groups: readonly PictureGroup[];
  /** The shown time, from the start of the run, and the time of a frame. */
  readonly untilSec: number;
  readonly frameSec: number;
}

const [WIDTH, HEIGHT] = [960, 316];
const [GROUP_WIDTH, GAP, LEFT] = [280, 30, 30];
const COLUMNS = 10;
const [PITCH, RADIUS] = [28, 10];
const [MARKS_TOP, AREA_TOP, AREA_HEIGHT] = [84, 232, 34];
const LOOP_SEC = 24;

/** The picture of the populations side by side. Each has the marks of its agents, and below them the share of each state over time. */
export function lifePicture({ title, lives, groups, untilSec, frameSec }: LifePicture): string {
  const frames = Array.from({ length: Math.floor(untilSec / frameSec) }, (_, at) => (at + 1) * frameSec);
  const motions = new Map<string, string>();
  const first = lives.populations.map((_, at) =>
    lives.populations.slice(0, at).reduce((sum, { count }) => sum + count, 0),
  );
  const drawn = groups.map((group, at) => {
    const count = lives.populations[at]?.count ?? 0;
    const agents = Array.from({ length: count }, (_, place) => (first[at] ?? 0) + place);
    return groupOf(group, at, { lives, agents, frames, untilSec, motions });
  });
  const keyframes = [...motions].map(
    ([steps, name]) => `.${name}{animation:${name} ${LOOP_SEC}s step-end infinite}@keyframes ${name}{${steps}}`,
  );
  const key = LIFE_STATES.map(
    ({ name }, at) =>
      `<circle class="s${at}" cx="${LEFT + 8 + at * 110}" cy="296" r="7"/><text x="${LEFT + 22 + at * 110}" y="301">${name}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title"><title id="title">${xmlText(title)}</title><style>${styleOf()}@media(prefers-reduced-motion:no-preference){${keyframes.join('')}}</style><rect class="back" width="${WIDTH}" height="${HEIGHT}" rx="12"/>${drawn.join('')}${key.join('')}</svg>\n`;
}

interface Drawing {
  readonly lives: AgentLives;
  readonly agents: readonly number[];
  readonly frames: readonly number[];
  readonly untilSec: number;
  /** The names of the motions by their steps: agents that do the same share one. */
  readonly motions: Map<string, string>;
}

function groupOf({ name, does, outcome }: PictureGroup, at: number, drawing: Drawing): string {
  const { lives, agents, frames, untilSec } = drawing;
  const left = LEFT + at * (GROUP_WIDTH + GAP);
  const counts = frames.map((second) => lifeCounts(lives, agents, second));
  const x = frames.map((_, frame) => (GROUP_WIDTH * frame) / (frames.length - 1));
  const layers = LIFE_STATES.map((_, state) => counts.map((each) => each[state] ?? 0));
  const areas = areaPaths(x, layers, AREA_HEIGHT).map((d, state) => `<path class="s${state}" d="${d}"/>`);
  const days = Array.from({ length: Math.round(untilSec / (24 * HOUR_SEC)) }, (_, day) => day);
  const dayWidth = GROUP_WIDTH / days.length;
  const ticks = days.map(
    (day) => `<text class="soft" x="${day * dayWidth}" y="${AREA_TOP + AREA_HEIGHT + 14}">day ${day + 1}</text>`,
  );
  return `<g transform="translate(${left} 0)"><text class="name" y="32">${xmlText(name)}</text><text class="soft" y="50">${xmlText(does)}</text><text y="68">${xmlText(outcome)}</text>${agents.map((agent, place) => mark(agent, place, drawing)).join('')}<g transform="translate(0 ${AREA_TOP})">${areas.join('')}<rect class="now" y="-4" width="2" height="${AREA_HEIGHT + 8}"/></g>${ticks.join('')}</g>`;
}

/** The mark of an agent. Without motion it shows the end. */
function mark(agent: number, place: number, { lives, frames, motions }: Drawing): string {
  const states = frames.map((second) => stateAt(lives.changes[agent] ?? [], second));
  const steps = states.flatMap((state, frame) =>
    frame > 0 && state === states[frame - 1]
      ? []
      : [`${Number(((100 * frame) / frames.length).toFixed(2))}%{fill:${state < 0 ? 'none' : `var(--s${state})`}}`],
  );
  const all = steps.join('');
  if (steps.length > 1 && !motions.has(all)) motions.set(all, `a${motions.size}`);
  const [cx, cy] = [PITCH * (place % COLUMNS) + RADIUS, PITCH * Math.floor(place / COLUMNS) + MARKS_TOP + RADIUS];
  const motion = motions.get(all);
  const last = states.at(-1) ?? 0;
  return `<circle class="s${Math.max(0, last)}${motion === undefined ? '' : ` ${motion}`}" cx="${cx}" cy="${cy}" r="${RADIUS}"/>`;
}

function styleOf(): string {
  const theme = (name: 'light' | 'dark'): string =>
    LIFE_STATES.map(({ slot }, at) => `--s${at}:${PALETTE.find((each) => each.slot === slot)?.[name]}`).join(';');
  return `svg{${theme('light')};--ink:#1b2130;--soft:#566072;--back:#fff}@media(prefers-color-scheme:dark){svg{${theme('dark')};--ink:#e8ecf3;--soft:#a5afbf;--back:#171c26}}${LIFE_STATES.map((_, at) => `.s${at}{fill:var(--s${at})}`).join('')}text{font:14px system-ui,sans-serif;fill:var(--ink)}.soft{fill:var(--soft);font-size:12.5px}.name{font-size:17px;font-weight:700}.back{fill:var(--back)}.now{fill:var(--ink)}@media(prefers-reduced-motion:no-preference){.now{animation:now ${LOOP_SEC}s linear infinite}@keyframes now{to{transform:translateX(${GROUP_WIDTH - 2}px)}}}`;
}
