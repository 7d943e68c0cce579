import { parseReceipt, type ReceiptPayload, verifyReceiptSignature } from '../beats/receipt.js';
import { unfreeze } from './anchor.js';
import { type Refusal, refuse } from './refusal.js';
import { FROZEN, missedAnchors, type Registry } from './state.js';

/** What an accepted resync did. */
export interface ResyncAccepted {
  readonly ok: true;
  readonly gapAnchors: number;
  readonly requiredBeats: number;
  readonly beatsProven: number;
  readonly receiptBased: boolean;
}

/** 4.10: the beats that an agent owes for the anchors it missed: 100 for each, at most 10,000. */
export function penaltyBeats(registry: Registry, gapAnchors: number): number {
  const { beatsPerMissedAnchor, beatsMax } = registry.protocol.resync;
  return Math.min(beatsPerMissedAnchor * gapAnchors, beatsMax);
}

export interface ResyncInput {
  readonly agent: number;
  /** As sent, in either form of D-09. */
  readonly receipt?: unknown;
  /** Beats that a simulated agent has spent protocol time on, in place of a receipt. Never taken from the wire. */
  readonly simulatedBeats?: number;
}

/**
 * 4.10, receipt form: a frozen agent proves the penalty and is active again. Without BEATS_REQUIRED an agent that sends
 * nothing is reactivated freely (D-35). The gap is counted when the receipt arrives.
 */
export function resync(registry: Registry, input: ResyncInput, nowMs: number): ResyncAccepted | Refusal {
  const { agent, receipt, simulatedBeats } = input;
  if (registry.agents.columns.status[agent] !== FROZEN) return refuse('resync/AGENT_WRONG_STATE');
  const gapAnchors = missedAnchors(registry, agent);
  const requiredBeats = penaltyBeats(registry, gapAnchors);
  const receiptBased = receipt !== undefined || simulatedBeats !== undefined;
  if (!receiptBased && registry.policy.beatsRequired) {
    return refuse('resync/RECEIPT_REQUIRED', undefined, { required_beats: requiredBeats, gap_anchors: gapAnchors });
  }
  let beatsProven = 0;
  if (simulatedBeats !== undefined) {
    const enough = simulatedBeats >= requiredBeats;
    if (!enough) return refuse('resync/INVALID_RECEIPT', tooFew(simulatedBeats, requiredBeats));
    beatsProven = simulatedBeats;
  } else if (receiptBased) {
    const taken = takeReceipt(registry, receipt, requiredBeats);
    if (!taken.ok) return refuse('resync/INVALID_RECEIPT', taken.why);
    beatsProven = taken.beats;
  }
  unfreeze(registry, agent, nowMs);
  return { ok: true, gapAnchors, requiredBeats, beatsProven, receiptBased };
}

function tooFew(proven: number, owed: number): string {
  return `${proven} beats are proven and ${owed} are owed`;
}

type Taken = { readonly ok: true; readonly beats: number } | { readonly ok: false; readonly why: string };

/** D-09: whether a receipt is genuine, recent, hard enough, unused and large enough; if so it is used up. */
function takeReceipt(registry: Registry, given: unknown, requiredBeats: number): Taken {
  const receipt: ReceiptPayload | undefined = parseReceipt(given);
  if (receipt === undefined) return { ok: false, why: 'this is not a receipt in either form' };
  if (!verifyReceiptSignature(receipt, registry.policy.workProofKeyHex)) {
    return { ok: false, why: "the receipt's signature is not the beats service's" };
  }
  const { receiptDifficultyMin, receiptAnchorsMax } = registry.protocol.work;
  if (receipt.difficulty < receiptDifficultyMin) {
    return { ok: false, why: `the difficulty is ${receipt.difficulty}, at least ${receiptDifficultyMin} is wanted` };
  }
  const age = registry.anchorIndex - receipt.anchor_index;
  if (age < 0 || age > receiptAnchorsMax) return { ok: false, why: `the receipt is ${age} anchors old` };
  const pair = `${receipt.from_hash}:${receipt.to_hash}`;
  if (registry.usedReceipts.has(pair)) return { ok: false, why: 'the receipt has been used' };
  if (receipt.beats_verified < requiredBeats) {
    return { ok: false, why: tooFew(receipt.beats_verified, requiredBeats) };
  }
  registry.usedReceipts.set(pair, receipt.anchor_index + receiptAnchorsMax);
  return { ok: true, beats: receipt.beats_verified };
}
