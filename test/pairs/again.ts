/** Plays the pairs of `examples/vectors` again: each on servers with its mistakes, and all on permitted servers. A test of the night runs it. */

import { readFileSync } from 'node:fs';
import { differences, playScript } from '../../conformance/pairs/play.js';
import { allMutants } from '../../planted/all-mutants.js';
import { SALT } from '../../planted/pairs/find.js';
import { plantMutants, startPlanted } from '../../planted/plant.js';
import { readPairs } from '../../results/pairs.js';
import { permitted, reused } from './servers.js';

const FILE = 'examples/vectors/pairs.json';
const { pairs } = readPairs(readFileSync(FILE, 'utf8'), FILE);

plantMutants();
let shown = 0;
let mistakes = 0;
for (const pair of pairs)
  for (const { expect, kills } of pair.shows)
    for (const id of kills) {
      mistakes += 1;
      const place = allMutants.findIndex((mutant) => mutant.id === id);
      const { open, end } = reused(() => startPlanted(place, 'devnet', allMutants[place]?.overlay ?? {}));
      const played = await playScript(await open(), pair, SALT);
      await end();
      if ('reply' in played && differences(expect, played.reply, played.values).length > 0) shown += 1;
      else console.error(`${id} is not shown any more`);
    }
let failures = 0;
let judged = 0;
for (const [nth, open] of permitted.entries()) {
  for (const pair of pairs) {
    const played = await playScript(await open(), pair, SALT);
    if (!('reply' in played)) continue;
    for (const { clause, expect } of pair.shows) {
      judged += 1;
      const said = differences(expect, played.reply, played.values);
      if (said.length === 0) continue;
      failures += 1;
      console.error(`permitted server ${nth + 1}: ${clause}: ${said.join('; ')}`);
    }
  }
}
console.log(
  `${shown} of ${mistakes} mistakes shown again, ${failures} failures on ${permitted.length} permitted servers (${judged} replies judged)`,
);
process.exitCode = shown === mistakes && failures === 0 ? 0 : 1;
