import type { Protocol } from '../../spec/protocol.js';
import { type IdentityClass, identityClasses } from '../../spec/vocabulary.js';

/** 4.5: the tier of the `nth` heartbeat of an epoch, counted from 1. */
export function heartbeatTier(protocol: Protocol, nth: number): 1 | 2 | 3 {
  if (nth <= protocol.heartbeat.tier1HeartbeatsMax) return 1;
  return nth <= protocol.heartbeat.tier2HeartbeatsMax ? 2 : 3;
}

/** 4.5: the fee of a heartbeat of a tier, in lamports. */
export function heartbeatFeeLamports(protocol: Protocol, tier: 1 | 2 | 3): number {
  const { tier1FeeLamports, tier2FeeLamports, tier3FeeLamports } = protocol.heartbeat;
  return tier === 1 ? tier1FeeLamports : tier === 2 ? tier2FeeLamports : tier3FeeLamports;
}

/** 4.6: the fee of a SIGIL, in lamports. */
export function sigilFeeLamports(protocol: Protocol, identityClass: IdentityClass): number {
  const { narrowTaskFeeLamports, autonomousFeeLamports, orchestratorFeeLamports } = protocol.sigil;
  switch (identityClass) {
    case 'narrow_task':
      return narrowTaskFeeLamports;
    case 'autonomous':
      return autonomousFeeLamports;
    case 'orchestrator':
      return orchestratorFeeLamports;
    default:
      return identityClass satisfies never;
  }
}

/** 4.5: heartbeats per epoch by the column `identityClass`; without a SIGIL the cap is that of narrow_task (D-50). */
export function heartbeatCap(protocol: Protocol, classColumn: number): number {
  const { narrowTaskCap, autonomousCap, orchestratorCap } = protocol.heartbeat;
  return classColumn <= 1 ? narrowTaskCap : classColumn === 2 ? autonomousCap : orchestratorCap;
}

/** The identity class of the column's value, or null for no SIGIL. */
export function identityClassOf(classColumn: number): IdentityClass | null {
  return classColumn === 0 ? null : (identityClasses[classColumn - 1] as IdentityClass);
}

/** The column's value of an identity class. */
export function classColumnOf(identityClass: IdentityClass): number {
  return identityClasses.indexOf(identityClass) + 1;
}

/** D-04: the billing epoch of a beat. */
export function billingEpoch(protocol: Protocol, beat: number): number {
  return Math.floor(beat / protocol.heartbeat.epochBeats);
}
