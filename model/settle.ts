/**
 * Judges whether a request had to be refused, may have been, or must not: by the rows of its operation that apply, and by the
 * limits that count it. An accepted request is then judged by its operation.
 */

import { at } from '../conformance/assertions/reply.js';
import { clauseById } from '../spec/clauses/index.js';
import { type ErrorKey, type ErrorRow, errors } from '../spec/errors.js';
import { clausesOfNumber } from '../spec/numbers.js';
import { errorRow } from '../spec/parts.js';
import type { Judgement, Known } from './evidence.js';
import { limited, noteTaken } from './limits.js';
import type { AnsweredCall } from './reading/call.js';
import type { Agent, State } from './state.js';
import { judgeForm } from './views/form.js';

/** One exchange with all that is known when its reply comes. */
export interface Case {
  readonly state: State;
  readonly call: AnsweredCall;
  /** The agent of the key. */
  readonly agent: Agent | undefined;
  readonly judgement: Judgement;
}

/** A reason to refuse a request: the row of errors, the clauses that say so, and when it applies. */
export interface Refusal<F> {
  readonly row: ErrorKey;
  readonly clauses: readonly string[];
  when(facts: F, given: Case): Known;
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

const AGENT_KEY: readonly Refusal<unknown>[] = [
  {
    row: 'any/AUTH_MISSING',
    clauses: ['auth.agent-key.missing', 'auth.error.auth-missing'],
    when: (_, { call }) => !call.hasAuthorization,
  },
  {
    row: 'any/AUTH_MISSING',
    clauses: ['auth.agent-key.invalid', 'auth.error.auth-missing.invalid'],
    when: (_, { call, agent }) =>
      call.hasAuthorization && agent === undefined && (call.bearer?.trim() === call.bearer || undefined),
  },
  {
    row: 'any/AUTH_MISSING',
    clauses: ['key.agent.revocation', 'key.agent.revoked'],
    when: (_, { agent }) => agent?.revoked ?? false,
  },
];

const FORM: readonly Refusal<unknown>[] = [
  {
    row: 'any/BODY_TOO_LARGE',
    clauses: ['error.body-too-large'],
    when: (_, { call, state: { settings } }) =>
      call.bodyBytes > (call.endpoint.bodyBytesMax?.(settings) ?? settings.protocol.body.bytesMax),
  },
  {
    row: 'any/CONTENT_TYPE_REQUIRED',
    clauses: ['error.content-type-required'],
    when: (_, { call }) => call.endpoint.body !== null && !call.isJson && (call.bodyBytes > 0 || undefined),
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
}

const ofLevel = (clauses: readonly string[], level: 'must' | 'decision'): readonly string[] =>
  clauses.filter((id) => clauseById(id).level === level);

/** The statuses by which a gateway, or the service without its ledger or store, says that it is not there. */
const GATEWAY: readonly number[] = [502, 503, 504];

/** Judges an exchange by its operation. */
export function settle<F>(operation: Operation<F>, given: Case): void {
  const { state, call, judgement } = given;
  const isRateLimited = call.status === 429 && at(call.json, 'code') === errors['any/RATE_LIMITED'].code;
  const limits = limited(given);
  noteTaken(given, isRateLimited);
  if (GATEWAY.includes(call.status)) return;
  if (isRateLimited) {
    judgeLimited(given, limits);
    return;
  }
  const { protocol } = state.settings;
  const takesAgent = call.endpoint.auth === 'agent';
  const reasonOf = <G>(refusal: Refusal<G>, facts: G): Reason => ({
    key: refusal.row,
    row: errorRow(errors[refusal.row], protocol),
    clauses: refusal.clauses,
    applies: refusal.when(facts, given),
  });
  const reasons = [...(takesAgent ? AGENT_KEY : []), ...FORM].map((refusal) => reasonOf(refusal, undefined));
  const facts = takesAgent && given.agent === undefined ? undefined : operation.facts(given);
  if (facts === undefined) {
    // Nobody's request is judged by its key alone.
    if (call.status < 400) judgeAccepted(given, reasons, []);
    else judgeRefused(given, reasons, { open: 'which of several faults is named is open', accepts: [] });
    return;
  }
  reasons.push(...operation.refusals.map((refusal) => reasonOf(refusal, facts)));
  const open = operation.open?.(facts, given);
  if (call.status < 400) {
    for (const { limit } of limits.filter(({ verdict }) => verdict === 'must')) {
      const clauses = clausesOfNumber(`limits.${limit}.count`);
      judgement.that(`limit ${limit}`, false, 'a refusal with 429', call.status, ...clauses);
    }
    judgeAccepted(given, reasons, operation.accepts(facts, given));
    operation.accepted(facts, given);
    judgeForm(given);
  } else {
    const named = judgeRefused(given, reasons, { open, accepts: operation.accepts(facts, given) });
    if (named !== undefined) operation.refused?.(facts, given, named);
  }
}

function judgeAccepted({ call, judgement }: Case, reasons: readonly Reason[], accepts: readonly string[]): void {
  const must = reasons.filter(({ applies }) => applies === true);
  for (const { row, clauses } of must) {
    judgement.that(`${call.name}, ${row.cause}`, false, `${row.status} ${row.code}`, `${call.status}`, ...clauses);
  }
  if (must.length === 0) judgement.that(`${call.name} is accepted`, true, '', '', ...accepts);
}

/** Judges a refusal; the row that it names, where that applies. */
function judgeRefused(
  { call, judgement }: Case,
  reasons: readonly Reason[],
  { open, accepts }: { readonly open: string | undefined; readonly accepts: readonly string[] },
): ErrorKey | undefined {
  const code = at(call.json, 'code');
  // Where either is right, an error of the server is neither.
  const isError = call.status >= 500;
  const actual = `${call.status} ${String(code)}`;
  const isExact = ({ row }: Reason): boolean => row.status === call.status && row.code === code;
  // A row that section 7 has binds status and code; for any other the text demands a refusal alone.
  const isTextual = ({ row }: Reason): boolean =>
    (row.source !== 'spec' && !isError) ||
    (row.status === call.status && (!row.codeBinds || row.code === code || call.endpoint.errorsShown === 'status'));
  const true_ = reasons.filter(({ applies }) => applies === true);
  const unknown = reasons.filter(({ applies }) => applies === undefined);
  const about = ({ row }: Reason): string => `${call.name}, ${row.cause}`;
  const named = true_.find(isExact);
  if (named !== undefined) {
    judgement.that(about(named), true, '', '', ...named.clauses);
    // 7: the error bodies of these are not shown.
    if (call.endpoint.errorsShown === 'nothing') return named.key;
    judgement.that(
      'error',
      typeof at(call.json, 'error') === 'string',
      'a string',
      at(call.json, 'error'),
      'error.body.error',
    );
    return named.key;
  }
  const isSure = isError || (unknown.length === 0 && open === undefined);
  if (true_.length === 0) {
    if (!isSure) {
      judgement.leave(open ?? `${unknown[0]?.row.cause}: unknown`, ...unknown.flatMap(({ clauses }) => clauses));
      return undefined;
    }
    const wrong = reasons.find((reason) => isExact(reason) && ofLevel(reason.clauses, 'must').length > 0);
    // Many clauses take part in an acceptance; the first is the one that demands it.
    const clauses = wrong === undefined ? accepts.slice(0, 1) : ofLevel(wrong.clauses, 'must');
    judgement.that(`${call.name} without a fault`, false, 'accepted', actual, ...clauses);
    return undefined;
  }
  const [first] = true_;
  const must = true_.filter(({ clauses }) => ofLevel(clauses, 'must').length > 0);
  if (first === undefined) return undefined;
  const textual = must.find(isTextual);
  if (textual !== undefined) {
    if (true_.length === 1 && isSure) {
      judgement.that(about(textual), true, '', '', ...ofLevel(textual.clauses, 'must'));
      judgement.that(
        about(textual),
        false,
        `${textual.row.status} ${textual.row.code}`,
        actual,
        ...ofLevel(textual.clauses, 'decision'),
      );
    } else judgement.leave('several faults', ...true_.flatMap(({ clauses }) => clauses));
    return undefined;
  }
  if (!isSure) {
    judgement.leave(open ?? 'several faults', ...true_.flatMap(({ clauses }) => clauses));
    return undefined;
  }
  const expected = true_.map(({ row }) => `${row.status} ${row.code}`).join(' or ');
  // Where a decision alone has a reason to refuse, the text says nothing of the reply.
  const judged = must.length === true_.length ? must[0]?.clauses : ofLevel(first.clauses, 'decision');
  judgement.that(about(first), false, expected, actual, ...(judged ?? []));
  return undefined;
}

function judgeLimited({ call, judgement }: Case, limits: ReturnType<typeof limited>): void {
  const clausesOf = ({ limit }: (typeof limits)[number]): readonly string[] => clausesOfNumber(`limits.${limit}.count`);
  const reached = limits.filter(({ verdict }) => verdict !== 'no');
  const about = `limit of ${call.name}`;
  // Where several are reached it is open which of them refused; where none is, the fullest did.
  const [fullest] = limits.toSorted((a, b) => b.share - a.share);
  if (reached.length === 1) judgement.that(about, true, '', '', ...reached.flatMap(clausesOf));
  else if (reached.length === 0 && fullest !== undefined) {
    const expected = 'a reply before the limit is reached';
    judgement.that(about, false, expected, '429 RATE_LIMITED', ...clausesOf(fullest));
  }
}
