import type { Protocol } from '../../spec/protocol.js';
import { heartbeatFeeLamports, sigilFeeLamports } from './fees.js';

/** Every fee by the name under which the fee table and the environment set it (D-53). */
export const flatFeeNames = [
  'sigil_narrow_task',
  'sigil_autonomous',
  'sigil_orchestrator',
  'heartbeat_tier1',
  'heartbeat_tier2',
  'heartbeat_tier3',
  'reissuance',
] as const;
export type FlatFeeName = (typeof flatFeeNames)[number];

/** Fees in lamports, before any subsidy. */
export type FlatFees = Readonly<Record<FlatFeeName, number>>;

/** 4.17: where a fee comes from, besides subsidies. */
export interface FeeTable {
  /** The built-in fees with the environment's overrides. */
  base: FlatFees;
  /** What the fee configuration table sets. */
  table: Partial<FlatFees>;
  /** What holds: the table over the base. Made once, since every heartbeat reads it. */
  flat: FlatFees;
}

/** A fee table that sets nothing yet. */
export function createFeeTable(protocol: Protocol, overrides?: Partial<FlatFees>): FeeTable {
  const base = baseFees(protocol, overrides);
  return { base, table: {}, flat: base };
}

/** The built-in fees with the environment's overrides. */
export function baseFees(protocol: Protocol, overrides: Partial<FlatFees> = {}): FlatFees {
  return {
    sigil_narrow_task: sigilFeeLamports(protocol, 'narrow_task'),
    sigil_autonomous: sigilFeeLamports(protocol, 'autonomous'),
    sigil_orchestrator: sigilFeeLamports(protocol, 'orchestrator'),
    heartbeat_tier1: heartbeatFeeLamports(protocol, 1),
    heartbeat_tier2: heartbeatFeeLamports(protocol, 2),
    heartbeat_tier3: heartbeatFeeLamports(protocol, 3),
    reissuance: protocol.reissue.feeLamports,
    ...overrides,
  };
}

/** Replaces the whole table: a fee that it no longer names falls back to the environment's, or the built-in one. */
export function setFeeTable(fees: FeeTable, table: Partial<FlatFees>): void {
  fees.table = { ...table };
  fees.flat = { ...fees.base, ...table };
}
