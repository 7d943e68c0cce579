// Signatures of a target: whatever a reply has in their place is compared, and never an error of the suite.
import { expect, it } from 'vitest';
import { verifiesBase64, verifiesEverywhere } from '../../model/reading/signature.js';
import { Wallet } from './wallet.js';

const wallet = new Wallet(new Uint8Array(32).fill(7));
const signature = Buffer.from(wallet.sign('a text'), 'hex').toString('base64');

it('verifies a signature in base64', () => {
  expect(verifiesBase64(signature, 'a text', wallet.publicKeyHex)).toBe(true);
  expect(verifiesBase64(signature, 'another', wallet.publicKeyHex)).toBe(false);
});

it.each(['', 'AB==', 'A', `${signature} `, signature.replace(/=+$/, ''), '%%%='])(
  'takes %j for no signature',
  (text) => {
    expect(verifiesBase64(text, 'a text', wallet.publicKeyHex)).toBe(false);
  },
);

it('takes a signature under a key of small order for one on which verifiers differ, and another for one by nobody', () => {
  // The neutral point as the key and as R, and S = 0: the equation holds for every text.
  const [neutral, zero] = [`01${'00'.repeat(31)}`, '00'.repeat(32)];
  expect(verifiesEverywhere(neutral + zero, 'a text', neutral)).toBe(undefined);
  expect(verifiesEverywhere(wallet.sign('a text'), 'a text', wallet.publicKeyHex)).toBe(true);
  expect(verifiesEverywhere(wallet.sign('a text'), 'another', wallet.publicKeyHex)).toBe(false);
});
