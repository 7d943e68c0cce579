import { createHash, hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fastestKernels, type Kernel, kernelsOf, measureKernels, programKernel, programs } from './kernels.js';

/** The steps one by one, by the streaming hash of node:crypto, which no kernel uses. */
function stepped(start: string, steps: number): string {
  let current = start;
  for (let step = 0; step < steps; step += 1) current = createHash('sha256').update(current, 'ascii').digest('hex');
  return current;
}

const seeds = ['a', 'b', 'c', 'd'].map((text) => createHash('sha256').update(text).digest('hex'));
const kernels = kernelsOf(hash, programs());

describe('the kernels', () => {
  it('are three, where the machine has vectors', () => {
    expect(kernels.map(({ name, lanes }) => [name, lanes])).toEqual([
      ['node:crypto', 1],
      ['WebAssembly', 1],
      ['WebAssembly SIMD', 4],
    ]);
  });

  describe.each(kernels.map((kernel) => [kernel.name, kernel] as const))('%s', (_name, { lanes, advance }) => {
    it.each([0, 1, 2, 3, 64, 1_000, 2_000, 2_001, 4_500])('makes %i steps as node:crypto does', (steps) => {
      const hashes = seeds.slice(0, lanes);
      expect(advance(hashes, steps)).toEqual(hashes.map((seed) => stepped(seed, steps)));
    });

    it('makes the steps of any hashes, also of fewer than it has lanes', () => {
      const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));
      fc.assert(
        fc.property(
          fc.array(digest, { minLength: 1, maxLength: lanes }),
          fc.integer({ min: 0, max: 40 }),
          (hashes, steps) => {
            expect(advance(hashes, steps)).toEqual(hashes.map((each) => stepped(each, steps)));
          },
        ),
      );
    });

    it('handles the hashes whose bits are all alike', () => {
      for (const each of ['0'.repeat(64), 'f'.repeat(64), '8'.repeat(64)]) {
        const hashes = new Array<string>(lanes).fill(each);
        expect(advance(hashes, 7)).toEqual(hashes.map(() => stepped(each, 7)));
      }
    });
  });

  it('leave out a program that the machine cannot run', () => {
    expect(programKernel(Uint8Array.of(0, 0x61, 0x73, 0x6d, 9, 0, 0, 0), 4)).toBeUndefined();
    const { one } = programs();
    const noVectors = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0xff);
    expect(kernelsOf(hash, { one, four: noVectors }).map(({ name }) => name)).toEqual(['node:crypto', 'WebAssembly']);
  });
});

describe('the measurement', () => {
  /** Kernels that take so long for the steps of a call, by a clock of their own; the first call takes 100 times as long. */
  function timed(callMs: Readonly<Partial<Record<Kernel['name'], number>>>) {
    let nowMs = 0;
    let calls = 0;
    const timedKernels = kernels.map(({ name, lanes }): Kernel => {
      let slow = 100;
      const advance = (hashes: readonly string[]): string[] => {
        nowMs += slow * (callMs[name] ?? 1);
        slow = 1;
        calls += 1;
        return [...hashes];
      };
      return { name, lanes, advance };
    });
    return { kernels: timedKernels, nowMs: () => nowMs, calls: () => calls };
  }

  it('gives the hashes of all lanes a millisecond, without the first call', () => {
    const { kernels: slow, nowMs } = timed({ 'node:crypto': 0.1, WebAssembly: 0.2, 'WebAssembly SIMD': 0.05 });
    const rates = measureKernels(slow, nowMs);
    expect(rates['node:crypto']).toBeCloseTo(2_000, 6);
    expect(rates['WebAssembly']).toBeCloseTo(1_000, 6);
    expect(rates['WebAssembly SIMD']).toBeCloseTo(16_000, 6);
  });

  it('ends also where the vectors stay the slower ones', () => {
    const { kernels: slow, nowMs, calls } = timed({ 'node:crypto': 0.01, WebAssembly: 0.1, 'WebAssembly SIMD': 1 });
    expect(measureKernels(slow, nowMs)['WebAssembly SIMD']).toBeCloseTo(800, 6);
    expect(calls()).toBeLessThan(200);
  });

  it.each([
    [{ 'node:crypto': 3_500, WebAssembly: 3_400, 'WebAssembly SIMD': 7_000 }, ['node:crypto', 'WebAssembly SIMD']],
    [{ 'node:crypto': 1_900, WebAssembly: 3_400, 'WebAssembly SIMD': 7_000 }, ['WebAssembly', 'WebAssembly SIMD']],
    [{ 'node:crypto': 8_000, WebAssembly: 3_400, 'WebAssembly SIMD': 7_000 }, ['node:crypto', 'node:crypto']],
    [{ 'node:crypto': 1 }, ['node:crypto', 'node:crypto']],
  ])('chooses by %j', (rates, [one, many]) => {
    const fastest = fastestKernels(kernels, rates);
    expect([fastest.one.kernel.name, fastest.many.kernel.name]).toEqual([one, many]);
  });
});
