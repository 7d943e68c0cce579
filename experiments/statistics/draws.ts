/** Seeded uniform numbers for resampling and designs. Simulated agents have streams of their own, in simulator/. */

import { streamKey, uniform } from '../../simulator/chance/counter-random.js';

/** Uniform numbers between 0 and 1, exclusive, one after another. */
export type Draws = () => number;

/** The draws of a purpose under a seed (a safe integer from 0). The same seed and purpose give the same numbers. */
export function drawsOf(seed: number, purpose: string): Draws {
  const { high, low } = streamKey(seed, purpose, 0);
  let n = 0;
  return () => {
    n += 1;
    return uniform(high, low, 0, n);
  };
}

/** The numbers 0 to n - 1 in random order (Fisher and Yates). */
export function shuffled(n: number, draws: Draws): number[] {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i -= 1) {
    const j = Math.floor(draws() * (i + 1));
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}
