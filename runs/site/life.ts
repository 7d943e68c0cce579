/** Plays the scenario of the front page's picture, and draws it. */

import { join } from 'node:path';
import { lifePicture } from '../../reports/site/life-picture.js';
import { solText } from '../../results/numbers.js';
import { recordLives } from '../../simulator/run/agent-lives.js';
import { advance, startRun } from '../../simulator/run/run.js';
import { trackOf } from '../../simulator/run/samples.js';
import { DAY_SEC, HOUR_SEC } from '../../spec/time.js';
import { packageRoot } from '../host/package.js';
import { scenarioSource } from '../simulation/scenario-source.js';

const SCENARIO = 'scenarios/library/strategic-freezing.yaml';
const SHOWN_DAYS = 4;

/** In words, by population of the scenario. */
const DOES: Readonly<Record<string, string>> = {
  faithful: 'send a heartbeat every 55 minutes',
  sleepers: 'are active one hour a day',
  freeloaders: 'wake four minutes late, and resync',
};

/** The picture of the front page: the same text each time. */
export async function lifeOfPopulation(): Promise<string> {
  const { scenario, seed } = await scenarioSource(join(packageRoot(), SCENARIO), { label: SCENARIO });
  const run = startRun(scenario, seed);
  const livesOf = recordLives(run.world);
  advance(run, scenario.durationSec);
  const groups = scenario.populations.map(({ name }) => {
    const fees = trackOf(run.samples, 'fees_lamports', name).at(-1) ?? 0;
    const does = DOES[name];
    if (does === undefined) throw new RangeError(`${SCENARIO} has a population without words: ${name}`);
    return { name, does, outcome: `pay ${solText(fees)} in ${scenario.durationSec / DAY_SEC} days` };
  });
  const said = groups.map(({ name, does, outcome }) => `${name} ${does} and ${outcome}`).join('; ');
  const title = `The life of three times ${scenario.populations[0]?.count} agents, a mark each: ${said}`;
  return lifePicture({ title, lives: livesOf(), groups, untilSec: SHOWN_DAYS * DAY_SEC, frameSec: HOUR_SEC / 2 });
}
