/** Measures the ways to hash chains of beats, and which of them are chosen here. Whole proofs are measured in proofs.ts. */

import { hash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { median } from 'simple-statistics';
import { type Fastest, fastestKernels, type Kernel, kernelsOf, measureKernels, programs } from '../sha256/kernels.js';
import { startLanes } from '../sha256/lanes.js';

const ROUNDS = 9;
const CHAINS = 16;
const BEATS = 20;
const DIFFICULTY = 1_000;
const WARM_UP_STEPS = 20_000;

/**
 * Measures the kernels by turns: how many times as many hashes the chosen ones make in a second of CPU time as node:crypto. Throws
 * if two of them come to different hashes.
 */
export function benchKernels() {
  const kernels = kernelsOf(hash, programs());
  const startMs = performance.now();
  const fastest = fastestKernels(
    kernels,
    measureKernels(kernels, () => performance.now()),
  );
  const choiceMs = performance.now() - startMs;
  const [node] = kernels;
  if (node === undefined) throw new Error('there is no kernel of node:crypto');
  const slow: Fastest = { one: { kernel: node, hashesPerMs: 1 }, many: { kernel: node, hashesPerMs: 1 } };
  for (const kernel of kernels) kernel.advance(startsOf(kernel), WARM_UP_STEPS);
  const ratios = new Map<string, number[]>(kernels.map(({ name }) => [name, []]));
  const chains: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const base = rateOf(node);
    for (const kernel of kernels) ratios.get(kernel.name)?.push(rateOf(kernel) / base);
    const [one, many] = [timedChains(slow), timedChains(fastest)];
    if (one.ends !== many.ends) throw new Error('two ways to hash come to different beats');
    chains.push(one.cpuMs / many.cpuMs);
  }
  const ratioOf = ({ name }: Kernel): number => Number(median(ratios.get(name) ?? []).toFixed(2));
  return {
    one_chain: fastest.one.kernel.name,
    one_chain_ratio: ratioOf(fastest.one.kernel),
    many_chains: fastest.many.kernel.name,
    // Of many chains of beats at once, including all work per beat, compared with one chain after the other.
    many_chains_ratio: Number(median(chains).toFixed(2)),
    // Of every kernel, hashing as many chains as it has lanes.
    kernel_ratios: Object.fromEntries(kernels.map((kernel) => [kernel.name, ratioOf(kernel)])),
    choice_ms: Math.round(choiceMs),
  };
}

function startsOf({ lanes }: Kernel): readonly string[] {
  return Array.from({ length: lanes }, (_, lane) => hash('sha256', `chain ${lane}`, 'hex'));
}

/** CPU time, so that what else the machine does counts little. */
function cpuMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function rateOf(kernel: Kernel): number {
  const steps = 40_000;
  return (steps * kernel.lanes) / cpuMs(() => kernel.advance(startsOf(kernel), steps));
}

function timedChains(fastest: Fastest): { readonly cpuMs: number; readonly ends: string } {
  const ends: string[] = [];
  const lanes = startLanes(fastest, hash);
  for (let chain = 0; chain < CHAINS; chain += 1) {
    let beat = 0;
    const next = (last: string): string | undefined => {
      ends[chain] = last;
      beat += 1;
      return beat > BEATS ? undefined : `${last}:${beat}::${chain}`;
    };
    lanes.add({ steps: DIFFICULTY, next });
  }
  return {
    cpuMs: cpuMs(() => {
      while (lanes.run(100_000));
    }),
    ends: ends.join(),
  };
}
