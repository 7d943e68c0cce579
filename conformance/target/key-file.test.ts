import { describe, expect, it } from 'vitest';
import { Wallet } from '../protocol/wallet.js';
import { readKeyFile } from './key-file.js';

/** RFC 8032, 7.1, test 1: secret and public key. */
const SECRET = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PUBLIC = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const numbers = [...Buffer.from(SECRET + PUBLIC, 'hex')];

describe('a key file', () => {
  it('of the Solana command line holds 64 numbers', () => {
    const wallet = readKeyFile(JSON.stringify(numbers));
    expect(wallet).toBeInstanceOf(Wallet);
    expect((wallet as Wallet).publicKeyHex).toBe(PUBLIC);
    expect((wallet as Wallet).keyFileNumbers()).toEqual(numbers);
  });

  it('of aips tools wallet new is taken too', () => {
    const text = JSON.stringify({ address: 'x', public_key_hex: PUBLIC, secret_key_hex: SECRET });
    expect((readKeyFile(text) as Wallet).publicKeyHex).toBe(PUBLIC);
  });

  it.each([
    ['no JSON', 'secret', /is not JSON/],
    ['32 numbers', JSON.stringify(numbers.slice(0, 32)), /does not hold 64 numbers/],
    ['a number that is no byte', JSON.stringify(numbers.with(3, 256)), /does not hold 64 numbers/],
    ['an object', '{}', /does not hold 64 numbers/],
    ['another public key', JSON.stringify(numbers.with(63, 0)), /not that of its secret/],
  ])('of %s is refused', (_, text, reason) => {
    expect(readKeyFile(text)).toMatch(reason);
  });
});
