import { timingSafeEqual } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { codeOf, GENESIS_MS, testAgent, testRegistry } from '../../test/fixtures/registry.js';
import { authenticate, issueKey } from './keys.js';

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>();
  return { ...real, timingSafeEqual: vi.fn(real.timingSafeEqual) };
});
afterEach(() => vi.mocked(timingSafeEqual).mockClear());

describe('the signature of an agent key', () => {
  const registry = testRegistry();
  const key = issueKey(registry, testAgent(registry), GENESIS_MS);
  const [head = '', signature = ''] = key.split('.');
  const flipped = (at: number): string =>
    `${head}.${signature.slice(0, at)}${signature[at] === '0' ? '1' : '0'}${signature.slice(at + 1)}`;

  it.each([
    ['right', key, 'accepted'],
    ['wrong from its first character on', flipped(0), 'any/AUTH_MISSING'],
    ['wrong in its last character', flipped(63), 'any/AUTH_MISSING'],
  ])('[key.agent.constant-time] is compared whole, and once, where it is %s', (_what, given, outcome) => {
    expect(codeOf(authenticate(registry, given))).toBe(outcome);
    const compared = vi.mocked(timingSafeEqual).mock.calls.map(([a, b]) => [a.byteLength, b.byteLength]);
    expect(compared).toEqual([[64, 64]]);
  });
});
