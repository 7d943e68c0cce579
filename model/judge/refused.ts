/** Judges a refusal: whether a reason for it applies, and whether the reply has the status and code of this reason. */

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

/** The kind of a refusal: one line of the table in settle.ts. */
type Finding =
  /** The refusal has the status and code of an applying reason; `same`: all applying reasons with both. */
  | { readonly kind: 'named'; readonly reason: Reason; readonly same: readonly Reason[] }
  /** The refusal does not name the fault of the request: each clause is judged by its demanded status and code. */
  | { readonly kind: 'other'; readonly reason: Reason; readonly clauses: readonly string[] }
  /** The refusal is wrong, even if some of the unknown reasons apply. */
  | { readonly kind: 'wrong'; readonly clauses: readonly string[] }
  /** The request is valid; `named`: the reasons with the status and code of the refusal. */
  | { readonly kind: 'faultless'; readonly named: readonly Reason[] }
  /** The refusal cannot be judged. */
  | { readonly kind: 'open'; readonly why: string; readonly clauses: readonly string[] };

/** The reasons to refuse a request: all, those that apply, and those that may apply. */
interface Sorted {
  readonly all: readonly Reason[];
  readonly applying: readonly Reason[];
  readonly unknown: readonly Reason[];
}

/** Judges a refusal. Returns the row of its status and code, if a reason with this row applies. */
export function judgeRefused(
  given: Case,
  reasons: readonly Reason[],
  { open, accepts }: { readonly open: string | undefined; readonly accepts: readonly string[] },
): ErrorKey | undefined {
  const { call, judgement } = given;
  const applying = reasons.filter(({ applies }) => applies === true);
  const unknown = reasons.filter(({ applies }) => applies === undefined);
  const hasCode = namesCode(applying) || applying.some((reason) => isOf(call, reason.row) && isOfText(reason));
  if (applying.length > 0) judgeErrorBody(given, { hasCode });
  const finding = findingOf(given, { all: reasons, applying, unknown }, open);
  switch (finding.kind) {
    case 'named':
      judgeNamed(given, finding.reason, finding.same);
      return finding.reason.key;
    case 'other':
      judgeByDemand(given, finding.reason, finding.clauses);
      return undefined;
    case 'wrong':
      judgement.because('refused', REFUSED, false, 'accepted', shownReply(call), ...finding.clauses);
      return undefined;
    case 'faultless':
      judgeFaultless(given, finding.named, accepts);
      return undefined;
    case 'open':
      judgement.leave(finding.why, ...finding.clauses);
      return undefined;
    default:
      return finding satisfies never;
  }
}

function findingOf(given: Case, sorted: Sorted, open: string | undefined): Finding {
  const { call } = given;
  const { all, applying } = sorted;
  const isExact = ({ row }: Reason): boolean => isOf(call, row);
  const named = applying.find(isExact);
  if (named !== undefined) return { kind: 'named', reason: named, same: applying.filter(isExact) };
  // The code identifies the row, even with another status.
  const byCode = applying.find(({ row }) => row.code === at(call.json, 'code'));
  if (byCode !== undefined && !all.some(isExact)) return { kind: 'other', reason: byCode, clauses: byCode.clauses };
  // A 5xx is never allowed.
  const why = call.status >= 500 ? undefined : whyOpen(given, sorted, open);
  if (why !== undefined) return undecided(given, sorted, { why, isLeft: open !== undefined });
  const [first] = applying;
  if (first === undefined) return unfounded(given, sorted);
  if (applying.length === 1) return { kind: 'other', reason: first, clauses: first.clauses };
  return ofSeveral(given, first, applying);
}

/** The reason why the text allows both a refusal and an acceptance; undefined if it does not. */
function whyOpen(given: Case, { applying, unknown }: Sorted, open: string | undefined): string | undefined {
  const { call, state } = given;
  // A reason that may apply excuses a refusal only if its status fits, and, if another reason certainly applies, its code too.
  const mayBe = unknown.filter(
    (each) =>
      hasStatusOfText(given, each) &&
      (applying.length === 0 || !isCoded(call) || isOf(call, each.row) || !isOfText(each)),
  );
  const unsure = open ?? (mayBe[0] === undefined ? undefined : `${mayBe[0].row.cause}: unknown`);
  // If no reason certainly applies, a field in a wrong form may be refused with any status.
  if (unsure === undefined && applying.length === 0 && hasOtherForm(call, state.settings)) return OTHER_FORM;
  return unsure;
}

/** Judges the refusal of a request that may be refused. `isLeft`: the operation leaves the reply open. */
function undecided(
  given: Case,
  sorted: Sorted,
  { why, isLeft }: { readonly why: string; readonly isLeft: boolean },
): Finding {
  const { applying, unknown } = sorted;
  if (!isLeft && applying.length === 0 && unknown.every(({ decided }) => decided !== undefined)) {
    const wrong = wrongOf(given, sorted);
    const decided = unknown.flatMap((reason) => reason.decided ?? []);
    return { kind: 'wrong', clauses: wrong === undefined ? decided : ofLevel(wrong.clauses, 'must') };
  }
  return { kind: 'open', why, clauses: [...applying, ...unknown].flatMap(({ clauses }) => clauses) };
}

/** Judges a refusal if no reason certainly applies, and no unknown reason excuses it. */
function unfounded(given: Case, sorted: Sorted): Finding {
  const { call } = given;
  const [only, ...others] = sorted.unknown;
  if (call.status < 500 && only !== undefined && others.length === 0 && only.clauses.length > 0) {
    const wrong = wrongOf(given, sorted);
    // One reason may apply, but the reply has the status or code of another one.
    return wrong === undefined
      ? { kind: 'other', reason: only, clauses: ofLevel(only.clauses, 'must') }
      : { kind: 'wrong', clauses: ofLevel(wrong.clauses, 'must') };
  }
  const isNamed = (each: Reason): boolean => isCoded(call) && isOf(call, each.row) && each.clauses.length > 0;
  return { kind: 'faultless', named: sorted.all.filter(isNamed) };
}

/** Judges a refusal that names none of several faults of its request. */
function ofSeveral(given: Case, first: Reason, applying: readonly Reason[]): Finding {
  const must = applying.filter(({ clauses }) => ofLevel(clauses, 'must').length > 0);
  const isExplained = (reason: Reason): boolean =>
    ofLevel(reason.clauses, 'must').every((id) => meetsDemand(given, reason, id) !== false);
  if (must.some(isExplained))
    return { kind: 'open', why: 'several faults', clauses: applying.flatMap(({ clauses }) => clauses) };
  // If any applying reason comes from a decision alone, the text does not determine the reply.
  return must[0] !== undefined && must.length === applying.length
    ? { kind: 'other', reason: must[0], clauses: ofLevel(must[0].clauses, 'must') }
    : { kind: 'other', reason: first, clauses: ofLevel(first.clauses, 'decision') };
}

/** The reason that a refusal names although it does not apply. If no unknown reason has its code, the refusal is wrong in any case. */
function wrongOf({ call }: Case, { all, unknown }: Sorted): Reason | undefined {
  const isUnknown = ({ row }: Reason): boolean => unknown.some((other) => other.row.code === row.code);
  return all.find((each) => isCoded(call) && isOf(call, each.row) && isOfText(each) && !isUnknown(each));
}

const isCoded = ({ json }: AnsweredCall): boolean => at(json, 'code') != null;

const aboutOf = ({ call }: Case, { row }: Reason): string => `${call.name}, ${row.cause}`;

/** Whether the code of a reason is from the text. */
const isOfText = ({ row }: Reason): boolean => codeIsOfText(row);

/** Whether a refusal has the status that a clause or section 7 gives for a reason; true if the text gives none. */
function hasStatusOfText({ call }: Case, { row, clauses }: Reason): boolean {
  if (call.status === row.status) return true;
  if (clauses.length === 0) return row.source !== 'spec';
  return ofLevel(clauses, 'must').every((id) => clauseById(id).demand?.status === undefined || isElsewhere(row, id));
}

/** Whether a clause is about another endpoint, so the text does not give the status and code at this endpoint. */
const isElsewhere = (row: ErrorRow, id: string): boolean => row.source !== 'spec' && !id.startsWith(row.endpoint);

/** Whether section 7 determines the code: all applying rows have one status and code, and one of these rows is from the text. */
function namesCode(due: readonly Reason[]): boolean {
  const [first] = due;
  const isOne = due.every(({ row }) => row.status === first?.row.status && row.code === first.row.code);
  return isOne && due.some(isOfText);
}

/** Judges a refusal with the status and code of an applying reason. If several reasons have both, only their common clauses are judged. */
function judgeNamed(given: Case, named: Reason, exact: readonly Reason[]): void {
  const { call, judgement } = given;
  const shared = named.clauses.filter((id) => exact.every(({ clauses }) => clauses.includes(id)));
  const code = at(call.json, 'code');
  const lacking = code == null ? shared.filter((id) => meetsDemand(given, named, id) === false) : [];
  judgement.that('code', false, named.row.code, code, ...lacking);
  judgement.that(aboutOf(given, named), true, '', '', ...shared.filter((id) => !lacking.includes(id)));
  judgement.leave('several faults', ...named.clauses.filter((id) => !shared.includes(id)));
}

/** 7: judges the error body of a justified refusal, if the text shows error bodies for the endpoint. */
export function judgeErrorBody({ call, judgement }: Case, { hasCode }: { readonly hasCode: boolean }): void {
  const { errorsShown } = call.endpoint;
  if (errorsShown === 'nothing' || call.status >= 500) return;
  const [text, code] = [at(call.json, 'error'), at(call.json, 'code')];
  judgement.because('field', 'error', isFilled.holds(text), isFilled.words, text, 'error.body.error');
  if (hasCode && errorsShown === undefined)
    judgement.because('field', 'code', isString.holds(code), isString.words, code, 'error.body.code');
}

/** The words for the refusal of a valid request. */
const REFUSED = causeText('refused');

/** A refusal as reports show it: status and code, or status and body. */
function shownReply({ status, json }: AnsweredCall): string {
  const code = at(json, 'code');
  return code == null ? replyShown(status, JSON.stringify(json) ?? '') : `${status} ${String(code)}`;
}

/** Judges the refusal of a valid request. `wrong`: the reasons with the status and code of the reply. */
function judgeFaultless({ state, call, judgement }: Case, wrong: readonly Reason[], accepts: readonly string[]): void {
  const undone = wrong.find((each) => each.undone !== undefined)?.undone;
  if (undone !== undefined) {
    judgement.lacksEffect(nameOf(undone.call), `${call.name}: accepted`, shownReply(call), ...undone.clauses);
    return;
  }
  // The first clause of `accepts` requires the acceptance. If it is a decision, the refusal breaks no clause of the text.
  const asksKey = [401, 403].includes(call.status) && !call.hasAuthorization;
  const demand = [...(asksKey ? publicOf(call) : []), ...accepts].slice(0, 1);
  const own = wrong.find(({ clauses }) => demand.some((id) => clauses.includes(id)))?.clauses ?? [];
  const binding = own.length > 0 ? accepts.filter((id) => own.includes(id)) : ofLevel(wrong[0]?.clauses ?? [], 'must');
  const isDecided = ofLevel(demand, 'decision').length > 0;
  const clauses = new Set([...(isDecided ? [] : binding), ...demand]);
  const expected = `accepted${askedSince(state, Object.values(call.body ?? {}))}`;
  judgement.because('refused', REFUSED, false, expected, shownReply(call), ...clauses);
}

/** Judges each clause of a reason by the status and code that it demands. */
function judgeByDemand(given: Case, reason: Reason, clauses: readonly string[]): void {
  const { call, judgement } = given;
  const actual = shownReply(call);
  for (const id of clauses) {
    const ok = meetsDemand(given, reason, id);
    judgement.that(aboutOf(given, reason), ok, `${reason.row.status} ${reason.row.code}`, actual, id);
  }
}

/** Whether a refusal has the status and code that a clause demands; unknown for a clause about another endpoint. */
function meetsDemand({ call }: Case, { row }: Reason, id: string): Known {
  if (call.status >= 500) return false;
  const { level, demand = {} } = clauseById(id);
  const isMust = level === 'must';
  const code = at(call.json, 'code');
  const isStatus = demand.status === undefined || call.status === row.status;
  // The text demands no code if section 7 gives none, or shows no body.
  const isCodeFree = isMust && (!row.codeBinds || call.endpoint.errorsShown === 'status');
  const isCode = demand.code === undefined || isCodeFree || code === row.code || (demand.ifThere && code == null);
  if (isStatus && isCode) return true;
  return isMust && isElsewhere(row, id) ? undefined : false;
}
