/** Judges replies by the rate limits that count their requests. */

import { clausesOfNumber } from '../../spec/numbers.js';
import type { LimitName } from '../../spec/protocol.js';
import type { Case } from '../case.js';
import type { Limited } from '../facts/limits.js';
import type { AnsweredCall } from '../reading/call.js';

/** Judges an accepted request by the limits that must have refused it. */
export function judgeUnlimited({ call, judgement }: Case, limits: readonly Limited[]): void {
  for (const { limit } of limits.filter(({ verdict }) => verdict === 'must')) {
    const clauses = clausesOfLimit(call, limit);
    judgement.because('effect', `limit ${limit}`, false, 'a refusal with 429', call.status, ...clauses);
  }
}

/** Judges a refusal with 429 RATE_LIMITED. `open`: a question that the text leaves open, so the refusal may have another reason. */
export function judgeLimited({ call, judgement }: Case, limits: readonly Limited[], open: string | undefined): void {
  const clausesOf = ({ limit }: Limited): readonly string[] => clausesOfLimit(call, limit);
  const reached = limits.filter(({ verdict }) => verdict !== 'no');
  const about = `limit of ${call.name}`;
  // If several limits are reached, any of them may have refused. If no limit is reached, the evidence is against the fullest one.
  const [fullest] = limits.toSorted((a, b) => b.share - a.share);
  if (reached.length > 0 && reached.every(({ isOlder }) => isOlder))
    judgement.leave('section 8 has another limit from an older page', ...limits.flatMap(clausesOf));
  else if (reached.length === 1) judgement.that(about, true, '', '', ...reached.flatMap(clausesOf));
  else if (reached.length === 0 && open !== undefined) judgement.leave(open, ...limits.flatMap(clausesOf));
  else if (reached.length === 0 && fullest !== undefined) {
    const expected = 'a reply before the limit is reached';
    judgement.because('refused', about, false, expected, '429 RATE_LIMITED', ...clausesOf(fullest));
  }
}

/** The clauses of a limit; if several endpoints share its number, only the clause of this endpoint. */
function clausesOfLimit({ endpoint: { id } }: AnsweredCall, limit: LimitName): readonly string[] {
  const clauses = clausesOfNumber(`limits.${limit}.count`);
  const own = `limit.${id.startsWith('beats.') ? `${id.slice('beats.'.length)}.beats` : id}`;
  return clauses.length === 1 ? clauses : clauses.filter((clause) => clause === own);
}
