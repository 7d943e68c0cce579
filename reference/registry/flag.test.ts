import { beforeEach, describe, expect, it } from 'vitest';
import {
  codeOfOutcome,
  GENESIS_MS,
  payment,
  testRegistry,
  walletRoot,
  withSigil,
} from '../../test/fixtures/registry.js';
import { breakerWaitMs, type FlagInput, flag, reviewFlag } from './flag.js';
import { heartbeat } from './heartbeat.js';
import type { Registry } from './state.js';

const DAY_MS = 86_400_000;
let registry: Registry;
let reporter: number;
let target: number;
let targetWallet: number;

function sigilAgent(name: string, tier: 'org' | 'sbx' = 'org'): number {
  const made = walletRoot(registry, name);
  withSigil(registry, made, 'narrow_task', tier);
  return made.agent;
}

beforeEach(() => {
  registry = testRegistry();
  reporter = sigilAgent('reporter');
  const made = walletRoot(registry, 'target');
  withSigil(registry, made);
  target = made.agent;
  targetWallet = made.wallet;
});

const file = (change: Partial<FlagInput> = {}, nowMs = GENESIS_MS) =>
  flag(registry, { agent: reporter, target, assertedClass: 'autonomous', reason: 'why', ...change }, nowMs);

function filed(change: Partial<FlagInput> = {}, nowMs = GENESIS_MS): string {
  const outcome = file(change, nowMs);
  if (!outcome.ok) throw new Error(outcome.row.code);
  return outcome.flag.id;
}

describe('filing', () => {
  it('makes a pending flag with the shape of a UUID', () => {
    const outcome = file();
    expect(outcome.ok && outcome.flag.status).toBe('pending');
    expect(outcome.ok && outcome.flag.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it.each<[string, () => Partial<FlagInput>, string]>([
    ['by an agent without a SIGIL', () => ({ agent: walletRoot(registry, 'bare').agent }), 'FLAG_REPORTER_INELIGIBLE'],
    ['by a sandbox agent', () => ({ agent: sigilAgent('sandbox', 'sbx') }), 'FLAG_REPORTER_INELIGIBLE'],
    ['against itself', () => ({ target: reporter }), 'FLAG_SELF'],
    ['against nobody', () => ({ target: -1 }), 'FLAG_TARGET_NOT_FOUND'],
    ['by a second reporter', () => ({ agent: sigilAgent('second') }), 'ok'],
    ['against a second target', () => ({ target: walletRoot(registry, 'bare').agent }), 'ok'],
    ['a second time', () => ({}), 'FLAG_DUPLICATE'],
  ])('%s', (_name, change, code) => {
    filed();
    expect(codeOfOutcome(file(change()))).toBe(code);
  });
});

describe('review', () => {
  const sendHeartbeat = () =>
    codeOfOutcome(heartbeat(registry, { agent: target, payment: payment(targetWallet, 500_000) }, GENESIS_MS));

  it.each([
    [['dismiss'], 'dismissed'],
    [['sustain'], 'sustained'],
    [['sustain', 'resolve'], 'resolved'],
  ] as const)('%j leads to %s', (outcomes, status) => {
    const id = filed();
    const last = outcomes.map((outcome) => reviewFlag(registry, id, outcome)).at(-1);
    expect(last?.ok && last.flag.status).toBe(status);
    // The pair is free again: only a pending flag prevents another.
    expect(codeOfOutcome(file())).toBe('ok');
  });

  it.each([
    [[], 'resolve', 'pending'],
    [['dismiss'], 'sustain', 'dismissed'],
    [['dismiss'], 'resolve', 'dismissed'],
    [['sustain'], 'sustain', 'sustained'],
    [['sustain'], 'dismiss', 'sustained'],
    [['sustain', 'resolve'], 'resolve', 'resolved'],
  ] as const)('after %j there is no %s', (before, outcome, status) => {
    const id = filed();
    for (const each of before) reviewFlag(registry, id, each);
    expect(reviewFlag(registry, id, outcome)).toEqual({ ok: false, why: 'wrong-state', status });
  });

  it('of an id that no flag has', () => {
    expect(reviewFlag(registry, 'x', 'dismiss')).toEqual({ ok: false, why: 'unknown' });
  });

  it('refuses heartbeats while any flag is sustained', () => {
    const [first, second] = [filed(), filed({ agent: sigilAgent('second') })];
    reviewFlag(registry, first, 'sustain');
    reviewFlag(registry, second, 'sustain');
    expect(sendHeartbeat()).toBe('HEARTBEAT_REFUSED');
    reviewFlag(registry, first, 'resolve');
    expect(sendHeartbeat()).toBe('HEARTBEAT_REFUSED');
    reviewFlag(registry, second, 'resolve');
    expect(sendHeartbeat()).toBe('ok');
  });
});

describe('the circuit breaker', () => {
  /** Files so many flags, a second apart, and returns their ids. */
  const many = (count: number): string[] =>
    Array.from({ length: count }, (_, i) =>
      filed({ target: walletRoot(registry, `t${i}`).agent }, GENESIS_MS + i * 1_000),
    );

  it('[limit.flag.breaker] takes the 21st and refuses the 22nd', () => {
    many(20);
    expect(breakerWaitMs(registry, GENESIS_MS + 20_000)).toBe(0);
    filed({}, GENESIS_MS + 20_000);
    const refused = file({ target: walletRoot(registry, 'one more').agent }, GENESIS_MS + 21_000);
    expect(refused.ok === false && refused.row.status).toBe(429);
    expect(refused).toMatchObject({ row: { code: 'RATE_LIMITED' }, fields: { retry_after_ms: DAY_MS - 21_000 } });
  });

  it('is right about when it closes: a millisecond before it accepts no flag, at that moment it does', () => {
    many(21);
    const nowMs = GENESIS_MS + 60_000;
    const waitMs = breakerWaitMs(registry, nowMs);
    expect(waitMs).toBe(DAY_MS - 60_000);
    expect(codeOfOutcome(file({}, nowMs + waitMs - 1))).toBe('RATE_LIMITED');
    expect(codeOfOutcome(file({}, nowMs + waitMs))).toBe('ok');
  });

  it('[limit.flag.breaker] counts pending flags alone', () => {
    const ids = many(21);
    expect(codeOfOutcome(file({}, GENESIS_MS + 30_000))).toBe('RATE_LIMITED');
    reviewFlag(registry, ids[5] as string, 'dismiss');
    expect(codeOfOutcome(file({}, GENESIS_MS + 30_000))).toBe('ok');
  });
});

describe('the work of a complaint', () => {
  /** Entries of lists that are read while one more flag is filed and reviewed, after `before` others. */
  function readsAfter(before: number): number {
    registry = testRegistry();
    reporter = sigilAgent('reporter');
    target = walletRoot(registry, 'target').agent;
    for (let i = 0; i < before; i += 1) reviewFlag(registry, filed(), 'dismiss');
    let reads = 0;
    for (const [name, value] of Object.entries(registry.flags)) {
      if (!Array.isArray(value)) continue;
      const counted = new Proxy(value, {
        get: (list, key, receiver) => {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
          return Reflect.get(list, key, receiver);
        },
      });
      Object.defineProperty(registry.flags, name, { value: counted });
    }
    reviewFlag(registry, filed(), 'sustain');
    return reads;
  }

  it('grows with the logarithm of their number at most', () => {
    expect(readsAfter(4_000)).toBeLessThan(readsAfter(40) + 60);
  });
});
