/**
 * Flags: filing a complaint, the circuit breaker, and an administrator's review (3.5, 4.16, D-36). The rate limits by
 * reporter and target are not here.
 */

import { addFlag, flagOf, pendingBefore, setFlagStatus } from './columns/flags.js';
import type { Flag, FlagStatus } from './columns/records.js';
import { nextUuid } from './columns/stream.js';
import { type Refusal, refuse } from './refusal.js';
import type { Registry } from './state.js';

export interface FlagInput {
  /** The row of the reporter. */
  readonly agent: number;
  /** The target's row, or -1 for an unknown hash. */
  readonly target: number;
  readonly assertedClass: string;
  readonly reason: string;
}

/** 4.16: files a flag. The circuit breaker of section 8 is checked first, like a rate limit. */
export function flag(
  registry: Registry,
  { agent, target, assertedClass, reason }: FlagInput,
  nowMs: number,
): { readonly ok: true; readonly flag: Flag } | Refusal {
  const waitMs = breakerWaitMs(registry, nowMs);
  if (waitMs > 0) return refuse('any/RATE_LIMITED', 'too many flags are pending', { retry_after_ms: waitMs });
  const { tier } = registry.sigils.get(agent) ?? {};
  if (tier === undefined || tier === 'sbx') return refuse('flag/FLAG_REPORTER_INELIGIBLE');
  if (target === agent) return refuse('flag/FLAG_SELF');
  if (target < 0) return refuse('flag/FLAG_TARGET_NOT_FOUND');
  const pair = `${agent}:${target}`;
  const { pendingPairs } = registry.flags;
  if (pendingPairs.has(pair)) return refuse('flag/FLAG_DUPLICATE');
  const filed: Flag = {
    id: nextUuid(registry.stream),
    reporter: agent,
    target,
    assertedClass,
    reason,
    createdAtMs: nowMs,
    status: 'pending',
  };
  addFlag(registry.flags, filed);
  pendingPairs.add(pair);
  return { ok: true, flag: filed };
}

/**
 * Section 8, D-34: how long the circuit breaker refuses flags: 0 while at most 20 flags of the last 24 hours are
 * pending, otherwise the milliseconds until another one is accepted.
 */
export function breakerWaitMs({ protocol, flags }: Registry, nowMs: number): number {
  const { breakerPendingMax, breakerWindowSec } = protocol.flag;
  // When this flag is older than 24 hours, the count is back at the maximum.
  const oldest = pendingBefore(flags, breakerPendingMax);
  return oldest === undefined ? 0 : Math.max(0, oldest.createdAtMs + breakerWindowSec * 1_000 - nowMs);
}

/** D-36: the possible outcomes of a review. */
export const flagOutcomes = ['sustain', 'dismiss', 'resolve'] as const;
export type FlagOutcome = (typeof flagOutcomes)[number];

const transitions = {
  sustain: { from: 'pending', to: 'sustained', complaints: 1 },
  dismiss: { from: 'pending', to: 'dismissed', complaints: 0 },
  resolve: { from: 'sustained', to: 'resolved', complaints: -1 },
} as const satisfies Record<FlagOutcome, { from: FlagStatus; to: FlagStatus; complaints: number }>;

/** The result of a review: the flag, or that it does not exist, or that its status does not allow the outcome. */
type ReviewResult =
  | { readonly ok: true; readonly flag: Flag }
  | { readonly ok: false; readonly why: 'unknown' }
  | { readonly ok: false; readonly why: 'wrong-state'; readonly status: FlagStatus };

/**
 * 3.5 and D-36: an administrator's review. The target's heartbeats are refused while any flag against it is sustained.
 */
export function reviewFlag(registry: Registry, id: string, outcome: FlagOutcome): ReviewResult {
  const found = flagOf(registry.flags, id);
  if (found === undefined) return { ok: false, why: 'unknown' };
  const { from, to, complaints } = transitions[outcome];
  if (found.status !== from) return { ok: false, why: 'wrong-state', status: found.status };
  setFlagStatus(registry.flags, found, to);
  if (from === 'pending') registry.flags.pendingPairs.delete(`${found.reporter}:${found.target}`);
  const { line } = registry.agents;
  line.setComplaints(found.target, line.complaints(found.target) + complaints);
  return { ok: true, flag: found };
}
