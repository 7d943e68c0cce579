/**
 * Classes, tiers, caps and epochs of fees, computed from the protocol's numbers alone. The fee of an agent is computed in
 * fee-resolution.ts.
 */

import { addedClasses } from '../../spec/parts.js';
import type { Protocol } from '../../spec/protocol.js';
import { identityClasses } from '../../spec/vocabulary.js';

/** 4.5: the tier of the `nth` heartbeat in an epoch, counted from 1. */
export function heartbeatTier(protocol: Protocol, nth: number): 1 | 2 | 3 {
  if (nth <= protocol.heartbeat.tier1HeartbeatsMax) return 1;
  return nth <= protocol.heartbeat.tier2HeartbeatsMax ? 2 : 3;
}

/** 4.5: the built-in fee of a heartbeat in a tier, in lamports. */
export function heartbeatFeeLamports(protocol: Protocol, tier: 1 | 2 | 3): number {
  const { tier1FeeLamports, tier2FeeLamports, tier3FeeLamports } = protocol.heartbeat;
  return tier === 1 ? tier1FeeLamports : tier === 2 ? tier2FeeLamports : tier3FeeLamports;
}

/** 4.6: the built-in fee of a SIGIL, in lamports. */
export function sigilFeeLamports(protocol: Protocol, identityClass: string): number {
  const { narrowTaskFeeLamports, autonomousFeeLamports, orchestratorFeeLamports } = protocol.sigil;
  switch (identityClass) {
    case 'narrow_task':
      return narrowTaskFeeLamports;
    case 'autonomous':
      return autonomousFeeLamports;
    case 'orchestrator':
      return orchestratorFeeLamports;
    default: {
      const added = addedClasses(protocol).find(({ name }) => name === identityClass);
      if (added === undefined) throw new RangeError(`there is no class ${identityClass}`);
      return added.feeLamports;
    }
  }
}

/**
 * 4.5: the cap of heartbeats in an epoch, by the field `identityClass`. Without a SIGIL it is that of narrow_task
 * (D-50).
 */
export function heartbeatCap(protocol: Protocol, classColumn: number): number {
  const { narrowTaskCap, autonomousCap, orchestratorCap } = protocol.heartbeat;
  const added = protocol.parts === undefined ? undefined : addedClasses(protocol)[classColumn - FIRST_ADDED];
  if (added !== undefined) return added.cap;
  return classColumn <= 1 ? narrowTaskCap : classColumn === 2 ? autonomousCap : orchestratorCap;
}

/** The field's value for the first class that an overlay adds. A removed class keeps its value, for agents that have it. */
const FIRST_ADDED = identityClasses.length + 1;

/** Every class that the field has a value for, from 1. */
const columnsOf = (protocol: Protocol): readonly string[] => [
  ...identityClasses,
  ...addedClasses(protocol).map(({ name }) => name),
];

/** The identity class for a value of the field, or null without a SIGIL. */
export function identityClassOf(classColumn: number, protocol: Protocol): string | null {
  return classColumn === 0 ? null : (columnsOf(protocol)[classColumn - 1] as string);
}

/** The field's value for an identity class, in this protocol. */
export function classColumns(protocol: Protocol): (identityClass: string) => number {
  return (identityClass) => columnsOf(protocol).indexOf(identityClass) + 1;
}

/** D-04: the billing epoch of a beat. */
export function billingEpoch(protocol: Protocol, beat: number): number {
  return Math.floor(beat / protocol.heartbeat.epochBeats);
}
