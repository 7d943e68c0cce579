/**
 * The control call that sets the fee table (4.17, D-53). How a fee is resolved is decided in
 * registry/fee-resolution.ts.
 */

import { z } from 'zod';
import { type FlatFeeName, type FlatFees, flatFeeNames, setFeeTable } from '../../registry/fee-table.js';
import { accepted, controlCall, lamports } from './call.js';

function feesOf<S extends z.ZodType>(each: S): z.ZodObject<Record<FlatFeeName, S>> {
  return z.strictObject(Object.fromEntries(flatFeeNames.map((name) => [name, each])) as Record<FlatFeeName, S>);
}

const table = feesOf(lamports.optional());

/** 4.17 and D-53: calls about the fee table. */
export const feeCalls = [
  controlCall('PUT fees', {
    purpose: 'Replaces the fee table, in lamports. A fee that is left out is the environment override or the built-in.',
    body: table,
    reply: z.strictObject({ table, fees: feesOf(lamports) }),
    run: (host, given) => {
      const { feeTable } = host.service.registry;
      const set = Object.entries(given).filter(([, fee]) => fee !== undefined);
      setFeeTable(feeTable, Object.fromEntries(set) as Partial<FlatFees>);
      return accepted({ table: feeTable.table, fees: feeTable.flat });
    },
  }),
];
