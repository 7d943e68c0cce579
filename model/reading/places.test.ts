import { describe, expect, it } from 'vitest';
import { addressesIn, placed, publicKeysIn } from './places.js';

const HEX = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const bytes = Buffer.from(HEX, 'hex');
const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes]);
const hash = `0x${'ab'.repeat(32)}`;

describe('what has no place in the text', () => {
  it.each([
    ['bare', { agent_hash: hash, valid_until: 1 }],
    ['under another name', { data: { document: { agent_hash: hash, valid_until: 1 } } }],
  ])('a passport is found %s', (_, json) => {
    expect(placed('passport', json, undefined)).toMatchObject({ passport: { agent_hash: hash, valid_until: 1 } });
  });

  it('a passport in its own place stays what it is, and a credential is none', () => {
    const own = { passport: { agent_hash: hash }, other: { agent_hash: hash, valid_until: 2 } };
    expect(placed('passport', own, undefined)).toBe(own);
    const none = { passport_vc: { credentialSubject: { agent_hash: hash } } };
    expect(placed('passport', none, undefined)).toBe(none);
  });

  it('the credentials of a child are found, and those of a root are not looked for', () => {
    const json = { child: { agent_hash: hash, api_key: 'pvn_a.b' } };
    const sent = { name: 'n', spawn_authorization: 'a' };
    expect(placed('register', json, sent)).toMatchObject({ hash, api_key: 'pvn_a.b' });
    expect(placed('register', json, { name: 'n' })).toBe(json);
  });

  it('the nonce of an operator is found, that of a self-custody wallet stands where the text has it', () => {
    const json = { challenge: { nonce: 'abc' } };
    expect(placed('register', json, { name: 'n', wallet_model: 'operator' })).toMatchObject({ nonce: 'abc' });
    expect(placed('register', json, { name: 'n', action: 'challenge' })).toBe(json);
  });
});

describe('a public key', () => {
  it.each([
    ['hex', { key_id: 'k', public_key: HEX.toUpperCase() }],
    [
      'a JSON web key',
      { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: bytes.toString('base64url'), x: bytes.toString('base64url') }] },
    ],
    ['PEM', { pem: `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n` }],
  ])('is read from %s', (_, json) => {
    expect(publicKeysIn(json)).toEqual([HEX]);
  });

  it('is read as the field says where two readings are possible', () => {
    // 43 characters that are 32 bytes in either coding.
    const text = '5bQUyk2e3WtKLx7EhyL2kp6Wf9k2KgVhbHGHhmeNLGA';
    const asJwk = Buffer.from(text, 'base64url').toString('hex');
    expect(publicKeysIn({ keys: [{ kty: 'OKP', crv: 'Ed25519', x: text }] })).toEqual([asJwk]);
    expect(publicKeysIn({ key: text })).not.toEqual([asJwk]);
    expect(publicKeysIn({ key: text })).toHaveLength(1);
  });

  it('of another kind is none', () => {
    const other = Buffer.concat([Buffer.from('302a300506032b656e032100', 'hex'), bytes]).toString('base64');
    expect(publicKeysIn({ pem: other, name: 'a name' })).toEqual([]);
  });
});

it('an address is known among the texts of a reply', () => {
  const address = '5bQUyk2e3WtKLx7EhyL2kp6Wf9k2KgVhbHGHhmeNLGKx';
  expect(addressesIn({ pay_to: [address], currency: 'SOL', note: 'x'.repeat(44) })).toContain(address);
});
