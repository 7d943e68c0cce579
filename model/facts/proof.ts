/** Finds the faults of proofs and receipts in requests, by the text and by decisions. */

import { clauseById } from '../../spec/clauses/index.js';
import type { Facts } from '../../spec/endpoint.js';
import { isObject, jsonOf } from '../../spec/formats.js';
import type { Protocol } from '../../spec/protocol.js';
import { canonicalJson } from '../reading/canonical.js';
import { beatHash, chainHashes } from '../reading/chain.js';
import type { Known } from '../reading/known.js';
import { at } from '../reading/values.js';
import type { State } from './state.js';

const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value);
const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** 2.4: the least number of spot checks in the older form of a proof, which a server may require. The current bounds are decisions. */
const OLDER_CHECKS_MIN = 5;

/** A number of spot checks that every service accepts, by the text and its own numbers. */
export function sureSpotChecks({ proof }: Protocol): number {
  return Math.min(Math.max(OLDER_CHECKS_MIN, proof.spotChecksMin), proof.spotChecksMax);
}

interface Terms {
  readonly difficulty: number;
  readonly from: number;
  readonly to: number;
  /** The index of the anchor. */
  readonly anchor: unknown;
}

/** The faults of proofs. The first clause of a row names the fault; a fault breaks all clauses of its row. */
export const PROOF_FAULTS: readonly (readonly [string, ...string[]])[] = [
  ['proof.field.beats-computed'],
  ['proof.field.global-anchor'],
  ['proof.field.anchor-hash'],
  ['proof.anchor.every-beat', 'proof.field.anchor-hash'],
  ['proof.anchor.grace'],
  ['proof.field.spot-checks.end'],
  ['proof.field.to-hash', 'proof.spot-checks.last'],
  ['service.beats.proven', 'beat.step', 'proof.spot-checks.recomputed'],
  ['beat.step', 'proof.spot-checks.recomputed'],
  ['proof.spot-checks.first', 'beat.step'],
  ['proof.spot-checks.neighbours'],
  ['proof.spot-checks.range'],
  ['proof.spot-checks.unique'],
  ['proof.spot-checks.min'],
  ['proof.spot-checks.max'],
];

/** Whether a proof starts at the last hash of a chain; unknown if only the case of hex differs, since the text allows either. */
export function continues(from: unknown, end: string | undefined): Known {
  if (end === undefined || from === end) return end === undefined ? undefined : true;
  return String(from).toLowerCase() === end.toLowerCase() ? undefined : false;
}

/** A proof with its hashes in lower case, as beats are hashed (D-02), and whether that changes the proof. */
function inLowerCase(proof: unknown): { readonly proof: unknown; readonly isChanged: boolean } {
  const text = JSON.stringify(proof ?? null);
  const lower = text.replaceAll(/"[0-9a-fA-F]{64}"/g, (hash) => hash.toLowerCase());
  return lower === text ? { proof, isChanged: false } : { proof: jsonOf(lower), isChanged: true };
}

/** The known faults of a proof, and whether it may have more. */
export interface ProofFaults {
  readonly faults: readonly string[];
  readonly unknown: boolean;
}

/** Whether a proof is valid; unknown if all its faults are faults by decisions. */
function holdsWith({ faults, unknown }: ProofFaults): Known {
  if (faults.some((id) => id === NO_PROOF || clauseById(id).level === 'must')) return false;
  return unknown || faults.length > 0 ? undefined : true;
}

/** The fault of a value that is not a proof. */
const NO_PROOF = '';

/** The faults of spot checks (2.4, D-07): each must recompute, one must show the end, and neighbours must link. */
function spotCheckFaults(state: State, proof: unknown, { difficulty, from, to, anchor }: Terms): readonly string[] {
  const checks = at(proof, 'spot_checks');
  if (!Array.isArray(checks) || !checks.every(isSpotCheck)) return [NO_PROOF];
  const { spotChecksMin, spotChecksMax } = state.settings.protocol.proof;
  const known = state.anchors.get(String(anchor))?.hash;
  // If the beats weave another anchor than the proof names, report only that fault.
  const woven = [String(at(proof, 'anchor_hash')), ...(known === undefined ? [] : [known]), null];
  const faults: string[] = [];
  const end = checks.find(({ index }) => index === to);
  if (end === undefined) faults.push('proof.field.spot-checks.end');
  else if (end.hash !== at(proof, 'to_hash')) faults.push('proof.field.to-hash');
  let wrong = 0;
  for (const { index, hash, prev } of checks) {
    const over = woven.find((anchorHash) => beatHash(prev, index, anchorHash, difficulty) === hash);
    if (over === undefined) wrong += 1;
    else if (over === null) faults.push('proof.anchor.every-beat');
    if (index <= from || index > to) faults.push('proof.spot-checks.range');
    if (index === from + 1 && prev !== at(proof, 'from_hash')) faults.push('proof.spot-checks.first');
    const before = checks.find((other) => other.index === index - 1);
    if (before !== undefined && before.hash !== prev) faults.push('proof.spot-checks.neighbours');
  }
  if (wrong > 0) faults.push(wrong === checks.length ? 'service.beats.proven' : 'beat.step');
  if (new Set(checks.map(({ index }) => index)).size < checks.length) faults.push('proof.spot-checks.unique');
  if (checks.length < Math.min(spotChecksMin, to - from)) faults.push('proof.spot-checks.min');
  if (checks.length > spotChecksMax) faults.push('proof.spot-checks.max');
  return faults;
}

const isSpotCheck = (check: unknown): check is { index: number; hash: string; prev: string } =>
  isIndex(at(check, 'index')) && isHash(at(check, 'hash')) && isHash(at(check, 'prev'));

/** The fields of a beat proof (2.4) that are missing or of another type. */
export function fieldFaults(proof: unknown): readonly string[] {
  const checks = at(proof, 'spot_checks');
  return [
    ...['from_beat', 'to_beat', 'beats_computed', 'global_anchor'].filter((field) => !isIndex(at(proof, field))),
    ...['from_hash', 'to_hash', 'anchor_hash'].filter((field) => !isHash(at(proof, field))),
    ...(Array.isArray(checks) && checks.every(isSpotCheck) ? [] : ['spot_checks']),
  ];
}

/** The faults of a beat proof (2.4) that has all its fields. */
export function beatProofFaults(state: State, given: unknown): ProofFaults {
  const { proof, isChanged } = inLowerCase(given);
  const { difficulty } = state.settings.protocol.beat;
  const [from, to, anchor] = [at(proof, 'from_beat'), at(proof, 'to_beat'), at(proof, 'global_anchor')];
  if (!isIndex(from) || !isIndex(to)) return { faults: [NO_PROOF], unknown: false };
  const isCounted = to > from && at(proof, 'beats_computed') === to - from;
  const ofAnchor = anchorFault(state, anchor, at(proof, 'anchor_hash'));
  const faults = [
    ...(isCounted ? [] : ['proof.field.beats-computed']),
    ...spotCheckFaults(state, proof, { difficulty, from, to, anchor }),
    ...(ofAnchor ?? []),
  ];
  const isOpen = isChanged || isOlder(state, anchor) || (faults.length === 0 && hasOpenCount(state, proof, to - from));
  return { faults, unknown: ofAnchor === undefined || isOpen };
}

/**
 * Whether every beat of a beat proof, shown or not, follows from the one before. It computes all beats, so it is called only if a proof
 * with valid spot checks was refused: a server may compute every beat itself.
 */
export function isWhole(state: State, given: unknown): boolean {
  const { proof } = inLowerCase(given);
  const [beats, fromIndex] = [Number(at(proof, 'beats_computed')), Number(at(proof, 'from_beat'))];
  const terms = { from: String(at(proof, 'from_hash')), anchorHash: String(at(proof, 'anchor_hash')) };
  const { difficulty } = state.settings.protocol.beat;
  return chainHashes({ ...terms, beats, fromIndex, difficulty }).at(-1) === at(proof, 'to_hash');
}

/** The reason why refusing a proof with an invalid beat between its spot checks is no evidence. */
export const HIDDEN = 'the text does not say whether a service computes the beats between the spot checks';

/** Whether a proof weaves an anchor before the latest one; the allowed age is a decision (D-06). */
const isOlder = (state: State, anchor: unknown): boolean =>
  typeof anchor === 'number' && state.anchor !== undefined && anchor < state.anchor;

/** Whether a service may refuse the number of spot checks of a proof. */
function hasOpenCount({ settings: { protocol } }: State, proof: unknown, beats: number): boolean {
  const checks = at(proof, 'spot_checks');
  return Array.isArray(checks) && checks.length !== Math.min(sureSpotChecks(protocol), beats);
}

/** Whether a work proof (2.5) is valid. */
export function workProofHolds(state: State, given: unknown): Known {
  const { proof, isChanged } = inLowerCase(given);
  const [count, difficulty] = [at(proof, 'beats_computed'), at(proof, 'difficulty')];
  if (!isIndex(count) || typeof difficulty !== 'number') return false;
  if (!isHash(at(proof, 'from_hash')) || !isHash(at(proof, 'to_hash'))) return false;
  // Whether other difficulties are accepted is a decision.
  if (difficulty !== state.settings.protocol.beat.difficulty) return undefined;
  // A work proof does not show the start of its chain; its last spot check shows the end.
  const listed = at(proof, 'spot_checks');
  const to = Array.isArray(listed) ? Math.max(...listed.map((check) => Number(at(check, 'index')))) : 0;
  // D-08 counts beats back to index 0. The text does not say whether the beat with index 0 counts.
  if (to < count - 1) return false;
  const anchor = at(proof, 'anchor_index');
  const ofAnchor = anchorFault(state, anchor, at(proof, 'anchor_hash'));
  const faults = [...spotCheckFaults(state, proof, { difficulty, from: to - count, to, anchor }), ...(ofAnchor ?? [])];
  return holdsWith({
    faults,
    unknown:
      ofAnchor === undefined || to < count || isChanged || isOlder(state, anchor) || hasOpenCount(state, proof, count),
  });
}

/** D-57: whether a work proof is valid if only its shown beats are recomputed. */
export function shownBeatsHold(state: State, proof: unknown): Known {
  const { protocol } = state.settings;
  const [count, checks, anchorIndex] = [
    at(proof, 'beats_computed'),
    at(proof, 'spot_checks'),
    at(proof, 'anchor_index'),
  ];
  if (!isIndex(count) || !isIndex(anchorIndex) || !Array.isArray(checks)) return undefined;
  if (at(proof, 'difficulty') !== protocol.beat.difficulty) return undefined;
  if (!isHash(at(proof, 'from_hash')) || !isHash(at(proof, 'to_hash'))) return undefined;
  const indexes = checks.map((check) => Number(at(check, 'index')));
  if (Math.max(...indexes) - Math.min(...indexes) > count) return false;
  const anchorHash = at(proof, 'anchor_hash') ?? null;
  for (const check of checks) {
    const [index, hash, prev] = [at(check, 'index'), at(check, 'hash'), at(check, 'prev')];
    const isShaped = isIndex(index) && isHash(hash) && isHash(prev) && at(check, 'nonce') === undefined;
    if (!isShaped || !(anchorHash === null || isHash(anchorHash))) return undefined;
    if (beatHash(prev, index, anchorHash, protocol.beat.difficulty) !== hash) return false;
  }
  const enough = checks.length >= Math.min(protocol.proof.spotChecksMin, Math.max(count, 1));
  const isOpen = !enough || checks.length > protocol.proof.spotChecksMax;
  const fault = anchorFault(state, anchorIndex, state.anchors.get(String(anchorIndex))?.hash)?.[0];
  if (isOpen || state.anchors.get(String(anchorIndex)) === undefined || fault === 'proof.anchor.grace')
    return undefined;
  return fault === undefined;
}

/** The faults of the anchor that a proof names, which must be one of the latest; undefined if the hash of this anchor was never read. */
function anchorFault(
  { anchors, anchor, settings }: State,
  index: unknown,
  hash: unknown,
): readonly string[] | undefined {
  const known = anchors.get(String(index))?.hash;
  if (anchor === undefined || typeof index !== 'number') return undefined;
  if (index > anchor) return ['proof.field.global-anchor'];
  if (known === undefined) return undefined;
  if (known !== hash) return ['proof.field.anchor-hash'];
  return anchor - index < settings.protocol.anchor.graceAnchors ? [] : ['proof.anchor.grace'];
}

/** Whether a value has the form of a receipt: that of the text, or that of the dialect. */
export function isReceiptForm({ dialect }: Facts, given: unknown): boolean {
  return typeof given === 'string' || (dialect.receiptForm === 'object' && isObject(given));
}

/** A key for a receipt, the same for its object and its string form (D-09). */
export function receiptKey(receipt: unknown): string {
  if (typeof receipt === 'object') return canonicalJson(receipt);
  const decoded = jsonOf(Buffer.from(String(receipt), 'base64url').toString('utf8'));
  return typeof decoded === 'object' && decoded !== null ? canonicalJson(decoded) : String(receipt);
}
