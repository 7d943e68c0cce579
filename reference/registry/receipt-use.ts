/**
 * Accepts a work-proof receipt once, for the beats that an operation requires (D-09). Its form and signature are
 * checked in beats/receipt.ts.
 */

import { parseReceipt, verifyReceiptSignature } from '../beats/receipt.js';
import type { Registry } from './state.js';

/** The fault of a receipt; each operation refuses it with an error of its own. */
type ReceiptFault = 'malformed' | 'forged' | 'weak' | 'old' | 'used' | 'too-few';

type TakenReceipt =
  | { readonly ok: true; readonly beats: number }
  | { readonly ok: false; readonly fault: ReceiptFault; readonly why: string };

/**
 * D-09: accepts a receipt in either form and marks it as used, if it is genuine, difficult enough, recent, unused and
 * large enough. The faults are checked in the order of `ReceiptFault`.
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

/** The reason for refusing too few beats. */
export function tooFewBeats(proven: number, owed: number): string {
  return `${proven} beats are proven, and ${owed} are required`;
}
