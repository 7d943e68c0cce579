/** Judges a refusal: whether the request had to be refused, as the reply refuses it. */

import { causeText } from '../../spec/causes.js';
import { clauseById } from '../../spec/clauses/index.js';
import { nameOf } from '../../spec/endpoint-ids.js';
import type { ErrorKey, ErrorRow } from '../../spec/errors.js';
import type { Case } from '../case.js';
import { ofLevel } from '../evidence.js';
import { askedSince } from '../facts/tickets.js';
import type { AnsweredCall } from '../reading/call.js';
import { replyShown } from '../reading/compare.js';
import { isFilled, isString } from '../reading/field-tests.js';
import type { Known } from '../reading/known.js';
import { at } from '../reading/values.js';
import { codeIsOfText, hasOtherForm, isOf, OTHER_FORM, publicOf, type Reason } from './reasons.js';

/** Judges a refusal; returns the row that it names, if that applies. */
export function judgeRefused(
  given: Case,
  reasons: readonly Reason[],
  { open, accepts }: { readonly open: string | undefined; readonly accepts: readonly string[] },
): ErrorKey | undefined {
  const { call, judgement } = given;
  const applying = reasons.filter(({ applies }) => applies === true);
  const unknown = reasons.filter(({ applies }) => applies === undefined);
  const isExact = ({ row }: Reason): boolean => isOf(call, row);
  const hasCode = namesCode(applying) || applying.some((reason) => isExact(reason) && isOfText(reason));
  if (applying.length > 0) judgeErrorBody(given, { hasCode });
  const isCoded = at(call.json, 'code') != null;
  const named = applying.find(isExact);
  if (named !== undefined) {
    judgeNamed(given, named, applying.filter(isExact));
    return named.key;
  }
  // A code names its row even if the status is not that of the text.
  const byCode = applying.find(({ row }) => isCoded && row.code === at(call.json, 'code'));
  if (byCode !== undefined && !reasons.some(isExact)) {
    judgeByDemand(given, byCode, byCode.clauses);
    return undefined;
  }
  // Even where refusal and acceptance are both allowed, a 5xx is not.
  const isError = call.status >= 500;
  // A row that may apply does not explain a refusal with another status than the text gives, nor one with another code if a row certainly applies.
  const mayBe = unknown.filter((each) => hasStatusOfText(given, each));
  const [maybe] = applying.length === 0 ? mayBe : mayBe.filter((each) => !isCoded || isExact(each) || !isOfText(each));
  const unsure = open ?? (maybe === undefined ? undefined : `${maybe.row.cause}: unknown`);
  // If no row certainly applies, the text gives no status for a field of another form.
  const isOpen = unsure === undefined && applying.length === 0 && hasOtherForm(call, given.state.settings);
  const why = isError ? undefined : isOpen ? OTHER_FORM : unsure;
  const [first] = applying;
  if (why !== undefined || first === undefined) {
    const decided = unknown.flatMap((reason) => reason.decided ?? []);
    const [only] = unknown;
    // A refusal with the code of a row that does not apply is wrong, whichever unknown rows apply.
    const wrong = reasons.find((each) => isCoded && isExact(each) && isOfText(each) && !unknown.some(isLike(each)));
    const convictNamed = (): void => {
      const clauses = wrong === undefined ? decided : ofLevel(wrong.clauses, 'must');
      judgement.because('refused', REFUSED, false, 'accepted', shownReply(call), ...clauses);
    };
    const isOne = unknown.length === 1 && only !== undefined && only.clauses.length > 0;
    if (why === undefined && !isError && isOne && wrong !== undefined) convictNamed();
    // The single reason that may apply does not excuse this refusal, since status or code are those of another reason.
    else if (why === undefined && !isError && isOne) judgeByDemand(given, only, ofLevel(only.clauses, 'must'));
    else if (why === undefined)
      judgeFaultless(
        given,
        reasons.filter((each) => isCoded && isExact(each) && each.clauses.length > 0),
        accepts,
      );
    else if (open === undefined && first === undefined && decided.length === unknown.length) convictNamed();
    else judgement.leave(why, ...[...applying, ...unknown].flatMap(({ clauses }) => clauses));
    return undefined;
  }
  if (applying.length === 1) {
    judgeByDemand(given, first, first.clauses);
    return undefined;
  }
  const must = applying.filter(({ clauses }) => ofLevel(clauses, 'must').length > 0);
  const isExplained = (reason: Reason): boolean =>
    ofLevel(reason.clauses, 'must').every((id) => keepsDemand(given, reason, id) !== false);
  if (must.some(isExplained)) judgement.leave('several faults', ...applying.flatMap(({ clauses }) => clauses));
  // If only a decision has a reason to refuse, the text does not determine the reply.
  else if (must[0] !== undefined && must.length === applying.length)
    judgeByDemand(given, must[0], ofLevel(must[0].clauses, 'must'));
  else judgeByDemand(given, first, ofLevel(first.clauses, 'decision'));
  return undefined;
}

const aboutOf = ({ call }: Case, { row }: Reason): string => `${call.name}, ${row.cause}`;

const isLike =
  ({ row }: Reason) =>
  (other: Reason): boolean =>
    other.row.code === row.code;

/** Whether the text gives the code of a row's refusals. */
const isOfText = ({ row }: Reason): boolean => codeIsOfText(row);

/** True where a refusal has the status that the text gives for a reason, in a clause or in section 7, or where the text gives none. */
function hasStatusOfText({ call }: Case, { row, clauses }: Reason): boolean {
  if (call.status === row.status) return true;
  if (clauses.length === 0) return row.source !== 'spec';
  return ofLevel(clauses, 'must').every((id) => clauseById(id).demand?.status === undefined || isElsewhere(row, id));
}

/** Whether a clause is about another endpoint: the text does not show the form of its refusal here. */
const isElsewhere = (row: ErrorRow, id: string): boolean => row.source !== 'spec' && !id.startsWith(row.endpoint);

/** Whether section 7 gives the code of a refusal: all rows that apply have the same status and code, and one of them is a row of the text. */
function namesCode(due: readonly Reason[]): boolean {
  const [first] = due;
  const isOne = due.every(({ row }) => row.status === first?.row.status && row.code === first.row.code);
  return isOne && due.some(isOfText);
}

/** Judges a refusal by a row that applies. If several reasons have this row, it is evidence for their common clauses. */
function judgeNamed(given: Case, named: Reason, exact: readonly Reason[]): void {
  const { call, judgement } = given;
  const shared = named.clauses.filter((id) => exact.every(({ clauses }) => clauses.includes(id)));
  const code = at(call.json, 'code');
  const lacking = code == null ? shared.filter((id) => keepsDemand(given, named, id) === false) : [];
  judgement.that('code', false, named.row.code, code, ...lacking);
  judgement.that(aboutOf(given, named), true, '', '', ...shared.filter((id) => !lacking.includes(id)));
  judgement.leave('several faults', ...named.clauses.filter((id) => !shared.includes(id)));
}

/** 7: judges the body of a justified refusal, if the text shows error bodies of the endpoint. */
export function judgeErrorBody({ call, judgement }: Case, { hasCode }: { readonly hasCode: boolean }): void {
  const { errorsShown } = call.endpoint;
  if (errorsShown === 'nothing' || call.status >= 500) return;
  const [text, code] = [at(call.json, 'error'), at(call.json, 'code')];
  judgement.because('field', 'error', isFilled.holds(text), isFilled.words, text, 'error.body.error');
  if (hasCode && errorsShown === undefined)
    judgement.because('field', 'code', isString.holds(code), isString.words, code, 'error.body.code');
}

/** The kind of deviation of refusing a request without a fault. */
const REFUSED = causeText('refused');

/** A refusal as a report shows it: its status and code, or its message. */
function shownReply({ status, json }: AnsweredCall): string {
  const code = at(json, 'code');
  return code == null ? replyShown(status, JSON.stringify(json) ?? '') : `${status} ${String(code)}`;
}

/** Judges a refusal of a request without a fault; `wrong`: the reasons that it may name. */
function judgeFaultless({ state, call, judgement }: Case, wrong: readonly Reason[], accepts: readonly string[]): void {
  const undone = wrong.find((each) => each.undone !== undefined)?.undone;
  if (undone !== undefined) {
    judgement.lacksEffect(nameOf(undone.call), `${call.name}: accepted`, shownReply(call), ...undone.clauses);
    return;
  }
  // Of the clauses of an acceptance the first requires it. If that is a decision, the text allows the refusal.
  const asksKey = [401, 403].includes(call.status) && !call.hasAuthorization;
  const demand = [...(asksKey ? publicOf(call) : []), ...accepts].slice(0, 1);
  const own = wrong.find(({ clauses }) => demand.some((id) => clauses.includes(id)))?.clauses ?? [];
  const binding = own.length > 0 ? accepts.filter((id) => own.includes(id)) : ofLevel(wrong[0]?.clauses ?? [], 'must');
  const isDecided = ofLevel(demand, 'decision').length > 0;
  const clauses = new Set([...(isDecided ? [] : binding), ...demand]);
  const expected = `accepted${askedSince(state, Object.values(call.body ?? {}))}`;
  judgement.because('refused', REFUSED, false, expected, shownReply(call), ...clauses);
}

/** Judges a refusal of a request with one fault: each clause by the status and code that it demands. */
function judgeByDemand(given: Case, reason: Reason, clauses: readonly string[]): void {
  const { call, judgement } = given;
  const actual = shownReply(call);
  for (const id of clauses) {
    const ok = keepsDemand(given, reason, id);
    judgement.that(aboutOf(given, reason), ok, `${reason.row.status} ${reason.row.code}`, actual, id);
  }
}

/** True where a refusal has the status and code that a clause demands; unknown where the clause is about another endpoint. */
function keepsDemand({ call }: Case, { row }: Reason, id: string): Known {
  if (call.status >= 500) return false;
  const { level, demand = {} } = clauseById(id);
  const isMust = level === 'must';
  const code = at(call.json, 'code');
  const isStatus = demand.status === undefined || call.status === row.status;
  // If section 7 has no code, or shows no body, the text demands no code.
  const isCodeFree = isMust && (!row.codeBinds || call.endpoint.errorsShown === 'status');
  const isCode = demand.code === undefined || isCodeFree || code === row.code || (demand.ifThere && code == null);
  if (isStatus && isCode) return true;
  return isMust && isElsewhere(row, id) ? undefined : false;
}
