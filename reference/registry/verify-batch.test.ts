import { describe, expect, it } from 'vitest';
import { GENESIS_MS, testRegistry, walletRoot } from '../../test/fixtures/registry.js';
import { hashOf } from './state.js';
import { verifyBatch } from './verify-batch.js';

const unknown = `0x${'ab'.repeat(32)}`;

describe('a list', () => {
  it.each<[string, unknown, string]>([
    ['that is missing', undefined, 'INVALID_INPUT'],
    ['that is no list', unknown, 'INVALID_INPUT'],
    ['without hashes', [], 'INVALID_INPUT'],
    ['of 51', Array(51).fill(unknown), 'BATCH_TOO_LARGE'],
    ['with a number', [unknown, 1], 'INVALID_HASH'],
    ['with a hash that is short', [unknown.slice(0, -1)], 'INVALID_HASH'],
    ['with a hash without 0x', [unknown.slice(2)], 'INVALID_HASH'],
  ])('%s is refused', (_name, hashes, code) => {
    const outcome = verifyBatch(testRegistry(), hashes, GENESIS_MS);
    expect(outcome.ok === false && outcome.row.code).toBe(code);
  });

  it('of 50 is answered in its order, in either case, the same twice', () => {
    const registry = testRegistry();
    const hash = hashOf(registry, walletRoot(registry, 'known').agent);
    const upper = `0x${hash.slice(2).toUpperCase()}`;
    const hashes = [unknown, hash, upper, ...Array<string>(47).fill(unknown)];
    const outcome = verifyBatch(registry, hashes, GENESIS_MS);
    if (!outcome.ok) throw new Error(outcome.row.code);
    expect(outcome.summary).toEqual({ total: 50, verified: 2, not_found: 48 });
    expect(outcome.results[0]).toMatchObject({ verified: false, hash: unknown });
    expect(outcome.results[1]).toMatchObject({ verified: true, agent: { hash }, passport: null });
    expect(outcome.results[2]).toEqual(outcome.results[1]);
  });
});
