import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../reference/registry/fingerprint.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { HOUR_SEC } from '../../spec/time.js';
import { liveliest } from '../../test/fixtures/small-scenario.js';
import { changeWorldProtocol } from '../play/change-protocol.js';
import { advance, type Run, startRun } from '../run/run.js';
import { resultOf } from '../run/simulate.js';
import { type CheckpointSource, checkpointOf, readCheckpoint, restoreRun } from './checkpoint.js';

const source: CheckpointSource = {
  file: 'a.yaml',
  scenario: 'name: a',
  overlay: null,
  set: {},
  seed: 7,
  version: '0.0.0',
};
const origin = { source: { file: 'a.yaml', sha256: '' }, versions: { aips_lab: '0', node: '0' } };

function restored(scenario: Scenario, run: Run): Run {
  const read = readCheckpoint(checkpointOf(run, source));
  if (!read.ok) throw new Error(read.reason);
  expect(read.source).toEqual(source);
  expect(read.second).toBe(run.world.second);
  return restoreRun(scenario, 7, read.state);
}

function played(scenario: Scenario, until: number): Run {
  const run = startRun(scenario, 7);
  advance(run, until);
  return run;
}

/** Everything that a finished run shows. */
function outcome(run: Run): unknown {
  advance(run, run.world.scenario.durationSec);
  const state = fingerprint(run.world.registry);
  return [state, resultOf(run, origin, { wallSec: 1, peakRssMb: 1 })];
}

describe('a checkpoint', () => {
  const scenario = liveliest();
  const straight = outcome(startRun(scenario, 7));

  it.each([0, 1, 59, 60, HOUR_SEC, 7_777, 12 * HOUR_SEC + 1, 23 * HOUR_SEC, 24 * HOUR_SEC])(
    'taken at %i s goes on to the very result of the straight run',
    (second) => {
      const run = played(scenario, second);
      expect(outcome(restored(scenario, run))).toEqual(straight);
      // Taking one leaves the run as it was.
      expect(outcome(run)).toEqual(straight);
    },
  );

  it('can be restored more than once', () => {
    const read = readCheckpoint(checkpointOf(played(scenario, 5 * HOUR_SEC), source));
    if (!read.ok) throw new Error(read.reason);
    const [one, other] = [restoreRun(scenario, 7, read.state), restoreRun(scenario, 7, read.state)];
    expect(outcome(one)).toEqual(straight);
    expect(outcome(other)).toEqual(straight);
    expect(outcome(restoreRun(scenario, 7, read.state))).toEqual(straight);
  });

  it('of a run that was itself restored is as good', () => {
    const once = restored(scenario, played(scenario, 2 * HOUR_SEC));
    advance(once, 9 * HOUR_SEC);
    expect(outcome(restored(scenario, once))).toEqual(straight);
  });

  it('keeps a protocol that was changed on the way', () => {
    const changed = (): Run => {
      const run = played(scenario, 6 * HOUR_SEC);
      changeWorldProtocol(run.world, {
        dms: { missedAnchorsMax: 40, warningAnchors: 30 },
        heartbeat: { tier1FeeLamports: 9 },
      });
      advance(run, 8 * HOUR_SEC);
      return run;
    };
    const through = outcome(changed());
    expect(through).not.toEqual(straight);
    expect(outcome(restored(scenario, changed()))).toEqual(through);
  });

  it.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
    ['cut short', (bytes) => bytes.subarray(0, bytes.length - 7), /holds \d+ bytes of state and should hold \d+/],
    ['longer by a byte', (bytes) => Buffer.concat([bytes, Buffer.from('x')]), /and should hold/],
    ['changed in a byte', flipped, /does not have the SHA-256/],
    ['of another seed than it says', (bytes) => said(bytes, '"seed":7', '"seed":8'), /does not have the SHA-256/],
    ['of another file than it says', (bytes) => said(bytes, 'name: a', 'name: b'), /does not have the SHA-256/],
    ['of a newer Node', ofNewerNode, /was written by a newer Node/],
    ['empty', () => Buffer.alloc(0), /does not begin with the header line/],
    ['of something else', () => Buffer.from('registered,1\n2\n'), /does not begin with the header line/],
    [
      'of another form',
      () => Buffer.from('{"format":"aips-lab/checkpoint/10"}\n'),
      /its format is aips-lab\/checkpoint\/10/,
    ],
    ['a line of JSON that is no map', () => Buffer.from('7\n'), /does not begin with the header line/],
  ])('%s is refused with the reason', (_what, damage, reason) => {
    const read = readCheckpoint(damage(checkpointOf(played(scenario, HOUR_SEC), source)));
    expect(read).toMatchObject({ ok: false });
    if (!read.ok) expect(read.reason).toMatch(reason);
  });

  /** The first line with a part replaced by one that is as long. */
  function said(bytes: Buffer, part: string, other: string): Buffer {
    const copy = Buffer.from(bytes);
    copy.write(other, copy.indexOf(part));
    return copy;
  }

  /** A state that begins with a version that no Node writes yet, in a checkpoint that is whole. */
  function ofNewerNode(bytes: Buffer): Buffer {
    const end = bytes.indexOf('\n');
    const { sha256: _, ...head } = JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, unknown>;
    const state = Buffer.from(bytes.subarray(end + 1));
    state[1] = 0xfe;
    const sha256 = createHash('sha256').update(JSON.stringify(head)).update(state).digest('hex');
    return Buffer.concat([Buffer.from(`${JSON.stringify({ ...head, sha256 })}\n`), state]);
  }

  function flipped(bytes: Buffer): Buffer {
    const copy = Buffer.from(bytes);
    copy[copy.length - 1_000] = (copy[copy.length - 1_000] ?? 0) ^ 1;
    return copy;
  }
});
