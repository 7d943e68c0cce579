import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { walletless } from '../../../test/fixtures/parties.js';
import { describeRefusals, expectAccepted, expectRefusal, type RefusalRow } from '../../../test/fixtures/refusals.js';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const NOBODY = `0x${'ab'.repeat(32)}`;
const file = (reporter: TestAgent, target_hash: unknown, more: object = {}, headers: Record<string, string> = {}) =>
  reporter.post('/agent/flag', { target_hash, asserted_class: 'orchestrator', reason: 'r', ...more }, headers);
const target = async () => (await walletless(deployment, 'target')).hash;

/** A reporter with a SIGIL of this tier. */
async function reporter(tier = 'org'): Promise<TestAgent> {
  const agent = await deployment.register('reporter');
  const body = { identity_class: 'narrow_task', principal: 'acme', tier, payment_tx: agent.pay(50_000_000) };
  expect((await agent.post('/sigil', body)).status).toBe(200);
  return agent;
}

describe('a flag (4.16)', () => {
  it('[flag.reply] [flag.reply.flagged] [flag.reply.status] answers flagged, flag_id and that it is pending', async () => {
    const reply = await file(await reporter(), await target());
    expectAccepted(reply);
    const flag_id = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(reply.body).toEqual({ flagged: true, flag_id, status: 'pending' });
  });

  it.each(['narrow_task', 'autonomous', 'orchestrator'])(
    '[flag.body.asserted-class] may assert %s',
    async (asserted_class) => {
      expectAccepted(await file(await reporter(), await target(), { asserted_class }));
    },
  );

  it.each(['sov', 'org', 'ind', 'eph'])('[flag.rule.reporter-tier] comes from a reporter of tier %s', async (tier) => {
    expectAccepted(await file(await reporter(tier), await target()));
  });

  it.each(['sustain', 'dismiss'])('[flag.rule.one-pending] can follow one that a review did %s', async (outcome) => {
    const [from, to] = [await reporter(), await target()];
    const { flag_id } = (await file(from, to)).body;
    expectRefusal(await file(from, to), [409, 'FLAG_DUPLICATE']);
    await deployment.control('POST', `/flags/${flag_id}/review`, { outcome });
    expectAccepted(await file(from, to));
  });
});

/** A row in which one field of the body has the fault. */
const field = (ids: string, fault: object, mended: object = {}): RefusalRow => ({
  ids,
  what: JSON.stringify(fault).slice(0, 60),
  is: [400, 'VALIDATION'],
  pair: async () => {
    const [from, to] = [await reporter(), await target()];
    return [file(from, to, fault), () => file(from, to, mended)];
  },
});

const rows: readonly RefusalRow[] = [
  ...[undefined, 1, '0x12', NOBODY.slice(2)].map((target_hash) => field('flag.body.target-hash', { target_hash })),
  ...[undefined, 'wizard', 1].map((asserted_class) =>
    field('flag.error.validation flag.body.asserted-class', { asserted_class }),
  ),
  ...[undefined, 1, null].map((reason) => field('flag.error.validation.reason flag.body.reason', { reason })),
  field('flag.error.validation.reason flag.body.reason constant.flag-reason-min', { reason: '' }, { reason: 'x' }),
  field(
    'flag.error.validation.reason flag.body.reason constant.flag-reason-max',
    { reason: '😀'.repeat(2_001) },
    { reason: '😀'.repeat(2_000) },
  ),
  {
    ids: 'flag.error.flag-self flag.rule.not-self',
    what: 'its own reporter',
    is: [400, 'FLAG_SELF'],
    pair: async () => {
      const [from, to] = [await reporter(), await target()];
      return [file(from, from.hash), () => file(from, to)];
    },
  },
  {
    ids: 'flag.error.flag-reporter-ineligible flag.rule.reporter-sigil',
    what: 'a reporter without a SIGIL',
    is: [403, 'FLAG_REPORTER_INELIGIBLE'],
    pair: async () => {
      const [from, to] = [await deployment.register(), await target()];
      const refused = await file(from, to);
      expect((await from.buySigil()).status).toBe(200);
      return [refused, () => file(from, to)];
    },
  },
  {
    ids: 'flag.error.flag-reporter-ineligible.sandbox flag.rule.reporter-tier',
    what: 'a reporter of the sandbox tier',
    is: [403, 'FLAG_REPORTER_INELIGIBLE'],
    pair: async () => {
      const [from, other, to] = [await reporter('sbx'), await reporter('eph'), await target()];
      return [file(from, to), () => file(other, to)];
    },
  },
  {
    ids: 'flag.error.flag-target-not-found flag.rule.target-exists',
    what: 'a target that does not exist',
    is: [404, 'FLAG_TARGET_NOT_FOUND'],
    pair: async () => {
      const [from, to] = [await reporter(), await target()];
      return [file(from, NOBODY), () => file(from, to)];
    },
  },
  {
    ids: 'flag.error.flag-duplicate flag.rule.one-pending',
    what: 'a second one while the first is pending',
    is: [409, 'FLAG_DUPLICATE'],
    pair: async () => {
      const [from, to, other] = [await reporter(), await target(), await target()];
      expect((await file(from, to)).status).toBe(200);
      return [file(from, to), () => file(from, other)];
    },
  },
];

describeRefusals('flag (7)', rows);

describe('the limits of flags (8)', () => {
  const ip = (address: string) => ({ 'X-Forwarded-For': address });
  const LIMITED = (retry_after_ms: number) => [429, 'RATE_LIMITED', { retry_after_ms }] as const;
  const several = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, make));

  it('[limit.flag.ip] 10 a minute from one address, whoever reports', async () => {
    const [reporters, targets] = [await several(5, reporter), await several(11, target)];
    const from = ip('192.0.2.1');
    const last = reporters.pop() as TestAgent;
    for (let i = 0; i < 10; i++)
      expect((await file(reporters[i % 4] as TestAgent, targets[i], {}, from)).status).toBe(200);
    expectRefusal(await file(last, targets[10], {}, from), LIMITED(MINUTE));
    expect((await file(await reporter(), targets[10], {}, ip('192.0.2.2'))).status).toBe(200);
    deployment.advance(MINUTE - 1);
    expectRefusal(await file(last, targets[10], {}, from), LIMITED(1));
    deployment.advance(1);
    expect((await file(last, targets[10], {}, from)).status).toBe(200);
  });

  it('[limit.flag.reporter] 3 an hour by one reporter, from whatever address', async () => {
    const [[one, other], targets] = [await several(2, reporter), await several(4, target)];
    for (let i = 0; i < 3; i++) expect((await file(one as TestAgent, targets[i])).status).toBe(200);
    expectRefusal(await file(one as TestAgent, targets[3]), LIMITED(HOUR));
    expect((await file(other as TestAgent, targets[3])).status).toBe(200);
    deployment.advance(HOUR - 1);
    expectRefusal(await file(one as TestAgent, targets[3]), LIMITED(1));
    deployment.advance(1);
    expect((await file(one as TestAgent, targets[3])).status).toBe(200);
  });

  it('[limit.flag.target] 10 an hour against one target, whoever reports', async () => {
    const [reporters, [one, other]] = [await several(11, reporter), await several(2, target)];
    const last = reporters.pop() as TestAgent;
    for (const each of reporters) expect((await file(each, one)).status).toBe(200);
    expectRefusal(await file(last, one), LIMITED(HOUR));
    expect((await file(last, other)).status).toBe(200);
    deployment.advance(HOUR - 1);
    expectRefusal(await file(last, one), LIMITED(1));
    deployment.advance(1);
    expect((await file(last, one)).status).toBe(200);
  });

  it('[limit.flag.breaker] [limit.flag.breaker.code] more than 20 pending within 24 hours stop the 22nd, of anybody', async () => {
    const reporters = await several(8, reporter);
    expect((await file(reporters[0] as TestAgent, await target())).status).toBe(200);
    deployment.advance(MINUTE);
    for (let i = 1; i < 21; i++) {
      expect((await file(reporters[i % 7] as TestAgent, await target())).status, `flag ${i + 1}`).toBe(200);
    }
    const [last, to] = [reporters[7] as TestAgent, await target()];
    expectRefusal(await file(last, to), LIMITED(DAY - MINUTE));
    deployment.advance(DAY - MINUTE - 1);
    expectRefusal(await file(last, to), LIMITED(1));
    deployment.advance(1);
    expect((await file(last, to)).status).toBe(200);
  });

  it('[limit.retry-after-ms] the wait that the breaker names is no shorter than that of the reporter', async () => {
    const reporters = await several(8, reporter);
    for (let i = 0; i < 21; i++) await file(reporters[i % 7] as TestAgent, await target());
    const [last, to] = [reporters[7] as TestAgent, await target()];
    deployment.advance(DAY - MINUTE);
    for (let i = 0; i < 2; i++) expectRefusal(await file(last, to), LIMITED(MINUTE));
    expectRefusal(await file(last, to), LIMITED(HOUR));
    deployment.advance(HOUR);
    expect((await file(last, to)).status).toBe(200);
  });
});
