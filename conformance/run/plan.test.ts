import { describe, expect, it } from 'vitest';
import type { End } from '../judge/record.js';
import { bareTarget, type Target } from '../target/target.js';
import type { Check } from '../trial/check.js';
import { supposedOffers } from '../trial/needs.js';
import { plan } from './plan.js';
import { profileNamed } from './profile.js';
import { schedule } from './schedule.js';
import { glob, selectChecks } from './select.js';

const local = bareTarget('http://127.0.0.1:1');
const full: Target = {
  ...local,
  beatsUrl: 'http://127.0.0.1:3',
  control: { url: 'http://127.0.0.1:2', token: 'token-of-control' },
  payments: { kind: 'control' },
  clientIp: 'x-forwarded-for',
};

function check(id: string, more: Partial<Check> = {}): Check {
  return {
    id,
    title: `title of ${id}`,
    clauses: ['register.route'],
    needs: [],
    registers: 0,
    requests: 2,
    writes: true,
    run: async () => {
      throw new Error('a plan runs nothing');
    },
    ...more,
  };
}

const waves = (checks: readonly Check[], target: Target) =>
  schedule(checks, target, supposedOffers(target), { allowWrites: true }).waves.map((wave) => [
    wave.checks.map(({ id }) => id).join(' '),
    wave.exclusive,
    wave.waitSec,
  ]);

describe('schedule', () => {
  it('runs everything together where checks have addresses of their own, and exclusive ones last', () => {
    const checks = [check('a/1', { registers: 9, exclusive: true }), check('a/2', { registers: 9 }), check('a/3')];
    expect(waves(checks, full)).toEqual([
      ['a/2 a/3', false, 0],
      ['a/1', true, 0],
    ]);
  });

  it('puts hours between the waves of one address, those that judge most a registration first', () => {
    const clauses = ['register.route', 'agent.field.hash'];
    const checks = [check('a/1', { registers: 6 }), check('a/2', { registers: 6, clauses }), check('a/3')];
    expect(waves(checks, { ...full, clientIp: 'none' })).toEqual([
      ['a/2 a/3', false, 0],
      ['a/1', false, 3_600],
    ]);
    expect(waves(checks, local)).toEqual([['a/2 a/3', false, 0]]);
  });

  it.each([
    ['registers', { registers: 10 }, /registrations an hour/],
    ['wallet flow', { walletRegisters: 31 }, /with a wallet/],
    ['tokens', { tokens: 4 }, /tokens an hour/],
  ] as const)('leaves out what one address can never do: %s', (_, more, reason) => {
    const { leftOut } = schedule([check('a/1', more)], local, supposedOffers(local), { allowWrites: true });
    expect(leftOut).toMatchObject([{ finding: { verdict: 'not-tested', reason: expect.stringMatching(reason) } }]);
  });

  it.each([
    ['clock', /clock\/advance/],
    ['payments', /payments/],
    ['client-ip', /client_ip/],
    ['control', /control API/],
    ['beats', /beats_url/],
    ['admin', /admin_key/],
    ['partner', /partner_key/],
    ['webhooks', /webhooks/],
  ] as const)('says what is lacking: %s', (need, reason) => {
    const { leftOut, waves: none } = schedule([check('a/1', { needs: [need] })], local, supposedOffers(local), {
      allowWrites: true,
    });
    expect(none).toEqual([]);
    expect(leftOut).toMatchObject([{ finding: { verdict: 'not-tested', reason: expect.stringMatching(reason) } }]);
  });

  it.each(['admin', 'partner'] as const)('takes a control API that makes keys for one that has them: %s', (need) => {
    const checks = [check('a/1', { needs: [need] })];
    expect(waves(checks, full)).toEqual([['a/1', false, 0]]);
    const own = { ...local, adminKey: 'pva_key', partnerKey: 'pvt_key' };
    expect(waves(checks, own)).toEqual([['a/1', false, 0]]);
  });

  it('leaves out what needs a call that the control API has not, or another deployment', () => {
    const offers = { ...supposedOffers(full), controls: new Set(['clock/advance']) };
    const checks = [
      check('a/1', { controls: ['anchors/stall'] }),
      check('a/2', { unsuitableFor: () => 'not on devnet' }),
    ];
    expect(schedule(checks, full, offers, { allowWrites: true }).leftOut.map(({ finding }) => finding)).toEqual([
      {
        verdict: 'not-tested',
        reason: 'the control API has no anchors/stall',
        why: { kind: 'control', of: 'anchors/stall' },
      },
      { verdict: 'not-tested', reason: 'not on devnet' },
    ]);
  });
});

describe('agents that are handed on', () => {
  const sharing = ['a/1', 'a/2', 'a/3', 'a/4'].map((id) => check(id, { registers: 3, shares: true }));
  const own = ['b/1', 'b/2', 'b/3'].map((id) => check(id, { registers: 3 }));

  it('cost one address three registrations in all, and only one address', () => {
    expect(waves([...sharing, ...own], local)).toEqual([['a/1 a/2 a/3 a/4 b/1 b/2', false, 0]]);
    expect(waves([...own, ...own], local)).toEqual([['b/1 b/2 b/3', false, 0]]);
  });

  it('are not handed on where an hour passes by the clock, or addresses are told apart', () => {
    expect(waves(sharing, { ...full, clientIp: 'none' })).toEqual([
      ['a/1 a/2 a/3', false, 0],
      ['a/4', false, 3_600],
    ]);
    expect(waves(sharing, full)).toHaveLength(1);
  });
});

describe('schedule in real time', () => {
  const waits = (sec: number): Partial<Check> => ({ needs: ['clock'], waits: () => ({ sec }) });
  const placed = (checks: readonly Check[], waitSec: number) => {
    const { leftOut, ...rest } = schedule(checks, local, supposedOffers(local, waitSec), { allowWrites: true });
    return {
      waves: rest.waves.map((wave) => [ids(wave), wave.waitSec]),
      waitSec: rest.waitSec,
      left: leftOut.map(reasonOf),
    };
  };
  const ids = ({ checks }: { readonly checks: readonly Check[] }): string => checks.map(({ id }) => id).join(' ');
  const reasonOf = ({ check: { id }, finding }: { check: Check; finding: End }): string =>
    `${id}: ${'reason' in finding ? finding.reason : finding.verdict}`;

  it('lets checks wait side by side, as long as may be waited', () => {
    const checks = [
      check('a/1', waits(60)),
      check('a/2', waits(300)),
      check('a/3', waits(301)),
      check('a/4', { needs: ['clock'] }),
    ];
    expect(placed(checks, 300)).toEqual({
      waves: [['a/1 a/2', 0]],
      waitSec: 300,
      left: [
        'a/3: no clock can be moved; --wait 5m1s would wait for it',
        'a/4: no clock can be moved: the target file names no control API with clock/advance',
      ],
    });
  });

  it('lets an hour pass for more registrations, where there is time for it and for what then waits', () => {
    const checks = ['a/1', 'a/2', 'a/3'].map((id) => check(id, { registers: 5 }));
    const late = check('a/late', { ...waits(60), registers: 5 });
    expect(placed(checks, 3_599).waves).toEqual([['a/1', 0]]);
    expect(placed(checks, 3_600).waves).toEqual([
      ['a/1', 0],
      ['a/2', 3_600],
    ]);
    expect(placed(checks, 7_200)).toMatchObject({ waves: [{}, {}, ['a/3', 3_600]], waitSec: 7_200, left: [] });
    expect(placed([...checks, late], 7_259)).toMatchObject({ waves: [{}, {}, {}], left: [{}] });
  });

  it('puts quiet checks before the others of one address, and takes nothing from their time', () => {
    const quiet = check('b/quiet', { ...waits(60), needs: ['clock', 'client-ip'], runsAlone: true });
    const long = check('a/long', waits(300));
    expect(placed([long, quiet], 300)).toEqual({
      waves: [
        ['b/quiet', 0],
        ['a/long', 0],
      ],
      waitSec: 360,
      left: [],
    });
    const { waves } = schedule([long, quiet], full, supposedOffers(full), { allowWrites: true });
    expect(waves.map(ids)).toEqual(['a/long b/quiet']);
  });
});

describe('plan', () => {
  it('says which checks become possible at which wait', () => {
    const wait = (id: string, sec: number, more: Partial<Check> = {}): Check =>
      check(id, { needs: ['clock'], waits: () => ({ sec }), ...more });
    const checks = [
      wait('a/1', 300),
      wait('a/2', 60),
      wait('a/3', 300),
      wait('a/4', 60, { needs: ['clock', 'payments'] }),
      check('a/5'),
    ];
    expect(plan(local, checks, { waitSec: 60 })).toMatchObject({
      runs: 2,
      // A minute, half an anchor's interval, and what is kept off the moments.
      seconds: 60 + 30 + 8 + 1,
      waits: [{ wait: '5m', seconds: 300, checks: ['a/1', 'a/3'] }],
    });
    expect(plan(local, checks, {}).waits).toEqual([
      { wait: '1m', seconds: 60, checks: ['a/2'] },
      { wait: '5m', seconds: 300, checks: ['a/1', 'a/3'] },
    ]);
    expect(plan(local, checks, { waitSec: 300 }).waits).toEqual([]);
    expect(plan(full, checks, {}).waits).toEqual([]);
  });

  it('adds up what would be sent, and sends nothing', () => {
    const checks = [
      check('a/1', { registers: 2, walletRegisters: 3, requests: 10, lamports: () => 500 }),
      check('a/2', { needs: ['webhooks'], requests: 1_000 }),
      check('a/3', { writes: false, requests: 7 }),
    ];
    expect(plan(full, checks, {})).toMatchObject({
      checks: [
        { id: 'a/1', title: 'title of a/1' },
        { id: 'a/2', verdict: 'not-tested', reason: expect.stringContaining('webhooks') },
        { id: 'a/3' },
      ],
      runs: 2,
      // Four routes are tried, the control API is asked four times, 32 calls tell addresses apart, fees are asked for.
      requests: 10 + 7 + 41 + 21 + 1 + 15,
      own: { probes: 41, shared: 21, clockMoves: 1, looks: 15, again: 0 },
      writes: { checks: 1, requests: 10 + 19 },
      lamports: 500,
      // The probe of register, and nine times the agent that checks share.
      registrations: 5 + 10,
      waves: 1,
    });
  });

  it('counts what moves the clock, and what narrow limits make one address send again', () => {
    const clock = { needs: ['clock'], writes: false } as const;
    const checks = [check('a/1', clock), check('a/2', { ...clock, sleeps: 9 }), check('a/3', { requests: 500 })];
    expect(plan(full, checks, {}).own).toMatchObject({ clockMoves: 4 + 9 + 1 + 3, again: 0 });
    expect(plan({ ...full, clientIp: 'none' }, checks, {}).own).toMatchObject({ clockMoves: 17 + 100, again: 100 });
    expect(plan(local, [check('a/3')], {}).own).toMatchObject({ clockMoves: 0, again: 2 });
  });

  it('foretells no write where none may be made', () => {
    const checks = [check('a/1'), check('a/2', { writes: false })];
    const none = { writes: { checks: 0, requests: 0 }, registrations: 0, lamports: 0 };
    const reads = profileNamed('read-only');
    expect(plan(full, checks, { profile: reads })).toMatchObject({ runs: 1, ...none });
    expect(plan(bareTarget('https://example.org'), checks, {})).toMatchObject({ runs: 1, ...none });
  });

  it('takes its time from its requests, and more of it for another host', () => {
    const secondsOf = (requests: number, target = full) => plan(target, [check('a/1', { requests })], {}).seconds;
    expect(secondsOf(200_000) / secondsOf(100_000)).toBeCloseTo(2, 1);
    const remote = { ...full, baseUrl: 'https://example.org' };
    const far = plan(remote, [check('a/1', { requests: 100_000 })], { allowWrites: true });
    expect(far.seconds).toBeGreaterThan(secondsOf(100_000));
  });

  it('plans no writes to another host without leave', () => {
    const remote = bareTarget('https://example.org');
    expect(plan(remote, [check('a/1')], {}).runs).toBe(0);
    expect(plan(remote, [check('a/1')], { allowWrites: true }).runs).toBe(1);
  });
});

describe('select', () => {
  it.each([
    ['heartbeat/*', 'heartbeat/too-soon', true],
    ['heartbeat/*', 'sigil/limit', false],
    ['*/limit', 'sigil/limit', true],
    ['4.5', '4x5', false],
    ['a/?', 'a/1', true],
    ['a/?', 'a/12', false],
    ['a+(b)', 'a+(b)', true],
  ])('%s on %s: %s', (pattern, text, expected) => {
    expect(glob(pattern)(text)).toBe(expected);
  });

  it('names checks by id, by clause and by section', () => {
    const checks = [check('a/1'), check('a/2', { clauses: ['heartbeat.interval.min'] })];
    const ids = (...only: string[]) => selectChecks(checks, { only }).map(({ id }) => id);
    expect(ids('a/1')).toEqual(['a/1']);
    expect(ids('heartbeat.interval.*')).toEqual(['a/2']);
    expect(ids('4.5')).toEqual(['a/2']);
    expect(ids('4.1', '4.5')).toEqual(['a/1', 'a/2']);
    expect(ids('nothing')).toEqual([]);
    expect(selectChecks(checks, {})).toHaveLength(2);
  });
});
