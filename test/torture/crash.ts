/**
 * The entry of `npm run test:crash`: simulated crashes in memory, and real ones by SIGKILL, of a server alone and of containers that
 * share a folder; by default as many as CI runs.
 *
 * npm run test:crash -- [--simulated N] [--real N] [--containers N] [--seed N]
 */

import { parseArgs } from 'node:util';
import { canMakeContainers, containerCrashes } from './crash-containers.js';
import { realCrashes } from './real-crashes.js';
import { ENDS_EXPECTED, simulatedCrashes } from './simulated-crashes.js';

const { values } = parseArgs({
  options: {
    simulated: { type: 'string', default: '10000' },
    real: { type: 'string', default: '50' },
    containers: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
  },
});

function countOf(name: keyof typeof values): number {
  const count = Number(values[name]);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  console.error(`--${name} must be a whole number, not ${values[name]}`);
  process.exit(2);
}

const [simulated, real, seed] = [countOf('simulated'), countOf('real'), countOf('seed')];
const containers = countOf('containers');
let isBroken = false;
const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`;

/** Few runs need not have met every fault. */
const RUNS_FOR_EVERY_FAULT = 300;

if (simulated > 0) {
  const startMs = performance.now();
  const { runs, acknowledged, ends, broken } = await simulatedCrashes(seed, simulated);
  console.log(
    `${runs} simulated crashes from seed ${seed}: ${acknowledged} commands acknowledged, ${broken.length} runs that broke a promise, ${seconds(startMs)}`,
  );
  for (const [end, count] of Object.entries(ends).toSorted(([, a], [, b]) => b - a))
    console.log(`  ${end.padEnd(28)} ${count}`);
  for (const outcome of broken.slice(0, 10)) console.error(`  seed ${outcome.seed}: ${outcome.broken}`);
  const absent = runs < RUNS_FOR_EVERY_FAULT ? [] : ENDS_EXPECTED.filter((end) => (ends[end] ?? 0) === 0);
  for (const end of absent) console.error(`  never came about: ${end}`);
  isBroken ||= broken.length > 0 || absent.length > 0;
}

if (real > 0) {
  const startMs = performance.now();
  const halves = [Math.ceil(real / 2), Math.floor(real / 2)] as const;
  const outcomes = await Promise.all([
    realCrashes('manual', halves[0], seed),
    ...(halves[1] > 0 ? [realCrashes('wall', halves[1], seed)] : []),
  ]);
  for (const [index, { kills, acknowledged, agents, broken }] of outcomes.entries()) {
    const clock = index === 0 ? 'manual' : 'wall';
    console.log(
      `${kills} kills on a ${clock} clock: ${acknowledged} calls acknowledged, ${agents} agents, ${broken.length} promises broken`,
    );
    for (const what of broken.slice(0, 10)) console.error(`  ${what}`);
    isBroken ||= broken.length > 0;
  }
  console.log(`real crashes took ${seconds(startMs)}`);
}

if (containers > 0 && !canMakeContainers()) {
  console.error(
    'NOT TESTED: two containers on one folder. This kernel lets nobody here make namespaces (unshare --pid --uts).',
  );
} else if (containers > 0) {
  const startMs = performance.now();
  const { takeovers, refused, acknowledged, broken } = await containerCrashes(containers, seed);
  console.log(
    `containers on one folder: ${takeovers} takeovers, ${refused} refused, ${acknowledged} calls acknowledged, ${broken.length} promises broken, ${seconds(startMs)}`,
  );
  for (const what of broken.slice(0, 10)) console.error(`  ${what}`);
  isBroken ||= broken.length > 0;
}
process.exitCode = isBroken ? 1 : 0;
