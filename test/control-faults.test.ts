// When a call of the control API fails in any way, checks that need it are inconclusive and name the call; the rest is judged.
import { describe, expect, it } from 'vitest';
import { adminKey, freshAdminKey } from '../conformance/steps/keys.js';
import type { Target } from '../conformance/target/target.js';
import { TransportFailure, type WireReply } from '../conformance/wire/transport.js';
import { nextSteps } from '../reports/conformance/next-step.js';
import { check, controlled, fake, json, pass, run, START_MS } from './fixtures/fake-target.js';

const CALLS = ['clock/advance', 'ledger/wallets', 'ledger/transfers', 'admin-keys', 'flags/:id/review'];
const lost = (kind: 'unreachable' | 'hang' | 'broken') => (): never => {
  throw new TransportFailure(kind, 'no reply');
};
const WAYS: readonly (readonly [how: string, answer: () => WireReply])[] = [
  ['answers 500', () => json(500, { error: 'no' })],
  ['is not there', () => json(404, { error: 'no' })],
  ['answers something else', () => json(200, {})],
  ['hangs', lost('hang')],
  ['drops the connection', lost('broken')],
  ['is out of reach', lost('unreachable')],
];

const sleepy = check('a/sleepy', async (t) => t.sleep({ sec: 5 }), { needs: ['clock'], sleeps: 1 });
const keyed = check('a/keyed', async (t) => void (await freshAdminKey(t)), { needs: ['admin'] });
const paying = check('a/paying', async (t) => void (await t.pay({ from: t.wallet(), to: 'x', lamports: 1 })), {
  needs: ['payments'],
});
const checks = [pass, sleepy, keyed, paying];
const target: Target = { ...controlled, payments: { kind: 'control' } };
const replies = {
  'GET /control/v1/capabilities': () => json(200, { calls: CALLS }),
  'POST /control/v1/admin-keys': () => json(200, { key: 'pva_key' }),
  'POST /control/v1/ledger/transfers': () => json(200, { signature: 'sig' }),
};
const nextOf = (result: Awaited<ReturnType<typeof run>>): string | undefined =>
  nextSteps(result, { command: 'aips conform' })[0]?.text;

describe.each(WAYS)('a call that %s', (_how, answer) => {
  it.each([
    ['GET capabilities', ['a/sleepy', 'a/keyed', 'a/paying']],
    ['POST clock/advance', ['a/sleepy']],
    ['POST admin-keys', ['a/keyed']],
    ['POST ledger/transfers', ['a/paying']],
  ] as const)('%s costs what needs it', async (name, waiting) => {
    const [method, path] = name.split(' ');
    const { transport } = fake({ ...replies, [`${method} /control/v1/${path}`]: answer });
    const result = await run(target, checks, transport);
    expect(result).toMatchObject({ exit_status: 2, findings: [] });
    expect(result).not.toHaveProperty('stopped');
    const unclear = result.checks.filter(({ verdict }) => verdict === 'inconclusive');
    expect(unclear.map(({ id }) => id)).toEqual(waiting);
    for (const each of unclear) expect(each).toMatchObject({ reason: expect.stringMatching(/^the control API /) });
    expect(result.summary.pass).toBe(checks.length - waiting.length);
    expect(nextOf(result)).toBe(`fix the control call ${name} (docs/control-api.md)`);
  });
});

it('a call that hangs is made once, and takes no part in stopping the run', async () => {
  const { transport, paths } = fake({ ...replies, 'POST /control/v1/admin-keys': lost('hang') });
  const many = ['a/1', 'a/2', 'a/3', 'a/4', 'a/5'].map((id) => ({ ...keyed, id }));
  const result = await run(target, [...many, pass], transport, { concurrency: 1 });
  expect(result.checks.map(({ verdict }) => verdict)).toEqual([...many.map(() => 'inconclusive'), 'pass']);
  expect(paths().filter((path) => path.endsWith('admin-keys'))).toHaveLength(1);
});

it('a token that the control API does not take is named as that', async () => {
  const { transport } = fake({ 'GET /control/v1/capabilities': () => json(401, { error: 'no' }) });
  const result = await run(target, checks, transport);
  expect(result.checks[1]).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(/401.*check control\.token in the target file$/),
  });
  expect(nextOf(result)).toMatch(/control\.token/);
});

it.each([
  ['the promised time, and then the one before', [120_000, 0]],
  ['the time before, and then the new one', [0, 120_000]],
])('a clock that answers %s misleads, and no time is compared with it', async (_what, [first = 0, then = 0]) => {
  const shown = [0, 0, 0, first, then];
  const { transport } = fake({
    'POST /control/v1/clock/advance': () => json(200, { now_ms: START_MS + (shown.shift() ?? then), anchor_index: 0 }),
    'GET /api/v1/beat/anchor': () => json(200, { beat_index: 0, index: 0, anchor_index: 0 }),
  });
  const compared = check(
    'a/compared',
    async (t) => {
      t.shows('register.route').equal('time', START_MS + 120_000, t.nowMs());
      await t.sleep({ sec: 1 });
    },
    { needs: ['clock'], sleeps: 1 },
  );
  const result = await run(controlled, [pass, compared], transport);
  expect(result).toMatchObject({ exit_status: 2, findings: [] });
  expect(result.checks[1]).toMatchObject({ verdict: 'inconclusive', why: { kind: 'effect', of: 'clock/advance' } });
});

it.each([
  [401, 'inconclusive'],
  [400, 'pass'],
])('an admin key of the target file that is answered with %i makes its checks %s', async (status, verdict) => {
  const answer = () => json(status, { error: 'no' });
  const { transport } = fake({
    ...replies,
    'POST /api/v1/admin/agent/subsidy': answer,
    'DELETE /api/v1/admin/agent/subsidy': answer,
  });
  const given = check('a/given', async (t) => void (await adminKey(t)), { needs: ['admin'] });
  const { checks: judged } = await run({ ...target, adminKey: 'pva_given' }, [given], transport);
  expect(judged[0]).toMatchObject({ verdict });
  if (verdict === 'inconclusive') expect(judged[0]).toMatchObject({ why: { kind: 'admin' } });
});

it('a target that ignores X-Forwarded-For is not told to give the client_ip that is given', async () => {
  const { transport } = fake({ 'POST /api/v1/agent/init': () => json(429, { error: 'no', code: 'RATE_LIMITED' }) });
  const apart = check('a/apart', async () => undefined, { needs: ['client-ip'] });
  const result = await run(controlled, [pass, apart], transport);
  expect(result.checks[1]).toMatchObject({ verdict: 'not-tested', why: { kind: 'client-ip', of: 'x-forwarded-for' } });
  expect(nextOf(result)).toMatch(/^let the server take the address of a client from `X-Forwarded-For`/);
});
