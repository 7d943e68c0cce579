import { parseReceipt, verifyReceiptSignature } from '../beats/receipt.js';
import type { Registry } from './state.js';

/** What is wrong with a receipt: each caller has rows of its own for it. */
export type ReceiptFault = 'malformed' | 'forged' | 'weak' | 'old' | 'used' | 'too-few';

export type TakenReceipt =
  | { readonly ok: true; readonly beats: number }
  | { readonly ok: false; readonly fault: ReceiptFault; readonly why: string };

/**
 * D-09: whether a receipt, in either form, is genuine, hard enough, recent, unused and large enough; if so it is used up.
 * The faults are looked for in the order of `ReceiptFault`.
 */
export function takeReceipt(registry: Registry, given: unknown, requiredBeats: number): TakenReceipt {
  const receipt = parseReceipt(given);
  if (receipt === undefined) return fault('malformed', 'this is not a receipt in either form');
  if (!verifyReceiptSignature(receipt, registry.policy.workProofKeyHex)) {
    return fault('forged', "the receipt's signature is not the beats service's");
  }
  const { receiptDifficultyMin, receiptAnchorsMax } = registry.protocol.work;
  if (receipt.difficulty < receiptDifficultyMin) {
    return fault('weak', `the difficulty is ${receipt.difficulty}, and at least ${receiptDifficultyMin} is required`);
  }
  const age = registry.anchorIndex - receipt.anchor_index;
  if (age < 0 || age > receiptAnchorsMax) return fault('old', `the receipt is ${age} anchors old`);
  const pair = `${receipt.from_hash}:${receipt.to_hash}`;
  if (registry.usedReceipts.has(pair)) return fault('used', 'the receipt has been used');
  if (receipt.beats_verified < requiredBeats) {
    return fault('too-few', tooFewBeats(receipt.beats_verified, requiredBeats));
  }
  registry.usedReceipts.set(pair, receipt.anchor_index + receiptAnchorsMax);
  return { ok: true, beats: receipt.beats_verified };
}

function fault(kind: ReceiptFault, why: string): TakenReceipt {
  return { ok: false, fault: kind, why };
}

/** Says that a proof is of fewer beats than are owed. */
export function tooFewBeats(proven: number, owed: number): string {
  return `${proven} beats are proven, and ${owed} are required`;
}
