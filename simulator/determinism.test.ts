import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOUR_SEC } from '../spec/time.js';
import { aips } from '../test/fixtures/aips.js';
import { liveliest } from '../test/fixtures/small-scenario.js';
import { root } from '../test/source-tree.js';
import { checkpointOf, readCheckpoint, restoreRun } from './modes/checkpoint.js';
import { changeWorldProtocol } from './play/change-protocol.js';
import { advance, isOver, type Run, startRun } from './run/run.js';
import { eventHash } from './world/event-chain.js';

const scenario = liveliest();
const SEED = 7;

const hashOf = (run: Run): string => {
  advance(run, scenario.durationSec);
  expect(isOver(run)).toBe(true);
  return eventHash(run.world.eventChains);
};

function restored(run: Run): Run {
  const source = { file: 'a', scenario: 'a', overlay: null, set: {}, seed: SEED, version: '0' };
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
        advance(run, 2 * HOUR_SEC);
        expect(events).toBe(run.world.eventChains.events.reduce((sum, count) => sum + count, 0));
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
        for (let second = 0; second < 3 * HOUR_SEC; second += 1) advance(run, second);
        return run;
      },
    ],
    [
      'resumed from a checkpoint',
      () => {
        const run = startRun(scenario, SEED);
        advance(run, 5 * HOUR_SEC + 17);
        return restored(run);
      },
    ],
    [
      'in a fork that changes no number',
      () => {
        const run = startRun(scenario, SEED);
        advance(run, 5 * HOUR_SEC + 17);
        const fork = restored(run);
        changeWorldProtocol(fork.world, {});
        return fork;
      },
    ],
    [
      'after a rule was changed and changed back before it could tell',
      () => {
        const run = startRun(scenario, SEED);
        advance(run, 5 * HOUR_SEC + 17);
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
    expect(eventHash(other.world.eventChains)).not.toBe(straight);
    const changed = startRun(scenario, SEED);
    advance(changed, 5 * HOUR_SEC);
    changeWorldProtocol(changed.world, { dms: { missedAnchorsMax: 59 } });
    expect(hashOf(changed)).not.toBe(straight);
  });
});

describe('this Node', () => {
  it('has the events that every machine has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aips-events-'));
    const { status, stdout } = await aips(folder, 'simulate', join(root, 'test/fixtures/four-samplers.yaml'), '--json');
    expect(status).toBe(0);
    // The same literal is in determinism.slow.test.ts, which asks every Node of the machine.
    const { event_hash } = JSON.parse(stdout) as { event_hash: string };
    expect(event_hash).toBe('cc91b852da3ffa613cd837e410c339dbdc5a145c38ea6ad058f32efdacb232a5');
  });
});
