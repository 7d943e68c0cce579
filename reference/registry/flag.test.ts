import { beforeEach, describe, expect, it } from 'vitest';
import { codeOfOutcome, GENESIS_MS, testRegistry, walletRoot, withSigil } from '../../test/fixtures/registry.js';
import { breakerWaitMs, type FlagInput, flag, reviewFlag } from './flag.js';
import type { Registry } from './state.js';

const DAY_MS = 86_400_000;
let registry: Registry;
let reporter: number;
let target: number;

function sigilAgent(name: string): number {
  const made = walletRoot(registry, name);
  withSigil(registry, made);
  return made.agent;
}

beforeEach(() => {
  registry = testRegistry();
  reporter = sigilAgent('reporter');
  target = sigilAgent('target');
});

const file = (change: Partial<FlagInput> = {}, nowMs = GENESIS_MS) =>
  flag(registry, { agent: reporter, target, assertedClass: 'autonomous', reason: 'why', ...change }, nowMs);

function filed(change: Partial<FlagInput> = {}, nowMs = GENESIS_MS): string {
  const outcome = file(change, nowMs);
  if (!outcome.ok) throw new Error(outcome.row.code);
  return outcome.flag.id;
}

describe('review', () => {
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
});

describe('the circuit breaker', () => {
  /** Files a number of flags, a second apart, and returns their ids. */
  const many = (count: number): string[] =>
    Array.from({ length: count }, (_, i) =>
      filed({ target: walletRoot(registry, `t${i}`).agent }, GENESIS_MS + i * 1_000),
    );

  it('is right about when it closes: a millisecond before it accepts no flag, at that moment it does', () => {
    many(21);
    const nowMs = GENESIS_MS + 60_000;
    const waitMs = breakerWaitMs(registry, nowMs);
    expect(waitMs).toBe(DAY_MS - 60_000);
    expect(codeOfOutcome(file({}, nowMs + waitMs - 1))).toBe('RATE_LIMITED');
    expect(codeOfOutcome(file({}, nowMs + waitMs))).toBe('ok');
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
