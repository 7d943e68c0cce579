/**
 * A line of a journal without its secrets, for `aips journal export`: a bug report goes to others. The seed comes first, since every
 * key, token and nonce follows from it. Equal values get equal stand-ins within one export, and no stand-in can be computed back.
 */

import { createHmac, randomBytes } from 'node:crypto';
import type { JournalLine } from '../../reference/store/journal-line.js';

/** Keys and headers of owners, bodies and calls whose values allow acting for another party, or lead to such a value. */
const SECRETS: ReadonlySet<string> = new Set([
  'seed',
  'registration_secret_sha256',
  'key',
  'api_key',
  'secret',
  'token',
  'x-registration-token',
  'spawn_authorization',
  'nonce',
  'wallet_nonce',
  'challenge_nonce',
  // The address of a partner's webhook may have a password or a token in it.
  'url',
  'webhook_url',
]);

/** Makes the stand-ins of one export. */
export function redactor(): (line: JournalLine) => unknown {
  const salt = randomBytes(32);
  const standIn = (value: unknown): string => {
    const digest = createHmac('sha256', salt).update(JSON.stringify(value)).digest('hex');
    return `[redacted ${digest.slice(0, 8)}]`;
  };
  const redact = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(redact);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, each]): [string, unknown] => {
      const isSecret = SECRETS.has(key) && each !== null && typeof each !== 'object';
      return [key, isSecret ? standIn(each) : redact(each)];
    });
    return Object.fromEntries(entries);
  };
  return redact;
}
