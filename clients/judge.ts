/** Judges a watched client by the checklist: held, broken or not seen, with the requests that show it. */

import { identityClauses } from './clauses-identity.js';
import { lifecycleClauses } from './clauses-lifecycle.js';
import { paymentClauses } from './clauses-payment.js';
import { proofClauses } from './clauses-proof.js';
import type { ClientClause } from './evidence.js';
import type { Exchange, WatchedRun } from './exchange.js';

/** All clauses for clients, in the order of the report. */
export const clientClauses: readonly ClientClause[] = Object.freeze([
  ...identityClauses,
  ...paymentClauses,
  ...proofClauses,
  ...lifecycleClauses,
]);

type Verdict = 'held' | 'broken' | 'not-seen';

/** The verdict on one clause. */
export interface ClientVerdict {
  readonly id: string;
  readonly section: string;
  readonly text: string;
  readonly verdict: Verdict;
  /** The numbers of the requests that broke it or, if it is held, that it applied to; ten at most. */
  readonly requests: readonly number[];
  /** The first request that broke it, and why. */
  readonly why?: string;
}

const REQUESTS_MAX = 10;

/** Judges every clause. The same exchanges give the same verdicts. */
export function judgeClient(
  run: WatchedRun,
  clauses: readonly ClientClause[] = clientClauses,
): readonly ClientVerdict[] {
  return clauses.map(({ id, section, text, look }) => {
    const { seen, faults } = look(run);
    const shown = faults.length > 0 ? faults.map(({ exchange }) => exchange) : seen;
    const [first] = faults;
    return {
      id,
      section,
      text,
      verdict: first !== undefined ? 'broken' : seen.length > 0 ? 'held' : 'not-seen',
      requests: shown.slice(0, REQUESTS_MAX).map(({ n }) => n),
      ...(first === undefined ? {} : { why: `${requestLine(first.exchange)}: ${first.why}` }),
    };
  });
}

function requestLine({ n, method, path, status }: Exchange): string {
  return `request ${n}, ${method} ${path} (${status})`;
}

/** The verdicts for a reader: the failed ones with their reason, then those that pass, then those that were not seen. */
export function clientReport(verdicts: readonly ClientVerdict[], requests: number): string {
  const of = (wanted: Verdict) => verdicts.filter(({ verdict }) => verdict === wanted);
  const broken = of('broken').flatMap(({ id, section, text, why }) => [
    `FAIL      ${id} (${section})`,
    `          ${text}`,
    `          ${why}`,
  ]);
  const line =
    (word: string) =>
    ({ id, section, text }: ClientVerdict) =>
      `${word} ${id} (${section}): ${text}`;
  return [
    ...broken,
    ...of('held').map(line('pass     ')),
    ...of('not-seen').map(line('not seen ')),
    '',
    `${requests} ${requests === 1 ? 'request' : 'requests'}: ${of('held').length} clauses pass, ${of('broken').length} fail, ${of('not-seen').length} not seen`,
  ].join('\n');
}
