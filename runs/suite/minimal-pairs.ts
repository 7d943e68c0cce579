/** Reads the minimal pairs of the package. Their form is in results/pairs.ts. */

import { join } from 'node:path';
import { type Pair, readPairs } from '../../results/pairs.js';
import { readText } from '../host/files.js';
import { packageRoot } from '../host/package.js';

/** Where they are, from the root of the package. */
export const PAIRS_FILE = 'examples/vectors/pairs.json';

/** The first pair of each clause that has one. */
export function pairsByClause(): ReadonlyMap<string, Pair> {
  const { pairs } = readPairs(readText(join(packageRoot(), PAIRS_FILE), 'file of pairs'), PAIRS_FILE);
  return new Map(pairs.toReversed().flatMap((pair) => pair.shows.map(({ clause }) => [clause, pair] as const)));
}
