/**
 * Judges an exchange by the reasons to refuse its request: the rows of its operation, those of every call, and the limits that count it.
 * A reason applies, does not apply, or may apply.
 *
 * | reply | reasons | judgement |
 * |---|---|---|
 * | 502 to 504 | any | no evidence: the service is down |
 * | 429 RATE_LIMITED | a limit is reached | for the limit |
 * | 429 RATE_LIMITED | no limit is reached | against the fullest limit, unless the text leaves the reply open |
 * | accepted | one applies | against its clauses |
 * | accepted | none applies | for the clauses of an acceptance; the operation and the form judge the reply |
 * | refused with status and code of a reason that applies | any | for its clauses; the operation judges the reply |
 * | refused otherwise | one applies | for or against each of its clauses, by the demanded status and code |
 * | refused otherwise | several apply | the same for the first, unless one of them explains the reply |
 * | refused | some may apply, none certainly | no evidence, unless the refusal is wrong in either case |
 * | refused | none may apply | against the first clause of an acceptance, unless the text leaves the reply open |
 */

import type { ErrorKey, ErrorRow } from '../../spec/errors.js';
import { errorRows } from '../../spec/parts.js';
import type { Case, Operation } from '../case.js';
import { unlessUnknown } from '../facts/earlier.js';
import { countAdmitted, limited } from '../facts/limits.js';
import { noteFreeze } from '../facts/rules.js';
import { respells } from '../facts/spelling.js';
import { at } from '../reading/values.js';
import { judgeAccepted } from './accepted.js';
import { judgeForm } from './form.js';
import { judgeLimited, judgeUnlimited } from './limits.js';
import { AGENT_KEY, addReasons, codeIsOfText, FORM, hasOtherForm, isOf, OTHER_FORM, type Reason } from './reasons.js';
import { judgeErrorBody, judgeRefused } from './refused.js';
import { situationOf } from './situation.js';

/** The statuses of a gateway, or of a service whose ledger or store is down. */
export const GATEWAY: readonly number[] = [502, 503, 504];

const ANOTHER_CASE = 'the text does not say whether an agent hash in another case names its agent';

/** Judges an exchange by the rules of its operation. Returns whether the state has all effects of the call. */
export function settle<F>(operation: Operation<F>, given: Case): boolean {
  const { state, call, judgement } = given;
  const rows = errorRows(state.settings.protocol);
  const tooMany = rows['any/RATE_LIMITED'];
  const limits = limited(given);
  const isReached = limits.some(({ verdict }) => verdict !== 'no');
  const isRateLimited = isOf(call, tooMany) && (isReached || at(call.json, 'code') != null);
  countAdmitted(given, isRateLimited);
  if (GATEWAY.includes(call.status)) return true;
  const { agent } = given;
  if (agent !== undefined && agent.frozen === undefined && saysFrozen(given)) noteFreeze(state, agent);
  const takesAgent = call.endpoint.auth === 'agent';
  const facts = takesAgent && agent === undefined ? undefined : unlessUnknown(() => operation.facts(given));
  const open = facts === undefined ? undefined : openOf(operation, facts, given);
  if (isRateLimited) {
    judgeLimited(given, limits, open);
    judgeErrorBody(given, { hasCode: true });
    judgement.situation = situationOf(given, [], limits);
    return true;
  }
  const reasons: Reason[] = [];
  if (takesAgent) addReasons(reasons, given, AGENT_KEY, undefined);
  addReasons(reasons, given, FORM, undefined);
  if (facts !== undefined) addReasons(reasons, given, operation.refusals, facts);
  judgement.situation = situationOf(given, reasons, limits);
  if (facts === undefined) {
    // Without an agent, only the key can be judged. A key from before the traffic may be valid.
    const isEarlier = !state.isWhole && !(takesAgent && !call.hasAuthorization);
    if (call.status < 400) {
      judgeAccepted(given, reasons, []);
      if (isEarlier) judgeForm(given);
    } else {
      const code = at(call.json, 'code');
      // A code of no row of this operation names no other fault.
      const isNoRow = code != null && !operation.refusals.some(({ row }) => rows[row].code === code);
      const isDue = reasons.some(({ applies, row }) => applies === true && row.status === call.status);
      const isKeyAlone = takesAgent && agent === undefined && !mayHaveAnotherFault(given, rows);
      const isSure = (isNoRow && isDue) || isKeyAlone;
      const open = isEarlier
        ? EARLIER
        : isSure
          ? undefined
          : 'the text does not say which of several faults a refusal names';
      judgeRefused(given, reasons, { open, accepts: [] });
    }
    return !isEarlier || call.status >= 400;
  }
  if (call.status < 400) {
    judgeUnlimited(given, limits);
    judgeAccepted(given, reasons, acceptsOf(operation, facts, given));
    const isDone = unlessUnknown(() => {
      operation.accepted(facts, given);
      return true;
    });
    judgeForm(given);
    return isDone === true;
  } else {
    const isUnfounded = open === undefined && reasons.every(({ applies }) => applies === false);
    const doubt = isUnfounded ? operation.doubt?.(facts, given) : undefined;
    const named = judgeRefused(given, reasons, { open: open ?? doubt, accepts: acceptsOf(operation, facts, given) });
    if (named !== undefined) unlessUnknown(() => operation.refused?.(facts, given, named));
    else if (open === ANOTHER_CASE && reasons.every(({ applies }) => applies === false))
      judgement.that('an agent by its hash in another case', false, 'the same agent', call.status, 'agent.hash.case');
    return true;
  }
}

const EARLIER = 'the reply depends on what was there before the traffic';

/** The question that the text, or the start of the traffic, leaves open. */
function openOf<F>({ open }: Operation<F>, facts: F, given: Case): string | undefined {
  const asked = unlessUnknown(() => ({ why: open?.(facts, given) }));
  if (asked === undefined) return EARLIER;
  return asked.why ?? (respells(given.state, given.call) ? ANOTHER_CASE : faultOfBody(given));
}

function acceptsOf<F>({ accepts }: Operation<F>, facts: F, given: Case): readonly string[] {
  return unlessUnknown(() => accepts(facts, given)) ?? [];
}

/**
 * Whether a request without a valid key may be refused for another fault. A row with 403 needs an agent, and a valid body has no fault of form.
 */
function mayHaveAnotherFault({ call, state: { settings } }: Case, rows: Readonly<Record<ErrorKey, ErrorRow>>): boolean {
  const { status, endpoint, body, json } = call;
  const code = at(json, 'code');
  if (status === rows['any/RATE_LIMITED'].status) return true;
  if (status === 403) return false;
  const isWellFormed = endpoint.body === null || endpoint.body(settings).safeParse(body).success;
  return Object.entries(rows).some(([key, row]) => {
    const isListed = key === endpoint.invalid || endpoint.refuses?.includes(row.code) !== false;
    const isOfCall = row.endpoint === endpoint.stem && isListed;
    const isNamed = row.status === status && (code == null || row.code === code || !codeIsOfText(row));
    return isOfCall && isNamed && !(key === endpoint.invalid && isWellFormed);
  });
}

/**
 * The open question if a field of the body has a wrong form. Section 7 does not say whether such a fault comes before a fault of the state, nor
 * whether it counts for a field that the call does not need.
 */
function faultOfBody({ call, state: { settings } }: Case): string | undefined {
  const { invalid } = call.endpoint;
  if (invalid === null || !isOf(call, errorRows(settings.protocol)[invalid])) return undefined;
  return hasOtherForm(call, settings) ? OTHER_FORM : undefined;
}

/** Whether a refusal says that the agent of the key is frozen; in sponsor calls SPONSOR_PARENT_FROZEN says so. */
function saysFrozen({ call, state }: Case): boolean {
  const row = call.endpoint.stem === 'sponsor' ? 'sponsor/SPONSOR_PARENT_FROZEN' : 'heartbeat/AGENT_FROZEN';
  const { code } = errorRows(state.settings.protocol)[row];
  return call.status >= 400 && at(call.json, 'code') === code;
}
