import { describe, expect, it } from 'vitest';
import { GENESIS_MS, testRegistry } from '../../test/fixtures/registry.js';
import { issueOneTime, ONE_TIME_MAX, peekOneTime, purgeOneTime, spendOneTime } from './one-time.js';

describe('a value that is valid once', () => {
  it('is so many bytes of hex, and differs from the one before', () => {
    const registry = testRegistry();
    const value = issueOneTime(registry, 'flow', 32, 300, GENESIS_MS);
    expect(value).toMatch(/^[0-9a-f]{64}$/);
    expect(issueOneTime(registry, 'flow', 32, 300, GENESIS_MS)).not.toBe(value);
  });

  it.each([
    [0, true],
    [299_999, true],
    [300_000, true],
    [300_001, false],
  ])('that lasts 300 s is good after %i ms: %s', (elapsedMs, good) => {
    const registry = testRegistry();
    const value = issueOneTime(registry, 'flow', 32, 300, GENESIS_MS);
    expect(peekOneTime(registry, value, 'flow', GENESIS_MS + elapsedMs) !== undefined).toBe(good);
    purgeOneTime(registry, GENESIS_MS + elapsedMs);
    expect(registry.oneTime.has(value)).toBe(good);
  });

  it('is valid in its own flow alone, and keeps its bound values', () => {
    const registry = testRegistry();
    const value = issueOneTime(registry, 'one', 32, 300, GENESIS_MS, { gap: 61 });
    expect(peekOneTime(registry, value, 'other', GENESIS_MS)).toBeUndefined();
    expect(peekOneTime(registry, value, 'one', GENESIS_MS)?.bound).toEqual({ gap: 61 });
  });

  it('is gone once spent, not when looked at', () => {
    const registry = testRegistry();
    const value = issueOneTime(registry, 'flow', 32, 300, GENESIS_MS);
    expect(peekOneTime(registry, value, 'flow', GENESIS_MS)).toBeDefined();
    expect(peekOneTime(registry, value, 'flow', GENESIS_MS)).toBeDefined();
    spendOneTime(registry, value);
    expect(peekOneTime(registry, value, 'flow', GENESIS_MS)).toBeUndefined();
  });

  it('is given up when there are too many, the oldest first', () => {
    const registry = testRegistry();
    const oldest = issueOneTime(registry, 'flow', 2, 300, GENESIS_MS);
    for (let i = 0; registry.oneTime.size < ONE_TIME_MAX; i++) {
      registry.oneTime.set(`value ${i}`, { flow: 'flow', expiresAtMs: GENESIS_MS + 1 });
    }
    const newest = issueOneTime(registry, 'flow', 2, 300, GENESIS_MS);
    expect(registry.oneTime.size).toBe(ONE_TIME_MAX);
    expect([registry.oneTime.has(oldest), registry.oneTime.has(newest)]).toEqual([false, true]);
  });

  it('is not one of the names that every object has', () => {
    expect(peekOneTime(testRegistry(), 'constructor', 'flow', GENESIS_MS)).toBeUndefined();
  });
});
