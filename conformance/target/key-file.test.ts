import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { Wallet } from '../protocol/wallet.js';
import { readKeyFile, readWallet } from './key-file.js';

/** RFC 8032, 7.1, test 1: secret and public key. */
const SECRET = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PUBLIC = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
/** The public key in base58. */
const ADDRESS = base58.encode(Buffer.from(PUBLIC, 'hex'));
const numbers = [...Buffer.from(SECRET + PUBLIC, 'hex')];

describe('a wallet file', () => {
  it.each([
    ['the address of another secret', { address: `0x${'1'.repeat(40)}` }, /address that does not match its secret/],
    ['a public key', { public_key_hex: PUBLIC }, /holds a public key, but/],
    ['a secret out of range', { secret_key_hex: '0'.repeat(64) }, /number is out of range/],
  ])('of Ethereum with %s is refused', (_, fields, reason) => {
    expect(readWallet(JSON.stringify({ chain: 'ethereum', secret_key_hex: SECRET, ...fields }))).toMatch(reason);
  });
});

describe('a key file', () => {
  it('of the Solana command line holds 64 numbers', () => {
    const wallet = readKeyFile(JSON.stringify(numbers));
    expect(wallet).toBeInstanceOf(Wallet);
    expect((wallet as Wallet).publicKeyHex).toBe(PUBLIC);
    expect((wallet as Wallet).keyFileNumbers()).toEqual(numbers);
  });

  it('of aips tools wallet new is taken too', () => {
    const text = JSON.stringify({ address: ADDRESS, public_key_hex: PUBLIC, secret_key_hex: SECRET });
    expect((readKeyFile(text) as Wallet).publicKeyHex).toBe(PUBLIC);
  });

  it.each([
    ['no JSON', 'secret', /is not JSON/],
    ['32 numbers', JSON.stringify(numbers.slice(0, 32)), /does not hold 64 numbers/],
    ['a number that is no byte', JSON.stringify(numbers.with(3, 256)), /does not hold 64 numbers/],
    ['an object', '{}', /does not hold 64 numbers/],
    ['another public key', JSON.stringify(numbers.with(63, 0)), /public key that does not match its secret/],
    [
      'another public key, in our form',
      JSON.stringify({ address: ADDRESS, public_key_hex: SECRET, secret_key_hex: SECRET }),
      /public key that does not match its secret/,
    ],
    [
      'another address, in our form',
      JSON.stringify({ address: `${ADDRESS}1`, public_key_hex: PUBLIC, secret_key_hex: SECRET }),
      /address that does not match its secret/,
    ],
    ['a short secret, in our form', '{"secret_key_hex":"ab"}', /is not as aips tools wallet new writes it/],
    [
      'Ethereum',
      JSON.stringify({ chain: 'ethereum', secret_key_hex: SECRET }),
      /is of an Ethereum wallet, but a Solana wallet is needed/,
    ],
  ])('of %s is refused', (_, text, reason) => {
    expect(readKeyFile(text)).toMatch(reason);
  });
});
