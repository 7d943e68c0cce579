import { createHash, hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fastest, fastestKernels, type Kernel, kernelsOf, programs } from './kernels.js';
import { type Chain, startLanes } from './lanes.js';

const kernels = kernelsOf(hash, programs());
const rated = (rates: Parameters<typeof fastestKernels>[1]): Fastest => fastestKernels(kernels, rates);
const FAST_VECTORS = { 'node:crypto': 2_000, WebAssembly: 3_500, 'WebAssembly SIMD': 7_000 };

/** Runs of a chain: the text of each is the hash before, a colon and the number of the run. */
function chainOf(name: string, runs: number, steps: number) {
  const ends: string[] = [];
  const next = (last: string): string | undefined => {
    if (last !== '') ends.push(last);
    return ends.length === runs ? undefined : `${last}${name}:${ends.length}`;
  };
  const chain: Chain = { steps, next };
  return { chain, ends };
}

function expected(name: string, runs: number, steps: number): string[] {
  const ends: string[] = [];
  let last = '';
  for (let run = 0; run < runs; run += 1) {
    last = createHash('sha256').update(`${last}${name}:${run}`).digest('hex');
    for (let step = 0; step < steps; step += 1) last = createHash('sha256').update(last).digest('hex');
    ends.push(last);
  }
  return ends;
}

describe('lanes', () => {
  it.each([
    ['vectors', FAST_VECTORS],
    ['one kernel for all', { 'node:crypto': 9_000, WebAssembly: 1, 'WebAssembly SIMD': 7_000 }],
  ])('hash chains of any number, length and steps as one by one: %s', (_title, rates) => {
    const shape = fc.record({ runs: fc.integer({ min: 0, max: 4 }), steps: fc.integer({ min: 0, max: 30 }) });
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 9 }), fc.integer({ min: 1, max: 200 }), (shapes, slice) => {
        const lanes = startLanes(rated(rates), hash);
        const made = shapes.map(({ runs, steps }, i) => chainOf(`chain ${i}`, runs, steps));
        for (const { chain } of made) lanes.add(chain);
        while (lanes.run(slice));
        expect(made.map(({ ends }) => ends)).toEqual(
          shapes.map(({ runs, steps }, i) => expected(`chain ${i}`, runs, steps)),
        );
      }),
    );
  });

  it('take chains while others are being hashed', () => {
    const lanes = startLanes(rated(FAST_VECTORS), hash);
    const [early, late] = [chainOf('early', 3, 50), chainOf('late', 2, 20)];
    lanes.add(early.chain);
    expect(lanes.run(40)).toBe(true);
    lanes.add(late.chain);
    while (lanes.run(40));
    expect([early.ends, late.ends]).toEqual([expected('early', 3, 50), expected('late', 2, 20)]);
    expect(lanes.run(40)).toBe(false);
  });

  /** Kernels that note how many chains each call had. */
  function noting(rates: readonly [one: number, many: number]) {
    const calls: string[] = [];
    const kernel = (name: Kernel['name'], lanes: number): Kernel => ({
      name,
      lanes,
      advance: (hashes) => {
        calls.push(`${name} ${hashes.length}`);
        return [...hashes];
      },
    });
    const fastest: Fastest = {
      one: { kernel: kernel('WebAssembly', 1), hashesPerMs: rates[0] },
      many: { kernel: kernel('WebAssembly SIMD', 4), hashesPerMs: rates[1] },
    };
    return { fastest, calls };
  }

  it('are filled again as chains end, and the last chains go to the kernel that is faster for so few', () => {
    const { fastest, calls } = noting([30, 100]);
    const lanes = startLanes(fastest, hash);
    for (const steps of [10, 20, 20, 20, 10, 30]) lanes.add(chainOf('x', 1, steps).chain);
    while (lanes.run(1_000_000));
    expect(calls).toEqual([
      // The first ends after 10 steps, and the fifth takes its lane; the fifth ends with those of 20, then there is one.
      'WebAssembly SIMD 4',
      'WebAssembly SIMD 4',
      'WebAssembly 1',
    ]);
  });

  it('hold no chain back where only one kernel is fast: one after the other, in their order', () => {
    const { fastest, calls } = noting([101, 100]);
    const lanes = startLanes(fastest, hash);
    for (const steps of [10, 20]) lanes.add(chainOf('x', 1, steps).chain);
    while (lanes.run(1_000_000));
    expect(calls).toEqual(['WebAssembly 1', 'WebAssembly 1']);
  });
});
