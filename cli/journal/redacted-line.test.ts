import { expect, it } from 'vitest';
import type { JournalLine } from '../../reference/store/journal-line.js';
import { redactor } from './redacted-line.js';

const SEED = 'f00d'.repeat(16);
const owner = { seed: SEED, policy: { registration_secret_sha256: 'c0ffee', byoWallet: true } };
const header = { format: 2, version: '0.1.0', rules: 'r', owner, start_ms: 1, segment: 1, first: 0, previous: '0' };
const command = (body: object, given = {}): object => ({
  seq: 0,
  command: { at: 1, name: 'register', agent: -1, body, given },
  state: 'ab',
});
const lines = [
  header,
  command({ name: 'a', wallet_nonce: 'nonce-1', wallet_signature: 'sig' }, { 'x-registration-token': 'token-1' }),
  command({ name: 'b', spawn_authorization: 'spawn-1', metadata: { note: 'kept' } }),
  command({ key: 'pva_1' }),
  command({ url: 'https://user:hunter2@example.org/hook', events: ['FROZEN'] }),
  command({ challenge_nonce: 'nonce-1', proof: { nonce: 'nonce-1' } }),
] as unknown as readonly JournalLine[];

it('an export has no seed, secret, key, token or nonce, and keeps what is none of these', () => {
  const redact = redactor();
  const text = lines.map((line) => JSON.stringify(redact(line))).join('\n');
  for (const secret of [SEED, 'c0ffee', 'nonce-1', 'token-1', 'spawn-1', 'pva_1', 'hunter2'])
    expect(text).not.toContain(secret);
  for (const kept of ['"name":"a"', '"note":"kept"', '"wallet_signature":"sig"', '"byoWallet":true', '"state":"ab"']) {
    expect(text).toContain(kept);
  }
  // Equal nonces are seen to be equal; those of another export are others.
  const standIns = text.match(/\[redacted [0-9a-f]{8}\]/g) ?? [];
  expect(new Set(standIns).size).toBe(7);
  expect(JSON.stringify(redactor()(header as unknown as JournalLine))).not.toContain(standIns[0]);
});

it('no secret and a seed that is a number are told apart', () => {
  const line = {
    ...header,
    owner: { seed: 7, policy: { registration_secret_sha256: null } },
  } as unknown as JournalLine;
  expect(redactor()(line)).toMatchObject({
    owner: { seed: expect.stringMatching(/^\[redacted/), policy: { registration_secret_sha256: null } },
  });
});
