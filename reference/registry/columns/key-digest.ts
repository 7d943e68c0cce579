/**
 * The digest by which the registry recognises keys that it has issued. Agent keys need none: they are verified by their
 * signature.
 */

import { createHash } from 'node:crypto';

/** SHA-256 of a key in hex. It identifies the key, and cannot be used in its place. */
export function keyDigest(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
