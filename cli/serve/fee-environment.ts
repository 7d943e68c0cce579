/**
 * Reads the fees that the environment overrides (D-53). The order in which fees are resolved is decided in
 * reference/registry.
 */

import { type FlatFeeName, type FlatFees, flatFeeNames } from '../../reference/registry/fee-table.js';
import { Failure } from '../../runs/host/failure.js';

/** D-53: the variable that overrides a built-in fee, for example AIPS_FEE_SIGIL_NARROW_TASK. */
export function feeVariable(name: FlatFeeName): string {
  return `AIPS_FEE_${name.toUpperCase()}`;
}

/** D-53: the overrides of the environment, in lamports; undefined when there is none. Failure for a bad number. */
export function readFeeOverrides(
  environment: Readonly<Record<string, string | undefined>>,
): Partial<FlatFees> | undefined {
  const found = flatFeeNames.flatMap((name) => {
    const text = environment[feeVariable(name)];
    if (text === undefined || text === '') return [];
    const lamports = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(lamports)) {
      throw new Failure(`${feeVariable(name)} must be a whole number of lamports; "${text}" is none.`);
    }
    return [[name, lamports] as const];
  });
  return found.length === 0 ? undefined : (Object.fromEntries(found) as Partial<FlatFees>);
}
