import { describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import { golden } from '../../test/fixtures/golden.js';
import { testRegistry } from '../../test/fixtures/registry.js';
import { textOf } from './columns/interner.js';
import { type OwnershipWord, ownedWallet, ownershipMessage, verifyOwnership } from './wallet-ownership.js';
import { verifyEthereumSignature, verifySolanaSignature } from './wallet-signature.js';

interface MessageCase {
  readonly name: string;
  readonly dialect: 'service' | 'provenonce';
  readonly flow: OwnershipWord;
  readonly nonce: string;
  readonly address: string;
  readonly subject: string;
  readonly text: string;
  readonly signature: string;
}

const vectors = golden<MessageCase>('messages');

const hexDigitChanged = (hex: string, at: number): string =>
  hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1);

describe('golden messages', () => {
  it.each(vectors)('$name', ({ dialect, flow, text, signature, ...proof }) => {
    const registry = testRegistry({ dialect: dialects[dialect] });
    expect(ownershipMessage(dialect, flow, proof)).toBe(text);
    expect(verifyOwnership(registry, flow, { ...proof, signature })).toBe(true);
    const other = testRegistry({ dialect: dialects[dialect === 'service' ? 'provenonce' : 'service'] });
    expect(verifyOwnership(other, flow, { ...proof, signature })).toBe(false);
    expect(verifyOwnership(registry, flow, { ...proof, subject: `${proof.subject}x`, signature })).toBe(false);
    expect(verifyOwnership(registry, flow, { ...proof, nonce: hexDigitChanged(proof.nonce, 5), signature })).toBe(
      false,
    );
    expect(verifyOwnership(registry, flow, { ...proof, signature: hexDigitChanged(signature, 20) })).toBe(false);
  });

  it('cover every word in both dialects', () => {
    expect(new Set(vectors.map(({ dialect, flow }) => `${dialect} ${flow}`)).size).toBe(10);
  });
});

const ethereum = vectors.find(({ flow }) => flow === 'register-ethereum') as MessageCase;
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

describe('an Ethereum signature', () => {
  const { address, text, signature } = ethereum;
  const v = signature.slice(-2);

  it('holds with the recovery bit as 0 or 1, and for the address in any case', () => {
    const bit = v === '1b' ? '00' : '01';
    expect(verifyEthereumSignature(address, text, `${signature.slice(0, -2)}${bit}`)).toBe(true);
    expect(verifyEthereumSignature(address.toLowerCase(), text, signature)).toBe(true);
    expect(verifyEthereumSignature(`0x${address.slice(2).toUpperCase()}`, text, signature)).toBe(true);
  });

  it('has one form: the mirrored s, which also recovers the key, is refused', () => {
    const s = BigInt(`0x${signature.slice(66, 130)}`);
    const mirrored = (CURVE_ORDER - s).toString(16).padStart(64, '0');
    const flipped = v === '1b' ? '1c' : '1b';
    expect(verifyEthereumSignature(address, text, `${signature.slice(0, 66)}${mirrored}${flipped}`)).toBe(false);
  });

  it.each([
    ['without 0x', signature.slice(2)],
    ['a byte short', signature.slice(0, -2)],
    ['a byte long', `${signature}00`],
    ['another recovery bit', `${signature.slice(0, -2)}${v === '1b' ? '1c' : '1b'}`],
    ['a recovery byte of 29', `${signature.slice(0, -2)}1d`],
    ['zeros', `0x${'00'.repeat(65)}`],
    ['all ones', `0x${'ff'.repeat(64)}1b`],
    ['empty', ''],
  ])('%s is refused', (_name, bad) => {
    expect(verifyEthereumSignature(address, text, bad)).toBe(false);
  });
});

describe('a Solana signature', () => {
  it('is refused for a text that is no address', () => {
    const { text, signature } = vectors.find(({ flow }) => flow === 'register-operator') as MessageCase;
    expect(verifySolanaSignature('abc', text, signature)).toBe(false);
    expect(verifySolanaSignature('', text, signature)).toBe(false);
  });
});

describe('the wallet that is kept', () => {
  it.each<[OwnershipWord, string, string, string, string]>([
    [
      'register',
      '882d0ea3b2864e7a587f3e698cea4459998312e655e05fa5e8b5119d8baac8cd',
      'AAaJ9jMVspo3y3Hs4u1YGWrmDE9aEvq2kmXVhPUyS6di',
      'self-custody',
      'solana',
    ],
    [
      'link-wallet-operator',
      'AAaJ9jMVspo3y3Hs4u1YGWrmDE9aEvq2kmXVhPUyS6di',
      'AAaJ9jMVspo3y3Hs4u1YGWrmDE9aEvq2kmXVhPUyS6di',
      'operator',
      'solana',
    ],
    [
      'register-ethereum',
      '0x0F7C654Ef7171e63c09372d26c760fAE2c864eB9',
      '0x0f7c654ef7171e63c09372d26c760fae2c864eb9',
      'self-custody',
      'ethereum',
    ],
  ])('%s', (word, address, kept, model, chain) => {
    const registry = testRegistry();
    const owned = ownedWallet(registry, word, address);
    expect(textOf(registry.wallets, owned.wallet)).toBe(kept);
    expect(owned).toMatchObject({ model, chain });
    expect(ownedWallet(registry, word, address).wallet).toBe(owned.wallet);
  });
});
