import { describe, expect, it } from 'vitest';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { check, controlled, fake, json, recordedRun, run, START_MS } from '../../test/fixtures/fake-target.js';
import type { Check } from '../trial/check.js';
import { type Transport, TransportFailure } from '../wire/transport.js';
import { parseRecording } from './read-recording.js';
import { Recorder } from './recording.js';
import { Replay } from './replay.js';

/** Records a run of some checks and judges the recording by others of the same ids. */
async function replayed(
  checks: readonly Check[],
  later: readonly Check[],
  transport: Transport,
): Promise<readonly [ConformanceResult, ConformanceResult]> {
  const recorder = new Recorder(controlled, transport);
  const first = await run(controlled, checks, recorder.send, { chains: recorder.chains });
  const told = { ...recordedRun, checks: checks.map(({ id }) => id) };
  const written = recorder.written({ seed: 1, toolVersion: '0', nowWallMs: () => 0 }, told);
  const read = parseRecording(written, 'tape');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  expect(read.value.target.control?.url).toBe(controlled.control?.url);
  const replay = new Replay(read.value);
  const { send, ended, busy, chains } = replay;
  return [first, await run(controlled, later, send, { onResult: ({ id }) => ended(id), onBusy: busy, chains })];
}

/** A check that asks for the time, sleeps some seconds, and expects the time to have moved by as much. */
const sleeper = (id: string, sec: number): Check =>
  check(
    id,
    async (t) => {
      const path = `/api/v1/time/${id}`;
      const before = (await t.raw({ method: 'GET', path })).number('now');
      await t.sleep({ sec });
      t.shows('register.route').equal(
        'seconds',
        ((await t.raw({ method: 'GET', path })).number('now') - before) / 1_000,
        60,
      );
    },
    { needs: ['clock'] },
  );

/** A target whose clock can be moved and read. */
function clockwork(): Transport {
  let nowMs = START_MS;
  const time = () => json(200, { now: nowMs });
  const { transport } = fake({
    'GET /api/v1/time/a/1': time,
    'GET /api/v1/time/a/2': time,
    'POST /control/v1/clock/advance': ({ body }) => {
      nowMs += (JSON.parse(body ?? '{}') as { ms: number }).ms;
      return json(200, { now_ms: nowMs, anchor_index: 0 });
    },
  });
  return transport;
}

const verdicts = ({ checks }: ConformanceResult): readonly string[] => checks.map(({ verdict }) => verdict);

describe('a replay', () => {
  it('gives the verdicts of the recording', async () => {
    const checks = [sleeper('a/1', 60), sleeper('a/2', 61)];
    const [first, again] = await replayed(checks, checks, clockwork());
    expect(verdicts(first)).toEqual(['pass', 'fail']);
    expect(verdicts(again)).toEqual(['pass', 'fail']);
    expect(again.requests).toBe(first.requests);
  });

  it.each([
    ['sleeps longer', sleeper('a/2', 90)],
    ['sleeps less', sleeper('a/2', 30)],
    ['does nothing', check('a/2', async () => {})],
    ['asks and ends', check('a/2', async (t) => void (await t.raw({ method: 'GET', path: '/api/v1/time/a/2' })))],
  ])('lets the others be when a check %s', async (_, later) => {
    const [, again] = await replayed(
      [sleeper('a/1', 60), sleeper('a/2', 60)],
      [sleeper('a/1', 60), later],
      clockwork(),
    );
    expect(verdicts(again)).toEqual(['pass', 'pass']);
  });

  it('has no reply for what was not asked', async () => {
    const asking = (path: string) => check('a/1', async (t) => void (await t.raw({ method: 'GET', path })));
    const [, again] = await replayed([asking('/api/v1/x')], [asking('/api/v1/y')], fake().transport);
    expect(again.checks).toMatchObject([
      {
        verdict: 'not-tested',
        reason: expect.stringContaining('no reply to this request: GET http://127.0.0.1:1/api/v1/y'),
      },
    ]);
  });

  it('fails as the wire did', async () => {
    const broken: Transport = async (request) => {
      if (request.owner === 'a/1') throw new TransportFailure('broken', 'the reply is cut off');
      return fake().transport(request);
    };
    const checks = [check('a/1', async (t) => void (await t.raw({ method: 'GET', path: '/x' })))];
    const [first, again] = await replayed(checks, checks, broken);
    expect(first.checks).toMatchObject([{ verdict: 'inconclusive', reason: 'the reply is cut off' }]);
    expect(again.checks).toMatchObject([{ verdict: 'inconclusive', reason: 'the reply is cut off' }]);
  });

  it('goes on when nobody asks for what is next', async () => {
    const ask = (id: string, path: string): Check =>
      check(id, async (t) => void (await t.raw({ method: 'GET', path })));
    let told: () => void = () => {};
    const other = new Promise<void>((resolve) => {
      told = resolve;
    });
    // Recorded, a/1 was answered first; by now it asks only once a/2 has its answer.
    const waits = check('a/1', async (t) => {
      await other;
      await t.raw({ method: 'GET', path: '/one' });
    });
    const tells = check('a/2', async (t) => {
      await t.raw({ method: 'GET', path: '/two' });
      told();
    });
    const recorded = [ask('a/1', '/one'), ask('a/2', '/two')];
    const [, again] = await replayed(recorded, [waits, tells], fake().transport);
    expect(verdicts(again)).toEqual(['pass', 'pass']);
  });
});
