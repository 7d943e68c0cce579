/**
 * Turns recorded calls of parents, complainants, reviewers and administrators into requests. The requests themselves
 * are in http-families.ts.
 */

import type { FlagStatus } from '../../reference/registry/columns/records.js';
import { lastMsOf } from '../../scenarios/disturbance.js';
import { difficultyOf } from '../agents/proof-of-work.js';
import {
  FLAG,
  outcomeOf,
  REVIEW,
  REVOKE_KEY,
  SPAWN,
  SPONSOR,
  SUBSIDY,
  UNSPONSOR,
  WALLET,
} from '../world/operations.js';
import { GENESIS_MS, populationOf, type World } from '../world/world.js';
import type { HttpFamilies } from './http-families.js';
import type { ObservedCall } from './side-by-side.js';

/** The outcome of a probe that tells a price. No other spawn call has it. */
const PROBED = outcomeOf('RECEIPT_REQUIRED');
/** The decision of a review, by the status that it led to. */
const DECISIONS: Readonly<Record<FlagStatus, string>> = {
  pending: '',
  sustained: 'sustain',
  dismissed: 'dismiss',
  resolved: 'resolve',
};

/** Makes one of these calls over HTTP. Returns the outcome; null for an event that is not a call. */
export async function callFamilyOverHttp(
  families: HttpFamilies,
  world: World,
  call: ObservedCall,
): Promise<string | null> {
  const { agent, about } = call;
  switch (call.what) {
    case SPAWN:
      return families.spawn(agent, call.childName, difficultyOf(world, agent), call.outcome === PROBED);
    case WALLET:
      return families.linkWallet(agent);
    case SPONSOR: {
      const policy = populationOf(world, agent).spawning?.sponsor;
      if (policy == null) throw new Error(`agent ${agent} has no sponsorship policy`);
      return families.sponsor(agent, about, policy.heartbeatsEpochMax, policy.expiresInHours);
    }
    case UNSPONSOR:
      return families.unsponsor(agent, about);
    case FLAG:
      return families.flag(agent, about, populationOf(world, agent).flagging?.assertedClass ?? '');
    case REVIEW:
      return families.review(about, DECISIONS[call.decided as FlagStatus]);
    case REVOKE_KEY:
      return families.revokeKey(agent);
    case SUBSIDY:
      return families.subsidise(agent, subsidyOf(world, call));
    default:
      return null;
  }
}

/** The body of a subsidy (4.17) at the moment of its call. */
function subsidyOf({ scenario }: World, { about, second }: ObservedCall): object {
  const subsidy = scenario.interventions[about];
  if (subsidy?.kind !== 'subsidy') throw new Error(`intervention ${about} is no subsidy`);
  const { feeType, discountBps, floorLamports, forSec } = subsidy;
  return {
    fee_type: feeType,
    discount_bps: discountBps,
    reason: 'simulated',
    ...(floorLamports === null ? {} : { floor_lamports: floorLamports }),
    ...(forSec === null ? {} : { valid_until: new Date(lastMsOf(GENESIS_MS + second * 1_000, forSec)).toISOString() }),
  };
}
