/** Proofs of work and receipts as they are sent: what is wrong with them by the text, and what by decisions. */

import { jsonOf } from '../../spec/formats.js';
import type { Known } from '../evidence.js';
import type { State } from '../state.js';
import { canonicalJson } from './canonical.js';
import { beatHash } from './chain.js';
import { at } from './values.js';

const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** 2.4: the spot checks that the older form of a proof had at least. A server may ask as many; how many fewer do is a decision. */
const OLDER_CHECKS_MIN = 5;

interface Terms {
  readonly difficulty: number | undefined;
  readonly from: unknown;
  readonly to: unknown;
  readonly anchorHash: unknown;
}

/**
 * Whether the spot checks of a proof hold: each is recomputed, and one is for the end (2.4). Unknown where D-07's bounds, which the
 * text does not have, decide.
 */
function spotChecksHold({ settings }: State, proof: unknown, { difficulty, from, to, anchorHash }: Terms): Known {
  const checks = at(proof, 'spot_checks');
  if (!Array.isArray(checks) || !isIndex(from) || !isIndex(to)) return false;
  const end = checks.find((check) => at(check, 'index') === to);
  if (end === undefined || at(end, 'hash') !== at(proof, 'to_hash')) return false;
  for (const check of checks) {
    const [index, hash, prev] = [at(check, 'index'), at(check, 'hash'), at(check, 'prev')];
    if (!isIndex(index) || !isHash(hash) || !isHash(prev)) return false;
    if (index <= from || index > to) return undefined;
    if (difficulty === undefined || typeof anchorHash !== 'string') return undefined;
    if (beatHash(prev, index, anchorHash, difficulty) !== hash) return false;
    // D-07: what neighbours must have in common.
    if (index === from + 1 && prev !== at(proof, 'from_hash')) return undefined;
    const before = checks.find((other) => at(other, 'index') === index - 1);
    if (before !== undefined && at(before, 'hash') !== prev) return undefined;
  }
  const { spotChecksMin, spotChecksMax } = settings.protocol.proof;
  const indexes = new Set(checks.map((check) => at(check, 'index')));
  const least = Math.min(Math.max(spotChecksMin, OLDER_CHECKS_MIN), to - from);
  const enough = checks.length >= least && checks.length <= spotChecksMax;
  return enough && indexes.size === checks.length ? true : undefined;
}

/** Whether every field of a beat proof (2.4) is there and of its type. */
export function isProofShaped(proof: unknown): boolean {
  const checks = at(proof, 'spot_checks');
  return (
    ['from_beat', 'to_beat', 'beats_computed', 'global_anchor'].every((field) => isIndex(at(proof, field))) &&
    ['from_hash', 'to_hash', 'anchor_hash'].every((field) => isHash(at(proof, field))) &&
    Array.isArray(checks) &&
    checks.every((check) => isIndex(at(check, 'index')) && isHash(at(check, 'hash')) && isHash(at(check, 'prev')))
  );
}

/** Whether a beat proof (2.4) holds. */
export function beatProofHolds(state: State, proof: unknown): Known {
  const [from, to] = [at(proof, 'from_beat'), at(proof, 'to_beat')];
  if (!isIndex(from) || !isIndex(to) || to <= from) return false;
  if (at(proof, 'beats_computed') !== to - from) return false;
  if (!isHash(at(proof, 'from_hash')) || !isHash(at(proof, 'to_hash'))) return false;
  const anchorHash = at(proof, 'anchor_hash');
  const terms = { difficulty: state.settings.protocol.beat.difficulty, from, to, anchorHash };
  const checks = spotChecksHold(state, proof, terms);
  return checks === false
    ? false
    : checks === true
      ? anchorFits(state, at(proof, 'global_anchor'), anchorHash)
      : undefined;
}

/** Whether a work proof (2.5) holds. */
export function workProofHolds(state: State, proof: unknown): Known {
  const [count, difficulty, anchorHash] = [
    at(proof, 'beats_computed'),
    at(proof, 'difficulty'),
    at(proof, 'anchor_hash'),
  ];
  if (!isIndex(count) || typeof difficulty !== 'number') return false;
  if (!isHash(at(proof, 'from_hash')) || !isHash(at(proof, 'to_hash'))) return false;
  // Which other difficulties are taken is a decision.
  if (difficulty !== state.settings.protocol.beat.difficulty) return undefined;
  // Where the chain of a work proof begins is not in it: its last spot check is for its end.
  const listed = at(proof, 'spot_checks');
  const to = Array.isArray(listed) ? Math.max(...listed.map((check) => Number(at(check, 'index')))) : 0;
  const checks = spotChecksHold(state, proof, { difficulty, from: to - count, to, anchorHash });
  return checks === true ? anchorFits(state, at(proof, 'anchor_index'), anchorHash) : checks;
}

/** Whether a proof weaves an anchor of the latest ones; how old it may be is a decision. */
function anchorFits(state: State, index: unknown, hash: unknown): Known {
  const known = typeof index === 'number' ? state.anchors.get(String(index))?.hash : undefined;
  if (known === undefined || state.anchor === undefined) return undefined;
  if (known !== hash) return false;
  return state.anchor - Number(index) < state.settings.protocol.anchor.graceAnchors ? true : undefined;
}

/** A receipt's key: the same for it as an object and as a string (D-09). */
export function receiptKey(receipt: unknown): string {
  if (typeof receipt === 'object') return canonicalJson(receipt);
  const decoded = jsonOf(Buffer.from(String(receipt), 'base64url').toString('utf8'));
  return typeof decoded === 'object' && decoded !== null ? canonicalJson(decoded) : String(receipt);
}
