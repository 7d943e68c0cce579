import { createHash } from 'node:crypto';

/** What the registry keeps of a key that it has given out: enough to know it again, not enough to use it. */
export function keyDigest(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
