/** Reads `plan.json`: the clauses of each check, and its requests and payments as measured by `npm run plan`. */

import { existsSync, readFileSync } from 'node:fs';
import { clauses as allClauses } from '../../spec/clauses/index.js';
import type { Protocol } from '../../spec/protocol.js';
import { protocol } from '../../spec/protocol.js';
import type { Check, Planned, WrittenCheck } from './check.js';

/** A row of the file: numbers that are 0 are left out. */
export interface PlanRow {
  readonly clauses: readonly string[];
  readonly also?: readonly string[];
  readonly requests: number;
  readonly registers?: number;
  readonly walletRegisters?: number;
  readonly tokens?: number;
  readonly sleeps?: number;
  readonly beats?: number;
  /** With the fees of the specification. */
  readonly lamports?: number;
  readonly writes?: true;
}

/** The places of the file, from the sources and from dist/. */
const places = ['../plan.json', '../../../conformance/plan.json'].map((path) => new URL(path, import.meta.url));

const rows: Readonly<Record<string, PlanRow>> = read();

function read(): Readonly<Record<string, PlanRow>> {
  const file = places.find((place) => existsSync(place));
  return file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'));
}

/** The clauses that a check can judge. A check of a dialect judges only clauses of dialects, so it runs only for targets of that dialect. */
export const judgedBy = (id: string): readonly string[] =>
  allClauses.flatMap((clause) =>
    clause.excluded === undefined && clause.id.startsWith('dialect.') >= id.startsWith('dialect/') ? clause.id : [],
  );

/** Whether a check has a row, or declares its requests itself. */
export const isMeasured = ({ id, clauses }: Pick<Check, 'id' | 'clauses'>): boolean =>
  id in rows || clauses.length < judgedBy(id).length;

/** The row of a check that is not measured yet: it may be evidence for any clause. */
const unmeasured = (id: string): PlanRow => ({
  clauses: judgedBy(id),
  ...{ requests: 50, registers: 4, walletRegisters: 4, writes: true },
});

/** A check with its measured plan. Its own declarations take precedence. */
export function planned(check: WrittenCheck): Check {
  const { needs = [], clauses, requests, registers: own, writes: changes } = check;
  // A check that declares everything itself needs no row.
  if (clauses && requests && own !== undefined && changes !== undefined)
    return { ...check, needs, clauses, requests, registers: own, writes: changes };
  const { registers = 0, lamports, writes = false, ...row } = rows[check.id] ?? unmeasured(check.id);
  const measured: Planned = {
    ...row,
    registers,
    writes,
    ...(lamports === undefined ? {} : { lamports: (held: Protocol) => Math.ceil(lamports * feeScale(held)) }),
  };
  return { ...measured, ...check, needs };
}

/** The largest factor by which a fee of a service exceeds that of the specification; at least 1. */
function feeScale({ heartbeat, sigil, reissue, deposit }: Protocol): number {
  // A deposit is paid with a SIGIL.
  const narrowTaskFeeLamports = sigil.narrowTaskFeeLamports + deposit.lamports;
  const fees = { ...heartbeat, ...sigil, ...reissue, narrowTaskFeeLamports };
  const stated: Readonly<Record<string, number>> = { ...protocol.heartbeat, ...protocol.sigil, ...protocol.reissue };
  const ratios = Object.entries(fees).flatMap(([name, fee]) => {
    if (!/feeLamports$/i.test(name)) return [];
    const usual = stated[name] ?? fee;
    // A fee that the text does not have comes in addition to that of a heartbeat.
    return [usual === 0 ? 1 + fee / protocol.heartbeat.tier1FeeLamports : fee / usual];
  });
  return Math.max(1, ...ratios);
}
