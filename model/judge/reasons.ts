/** The reasons to refuse a request: those of every call, and those of the operation. */

import { clauses as allClauses } from '../../spec/clauses/index.js';
import { type EndpointId, routeClauseOf } from '../../spec/endpoint-ids.js';
import type { ErrorKey, ErrorRow } from '../../spec/errors.js';
import { errorRows } from '../../spec/parts.js';
import type { Case, Refusal, Undone } from '../case.js';
import { clauseOf } from '../evidence.js';
import { answerUnknown, unlessUnknown } from '../facts/earlier.js';
import type { State } from '../facts/state.js';
import type { AnsweredCall } from '../reading/call.js';
import type { Known } from '../reading/known.js';
import { at } from '../reading/values.js';

const ids: ReadonlySet<string> = new Set(allClauses.map(({ id }) => id));
const known = (...named: readonly string[]): readonly string[] => named.filter((id) => ids.has(id));

/** The clauses that let an endpoint be called without a credential. */
export const publicOf = ({ endpoint }: AnsweredCall): readonly string[] => known(`auth.public.${endpoint.id}`);

/** The clauses that require an agent key for an endpoint. */
const ownOf = ({ endpoint: { id } }: AnsweredCall): readonly string[] => [
  routeClauseOf(id as EndpointId),
  ...known(`${id}.error.auth-missing`, `${id}.error.auth-missing.code`),
];

/** The clauses that require the refusal of an invalid agent key; `invalid`: more clauses, which apply if a key was sent. */
export function badKeyClauses({ call: { bearer } }: Case, ...invalid: readonly string[]): readonly string[] {
  // Accepting a valid key under another scheme breaks only the clause about the scheme.
  if (bearer === undefined) return ['convention.bearer'];
  return [...invalid, /^pvn_(?!pvn_)/.test(bearer) ? 'key.agent.signature' : 'key.agent.form'];
}

/** Whether a key without a known agent is invalid. The answer is unknown for a key from before the traffic, and for one with spaces around it. */
function isNobodys({ keys }: State, { bearer }: AnsweredCall): Known {
  if (bearer === undefined) return true;
  return bearer.trim() === bearer && !keys.isUnknown(bearer) ? true : undefined;
}

export const AGENT_KEY: readonly Refusal<unknown>[] = [
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
    when: (_, { call, agent, state }) => call.hasAuthorization && agent === undefined && isNobodys(state, call),
  },
  {
    row: 'any/AUTH_MISSING',
    clauses: ['key.agent.revocation', 'key.agent.revoked', 'auth.agent-key.invalid'],
    // An administrator may revoke a key, which only a refusal of the key shows.
    when: (_, { agent, state, call }) =>
      agent?.revoked || (agent === undefined || state.isWhole || call.status !== 401 ? false : undefined),
  },
];

export const FORM: readonly Refusal<unknown>[] = [
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
    // register-token has its own row for an invalid body.
    when: (_, { call: { endpoint, isJson, bodyBytes } }) =>
      endpoint.body !== null && endpoint.id !== 'register-token' && !isJson && (bodyBytes > 0 || undefined),
  },
  {
    row: 'any/INVALID_JSON',
    clauses: ['error.invalid-json'],
    when: (_, { call }) => call.endpoint.body !== null && call.body === undefined,
  },
];

/** A reason to refuse a request, with its row of errors. */
export interface Reason {
  readonly key: ErrorKey;
  readonly row: ErrorRow;
  readonly clauses: readonly string[];
  readonly applies: Known;
  readonly decided: string | undefined;
  readonly undone: Undone | undefined;
}

/** The clauses of a row, or of one of its causes such as `sigil.error.validation.tier`, and the clause of its code if there is one. */
function clausesOfRow(row: ErrorKey, cause?: string): readonly string[] {
  const own = clauseOf(row.replace('/', '.error.')).toLowerCase();
  return [...(cause === undefined ? known(own) : [`${own}.${cause}`]), ...known(`${own}.code`)];
}

/** A reason as a refusal gives it. Its clauses are computed on demand: most reasons do not apply. */
class Given<F> implements Reason {
  readonly key: ErrorKey;

  constructor(
    readonly refusal: Refusal<F>,
    readonly row: ErrorRow,
    readonly facts: F,
    readonly given: Case,
    readonly applies: Known,
    readonly decided: string | undefined,
  ) {
    this.key = refusal.row;
  }

  get clauses(): readonly string[] {
    const { row, cause, clauses, also } = this.refusal;
    return clauses !== undefined ? this.#listed(clauses) : [...clausesOfRow(row, cause), ...this.#listed(also)];
  }

  get undone(): Undone | undefined {
    return unlessUnknown(() => this.refusal.undone?.(this.facts, this.given));
  }

  #listed(list: Refusal<F>['clauses'] = []): readonly string[] {
    return typeof list === 'function' ? (unlessUnknown(() => list(this.facts, this.given)) ?? []) : list;
  }
}

/** Adds the reasons that a list of refusals gives for a request, in the order of the list. */
export function addReasons<F>(reasons: Reason[], given: Case, refusals: readonly Refusal<F>[], facts: F): void {
  const rows = errorRows(given.state.settings.protocol);
  for (const refusal of refusals) {
    let applies: Known;
    let decided: string | undefined;
    try {
      applies = refusal.when(facts, given);
      decided = typeof refusal.decided === 'function' ? refusal.decided(facts) : refusal.decided;
    } catch (error) {
      // A fact from before the traffic that is unknown is no decision.
      applies = answerUnknown(error);
    }
    reasons.push(new Given(refusal, rows[refusal.row], facts, given, applies, decided));
  }
}

/** Whether the text gives the code of a row. */
export const codeIsOfText = (row: ErrorRow): boolean => row.source === 'spec' && row.codeBinds;

/** Whether a refusal has the status of a row, and its code or no code. */
export function isOf({ status, json }: AnsweredCall, row: ErrorRow): boolean {
  return status === row.status && [row.code, undefined, null].includes(at(json, 'code') as string | null | undefined);
}

export const OTHER_FORM = 'a field of the body does not have the form of the endpoint';

/** Whether a request has a body that fails the schema of its endpoint. */
export function hasOtherForm({ endpoint: { body: schema }, body }: AnsweredCall, settings: State['settings']): boolean {
  return schema !== null && body !== undefined && !schema(settings).safeParse(body).success;
}
