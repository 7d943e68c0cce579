/** Registration as the checks of it call it, and the tokens and metadata that they send. The modes with a wallet are in wallet-modes.ts. */

import type { Reply } from '../assertions/reply.js';
import { registrationHeaders } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** Registers with a body as it is, in mode 1 unless the body says otherwise. */
export function register(
  t: Trial,
  body: unknown,
  more: {
    readonly address?: string | undefined;
    readonly mayLimit?: boolean;
    readonly mayBeOff?: boolean;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Reply> {
  return t.call('register', { body, headers: registrationHeaders(t.session), ...more });
}

/** Metadata whose JSON has exactly `bytes` bytes; `fill` is the character that fills it. */
export function metadataOf(bytes: number, fill: string): { pad: string } {
  const each = Buffer.byteLength(fill);
  const room = bytes - Buffer.byteLength(JSON.stringify({ pad: '' }));
  return { pad: fill.repeat(Math.floor(room / each)) + 'x'.repeat(room % each) };
}

/** Metadata that is invalid by 2.2: no object, and an object that is too large. */
export const unfitMetadata = (t: Trial): readonly unknown[] => [
  metadataOf(t.protocol.registration.metadataBytesMax + 1, 'x'),
  ['no', 'object'],
  'no object',
];

/** As setup: a fresh token (4.3). */
export function issueToken(t: Trial): Promise<string> {
  return t.setup('a token', async () => t.accepted(await t.call('register-token')).string('token'));
}

/** Registers a root with a token, and no secret; with more fields of the body where they are given. */
export function spendToken(t: Trial, token: string, more: object = {}): Promise<Reply> {
  return register(t, { name: t.word(), ...more }, { headers: { 'x-registration-token': token } });
}
