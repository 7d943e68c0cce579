/** The Sobol sequence in up to 21 dimensions. A random shift, which makes estimates unbiased, is by the caller's draws. */

import type { Draws } from '../statistics/draws.js';

const BITS = 32;
const TWO_TO_32 = 4_294_967_296;

/**
 * Primitive polynomials (degree, inner coefficients) and first direction numbers of dimensions 2 to 21: the first rows of
 * new-joe-kuo-6 (Joe and Kuo 2008).
 */
const DIRECTIONS: readonly (readonly [degree: number, coefficients: number, first: readonly number[]])[] = [
  [1, 0, [1]],
  [2, 1, [1, 3]],
  [3, 1, [1, 3, 1]],
  [3, 2, [1, 1, 1]],
  [4, 1, [1, 1, 3, 3]],
  [4, 4, [1, 3, 5, 13]],
  [5, 2, [1, 1, 5, 5, 17]],
  [5, 4, [1, 1, 5, 5, 5]],
  [5, 7, [1, 1, 7, 11, 19]],
  [5, 11, [1, 1, 5, 1, 1]],
  [5, 13, [1, 1, 1, 3, 11]],
  [5, 14, [1, 3, 5, 5, 31]],
  [6, 1, [1, 3, 3, 9, 7, 49]],
  [6, 13, [1, 1, 1, 15, 21, 21]],
  [6, 16, [1, 3, 1, 13, 27, 49]],
  [6, 19, [1, 1, 1, 15, 7, 5]],
  [6, 22, [1, 3, 1, 15, 13, 25]],
  [6, 25, [1, 1, 5, 5, 19, 61]],
  [7, 1, [1, 3, 7, 11, 23, 15, 103]],
  [7, 4, [1, 3, 7, 13, 13, 15, 69]],
];

/** The most dimensions of a sequence. */
export const SOBOL_DIMENSIONS_MAX = DIRECTIONS.length + 1;

/** The direction numbers of a dimension, from 0, as 32-bit words. */
function directionsOf(dimension: number): number[] {
  const row = DIRECTIONS[dimension - 1];
  if (row === undefined) return Array.from({ length: BITS }, (_, i) => (1 << (BITS - 1 - i)) >>> 0);
  const [degree, coefficients, first] = row;
  const words = first.map((value, i) => (value << (BITS - 1 - i)) >>> 0);
  for (let i = degree; i < BITS; i += 1) {
    const back = words[i - degree] as number;
    let word = back ^ (back >>> degree);
    for (let k = 1; k < degree; k += 1) {
      if ((coefficients >> (degree - 1 - k)) & 1) word ^= words[i - k] as number;
    }
    words.push(word >>> 0);
  }
  return words;
}

/**
 * The first `points` of the sequence in the unit cube, from the origin on, each number in the middle of one of 2^32 parts. With
 * `draws` every dimension is shifted by one random word (a digital shift), which keeps the points as even as they were.
 */
export function sobolPoints(points: number, dimensions: number, draws: Draws | null = null): number[][] {
  if (dimensions > SOBOL_DIMENSIONS_MAX) throw new RangeError(`at most ${SOBOL_DIMENSIONS_MAX} dimensions`);
  const directions = Array.from({ length: dimensions }, (_, d) => directionsOf(d));
  const words = directions.map(() => (draws === null ? 0 : Math.floor(draws() * TWO_TO_32) >>> 0));
  const at = (): number[] => words.map((word) => (word + 0.5) / TWO_TO_32);
  const list: number[][] = [];
  for (let i = 0; i < points; i += 1) {
    list.push(at());
    // Gray code: point i + 1 differs in the direction of the lowest zero bit of i (Antonov and Saleev 1979).
    const flipped = BITS - 1 - Math.clz32(~i & (i + 1));
    directions.forEach((direction, d) => {
      words[d] = ((words[d] as number) ^ (direction[flipped] as number)) >>> 0;
    });
  }
  return list;
}
