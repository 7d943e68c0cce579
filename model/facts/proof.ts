/** Proofs of work and receipts in requests: their faults by the text and by decisions. */

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

/** 2.4: the fewest spot checks of a proof in its older form. A server may require this many. The current bounds are decisions. */
const OLDER_CHECKS_MIN = 5;

/** The number of spot checks that a service certainly accepts, by the text and its own numbers. */
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

/** The faults of proofs: each is named by the first clause of its row, and is evidence about the others, too. */
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

/** Whether a proof begins with the hash at which a chain ends; unknown if only the case of hex differs, which the text leaves open. */
export function continues(from: unknown, end: string | undefined): Known {
  if (end === undefined || from === end) return end === undefined ? undefined : true;
  return String(from).toLowerCase() === end.toLowerCase() ? undefined : false;
}

/** A proof with its hashes in lower case, the form that beats are computed from (D-02), and whether that changes it. */
function inLowerCase(proof: unknown): { readonly proof: unknown; readonly isChanged: boolean } {
  const text = JSON.stringify(proof ?? null);
  const lower = text.replaceAll(/"[0-9a-fA-F]{64}"/g, (hash) => hash.toLowerCase());
  return lower === text ? { proof, isChanged: false } : { proof: jsonOf(lower), isChanged: true };
}

/** The faults of a proof, and whether it may have others that the model cannot know. */
export interface ProofFaults {
  readonly faults: readonly string[];
  readonly unknown: boolean;
}

/** A proof is valid if it has no fault; unknown if only decisions name its faults. */
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
  // Beats that weave another anchor than the named one have only that fault.
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
 * True if every beat of a beat proof follows from the one before, also those that it does not show. It computes all of them, and so is
 * asked only of a proof that was refused although its shown beats hold: a server may compute every beat itself.
 */
export function isWhole(state: State, given: unknown): boolean {
  const { proof } = inLowerCase(given);
  const [beats, fromIndex] = [Number(at(proof, 'beats_computed')), Number(at(proof, 'from_beat'))];
  const terms = { from: String(at(proof, 'from_hash')), anchorHash: String(at(proof, 'anchor_hash')) };
  const { difficulty } = state.settings.protocol.beat;
  return chainHashes({ ...terms, beats, fromIndex, difficulty }).at(-1) === at(proof, 'to_hash');
}

/** Why the refusal of a proof says nothing whose hidden beats do not follow. */
export const HIDDEN = 'whether the beats are computed that a proof does not show is open';

/** Whether a proof weaves an older anchor than the latest; the allowed age is a decision (D-06). */
const isOlder = (state: State, anchor: unknown): boolean =>
  typeof anchor === 'number' && state.anchor !== undefined && anchor < state.anchor;

/** True if the text leaves open whether the number of spot checks of a proof is refused. */
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
  // A decision says which other difficulties are accepted.
  if (difficulty !== state.settings.protocol.beat.difficulty) return undefined;
  // A work proof does not show the start of its chain; its last spot check shows the end.
  const listed = at(proof, 'spot_checks');
  const to = Array.isArray(listed) ? Math.max(...listed.map((check) => Number(at(check, 'index')))) : 0;
  // D-08 counts back to index 0. The text does not show where chains start, so the beat with index 0 may be included.
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

/** The faults of a proof's anchor, which must be one of the latest; undefined if its hash was never read. */
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

/** Whether a value has the form in which the service returns receipts, or that of the text. */
export function isReceiptForm({ dialect }: Facts, given: unknown): boolean {
  return typeof given === 'string' || (dialect.receiptForm === 'object' && isObject(given));
}

/** A key for a receipt, the same for its object and its string form (D-09). */
export function receiptKey(receipt: unknown): string {
  if (typeof receipt === 'object') return canonicalJson(receipt);
  const decoded = jsonOf(Buffer.from(String(receipt), 'base64url').toString('utf8'));
  return typeof decoded === 'object' && decoded !== null ? canonicalJson(decoded) : String(receipt);
}
