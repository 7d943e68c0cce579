/**
 * Fees before subsidies: the built-in ones, the environment's overrides, and the fee configuration table (4.17, D-53).
 * The environment itself is read by the command line.
 */

import { addedClasses } from '../../spec/parts.js';
import type { Protocol } from '../../spec/protocol.js';
import { heartbeatFeeLamports, sigilFeeLamports } from './fees.js';

/** The names by which the fee table and the environment set fees (D-53). */
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
export type FlatFees = Readonly<Record<FlatFeeName, number>> & { readonly [added: `sigil_${string}`]: number };

/** Fees that the environment or the table sets, by name. An overlay sets the fee of a class that it adds. */
type SetFees = Partial<Readonly<Record<FlatFeeName, number>>>;

/** 4.17: the sources of fees, without subsidies. */
export interface FeeTable {
  /** The built-in fees with the environment's overrides. */
  base: FlatFees;
  /** The fees that the configuration table sets. */
  table: SetFees;
  /** The table over the base: the fees that apply. Computed once, since every heartbeat reads it. */
  flat: FlatFees;
}

/** Makes an empty fee table. */
export function createFeeTable(protocol: Protocol, overrides?: SetFees): FeeTable {
  const base = baseFees(protocol, overrides);
  return { base, table: {}, flat: base };
}

/** The built-in fees with the environment's overrides. */
export function baseFees(protocol: Protocol, overrides: SetFees = {}): FlatFees {
  const added = Object.fromEntries(
    addedClasses(protocol).map(({ name, feeLamports }) => [`sigil_${name}`, feeLamports]),
  );
  return {
    ...(added as Record<`sigil_${string}`, number>),
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

/** Replaces the whole table. A fee that it does not name falls back to the environment's or the built-in one. */
export function setFeeTable(fees: FeeTable, table: SetFees): void {
  fees.table = { ...table };
  fees.flat = { ...fees.base, ...table };
}
