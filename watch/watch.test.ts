// Traffic is judged without the suite: nothing deviates in that of the reference, and a mistake shows in a short excerpt.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Traffic, trafficOf } from '../test/fixtures/watched.js';
import { concluded, watchedClauses } from './conclude.js';
import type { Observed } from './exchange.js';
import { scopeOf } from './scope.js';
import { Watch, type Watched, type WatchOptions } from './watch.js';

const ALL: WatchOptions = { scope: () => true, isUnsupported: () => false };
const ONLY = ['heartbeat/too-soon'];

let right: Traffic;
let wrong: Traffic;
beforeAll(async () => {
  right = await trafficOf(ONLY);
  wrong = await trafficOf(ONLY, { heartbeat: { intervalBeatsMin: 9 } });
});

function watched({ exchanges, settings }: Traffic, options: Partial<WatchOptions> = {}): Watched {
  const watch = new Watch(settings, { ...ALL, ...options });
  for (const each of exchanges) watch.add(each);
  return watch.end();
}

/** The traffic as an application has it: without control calls, and with times, which the clock of the server does not follow. */
const withoutControl = ({ exchanges, target, settings }: Traffic): Traffic => {
  const own = exchanges.filter(({ request }) => !request.url.startsWith(target.control?.url ?? ' '));
  const timed = own.map(({ isOrderOnly: _, beganMs = 0, endedMs = 0, ...rest }) => ({
    ...rest,
    beganMs: beganMs * 1_000,
    endedMs: endedMs * 1_000,
  }));
  return { target, settings: { ...settings, controlUrl: undefined }, exchanges: timed };
};

const changed = ({ exchanges, ...rest }: Traffic, change: (one: Observed) => Observed): Traffic => ({
  ...rest,
  exchanges: exchanges.map(change),
});
const brokenClauses = ({ breaks }: Watched): readonly string[] =>
  breaks.filter(({ evidence }) => evidence.level === 'must').flatMap(({ evidence }) => evidence.clauses);

describe('watched traffic', () => {
  it('of the reference does not deviate', () => {
    const { seen, judged, unknown, unread, undecided, breaks, clauses } = watched(right);
    expect([breaks, unread]).toEqual([[], {}]);
    // Each exchange is judged, or has a reason.
    expect(undecided.map(({ reason }) => reason)).toContain('calls of the control API');
    expect(seen - judged - unknown).toBe(undecided.reduce((sum, { count }) => sum + count, 0));
    expect(seen).toBe(right.exchanges.length);
    expect(judged / (seen - unknown)).toBeGreaterThan(0.7);
    expect(clauses.get('heartbeat.interval.min')?.pass).toBeGreaterThan(0);
  });

  it.each([0, 0.3, 0.6])(
    'does not deviate from an unknown start: without control calls and the first %d of it',
    (share) => {
      const { exchanges, ...rest } = withoutControl(right);
      const { seen, judged, breaks } = watched({ ...rest, exchanges: exchanges.slice(share * exchanges.length) });
      expect(breaks).toEqual([]);
      expect(judged / seen).toBeGreaterThan(0.7);
    },
  );

  it('shows a mistake from an unknown start', () => {
    expect(brokenClauses(watched(withoutControl(wrong)))).toContain('heartbeat.interval.min');
  });

  it('with a mistake shows it in the exchanges that are needed for it, and no other', () => {
    const { breaks } = watched(wrong);
    const [first] = breaks;
    expect(first?.evidence.clauses).toContain('heartbeat.interval.min');
    expect(first?.excerpt?.isComplete).toBe(true);
    const calls = first?.excerpt?.exchanges.map(({ request }) => new URL(request.url).pathname) ?? [];
    expect(calls.slice(-3)).toEqual([
      '/api/v1/agent/heartbeat',
      '/control/v1/clock/advance',
      '/api/v1/agent/heartbeat',
    ]);
    expect(calls.length).toBeLessThanOrEqual(4);
    // The states that are left before the break: the excerpt shows the latest beat of the agent, and not its SIGIL.
    const { known, unknown } = first?.excerpt?.left.find(({ subject }) => subject.startsWith('agent 0x')) ?? {};
    expect(known).toMatchObject({ 'last beat': expect.any(Number), revoked: false });
    expect(unknown).toContain('generation');
    expect(first?.excerpt?.left.at(-1)).toMatchObject({ subject: 'service', known: { anchor: expect.any(Number) } });
  });

  it('counts only what its scopes select', () => {
    const inScope = (...texts: readonly string[]): Watched =>
      watched(wrong, { scope: scopeOf(texts, () => new Set(['init.route'])) });
    expect(brokenClauses(inScope('section:4.5', 'endpoint:heartbeat'))).toContain('heartbeat.interval.min');
    expect(brokenClauses(inScope('endpoint:init'))).toEqual([]);
    expect(brokenClauses(inScope('section:4.4'))).toEqual([]);
    expect([...inScope('profile:core').clauses.keys()]).toEqual(['init.route']);
    expect(() => inScope('section:heartbeat')).toThrow('section:heartbeat: a section is a number, such as 4.5.');
    expect(() => inScope('endpoint:heartbeats')).toThrow('no endpoint has this name');
    expect(() => inScope('4.5')).toThrow('4.5: is no scope');
  });

  it('leaves out endpoints that the target file declares as missing', () => {
    expect(brokenClauses(watched(wrong, { isUnsupported: (id) => id === 'heartbeat' }))).toEqual([]);
  });

  it('does not judge an exchange without its reply, nor what depends on it', () => {
    const cut = changed(right, (one) => ({ ...one, reply: undefined, unread: 'aborted' }));
    expect(watched(cut)).toMatchObject({ judged: 0, breaks: [], unread: { aborted: right.exchanges.length } });
    const isPayment = ({ request }: Observed): boolean => request.url.endsWith('/agent/heartbeat');
    const some = changed(right, (one) => (isPayment(one) ? { ...one, reply: undefined, unread: 'aborted' } : one));
    expect(brokenClauses(watched(some))).toEqual([]);
  });

  it('shows nothing where no client sent its credentials', () => {
    const marked = changed(right, (one) => ({ ...one, unread: 'no-credentials' }));
    expect(watched(marked)).toMatchObject({ judged: 0, breaks: [], forgotten: { unknown: right.exchanges.length } });
  });

  it('knows nothing after exchanges that passed unseen', () => {
    const watch = new Watch(right.settings, ALL);
    watch.lose(3);
    expect(watch.end()).toMatchObject({ seen: 3, judged: 0, unread: { dropped: 3 }, forgotten: { unknown: 1 } });
  });
});

it('judges fees that administrators have set by the schedule that was shown, and leaves them open before', async () => {
  const all = withoutControl(await trafficOf(['subsidy/resolution']));
  const open = { ...all, settings: { ...all.settings, feesOpen: true as const } };
  // The last call pays by a table that was set later, which no schedule shows.
  const during = { ...open, exchanges: open.exchanges.slice(0, -1) };
  const isSummary = ({ request }: Observed): boolean => request.url.endsWith('/fees/summary');
  const unshown = { ...open, exchanges: open.exchanges.filter((one) => !isSummary(one)) };
  const ofSigil = { scope: scopeOf(['endpoint:sigil'], () => undefined) };
  expect(brokenClauses(watched(all, ofSigil))).toContain('fee.sigil.autonomous');
  const shown = watched(during);
  expect([brokenClauses(shown), brokenClauses(watched(unshown))]).toEqual([[], []]);
  expect(shown.clauses.get('fee.resolution.subsidy')?.pass).toBeGreaterThan(0);
  expect(shown.clauses.get('fee.sigil.narrow-task')?.pass).toBeGreaterThan(0);
  const { pass, reason } = watched(unshown).clauses.get('fee.sigil.narrow-task') ?? {};
  expect([pass, reason]).toEqual([0, expect.stringContaining('administrators may have set other fees (4.17)')]);
  expect(brokenClauses(watched(open))).toContain('fees-summary.purpose');
});

it.each([
  [[], [], 0],
  [['heartbeat.interval.min'], [], 0],
  [[], ['heartbeat.interval.min'], 0],
  [['flag.route'], [], 1],
  [[], ['flag.route'], 1],
])('with --expect %j and %j in the lock file the exit status is %i', (expected, locked, status) => {
  const seen = watched(right);
  const power = { noticed: 3, of: 4 };
  const result = { clauses: watchedClauses(seen), breaks: [], exchanges: { ...seen, not_judged: {} }, power };
  const demanded = {
    expected: expected.map((text) => ({ text, test: (id: string) => id === text })),
    locked,
    power: 75,
  };
  const { exit_status, missing } = concluded(result, demanded);
  expect([exit_status, missing.expected.length + missing.locked.length]).toEqual([status, status]);
  expect(concluded({ ...result, exchanges: { ...result.exchanges, judged: 0 } }, demanded).exit_status).toBe(2);
  expect(concluded(result, { ...demanded, power: 76 }).exit_status).toBe(status === 1 ? 1 : 2);
});
