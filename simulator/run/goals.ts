/**
 * Judges the goals under `sometimes`: how often each came about. Names and meaning of goals are in
 * scenarios/goals.ts.
 */

import type { ExpectationResult } from '../../results/simulation-result.js';
import type { FeatureGoalName, GoalName } from '../../scenarios/goals.js';
import {
  ANCHOR_STALL,
  CUT_OFF,
  FLAG,
  FORGERY,
  FORGERY_CAUGHT,
  HEARTBEAT,
  outcomeOf,
  outcomesOf,
  RESYNC,
  RULES_CHANGED,
} from '../world/operations.js';
import type { Outcome } from './outcome.js';

/** The counts that goals are judged by. */
type GoalInput = Pick<Outcome, 'cells' | 'counts' | 'tierBeats' | 'epoch' | 'topUpCount' | 'features'>;

/** Judges one goal: `measured` is how often it was reached. */
export function judgeGoal(outcome: GoalInput, goal: GoalName): ExpectationResult {
  const measured = timesReached(outcome, goal);
  return { text: `sometimes ${goal}`, measured, holds: measured > 0 };
}

/** How often a goal was reached. */
export function timesReached(outcome: GoalInput, goal: GoalName): number {
  const { cells, counts } = outcome;
  const sum = (column: Float64Array): number => column.reduce((total, count) => total + count, 0);
  const refused = (operation: number, code: string): number => outcomesOf(counts, operation, outcomeOf(code));
  switch (goal) {
    case 'freeze':
      return sum(cells.freezes);
    case 'resync':
      return sum(cells.resyncs);
    case 'resync-refused':
      return refused(RESYNC, 'INVALID_RECEIPT');
    case 'heartbeat-of-frozen':
      return refused(HEARTBEAT, 'AGENT_FROZEN');
    case 'heartbeat-too-soon':
      return refused(HEARTBEAT, 'HEARTBEAT_TOO_SOON');
    case 'volume-cap':
      return refused(HEARTBEAT, 'VOLUME_CAP_REACHED');
    case 'second-fee-tier':
      return outcome.tierBeats[1]!;
    case 'top-fee-tier':
      return outcome.tierBeats[2]!;
    case 'epoch-rollover':
      return outcome.epoch;
    case 'dry-wallet':
      return sum(cells.heartbeatsSkipped) + sum(cells.dry);
    case 'top-up':
      return outcome.topUpCount[0]!;
    default:
      return timesOfFeature(outcome, goal);
  }
}

const SPONSOR_REFUSALS = ['WALLET_REQUIRED', 'SPONSOR_CAP_REACHED', 'SPONSOR_PARENT_FROZEN'] as const;

function timesOfFeature(outcome: GoalInput, goal: FeatureGoalName): number {
  const { cells, counts, features } = outcome;
  const sum = (column: Float64Array): number => column.reduce((total, count) => total + count, 0);
  const refused = (operation: number, code: string): number => outcomesOf(counts, operation, outcomeOf(code));
  const happened = (event: number): number => features?.eventCounts[event] ?? 0;
  switch (goal) {
    case 'departure':
      return sum(cells.left);
    case 'reissue':
      return sum(cells.reissues);
    case 'spawn':
      return sum(cells.spawns);
    case 'grandchild':
      return features?.grandchildren ?? 0;
    case 'sponsored-heartbeat':
      return sum(cells.heartbeatsSponsored);
    case 'sponsor-refused':
      return SPONSOR_REFUSALS.reduce((total, code) => total + refused(HEARTBEAT, code), 0);
    case 'flag-sustained':
      return sum(cells.flagsSustained);
    case 'heartbeat-refused':
      return refused(HEARTBEAT, 'HEARTBEAT_REFUSED');
    case 'flag-breaker':
      return refused(FLAG, 'RATE_LIMITED');
    case 'anchor-stall':
      return happened(ANCHOR_STALL);
    case 'payment-trouble':
      return sum(cells.paymentsTroubled);
    case 'cut-off':
      return happened(CUT_OFF);
    case 'key-revoked':
      return sum(cells.keysRevoked);
    case 'subsidy':
      return sum(cells.subsidiesLamports);
    case 'rules-changed':
      return happened(RULES_CHANGED);
    case 'forged-proof':
      return happened(FORGERY);
    case 'forgery-caught':
      return happened(FORGERY_CAUGHT);
    default:
      return goal satisfies never;
  }
}
