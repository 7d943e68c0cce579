/** POST /verify/batch (4.14): batches of hashes, valid and with faults. */

import type { Protocol } from '../../spec/protocol.js';
import type { Move } from './move.js';

/** Sends a batch. `hashes`: any value. */
export const verifyBatch = (hashes: unknown): Move => ({ endpoint: 'verify-batch', body: { hashes } });

/** Values that are not a list of hashes, by name. `hash`: a valid hash. */
export const noBatches = {
  empty: () => [],
  missing: () => undefined,
  'one-hash': (hash) => hash,
  number: () => 7,
  'like-a-list': (hash) => ({ 0: hash, length: 1 }),
} as const satisfies Readonly<Record<string, (hash: string) => unknown>>;

/** Invalid hashes that are close to a valid one, by name. */
export const badHashes = {
  short: (hash) => hash.slice(0, -1),
  long: (hash) => `${hash}00`,
  bare: (hash) => hash.slice(2),
  'other-letter': (hash) => `${hash.slice(0, -1)}g`,
  number: () => 7,
  word: () => 'no hash',
} as const satisfies Readonly<Record<string, (hash: string) => unknown>>;

/** Sizes of a batch at the bound and beyond, by name. */
export const sizes = ({ verifyBatch: { hashesMax } }: Protocol) => ({ fifty: hashesMax, 'fifty-one': hashesMax + 1 });
