/**
 * The fee that an agent has to pay (4.17, D-38): a subsidy, else the fee table, the environment, or the built-in fee.
 */

import type { FeeType } from '../../spec/vocabulary.js';
import type { Subsidy } from './columns/records.js';
import { billingEpoch } from './fees.js';
import { currentBeat, type Registry } from './state.js';
import { standingSubsidy } from './subsidy.js';

const BPS = 10_000;

/** 4.17: the fee of an agent's next heartbeat, in a tier, in lamports: with the fee of the epoch if it is the first there. */
export function heartbeatFee(registry: Registry, agent: number, tier: 1 | 2 | 3, nowMs: number): number {
  const flat = flatFeeLamports(registry, tier) + epochFeeLamports(registry, agent);
  return subsidised(registry, agent, 'heartbeat', flat, nowMs);
}

/** The fee of an agent's heartbeat that is not the first of its epoch, in lamports. */
export function laterHeartbeatFee(registry: Registry, agent: number, tier: 1 | 2 | 3, nowMs: number): number {
  return subsidised(registry, agent, 'heartbeat', flatFeeLamports(registry, tier), nowMs);
}

/** The fee of the billing epoch that an agent's next heartbeat owes, before any subsidy: nothing if it has had one there. */
export function epochFeeLamports(registry: Registry, agent: number): number {
  const { protocol, agents } = registry;
  const fee = protocol.heartbeat.epochFeeLamports;
  if (fee === 0) return 0;
  const { line } = agents;
  const epoch = billingEpoch(protocol, currentBeat(registry));
  return line.epoch(agent) === epoch && line.epochHeartbeats(agent) > 0 ? 0 : fee;
}

/** The fee of a heartbeat in a tier before any subsidy, in lamports. */
export function flatFeeLamports({ feeTable: { flat } }: Registry, tier: 1 | 2 | 3): number {
  return tier === 1 ? flat.heartbeat_tier1 : tier === 2 ? flat.heartbeat_tier2 : flat.heartbeat_tier3;
}

/** 4.17: the fee of an agent's SIGIL, in lamports. */
export function sigilFee(registry: Registry, agent: number, identityClass: string, nowMs: number): number {
  return subsidised(registry, agent, 'sigil', registry.feeTable.flat[`sigil_${identityClass}`] as number, nowMs);
}

/** 4.17: the fee of an agent's reissued passport, in lamports. */
export function reissueFee(registry: Registry, agent: number, nowMs: number): number {
  return subsidised(registry, agent, 'reissuance', registry.feeTable.flat.reissuance, nowMs);
}

/** D-38: min(base, max(1, floor, base less the discount)), in exact integers; at least 1, since a transfer of 0 is impossible. */
function subsidised(registry: Registry, agent: number, type: FeeType, lamports: number, nowMs: number): number {
  if (registry.subsidies.size === 0) return lamports;
  const subsidy = standingSubsidy(registry, agent, type, nowMs);
  if (subsidy === undefined) return lamports;
  return Math.min(lamports, Math.max(subsidy.floorLamports, discountedLamports(lamports, subsidy)));
}

/** D-38: a fee less the discount of a subsidy, whatever its floor; at least 1 lamport. */
export function discountedLamports(lamports: number, { discountBps }: Pick<Subsidy, 'discountBps'>): number {
  // The product can exceed the safe integers.
  return Math.max(1, Number((BigInt(lamports) * BigInt(BPS - discountBps)) / BigInt(BPS)));
}
