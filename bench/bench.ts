/** The entry of `npm run bench`: runs the named benches and prints their results. Each bench is a file of its own. */

import { benchBeats } from './beats.js';
import { benchConform } from './conform.js';
import { benchDurable } from './durable.js';
import { benchKernels } from './kernels.js';
import { benchLab } from './lab.js';
import { benchLabAlive } from './lab-alive.js';
import { benchHostile, benchVerify } from './proofs.js';
import { benchIdle, benchMemory, benchScaling, benchScenario, benchTenMillion, benchWorkers } from './scenario.js';
import { benchHeartbeats } from './simulator.js';
import { benchStartUp } from './start-up.js';
import { benchSuite } from './suite.js';
import { benchWatch } from './watch.js';

/** The benches by name: `npm run bench -- beats --json`. */
const benches: Readonly<Record<string, () => object | Promise<object>>> = {
  beats: async () => ({ ...(await benchBeats()), ...benchKernels() }),
  verify: benchVerify,
  hostile: benchHostile,
  durable: benchDurable,
  'start-up': benchStartUp,
  heartbeats: benchHeartbeats,
  scenario: benchScenario,
  scaling: benchScaling,
  memory: benchMemory,
  workers: benchWorkers,
  idle: benchIdle,
  'ten-million': benchTenMillion,
  suite: benchSuite,
  conform: benchConform,
  lab: benchLab,
  'lab-alive': benchLabAlive,
  watch: benchWatch,
};

/** Run only when they are named, since they take minutes and gigabytes. */
const onDemand: ReadonlySet<string> = new Set(['ten-million']);

const args = process.argv.slice(2);
const json = args.includes('--json');
const names = args.filter((arg) => !arg.startsWith('--'));
const unknown = names.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}". Benches: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
for (const name of names.length === 0 ? Object.keys(benches).filter((name) => !onDemand.has(name)) : names) {
  const result = await (benches[name] as () => object | Promise<object>)();
  if (json) console.log(JSON.stringify(result));
  else {
    console.log(name);
    for (const [key, value] of Object.entries(result)) console.log(`  ${key.padEnd(32)} ${JSON.stringify(value)}`);
  }
}
