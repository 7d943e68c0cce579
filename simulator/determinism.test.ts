import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { liveliest } from '../test/fixtures/small-scenario.js';
import { root } from '../test/source-tree.js';
import { checkpointOf, readCheckpoint, restoreRun } from './modes/checkpoint.js';
import { changeWorldProtocol } from './play/change-protocol.js';
import { advance, isOver, type Run, startRun } from './run/run.js';
import { eventHash } from './world/event-chain.js';

const scenario = liveliest();
const HOUR = 3_600;
const SEED = 7;

const hashOf = (run: Run): string => {
  advance(run, scenario.durationSec);
  expect(isOver(run)).toBe(true);
  return eventHash(run.world.eventChain);
};

function restored(run: Run): Run {
  const source = { file: 'a', scenario: 'a', set: {}, seed: SEED, version: '0' };
  const read = readCheckpoint(checkpointOf(run, source));
  if (!read.ok) throw new Error(read.reason);
  return restoreRun(scenario, SEED, read.state);
}

describe('the chain of events is the same', () => {
  const straight = hashOf(startRun(scenario, SEED));

  it.each<[string, () => Run]>([
    ['a second time', () => startRun(scenario, SEED)],
    [
      'while somebody listens to every event',
      () => {
        const run = startRun(scenario, SEED);
        let events = 0;
        run.world.observer = () => {
          events += 1;
        };
        advance(run, 2 * HOUR);
        expect(events).toBe(run.world.eventChain.events);
        return run;
      },
    ],
    [
      'when nothing is measured but the end',
      () => startRun({ ...scenario, measures: { everySec: scenario.durationSec, names: [] } }, SEED),
    ],
    [
      'when it is measured every minute',
      () => startRun({ ...scenario, measures: { everySec: 60, names: ['dry'] } }, SEED),
    ],
    [
      'played second by second',
      () => {
        const run = startRun(scenario, SEED);
        for (let second = 0; second < 3 * HOUR; second += 1) advance(run, second);
        return run;
      },
    ],
    [
      'resumed from a checkpoint',
      () => {
        const run = startRun(scenario, SEED);
        advance(run, 5 * HOUR + 17);
        return restored(run);
      },
    ],
    [
      'in a fork that changes no number',
      () => {
        const run = startRun(scenario, SEED);
        advance(run, 5 * HOUR + 17);
        const fork = restored(run);
        changeWorldProtocol(fork.world, {});
        return fork;
      },
    ],
    [
      'after a rule was changed and changed back before it could tell',
      () => {
        const run = startRun(scenario, SEED);
        advance(run, 5 * HOUR + 17);
        changeWorldProtocol(run.world, { resync: { beatsMax: 5 } });
        changeWorldProtocol(run.world, { resync: { beatsMax: 10_000 } });
        return run;
      },
    ],
  ])('%s', (_how, make) => {
    expect(hashOf(make())).toBe(straight);
  });

  it('for no other seed, and for no other protocol', () => {
    const other = startRun(scenario, SEED + 1);
    advance(other, scenario.durationSec);
    expect(eventHash(other.world.eventChain)).not.toBe(straight);
    const changed = startRun(scenario, SEED);
    advance(changed, 5 * HOUR);
    changeWorldProtocol(changed.world, { dms: { missedAnchorsMax: 59 } });
    expect(hashOf(changed)).not.toBe(straight);
  });
});

/** Every node that this machine has: the one that runs this, those on the path, and what version managers keep. */
function nodes(): readonly string[] {
  const manager = join(homedir(), '.nvm/versions/node');
  const managed = existsSync(manager) ? readdirSync(manager).map((name) => join(manager, name, 'bin/node')) : [];
  const named = (process.env['PATH'] ?? '').split(':').flatMap((path) => {
    return ['node', 'node20', 'node22', 'node24'].map((name) => join(path, name));
  });
  const found = [process.execPath, ...managed, ...named].filter((path) => existsSync(path));
  const versions = new Map(found.map((path) => [versionOf(path), path]));
  return [...versions].filter(([version]) => Number(version.slice(1).split('.')[0]) >= 20).map(([, path]) => path);
}

function versionOf(path: string): string {
  return spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout.trim();
}

describe('every Node of this machine', () => {
  // What the first of them says the others must say; and this literal is what all machines say.
  const EVENT_HASH = '715772b607914fd56c49f8856894cbfd0138d1928f5bfeff9a1fb3fdb2114fee';

  it.each(nodes().map((path) => [versionOf(path), path]))('%s has the same events', (_version, path) => {
    const folder = mkdtempSync(join(tmpdir(), 'aips-nodes-'));
    writeFileSync(join(folder, 'four.yaml'), FOUR_SAMPLERS);
    const command = [join(root, 'dist/cli/aips.js'), 'simulate', 'four.yaml', '--json'];
    const { stdout, stderr } = spawnSync(path, command, { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect((JSON.parse(stdout) as { event_hash: string }).event_hash).toBe(EVENT_HASH);
  });
});

/** Every distribution that a scenario can draw from. */
const FOUR_SAMPLERS = `format: 1
name: four
question: Do all engines draw the same numbers?
seed: 11
duration: 4d
populations:
  - name: steady
    count: 60
    class: { narrow_task: 0.5, autonomous: 0.3, orchestrator: 0.2 }
    arrivals: { pattern: poisson, rate: 300 per day }
    heartbeat: { policy: interval, every: 17m, jitter: 0.5 }
    budget: { wallet: 0.5 SOL, top_up: { below: 0.01 SOL, amount: 0.05 SOL, after: 2h } }
    hash_rate: 123k hashes/s
    outages:
      up: { distribution: weibull, mean: 8h, shape: 0.7 }
      down: { distribution: lognormal, mean: 70m, sigma: 1.3 }
  - name: late
    count: 60
    class: narrow_task
    arrivals: { pattern: uniform, over: 6h }
    heartbeat: { policy: keep_alive, margin: 3m, spread: 20m }
    budget: { wallet: 0.3 SOL }
    hash_rate: 2M hashes/s
    outages:
      up: { distribution: exponential, mean: 10h }
      down: { distribution: exponential, mean: 80m }
measures: { every: 1h }
`;
