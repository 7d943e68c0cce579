/**
 * Judges whether a request had to be refused, may have been, or must not: by the rows of its operation that apply, and by the
 * limits that count it. An accepted request is then judged by its operation.
 */

import { causeText } from '../spec/causes.js';
import { clauses as allClauses, clauseById } from '../spec/clauses/index.js';
import { type EndpointId, routeClauseOf } from '../spec/endpoint-ids.js';
import type { ErrorKey, ErrorRow } from '../spec/errors.js';
import { clausesOfNumber } from '../spec/numbers.js';
import { errorRows } from '../spec/parts.js';
import type { LimitName } from '../spec/protocol.js';
import { type Judgement, type Known, ofLevel } from './evidence.js';
import { limited, noteTaken } from './limits.js';
import type { AnsweredCall } from './reading/call.js';
import { replyShown } from './reading/compare.js';
import { isFilled, isString } from './reading/field-tests.js';
import { at } from './reading/values.js';
import { noteFreeze } from './rules.js';
import { respells } from './spelling.js';
import type { Agent, State } from './state.js';
import { askedSince } from './tickets.js';
import { judgeForm } from './views/form.js';

/** One exchange with all that is known when its reply comes. */
export interface Case {
  readonly state: State;
  readonly call: AnsweredCall;
  /** The agent of the key. */
  readonly agent: Agent | undefined;
  readonly judgement: Judgement;
}

/** Clauses that depend on the request. */
interface Clauses<F> {
  of(facts: F, given: Case): readonly string[];
}

/** A decision that depends on the request. */
interface Decided<F> {
  of(facts: F): string | undefined;
}

/** A reason to refuse a request: the row of errors, the clauses that say so, or that a refusal without a fault breaks, and when it applies. */
export interface Refusal<F> {
  readonly row: ErrorKey;
  readonly clauses: readonly string[] | Clauses<F>['of'];
  when(facts: F, given: Case): Known;
  /** Where the text leaves open whether it applies: the decision by which it does not. */
  readonly decided?: string | Decided<F>['of'];
}

/** All that the text says of one call. */
export interface Operation<F> {
  /** The ids of its endpoints. */
  readonly ids: readonly string[];
  /** The facts that follow from state and request; undefined where too much is unknown for any judgement. */
  facts(given: Case): F | undefined;
  /** In the order of the rows of spec/errors.ts. */
  readonly refusals: readonly Refusal<F>[];
  /** Why a request may be refused as well as accepted: the text says nothing. */
  open?(facts: F, given: Case): string | undefined;
  /** The clauses by which a request that nothing speaks against is accepted: first the one that a refusal speaks against. */
  accepts(facts: F, given: Case): readonly string[];
  /** Judges the reply of an accepted request, and takes down what it changes. */
  accepted(facts: F, given: Case): void;
  /** Judges what a refusal by a row holds besides error and code. */
  refused?(facts: F, given: Case, row: ErrorKey): void;
}

const ids: ReadonlySet<string> = new Set(allClauses.map(({ id }) => id));
const known = (...named: readonly string[]): readonly string[] => named.filter((id) => ids.has(id));

/** The clauses of one call that say that it takes an agent key. */
const ownOf = ({ endpoint: { id } }: AnsweredCall): readonly string[] => [
  routeClauseOf(id as EndpointId),
  ...known(`${id}.error.auth-missing`, `${id}.error.auth-missing.code`),
];

/** The clauses by which a key that is no agent's is refused; `invalid`: those of every call that takes one. */
export function badKeyClauses({ call: { bearer } }: Case, ...invalid: readonly string[]): readonly string[] {
  // A key that is valid, under another scheme, breaks no other clause.
  if (bearer === undefined) return ['convention.bearer'];
  return [...invalid, /^pvn_(?!pvn_)/.test(bearer) ? 'key.agent.signature' : 'key.agent.form'];
}

const AGENT_KEY: readonly Refusal<unknown>[] = [
  {
    row: 'any/AUTH_MISSING',
    clauses: (_, { call, agent }) =>
      agent === undefined
        ? ['auth.agent-key.missing', 'auth.error.auth-missing', ...ownOf(call)]
        : ['key.agent.header'],
    when: (_, { call }) => !call.hasAuthorization,
  },
  {
    row: 'any/AUTH_MISSING',
    clauses: (_, given) =>
      badKeyClauses(given, 'auth.agent-key.invalid', 'auth.error.auth-missing.invalid', ...ownOf(given.call)),
    when: (_, { call, agent }) =>
      call.hasAuthorization && agent === undefined && (call.bearer?.trim() === call.bearer || undefined),
  },
  {
    row: 'any/AUTH_MISSING',
    clauses: ['key.agent.revocation', 'key.agent.revoked', 'auth.agent-key.invalid'],
    when: (_, { agent }) => agent?.revoked ?? false,
  },
];

const FORM: readonly Refusal<unknown>[] = [
  {
    row: 'any/BODY_TOO_LARGE',
    clauses: (_, { call }) => [
      call.endpoint.bodyBytesMax === undefined ? 'error.body-too-large' : 'error.body-too-large.proofs',
    ],
    when: (_, { call, state: { settings } }) =>
      call.bodyBytes > (call.endpoint.bodyBytesMax?.(settings) ?? settings.protocol.body.bytesMax),
  },
  {
    row: 'any/CONTENT_TYPE_REQUIRED',
    clauses: (_, { call }) => [...known(`${call.endpoint.id}.header.content-type`), 'error.content-type-required'],
    // A token request has a row of its own.
    when: (_, { call: { endpoint, isJson, bodyBytes } }) =>
      endpoint.body !== null && endpoint.id !== 'register-token' && !isJson && (bodyBytes > 0 || undefined),
  },
  {
    row: 'any/INVALID_JSON',
    clauses: ['error.invalid-json'],
    when: (_, { call }) => call.endpoint.body !== null && call.body === undefined,
  },
];

/** A row that may apply to a request. */
interface Reason {
  readonly key: ErrorKey;
  readonly row: ErrorRow;
  readonly clauses: readonly string[];
  readonly applies: Known;
  readonly decided: string | undefined;
}

/** The statuses by which a gateway, or the service without its ledger or store, says that it is not there. */
const GATEWAY: readonly number[] = [502, 503, 504];

const ANOTHER_CASE = 'whether an agent hash in another case names its agent is open';

/** Judges an exchange by its operation. */
export function settle<F>(operation: Operation<F>, given: Case): void {
  const { state, call, judgement } = given;
  const rows = errorRows(state.settings.protocol);
  const tooMany = rows['any/RATE_LIMITED'];
  const limits = limited(given);
  const isReached = limits.some(({ verdict }) => verdict !== 'no');
  const isRateLimited = isOf(call, tooMany) && (isReached || at(call.json, 'code') != null);
  noteTaken(given, isRateLimited);
  if (GATEWAY.includes(call.status)) return;
  const { agent } = given;
  if (agent !== undefined && agent.frozen === undefined && saysFrozen(given)) noteFreeze(state, agent);
  const takesAgent = call.endpoint.auth === 'agent';
  const facts = takesAgent && agent === undefined ? undefined : operation.facts(given);
  const open =
    facts === undefined
      ? undefined
      : (operation.open?.(facts, given) ?? (respells(state, call) ? ANOTHER_CASE : faultOfBody(given)));
  if (isRateLimited) {
    judgeLimited(given, limits, open);
    judgeErrorBody(given, { hasCode: true });
    return;
  }
  const reasonOf = <G>(refusal: Refusal<G>, facts: G): Reason => ({
    key: refusal.row,
    row: rows[refusal.row],
    // Of most reasons nobody asks: they do not apply.
    get clauses() {
      return typeof refusal.clauses === 'function' ? refusal.clauses(facts, given) : refusal.clauses;
    },
    applies: refusal.when(facts, given),
    decided: typeof refusal.decided === 'function' ? refusal.decided(facts) : refusal.decided,
  });
  const reasons = [...(takesAgent ? AGENT_KEY : []), ...FORM].map((refusal) => reasonOf(refusal, undefined));
  if (facts === undefined) {
    // Nobody's request is judged by its key alone.
    if (call.status < 400) judgeAccepted(given, reasons, []);
    else {
      const code = at(call.json, 'code');
      // A code that no row of the call has names no other fault.
      const isNoRow = code != null && !operation.refusals.some(({ row }) => rows[row].code === code);
      const isDue = reasons.some(({ applies, row }) => applies === true && row.status === call.status);
      const isKeyAlone = takesAgent && agent === undefined && !mayHaveAnotherFault(given, rows);
      const open = (isNoRow && isDue) || isKeyAlone ? undefined : 'which of several faults is named is open';
      judgeRefused(given, reasons, { open, accepts: [] });
    }
    return;
  }
  reasons.push(...operation.refusals.map((refusal) => reasonOf(refusal, facts)));
  if (call.status < 400) {
    for (const { limit } of limits.filter(({ verdict }) => verdict === 'must')) {
      judgement.because(
        'effect',
        `limit ${limit}`,
        false,
        'a refusal with 429',
        call.status,
        ...clausesOfLimit(call, limit),
      );
    }
    judgeAccepted(given, reasons, operation.accepts(facts, given));
    operation.accepted(facts, given);
    judgeForm(given);
  } else {
    const named = judgeRefused(given, reasons, { open, accepts: operation.accepts(facts, given) });
    if (named !== undefined) operation.refused?.(facts, given, named);
    else if (open === ANOTHER_CASE && reasons.every(({ applies }) => applies === false))
      judgement.that(ANOTHER_CASE, false, 'the same agent', call.status, 'agent.hash.case');
  }
}

/**
 * Whether a request without an agent may be refused for another fault than its key: a row of 403 is about what the agent may do, and a
 * body of the right form is not refused for its form.
 */
function mayHaveAnotherFault({ call, state: { settings } }: Case, rows: Readonly<Record<ErrorKey, ErrorRow>>): boolean {
  const { status, endpoint, body, json } = call;
  const code = at(json, 'code');
  if (status === rows['any/RATE_LIMITED'].status) return true;
  if (status === 403) return false;
  const isWellFormed = endpoint.body === null || endpoint.body(settings).safeParse(body).success;
  return Object.entries(rows).some(([key, row]) => {
    const isOfCall = row.endpoint === endpoint.stem && endpoint.refuses?.includes(row.code) !== false;
    const isNamed = row.status === status && (code == null || row.code === code || !codeIsOfText(row));
    return isOfCall && isNamed && !(key === endpoint.invalid && isWellFormed);
  });
}

/**
 * Why a refusal of a body is open: the body has a field of another form than that of its endpoint. Section 7 does not say whether such
 * a fault comes before one of the state, nor whether a field has to have its form where a call needs none.
 */
function faultOfBody({ call, state: { settings } }: Case): string | undefined {
  const { invalid } = call.endpoint;
  if (invalid === null || !isOf(call, errorRows(settings.protocol)[invalid])) return undefined;
  return hasOtherForm(call, settings) ? OTHER_FORM : undefined;
}

const OTHER_FORM = 'a field of the body has another form';

/** Whether a body does not fit the schema of its endpoint. */
function hasOtherForm({ endpoint: { body: schema }, body }: AnsweredCall, settings: State['settings']): boolean {
  return schema !== null && body !== undefined && !schema(settings).safeParse(body).success;
}

/** Whether a refusal is that of a row: one without a code may be any of its status. */
function isOf({ status, json }: AnsweredCall, row: ErrorRow): boolean {
  return status === row.status && [row.code, undefined, null].includes(at(json, 'code') as string | null | undefined);
}

/** True for a refusal that calls the agent of the key frozen. In a sponsor call that is SPONSOR_PARENT_FROZEN. */
function saysFrozen({ call, state }: Case): boolean {
  const row = call.endpoint.stem === 'sponsor' ? 'sponsor/SPONSOR_PARENT_FROZEN' : 'heartbeat/AGENT_FROZEN';
  const { code } = errorRows(state.settings.protocol)[row];
  return call.status >= 400 && at(call.json, 'code') === code;
}

function judgeAccepted(given: Case, reasons: readonly Reason[], accepts: readonly string[]): void {
  const { call, judgement } = given;
  const must = reasons.filter(({ applies }) => applies === true);
  for (const { row, clauses } of must) {
    const due = `${row.status} ${row.code}`;
    judgement.because('effect', `${call.name}, ${row.cause}`, false, due, `${call.status}`, ...clauses);
  }
  if (must.length > 0) return;
  const decided = reasons.flatMap((reason) => (reason.applies === undefined ? (reason.decided ?? []) : []));
  const spelt = respells(given.state, call) ? ['agent.hash.case'] : [];
  judgement.that(`${call.name} is accepted`, true, '', '', ...accepts, ...shownBy(given), ...decided, ...spelt);
  // 5: a key is that of one agent.
  for (const path of OWN_HASH)
    if (call.endpoint.auth === 'agent' && at(call.json, path) !== undefined)
      judgement.equals(call.json, path, given.agent?.hash, 'key.agent.bound');
}

/** Where a reply names the agent whose key was sent. */
const OWN_HASH = ['agent_hash', 'passport.agent_hash', 'sponsorship.parent_hash'];

const publicOf = ({ endpoint }: AnsweredCall): readonly string[] => known(`auth.public.${endpoint.id}`);

/** The clauses that any accepted request shows of the credential that it carries. */
function shownBy({ call }: Case): readonly string[] {
  if (!call.hasAuthorization) return publicOf(call);
  return call.endpoint.auth === 'agent' ? ['key.agent.header'] : [];
}

/** Judges a refusal; the row that it names, where that applies. */
function judgeRefused(
  given: Case,
  reasons: readonly Reason[],
  { open, accepts }: { readonly open: string | undefined; readonly accepts: readonly string[] },
): ErrorKey | undefined {
  const { call, judgement } = given;
  const true_ = reasons.filter(({ applies }) => applies === true);
  const unknown = reasons.filter(({ applies }) => applies === undefined);
  const isExact = ({ row }: Reason): boolean => isOf(call, row);
  const hasCode = namesCode(true_) || true_.some((reason) => isExact(reason) && isOfText(reason));
  if (true_.length > 0) judgeErrorBody(given, { hasCode });
  const isCoded = at(call.json, 'code') != null;
  const named = true_.find(isExact);
  if (named !== undefined) {
    judgeNamed(given, named, true_.filter(isExact));
    return named.key;
  }
  // A code without the status that the text gives it names its row all the same.
  const byCode = true_.find(({ row }) => isCoded && row.code === at(call.json, 'code'));
  if (byCode !== undefined && !reasons.some(isExact)) {
    judgeByDemand(given, byCode, byCode.clauses);
    return undefined;
  }
  // Where either is right, an error of the server is neither.
  const isError = call.status >= 500;
  // An unknown row explains no refusal with another status than the text gives it, nor one of another code where a row applies for certain.
  const mayBe = unknown.filter((each) => hasStatusOfText(given, each));
  const [maybe] = true_.length === 0 ? mayBe : mayBe.filter((each) => !isCoded || isExact(each) || !isOfText(each));
  const unsure = open ?? (maybe === undefined ? undefined : `${maybe.row.cause}: unknown`);
  // Where no row applies for certain, the text gives a field of another form no status.
  const isOpen = unsure === undefined && true_.length === 0 && hasOtherForm(call, given.state.settings);
  const why = isError ? undefined : isOpen ? OTHER_FORM : unsure;
  const [first] = true_;
  if (why !== undefined || first === undefined) {
    const decided = unknown.flatMap((reason) => reason.decided ?? []);
    const [only] = unknown;
    // A refusal with the code of another row says that this row applies, and is wrong whatever the unknown ones are.
    const wrong = reasons.find((each) => isCoded && isExact(each) && isOfText(each) && !unknown.some(isLike(each)));
    const convictNamed = (): void => {
      const named = ofLevel(wrong?.clauses ?? [], 'must');
      judgement.because('refused', REFUSED, false, 'accepted', shownReply(call), ...decided, ...named);
    };
    const isOne = unknown.length === 1 && only !== undefined && only.clauses.length > 0;
    if (why === undefined && !isError && isOne && wrong !== undefined) convictNamed();
    // Whether it applies or not, the refusal is wrong.
    else if (why === undefined && !isError && isOne) judgeByDemand(given, only, ofLevel(only.clauses, 'must'));
    else if (why === undefined)
      judgeFaultless(
        given,
        reasons.filter((each) => isCoded && isExact(each) && each.clauses.length > 0),
        accepts,
      );
    else if (open === undefined && first === undefined && decided.length === unknown.length) convictNamed();
    else judgement.leave(why, ...[...true_, ...unknown].flatMap(({ clauses }) => clauses));
    return undefined;
  }
  if (true_.length === 1) {
    judgeByDemand(given, first, first.clauses);
    return undefined;
  }
  const must = true_.filter(({ clauses }) => ofLevel(clauses, 'must').length > 0);
  const isExplained = (reason: Reason): boolean =>
    ofLevel(reason.clauses, 'must').every((id) => keepsDemand(given, reason, id) !== false);
  if (must.some(isExplained)) judgement.leave('several faults', ...true_.flatMap(({ clauses }) => clauses));
  // Where a decision alone has a reason to refuse, the text says nothing of the reply.
  else if (must[0] !== undefined && must.length === true_.length)
    judgeByDemand(given, must[0], ofLevel(must[0].clauses, 'must'));
  else judgeByDemand(given, first, ofLevel(first.clauses, 'decision'));
  return undefined;
}

const aboutOf = ({ call }: Case, { row }: Reason): string => `${call.name}, ${row.cause}`;

const isLike =
  ({ row }: Reason) =>
  (other: Reason): boolean =>
    other.row.code === row.code;

const codeIsOfText = (row: ErrorRow): boolean => row.source === 'spec' && row.codeBinds;

/** The text gives the code of the refusals of a row. */
const isOfText = ({ row }: Reason): boolean => codeIsOfText(row);

/** Whether a refusal has the status that the text gives a reason, where it gives one: in a clause of it, or in section 7 alone. */
function hasStatusOfText({ call }: Case, { row, clauses }: Reason): boolean {
  if (call.status === row.status) return true;
  if (clauses.length === 0) return row.source !== 'spec';
  return ofLevel(clauses, 'must').every((id) => clauseById(id).demand?.status === undefined || isElsewhere(row, id));
}

/** A clause is about another endpoint, whose refusal may come here in a form that the text does not show. */
const isElsewhere = (row: ErrorRow, id: string): boolean => row.source !== 'spec' && !id.startsWith(row.endpoint);

/** Section 7 gives the code of a refusal: rows that apply have one status and code, and one of them is the text's. */
function namesCode(due: readonly Reason[]): boolean {
  const [first] = due;
  const isOne = due.every(({ row }) => row.status === first?.row.status && row.code === first.row.code);
  return isOne && due.some(isOfText);
}

/** A refusal by a row that applies. Where several reasons have this row, it shows what they have in common. */
function judgeNamed(given: Case, named: Reason, exact: readonly Reason[]): void {
  const { call, judgement } = given;
  const shared = named.clauses.filter((id) => exact.every(({ clauses }) => clauses.includes(id)));
  const code = at(call.json, 'code');
  const lacking = code == null ? shared.filter((id) => keepsDemand(given, named, id) === false) : [];
  judgement.that('code', false, named.row.code, code, ...lacking);
  judgement.that(aboutOf(given, named), true, '', '', ...shared.filter((id) => !lacking.includes(id)));
  judgement.leave('several faults', ...named.clauses.filter((id) => !shared.includes(id)));
}

/** 7: the body of a refusal that was due, where the text shows those of the endpoint. */
function judgeErrorBody({ call, judgement }: Case, { hasCode }: { readonly hasCode: boolean }): void {
  const { errorsShown } = call.endpoint;
  if (errorsShown === 'nothing' || call.status >= 500) return;
  const [text, code] = [at(call.json, 'error'), at(call.json, 'code')];
  judgement.because('field', 'error', isFilled.holds(text), isFilled.words, text, 'error.body.error');
  if (hasCode && errorsShown === undefined)
    judgement.because('field', 'code', isString.holds(code), isString.words, code, 'error.body.code');
}

/** Of a request that nothing speaks against. */
const REFUSED = causeText('refused');

/** A refusal in a report: its status and code, or what it says without one. */
function shownReply({ status, json }: AnsweredCall): string {
  const code = at(json, 'code');
  return code == null ? replyShown(status, JSON.stringify(json) ?? '') : `${status} ${String(code)}`;
}

/** A refusal of a request that has no fault: `wrong` are the reasons that it may name. */
function judgeFaultless({ state, call, judgement }: Case, wrong: readonly Reason[], accepts: readonly string[]): void {
  // Many clauses take part in an acceptance; the first is the one that demands it. Where that is a decision, the text allows the refusal.
  const asksKey = [401, 403].includes(call.status) && !call.hasAuthorization;
  const demand = [...(asksKey ? publicOf(call) : []), ...accepts].slice(0, 1);
  const own = wrong.find(({ clauses }) => demand.some((id) => clauses.includes(id)))?.clauses ?? [];
  const binding = own.length > 0 ? accepts.filter((id) => own.includes(id)) : ofLevel(wrong[0]?.clauses ?? [], 'must');
  const isDecided = ofLevel(demand, 'decision').length > 0;
  const clauses = new Set([...(isDecided ? [] : binding), ...demand]);
  const expected = `accepted${askedSince(state, Object.values(call.body ?? {}))}`;
  judgement.because('refused', REFUSED, false, expected, shownReply(call), ...clauses);
}

/** A refusal with one fault: each of its clauses is kept or not by what it demands itself. */
function judgeByDemand(given: Case, reason: Reason, clauses: readonly string[]): void {
  const { call, judgement } = given;
  const actual = shownReply(call);
  for (const id of clauses) {
    const ok = keepsDemand(given, reason, id);
    judgement.that(aboutOf(given, reason), ok, `${reason.row.status} ${reason.row.code}`, actual, id);
  }
}

/** Whether a refusal is the one that a clause demands. */
function keepsDemand({ call }: Case, { row }: Reason, id: string): Known {
  if (call.status >= 500) return false;
  const { level, demand = {} } = clauseById(id);
  const isMust = level === 'must';
  const code = at(call.json, 'code');
  const isStatus = demand.status === undefined || call.status === row.status;
  // Where section 7 has no code, or shows no body, the text demands none.
  const isCodeFree = isMust && (!row.codeBinds || call.endpoint.errorsShown === 'status');
  const isCode = demand.code === undefined || isCodeFree || code === row.code || (demand.ifThere && code == null);
  if (isStatus && isCode) return true;
  return isMust && isElsewhere(row, id) ? undefined : false;
}

/** A refusal by a limit; `open`: why the operation itself may answer so. */
function judgeLimited({ call, judgement }: Case, limits: ReturnType<typeof limited>, open: string | undefined): void {
  const clausesOf = ({ limit }: (typeof limits)[number]): readonly string[] => clausesOfLimit(call, limit);
  const reached = limits.filter(({ verdict }) => verdict !== 'no');
  const about = `limit of ${call.name}`;
  // Where several are reached it is open which of them refused; where none is, the fullest did.
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

/** The clauses of a limit: where endpoints share a number, that of the endpoint. */
function clausesOfLimit({ endpoint: { id } }: AnsweredCall, limit: LimitName): readonly string[] {
  const clauses = clausesOfNumber(`limits.${limit}.count`);
  const own = `limit.${id.startsWith('beats.') ? `${id.slice('beats.'.length)}.beats` : id}`;
  return clauses.length === 1 ? clauses : clauses.filter((clause) => clause === own);
}
