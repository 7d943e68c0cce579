/** Judges the acceptance of a request: no reason to refuse it may apply. An acceptance without such a reason is evidence for its clauses. */

import { nameOf } from '../../spec/endpoint-ids.js';
import type { Case } from '../case.js';
import { respells } from '../facts/spelling.js';
import { at } from '../reading/values.js';
import { publicOf, type Reason } from './reasons.js';

/** `accepts`: the clauses by which its operation accepts it. */
export function judgeAccepted(given: Case, reasons: readonly Reason[], accepts: readonly string[]): void {
  const { call, judgement } = given;
  const must = reasons.filter(({ applies }) => applies === true);
  for (const { row, clauses, undone } of must) {
    const due = `${row.status} ${row.code}`;
    if (undone !== undefined) {
      judgement.lacksEffect(nameOf(undone.call), `${call.name}: ${due}`, `${call.status}`, ...undone.clauses);
      continue;
    }
    judgement.because('effect', `${call.name}, ${row.cause}`, false, due, `${call.status}`, ...clauses);
  }
  if (must.length > 0) return;
  const decided = reasons.flatMap((reason) => (reason.applies === undefined ? (reason.decided ?? []) : []));
  const spelt = respells(given.state, call) ? ['agent.hash.case'] : [];
  judgement.that(`${call.name} is accepted`, true, '', '', ...accepts, ...shownBy(given), ...decided, ...spelt);
  // 5: a key belongs to one agent.
  for (const path of OWN_HASH)
    if (call.endpoint.auth === 'agent' && at(call.json, path) !== undefined)
      judgement.equals(path, given.agent?.hash, 'key.agent.bound');
}

/** Fields in which a reply names the agent of the key. */
export const OWN_HASH = ['agent_hash', 'passport.agent_hash', 'sponsorship.parent_hash'];

/** The clauses about credentials for which an accepted request is evidence. */
function shownBy({ call }: Case): readonly string[] {
  if (!call.hasAuthorization) return publicOf(call);
  return call.endpoint.auth === 'agent' ? ['key.agent.header'] : [];
}
