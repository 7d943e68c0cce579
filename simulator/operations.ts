import type { OperationCount } from '../reports/simulation-result.js';
import { errors } from '../spec/errors.js';

/** Calls of registry rules, accepted or refused, are operations. The order is that of the manifest. */
export const OPERATIONS = ['register', 'init', 'sigil', 'heartbeat', 'resync'] as const;
export const REGISTER = 0;
export const INIT = 1;
export const SIGIL = 2;
export const HEARTBEAT = 3;
export const RESYNC = 4;
/** What else happens to agents. These are events of the chain, and no operations. */
export const FREEZE = 5;
export const SKIP = 6;
export const TOP_UP = 7;
export const EVENT_NAMES = [...OPERATIONS, 'freeze', 'skip', 'top-up'] as const;

/** Outcome 0 of an operation; refusals are counted from 1 in the order of `CODES`. */
export const ACCEPTED = 0;

/** Every code that one of the operations can be refused with. */
export const CODES: readonly string[] = [
  ...new Set(
    Object.values(errors)
      .filter(({ endpoint }) => (OPERATIONS as readonly string[]).includes(endpoint))
      .map(({ code }) => code),
  ),
];

const outcomes = new Map(CODES.map((code, i) => [code, i + 1]));
const WIDTH = CODES.length + 1;

/** The outcome of a refusal with this code. */
export function outcomeOf(code: string): number {
  const outcome = outcomes.get(code);
  if (outcome === undefined) throw new Error(`no operation is refused with ${code}`);
  return outcome;
}

/** The name of an outcome, for traces. */
export function outcomeName(outcome: number): string {
  return outcome === ACCEPTED ? 'accepted' : (CODES[outcome - 1] as string);
}

/** How often each operation had each outcome. */
export type OperationCounts = Float64Array;

/** Counts of zero. */
export function createOperationCounts(): OperationCounts {
  return new Float64Array(OPERATIONS.length * WIDTH);
}

/** Counts one call. */
export function countOperation(counts: OperationCounts, operation: number, outcome: number): void {
  counts[operation * WIDTH + outcome]! += 1;
}

/** How often an operation had an outcome. */
export function outcomesOf(counts: OperationCounts, operation: number, outcome: number): number {
  return counts[operation * WIDTH + outcome]!;
}

/** All calls together. */
export function totalOperations(counts: OperationCounts): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The counts as the manifest has them: each kind that was called at all. */
export function operationCounts(counts: OperationCounts): OperationCount[] {
  return OPERATIONS.flatMap((kind, operation) => {
    const row = counts.subarray(operation * WIDTH, (operation + 1) * WIDTH);
    const refused = CODES.flatMap((code, i) => (row[i + 1]! > 0 ? [[code, row[i + 1]!] as const] : []));
    const called = row[ACCEPTED]! > 0 || refused.length > 0;
    return called ? [{ kind, accepted: row[ACCEPTED]!, refused: Object.fromEntries(refused) }] : [];
  });
}
