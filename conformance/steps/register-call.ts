/** Steps that request and spend registration tokens (4.3). The modes of registration with a wallet are in wallet-modes.ts. */

import type { Reply } from '../assertions/reply.js';
import { registerByToken } from '../moves/register.js';
import type { Trial } from '../trial/trial.js';

/** A fresh token (4.3). */
export async function issueToken(t: Trial): Promise<string> {
  return t.mustSucceed(await t.call('register-token')).string('token');
}

/** Registers a root with a token and without the secret. `more`: further fields of the body. */
export function spendToken(t: Trial, token: string, more: object = {}): Promise<Reply> {
  return t.send(registerByToken(token, { name: t.word(), ...more }));
}
