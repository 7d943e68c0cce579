/** The picture that a page begins with: the life of a population, a mark an agent, at the end and, by the page's script, at any moment. */

import type { AgentLives } from '../../results/agent-lives.js';
import { countText, durationText, numberText } from '../../results/numbers.js';
import type { SimulationResult } from '../../results/simulation-result.js';
import { areaPaths } from '../charts/area-paths.js';
import { findingOf } from '../simulation/finding.js';
import { LIFE_STATES, lifeCounts, lifeGroups, lifePaths, lifeWords, MARKS_WIDTH } from './life-marks.js';
import { html, type Markup } from './markup.js';
import { packedElement } from './packed.js';
import type { Place } from './page.js';
import { DataTable } from './parts.js';

/** A run with the lives of its agents. */
interface LifeProps {
  readonly result: SimulationResult;
  readonly lives: AgentLives;
}

/** The content of the element that the script reads: lives, and the moments of the slider. */
export interface PackedLife {
  readonly lives: AgentLives;
  readonly times_ms: readonly number[];
}

const TABLE_ROWS = 14;
const RULER_HEIGHT = 100;

/** Its place in the list of contents. */
export const LIFE_PLACE: Place = { id: 'life', label: 'Life' };

/** The picture with its finding, its ruler and its table. */
export function LifeView({ result, lives }: LifeProps): Markup {
  const { times_ms: times } = result;
  const [end, all] = [times.at(-1) ?? 0, lifeGroups(lives).flatMap(({ agents }) => agents)];
  const finding = findingOf(result);
  const x = times.map((ms) => (MARKS_WIDTH * ms) / Math.max(1, end));
  const counts = times.map((ms) => lifeCounts(lives, all, ms / 1_000));
  const areas = areaPaths(
    x,
    LIFE_STATES.map((_, state) => counts.map((each) => each[state] ?? 0)),
    RULER_HEIGHT,
  );
  return html`<section class="part lives" id="life" aria-labelledby="life-title"><h2 id="life-title">The life of ${countText(all.length, 'agent')} over ${durationText(end)}</h2>
${finding === undefined ? undefined : html`<p class="question">${finding}</p>`}
<figure class="chart card broad" aria-labelledby="life-title"><p class="why">Each mark is an agent. A resynced agent was frozen before, and is active again.</p><div class="marks">${groups(lives, end)}</div>
<ul class="key">${LIFE_STATES.map(({ name, slot }) => html`<li><span class="swatch b-${slot}"></span>${name}</li>`)}</ul>
<p class="when">At <b>${durationText(end)}</b></p><div class="time"><svg class="areas" role="img" aria-label="Agents by state over the whole time; the table has the numbers" viewBox="0 0 ${MARKS_WIDTH} ${RULER_HEIGHT}" preserveAspectRatio="none">${areas.map((d, state) => html`<path class="f-${LIFE_STATES[state]?.slot}" d=${d} />`)}</svg></div>
<details class="data"><summary>The numbers</summary>${table({ result, lives }, counts)}</details></figure>
${packedElement('packed-life', { lives, times_ms: times } satisfies PackedLife)}</section>`;
}

function groups(lives: AgentLives, endMs: number): Markup {
  return lifeGroups(lives).map((group) => {
    const { name, agents, height } = group;
    const paths = lifePaths(lives, group, endMs / 1_000).map(
      (d, state) => html`<path class="f-${LIFE_STATES[state]?.slot}" d=${d} />`,
    );
    return html`<p><b>${name}</b> <span>${lifeWords(lifeCounts(lives, agents, endMs / 1_000))}</span></p><svg role="img" aria-label="${name}: ${countText(agents.length, 'agent')}, a mark each" viewBox="0 0 ${MARKS_WIDTH} ${height}">${paths}</svg>`;
  });
}

/** The counts of some moments, and how many of each group are frozen. */
function table({ result: { times_ms: times }, lives }: LifeProps, counts: readonly (readonly number[])[]): Markup {
  const [own, last] = [lifeGroups(lives), times.length - 1];
  const rows = [...new Set(Array.from({ length: TABLE_ROWS + 1 }, (_, at) => Math.round((at * last) / TABLE_ROWS)))];
  return DataTable({
    label: 'Agents by state over time',
    heads: ['time', ...LIFE_STATES.map(({ name }) => `#${name}`), ...own.map(({ name }) => `#${name} frozen`)],
    rows: rows.map((row) => [
      durationText(times[row] ?? 0),
      ...(counts[row] ?? []).map(numberText),
      ...own.map(({ agents }) => numberText(lifeCounts(lives, agents, (times[row] ?? 0) / 1_000).at(-1) ?? 0)),
    ]),
    plain: true,
  });
}
