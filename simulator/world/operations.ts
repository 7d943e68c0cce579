/**
 * Every kind of event and every outcome by number, and how often each operation had each outcome. Due events are in
 * due-kinds.ts.
 */

import type { OperationCount } from '../../results/simulation-result.js';
import { errors } from '../../spec/errors.js';

/**
 * The kinds of events; the index is the number in the event hash, so none is ever changed or reused. Calls of registry rules,
 * accepted or refused, are operations; the others are events only.
 */
export const EVENT_NAMES = [
  'register',
  'init',
  'sigil',
  'heartbeat',
  'resync',
  'freeze',
  'skip',
  'top-up',
  'spawn',
  'wallet',
  'sponsor',
  'flag',
  'review',
  'subsidy',
  'revoke-key',
  'leave',
  'cut-off',
  'anchor-stall',
  'payment-late',
  'payment-dropped',
  'rules-changed',
  'forgery',
  'forgery-caught',
  'reissue-proof',
  'passport',
  'switch',
  'stay-out',
  'unsponsor',
] as const;
type EventName = (typeof EVENT_NAMES)[number];

const eventOf = (name: EventName): number => EVENT_NAMES.indexOf(name);
export const REGISTER = eventOf('register');
export const INIT = eventOf('init');
export const SIGIL = eventOf('sigil');
export const HEARTBEAT = eventOf('heartbeat');
export const RESYNC = eventOf('resync');
export const FREEZE = eventOf('freeze');
export const SKIP = eventOf('skip');
export const TOP_UP = eventOf('top-up');
export const SPAWN = eventOf('spawn');
export const WALLET = eventOf('wallet');
export const SPONSOR = eventOf('sponsor');
export const FLAG = eventOf('flag');
export const REVIEW = eventOf('review');
export const SUBSIDY = eventOf('subsidy');
export const REVOKE_KEY = eventOf('revoke-key');
export const LEAVE = eventOf('leave');
export const CUT_OFF = eventOf('cut-off');
export const ANCHOR_STALL = eventOf('anchor-stall');
export const PAYMENT_LATE = eventOf('payment-late');
export const PAYMENT_DROPPED = eventOf('payment-dropped');
export const RULES_CHANGED = eventOf('rules-changed');
export const FORGERY = eventOf('forgery');
export const FORGERY_CAUGHT = eventOf('forgery-caught');
export const REISSUE = eventOf('reissue-proof');
export const PASSPORT = eventOf('passport');
export const SWITCH = eventOf('switch');
export const STAY_OUT = eventOf('stay-out');
export const UNSPONSOR = eventOf('unsponsor');

/** The events that belong to no agent. Each world of a run records them. */
export const WORLD_EVENTS: readonly number[] = [ANCHOR_STALL, RULES_CHANGED];

/** The events that are operations, in the order of the manifest. */
const OPERATIONS = [
  ...(['register', 'init', 'sigil', 'heartbeat', 'resync'] as const),
  ...(['spawn', 'wallet', 'sponsor', 'flag', 'review', 'subsidy', 'revoke-key', 'reissue-proof', 'passport'] as const),
  'unsponsor' as const,
];

/** Outcome 0 of an operation. Refusals are numbered from 1 in the order of `CODES`. */
export const ACCEPTED = 0;

/**
 * Codes whose place in this list is their number in the event hash, so none is moved or removed. The number of any other code is computed from
 * its letters. So no number depends on the order of spec/errors.ts.
 */
const PLACED: readonly string[] = `
  AUTH_MISSING AUTH_INVALID VALIDATION WALLET_CHAIN_UNSUPPORTED NONCE_INVALID SIGNATURE_INVALID AGENT_NOT_FOUND
  SPAWN_CONFLICT AGENT_NOT_INITIALIZED AGENT_FROZEN HEARTBEAT_REFUSED SIGIL_REQUIRED WALLET_REQUIRED
  PAYMENT_REQUIRED HEARTBEAT_TOO_SOON VOLUME_CAP_REACHED PAYMENT_INVALID PAYMENT_ALREADY_USED
  SPONSOR_PARENT_FROZEN SPONSOR_CAP_REACHED PAYMENT_SENDER_MISMATCH SIGIL_ALREADY_EXISTS SIGIL_NAME_TAKEN
  AGENT_WRONG_STATE RECEIPT_REQUIRED INVALID_RECEIPT INSUFFICIENT_BEATS WALLET_ALREADY_LINKED SPONSOR_NOT_FOUND
  SPONSOR_INVALID SPONSOR_NOT_ANCESTOR FLAG_REPORTER_INELIGIBLE FLAG_SELF FLAG_TARGET_NOT_FOUND FLAG_DUPLICATE
  SUBSIDY_INVALID SUBSIDY_NOT_FOUND RATE_LIMITED
`
  .trim()
  .split(/\s+/);

/** Every code with which an operation can be refused. */
export const CODES: readonly string[] = [
  ...new Set([
    ...PLACED,
    ...Object.values(errors)
      .filter(({ endpoint }) => (OPERATIONS as readonly string[]).includes(endpoint))
      .map(({ code }) => code),
  ]),
];

/** The number of an outcome in the event hash. Below 256 it is a place in `PLACED`, above it is an FNV-1a hash. */
export function hashedOutcome(outcome: number): number {
  return HASHED[outcome]!;
}

const HASHED: readonly number[] = [
  ACCEPTED,
  ...CODES.map((code, i) => (i < PLACED.length ? i + 1 : 256 + fnv1a(code))),
];

function fnv1a(text: string): number {
  return [...text].reduce((hash, char) => Math.imul(hash ^ char.charCodeAt(0), 0x01000193), 0x811c9dc5) >>> 0;
}

const outcomes = new Map(CODES.map((code, i) => [code, i + 1]));
const WIDTH = CODES.length + 1;

/** The outcome of a refusal with this code. Throws for a code of no operation. */
export function outcomeOf(code: string): number {
  const outcome = outcomes.get(code);
  if (outcome === undefined) throw new Error(`no operation is refused with ${code}`);
  return outcome;
}

/** The name of an outcome: `accepted` or a code. */
export function outcomeName(outcome: number): string {
  return outcome === ACCEPTED ? 'accepted' : (CODES[outcome - 1] as string);
}

/** How often each operation had each outcome. */
export type OperationCounts = Float64Array;

/** Counts of zero. */
export function createOperationCounts(): OperationCounts {
  return new Float64Array(EVENT_NAMES.length * WIDTH);
}

/** Counts one call. */
export function countOperation(counts: OperationCounts, operation: number, outcome: number): void {
  counts[operation * WIDTH + outcome]! += 1;
}

/** How often an operation had an outcome. */
export function outcomesOf(counts: OperationCounts, operation: number, outcome: number): number {
  return counts[operation * WIDTH + outcome]!;
}

/** How often an operation was called, accepted or refused. */
export function callsOf(counts: OperationCounts, operation: number): number {
  return counts.subarray(operation * WIDTH, (operation + 1) * WIDTH).reduce((sum, count) => sum + count, 0);
}

/** All calls together. */
export function totalOperations(counts: OperationCounts): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The counts for the manifest: each kind that was called at all. */
export function operationCounts(counts: OperationCounts): OperationCount[] {
  return OPERATIONS.flatMap((kind) => {
    const operation = eventOf(kind);
    const row = counts.subarray(operation * WIDTH, (operation + 1) * WIDTH);
    const refused = CODES.flatMap((code, i) => (row[i + 1]! > 0 ? [[code, row[i + 1]!] as const] : []));
    const called = row[ACCEPTED]! > 0 || refused.length > 0;
    return called ? [{ kind, accepted: row[ACCEPTED]!, refused: Object.fromEntries(refused) }] : [];
  });
}
