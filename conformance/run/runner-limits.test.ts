import { describe, expect, it } from 'vitest';
import {
  check,
  controlled,
  fail,
  fake,
  json,
  local,
  pass,
  run,
  START_MS,
  TOKEN,
} from '../../test/fixtures/fake-target.js';
import { judgeLimit } from '../steps/limit.js';
import type { Target } from '../target/target.js';
import type { Check } from '../trial/check.js';

describe('budgets and leave', () => {
  const asking = (id: string): Check => check(id, async (t) => void (await t.call('beat-anchor')));

  it('stops at the budget of requests, with the rest not tested', async () => {
    const { transport } = fake();
    const target = { ...local, budget: { requests: 4 } };
    const result = await run(target, ['a/1', 'a/2', 'a/3', 'a/4'].map(asking), transport, { concurrency: 1 });
    expect(result).toMatchObject({ exit_status: 0, requests: 4, stopped: expect.stringContaining('4 requests') });
    expect(result.checks.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'not-tested', 'not-tested']);
  });

  it('stops at the budget of minutes', async () => {
    const target = { ...local, budget: { minutes: 1 } };
    let wallMs = 0;
    const slow = check('a/slow', async (t) => {
      wallMs += 120_000;
      await t.call('beat-anchor');
    });
    const result = await run(target, [pass, slow], fake().transport, { nowWallMs: () => wallMs, concurrency: 1 });
    expect(result).toMatchObject({ stopped: expect.stringContaining('1 minutes') });
    expect(result.checks[1]).toMatchObject({ verdict: 'not-tested' });
  });

  it('pays no more lamports than the budget allows', async () => {
    const { transport, paths } = fake({
      'GET /control/v1/capabilities': () =>
        json(200, { calls: ['clock/advance', 'ledger/wallets', 'ledger/transfers'] }),
      'POST /control/v1/ledger/transfers': () => json(200, { signature: 'sig' }),
    });
    const target: Target = { ...controlled, payments: { kind: 'control' }, budget: { lamports: 1_000 } };
    const payer = check('a/payer', async (t) => {
      for (const lamports of [600, 400, 1]) await t.pay({ from: t.wallet(), to: 'x', lamports });
    });
    const result = await run(target, [payer], transport);
    expect(result).toMatchObject({ lamports: 1_000, unpaid: expect.stringContaining('1000 lamports') });
    expect(paths().filter((path) => path.endsWith('transfers'))).toHaveLength(2);
  });

  it.each([
    ['one after the other', 1],
    ['together', 16],
  ])('goes on with what the budget still allows, checks running %s', async (_, concurrency) => {
    const { transport, paths } = fake({
      'GET /control/v1/capabilities': () => json(200, { calls: ['ledger/transfers'] }),
      'POST /control/v1/ledger/transfers': () => json(200, { signature: 'sig' }),
    });
    const target: Target = { ...controlled, payments: { kind: 'control' }, budget: { lamports: 1_000 } };
    const paying = (id: string, lamports: number): Check =>
      check(id, async (t) => void (await t.pay({ from: t.wallet(), to: 'x', lamports })));
    const checks = [paying('a/1', 5_000), paying('a/2', 700), paying('a/3', 400), paying('a/4', 300), pass];
    const result = await run(target, checks, transport, { concurrency });
    expect(result.checks.map(({ verdict }) => verdict)).toEqual(['not-tested', 'pass', 'not-tested', 'pass', 'pass']);
    expect(result.checks[0]).toMatchObject({
      reason: 'a payment needs 5000 lamports, and 1000 of the budget of 1000 are left',
    });
    expect(result.checks[2]).toMatchObject({
      reason: 'a payment needs 400 lamports, and 300 of the budget of 1000 are left',
    });
    expect(result).toMatchObject({ lamports: 1_000, unpaid: 'the budget of 1000 lamports is used up' });
    expect(result).not.toHaveProperty('stopped');
    expect(paths().filter((path) => path.endsWith('transfers'))).toHaveLength(2);
    const [dear] = checks as [Check, ...Check[]];
    const unpaid = await run(target, [dear, pass], transport, { concurrency });
    expect(unpaid).toMatchObject({
      lamports: 0,
      unpaid: `the budget of 1000 lamports allows no payment: 1000 are left, and the smallest one left out needs 5000`,
      summary: { pass: 1, not_tested: 1 },
    });
    const some = await run(target, [paying('a/1', 700), paying('a/2', 400)], transport, { concurrency });
    expect(some.unpaid).toBe(
      'the budget of 1000 lamports allows only some payments: 300 are left, and the smallest one left out needs 400',
    );
  });

  it('writes to another host only with leave', async () => {
    const remote = { ...local, baseUrl: 'http://example.org' };
    const writer = check('a/writer', async () => {}, { writes: true });
    const without = await run(remote, [writer, pass], fake().transport);
    expect(without.checks).toMatchObject([{ verdict: 'not-tested' }, { verdict: 'pass' }]);
    const withLeave = await run(remote, [writer, pass], fake().transport, { allowWrites: true });
    expect(withLeave.checks).toMatchObject([{ verdict: 'pass' }, { verdict: 'pass' }]);
  });

  it('stops at the first failure when told to', async () => {
    const result = await run(local, [fail, pass], fake().transport, { failFast: true, concurrency: 1 });
    expect(result).toMatchObject({ exit_status: 1, checks: [{ verdict: 'fail' }, { verdict: 'not-tested' }] });
  });

  it('reports what the target declares as unsupported', async () => {
    const target = { ...local, unsupported: ['a'] };
    const result = await run(target, [pass, check('b/pass', async () => {})], fake().transport);
    expect(result.checks.map(({ verdict }) => verdict)).toEqual(['not-applicable', 'pass']);
  });
});

describe('clock, addresses, limits', () => {
  it('lets all checks share one march of the clock', async () => {
    const { transport, seen } = fake();
    const times: number[] = [];
    const sleepy = (id: string, sec: number): Check =>
      check(id, async (t) => {
        await t.sleep({ sec });
        times.push(t.nowMs() - START_MS);
      });
    await run(controlled, [sleepy('a/1', 60), sleepy('a/2', 10), sleepy('a/3', 60)], transport);
    expect(times).toEqual([10_000, 60_000, 60_000]);
    const moves = seen.filter(({ url }) => url.endsWith('clock/advance')).map(({ body }) => body);
    expect(moves.filter((body) => body !== '{"ms":0}')).toEqual(['{"ms":10000}', '{"ms":50000}']);
  });

  it.each([
    ['by the schedule that the target shows to the millisecond', 45_250, [45_250, 105_250, 705_250]],
    ['by whole intervals where the schedule is in whole seconds, which may be cut', 45_000, [60_000, 120_000, 720_000]],
  ])('sleeps until the n-th anchor %s', async (_how, nextMs, wakeMs) => {
    const { transport } = fake({
      'GET /api/v1/beat/anchor': () =>
        json(200, { anchor_interval_sec: 60, next_anchor_at: new Date(START_MS + nextMs).toISOString() }),
    });
    const times: number[] = [];
    const sleepy = check('a/1', async (t) => {
      for (const anchors of [1, 1, 10]) {
        await t.sleep({ anchors });
        times.push(t.nowMs() - START_MS);
      }
    });
    const result = await run(controlled, [sleepy], transport);
    expect(result.checks).toMatchObject([{ verdict: 'pass' }]);
    expect(times).toEqual(wakeMs);
  });

  it('runs exclusive checks alone and last', async () => {
    const log: string[] = [];
    const logging = (id: string, exclusive: boolean): Check =>
      check(
        id,
        async (t) => {
          log.push(`${id} starts`);
          await t.sleep({ sec: 5 });
          log.push(`${id} ends`);
        },
        { exclusive },
      );
    await run(controlled, [logging('a/x', true), logging('a/y', true), logging('a/z', false)], fake().transport);
    expect(log).toEqual(['a/z starts', 'a/z ends', 'a/x starts', 'a/x ends', 'a/y starts', 'a/y ends']);
  });

  it('gives every check an address of its own, and the same ones for the same seed', async () => {
    const addresses = async (seed: number): Promise<(string | undefined)[]> => {
      const { transport, seen } = fake();
      const asking = (id: string): Check =>
        check(id, async (t) => {
          await t.call('beat-anchor');
          await t.call('beat-anchor', { address: t.newAddress() });
        });
      await run(controlled, [asking('a/1'), asking('a/2')], transport, { seed });
      return seen.filter(({ url }) => url.endsWith('anchor')).map(({ headers }) => headers['x-forwarded-for']);
    };
    const first = await addresses(1);
    expect(new Set(first).size).toBe(4);
    for (const address of first) expect(address).toMatch(/^10\.\d+\.\d+\.\d+$/);
    expect((await addresses(1)).sort()).toEqual(first.sort());
    expect((await addresses(2)).sort()).not.toEqual(first);
  });

  const limited = (retryAfter: string) => {
    let calls = 0;
    return fake({
      'GET /api/v1/beat/anchor': () => {
        calls += 1;
        return calls === 1
          ? json(429, { error: 'slow down', code: 'RATE_LIMITED' }, { 'retry-after': retryAfter })
          : json(200, {});
      },
    });
  };
  const asking = check('a/1', async (t) => {
    const reply = await t.call('beat-anchor');
    t.shows('register.route').equal('status', reply.status, 200);
  });

  it('waits out a rate limit by the clock', async () => {
    const { transport, seen } = limited('40');
    expect((await run(controlled, [asking], transport)).checks).toMatchObject([{ verdict: 'pass' }]);
    expect(seen.map(({ body }) => body)).toContain('{"ms":40000}');
  });

  it('does not hold against the target what a check sees after a wait that it did not ask for', async () => {
    const timed = check('a/1', async (t) => {
      const beforeMs = t.nowMs();
      await t.call('beat-anchor');
      t.shows('register.route').equal('time that passed', t.nowMs() - beforeMs, 0);
    });
    const result = await run(controlled, [timed], limited('40').transport);
    expect(result.checks[0]).toMatchObject({ verdict: 'not-tested', reason: expect.stringContaining('wait 40 s') });
  });

  it('does not test what it would have to wait for without a clock', async () => {
    const result = await run(local, [asking], limited('40').transport);
    expect(result.checks[0]).toMatchObject({ verdict: 'not-tested', reason: expect.stringContaining('40 s') });
  });

  it('leaves a rate limit to the check that expects it', async () => {
    const expecting = check('a/1', async (t) => {
      const reply = await t.call('beat-anchor', { mayLimit: true });
      t.shows('register.route').equal('status', reply.status, 429);
    });
    expect((await run(controlled, [expecting], limited('40').transport)).checks).toMatchObject([{ verdict: 'pass' }]);
  });

  it('shares one address: checks come in waves an hour apart by the clock, else some are not tested', async () => {
    const registering = (id: string): Check =>
      check(
        id,
        async (t) => {
          for (let index = 0; index < 4; index += 1) await t.call('register', { body: { name: 'x' } });
        },
        { registers: 4 },
      );
    const checks = ['a/1', 'a/2', 'a/3'].map(registering);
    const byClock = fake();
    const waves = await run({ ...controlled, clientIp: 'none' }, checks, byClock.transport);
    expect(waves.checks.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass']);
    expect(byClock.seen.map(({ body }) => body)).toContain('{"ms":3600000}');
    const without = await run(local, checks, fake().transport);
    expect(without.checks.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'not-tested']);
    expect(without.checks[2]).toMatchObject({ reason: expect.stringContaining('(client_ip) or a clock') });
  });
});

it('judges the bucket of the one address although it never says in seconds when to come back', async () => {
  const refusing = () => json(429, { error: 'no' }, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' });
  const bucket = check(
    'a/quiet',
    (t) =>
      judgeLimit(t, {
        limit: 'lookup',
        clause: 'limit.fees-summary',
        send: () => t.call('fees-summary', { mayLimit: true }),
      }),
    {
      needs: ['clock', 'client-ip'],
      runsAlone: true,
      waits: () => ({ sec: 60 }),
      clauses: ['limit.fees-summary'],
    },
  );
  let nowMs = 0;
  const waitMs = async (ms: number): Promise<void> => {
    nowMs += ms;
  };
  const { transport } = fake({ 'GET /api/v1/fees/summary': refusing });
  const result = await run(local, [bucket], transport, { waitSec: 60, waitMs, nowWallMs: () => nowMs, strict: true });
  expect(result.checks).toMatchObject([{ verdict: 'fail', expected: 'not rate limited' }]);
  expect(nowMs).toBeGreaterThanOrEqual(60_000);
});

describe('what is printed', () => {
  it('holds no secret: neither those of the target file nor those that replies hand out', async () => {
    const secrets = ['pvn_payload.0123456789abcdef', 'f'.repeat(64), 'the-secret-of-registration', TOKEN];
    const { transport } = fake({
      'POST /api/v1/register': () => json(200, { hash: '0x1', api_key: secrets[0], secret: secrets[1] }),
      'POST /control/v1/ledger/transfers': () => json(200, { signature: 'sig' }),
    });
    const leaky = check(
      'a/leaky',
      async (t) => {
        const agent = await t.root();
        await t.call('init', { key: agent.key, body: { echo: agent.key } });
        await t.control('POST ledger/transfers', {});
        t.shows('register.route').equal('the key', agent.key, 'another');
      },
      { registers: 1 },
    );
    const target = { ...controlled, registrationSecret: secrets[2] };
    const result = await run(target, [leaky], transport);
    expect(result.checks[0]).toMatchObject({ verdict: 'fail', actual: '"[API_KEY_1]"' });
    const printed = JSON.stringify(result);
    for (const secret of secrets) expect(printed).not.toContain(secret);
    expect(printed).toContain('"authorization":"Bearer [API_KEY_1]"');
    expect(printed).toContain('"authorization":"Bearer [CONTROL_TOKEN]"');
  });

  it('keeps both ends of a long transcript', async () => {
    const chatty = check('a/chatty', async (t) => {
      for (let index = 0; index < 200; index += 1) await t.call('beat-anchor');
    });
    const [result] = (await run(local, [chatty], fake().transport)).checks;
    expect(result?.transcript).toHaveLength(81);
    expect(result?.transcript[40]?.failure).toContain('120 exchanges');
  });
});
