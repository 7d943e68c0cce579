import { describe, expect, it } from 'vitest';
import {
  check,
  controlled,
  decision,
  fail,
  fake,
  json,
  local,
  pass,
  run,
  START_MS,
} from '../../test/fixtures/fake-target.js';
import type { Check } from '../trial/check.js';
import { type Transport, TransportFailure } from '../wire/transport.js';

describe('verdicts and exit status', () => {
  it('0 for a target that passes', async () => {
    const result = await run(local, [pass], fake().transport);
    expect(result).toMatchObject({ exit_status: 0, summary: { pass: 1, fail: 0 } });
    expect(result.checks).toMatchObject([{ id: 'a/pass', verdict: 'pass', level: 'must' }]);
    expect(result.clauses.find(({ id }) => id === 'register.route')).toMatchObject({
      state: 'holds',
      checks: ['a/pass'],
    });
    expect(result.coverage).toMatchObject({ judged: 1, held: 1 });
  });

  it('1 for a must check that fails, with what was expected and what came', async () => {
    const result = await run(local, [pass, fail], fake().transport);
    expect(result.exit_status).toBe(1);
    expect(result.checks[1]).toMatchObject({ verdict: 'fail', about: 'the answer', expected: '42', actual: '41' });
    expect(result.clauses.find(({ id }) => id === 'register.route')?.state).toBe('fails');
  });

  it('0 for a decision that is not followed, 1 with strict', async () => {
    const checks = [check('a/decision', async (t) => void t.shows('clock.billing-epoch').equal('x', 1, 2), decision)];
    const lenient = await run(local, checks, fake().transport);
    expect(lenient).toMatchObject({ exit_status: 0, checks: [{ verdict: 'advisory', level: 'decision' }] });
    expect(await run(local, checks, fake().transport, { strict: true })).toMatchObject({
      exit_status: 1,
      checks: [{ verdict: 'fail' }],
    });
  });

  it('advisory, and the check goes on, for an assertion of a must check that rests on a decision', async () => {
    const steps: string[] = [];
    const mixed = check(
      'a/mixed',
      async (t) => {
        t.shows('clock.billing-epoch').equal('x', 1, 2);
        t.shows('register.route').equal('y', 1, 1);
        steps.push('went on');
      },
      { clauses: ['register.route', 'clock.billing-epoch'] },
    );
    const result = await run(local, [mixed], fake().transport);
    expect(result.checks[0]).toMatchObject({ verdict: 'advisory', level: 'must', about: 'x', expected: '2' });
    expect(steps).toEqual(['went on']);
    const states = Object.fromEntries(result.clauses.map(({ id, state }) => [id, state]));
    expect([states['register.route'], states['clock.billing-epoch']]).toEqual(['holds', 'fails']);
    expect(result.exit_status).toBe(0);
  });

  it('fails a check whose own text is broken, whatever its decisions say', async () => {
    const mixed = check(
      'a/mixed',
      async (t) => {
        t.shows('clock.billing-epoch').equal('x', 1, 2);
        t.shows('register.route').equal('y', 1, 2);
      },
      { clauses: ['register.route', 'clock.billing-epoch'] },
    );
    expect((await run(local, [mixed], fake().transport)).checks[0]).toMatchObject({ verdict: 'fail', about: 'y' });
  });

  it('not tested where a step lacks what the next one needs, and no failure of the clause', async () => {
    const lacking = check('a/lacking', async (t) => void t.need(undefined, 'a thing', 'D-05'));
    const result = await run(local, [pass, lacking], fake().transport);
    const reason = 'needs a thing, which is not there: D-05 is not followed';
    expect(result.checks[1]).toMatchObject({ verdict: 'not-tested', reason });
    expect(result.exit_status).toBe(0);
  });

  it('goes on with the parts of a check after one that ended, and keeps what they showed', async () => {
    const parts = check('a/parts', async (t) => {
      await t.part(async () => void t.need(undefined, 'a thing'));
      await t.part(async () => void t.shows('register.route').equal('x', 1, 1));
    });
    const result = await run(local, [parts], fake().transport);
    expect(result.checks[0]).toMatchObject({ verdict: 'not-tested', reason: 'needs a thing, which is not there' });
    expect(result.clauses.find(({ id }) => id === 'register.route')?.state).toBe('holds');
  });

  it('2 for an assertion about clauses of both levels', async () => {
    const both = check('a/both', async (t) => void t.shows('register.route', 'clock.billing-epoch').equal('x', 1, 1), {
      clauses: ['register.route', 'clock.billing-epoch'],
    });
    const result = await run(local, [both], fake().transport);
    expect(result.checks.map(({ verdict }) => verdict)).toEqual(['error']);
    expect(result.exit_status).toBe(2);
  });

  it('2 for an error of the suite', async () => {
    const broken = check('a/broken', async () => {
      throw new TypeError('oops');
    });
    const result = await run(local, [pass, broken], fake().transport);
    expect(result).toMatchObject({ exit_status: 2, checks: [{}, { verdict: 'error', reason: 'TypeError: oops' }] });
  });

  it('2 for a check that never reports', async () => {
    const silent = check('a/silent', () => new Promise<void>(() => {}));
    const result = await run(local, [silent, pass], fake().transport, { lookMs: 1 });
    expect(result.exit_status).toBe(2);
    expect(result.checks[0]).toMatchObject({ verdict: 'error', reason: expect.stringContaining('never reported') });
  });

  it('2 when nothing was judged, or too little, or nothing was chosen', async () => {
    const needy = check('a/needy', async () => {}, { needs: ['payments'] });
    const nothing = await run(local, [needy], fake().transport);
    expect(nothing).toMatchObject({ exit_status: 2, checks: [{ verdict: 'not-tested' }] });
    expect(await run(local, [pass], fake().transport, { requireJudged: 50 })).toMatchObject({ exit_status: 2 });
    const none = await run(local, [pass], fake().transport, { only: ['nope*'] });
    expect(none).toMatchObject({ exit_status: 2, checks: [], stopped: expect.stringContaining('no check') });
  });
});

describe('what cannot be judged', () => {
  it('deliveries while this process could not run', async () => {
    const stalled = check(
      'a/stalled',
      async (t) => {
        const untilMs = Date.now() + 1_500;
        while (Date.now() < untilMs);
        t.shows('register.route').equal('x', 1, 2);
      },
      { needs: ['webhooks'] },
    );
    const target = { ...local, webhooks: { listen: '127.0.0.1:0' } };
    const result = await run(target, [stalled], fake().transport, { lookMs: 1 });
    expect(result.checks[0]).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('too busy') });
  });

  const hang: Transport = async () => {
    throw new TransportFailure('hang', 'no reply within 10 s');
  };

  it.each([
    ['refuses connections', new TransportFailure('unreachable', 'connect ECONNREFUSED')],
    ['hangs', new TransportFailure('hang', 'no reply within 10 s')],
  ])('2 for a target that %s', async (_, failure) => {
    const result = await run(local, [pass], async () => {
      throw failure;
    });
    expect(result).toMatchObject({ exit_status: 2, stopped: expect.stringContaining(failure.message) });
    expect(result.checks[0]).toMatchObject({ verdict: 'not-tested' });
  });

  it('2 for what does not speak JSON', async () => {
    const html = () => ({ status: 200, headers: {}, body: '<html>' });
    const all = {
      'GET /api/v1/.well-known/authority-key': html,
      'GET /api/v1/fees/summary': html,
      'POST /api/v1/agent/init': html,
      'POST /api/v1/register': html,
    };
    const mute = await run(local, [pass], fake(all).transport);
    expect(mute).toMatchObject({ exit_status: 2, stopped: expect.stringContaining('no route answers with JSON') });
    // A registration, even one to be refused, is sent to this machine alone.
    const far = { ...local, baseUrl: 'http://registry.example' };
    const { transport, paths } = fake(all);
    expect(await run(far, [pass], transport)).toMatchObject({ exit_status: 2 });
    expect(paths()).toHaveLength(3);
    expect(paths()).not.toContain('/api/v1/register');
    const { 'POST /api/v1/agent/init': _spoken, ...some } = all;
    expect(await run(local, [pass], fake(some).transport)).toMatchObject({ exit_status: 0 });
  });

  it('fails the route of one endpoint that never answers, and asks it no more than three times', async () => {
    const { transport } = fake({ 'GET /api/v1/beat/anchor': hang });
    const asking = (id: string): Check => check(id, async (t) => void (await t.call('beat-anchor')));
    const checks = [asking('a/1'), asking('a/2'), asking('a/3'), asking('a/4'), pass];
    const result = await run(local, checks, transport, { concurrency: 1 });
    expect(result).not.toHaveProperty('stopped');
    expect(result.findings.map(({ endpoint, about, cause }) => [endpoint, about, cause])).toEqual([
      ['GET /api/v1/beat/anchor', 'no reply', 'no-reply'],
    ]);
    expect(result.checks.map(({ verdict }) => verdict)).toEqual([
      'inconclusive',
      'inconclusive',
      'fail',
      'not-tested',
      'pass',
    ]);
  });

  it('stops after three hangs in a row of several endpoints, and tells the rest as not tested', async () => {
    const { transport } = fake({ 'GET /api/v1/beat/anchor': hang, 'POST /api/v1/verify/batch': hang });
    const asking = (id: string): Check => {
      const endpoint = id === 'a/2' ? 'verify-batch' : 'beat-anchor';
      return check(id, async (t) => void (await t.call(endpoint)));
    };
    const checks = [asking('a/1'), asking('a/2'), asking('a/3'), asking('a/4'), pass];
    const result = await run(local, checks, transport, { concurrency: 1 });
    expect(result).toMatchObject({ exit_status: 2, stopped: expect.stringContaining('3 requests in a row') });
    expect(result.checks.map(({ verdict }) => verdict)).toEqual([
      'inconclusive',
      'inconclusive',
      'inconclusive',
      'not-tested',
      'not-tested',
    ]);
  });

  it('makes a check inconclusive, and goes on, when one reply does not come', async () => {
    const { transport } = fake({ 'GET /api/v1/beat/anchor': hang });
    const asking = check('a/1', async (t) => void (await t.call('beat-anchor')));
    const result = await run(local, [asking, pass], transport);
    expect(result.checks.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'pass']);
  });

  it('does not offer a clock that moves by itself', async () => {
    let now = START_MS;
    const { transport } = fake({
      'POST /control/v1/clock/advance': () => {
        now += 7;
        return json(200, { now_ms: now, anchor_index: 0 });
      },
    });
    const sleepy = check('a/sleepy', async (t) => t.sleep({ sec: 1 }), { needs: ['clock'] });
    const result = await run(controlled, [pass, sleepy], transport);
    expect(result.checks[1]).toMatchObject({ verdict: 'not-tested', reason: expect.stringContaining('by itself') });
  });
});
