/** The types of the judge: one exchange, and the rules of an operation about it. */

import type { EndpointId } from '../spec/endpoint-ids.js';
import type { ErrorKey } from '../spec/errors.js';
import type { Judgement } from './evidence.js';
import type { Agent, State } from './facts/state.js';
import type { AnsweredCall } from './reading/call.js';
import type { Known } from './reading/known.js';

/** One exchange, and the state of the model when its reply comes. */
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

/** A reason to refuse a request: its row of errors, when it applies, and the clauses that a refusal without this reason breaks. */
export interface Refusal<F> {
  readonly row: ErrorKey;
  /** The cause of the error, as in the clause id: `name` for `register.error.validation.name`. */
  readonly cause?: string;
  /** Clauses in addition to that of the row or its cause. */
  readonly also?: readonly string[] | Clauses<F>['of'];
  /** All its clauses, in place of that of the row. */
  readonly clauses?: readonly string[] | Clauses<F>['of'];
  when(facts: F, given: Case): Known;
  /** The clause of the decision by which the reason does not apply, where the text leaves that open. */
  readonly decided?: string | Decided<F>['of'];
  /** The earlier call whose missing effect explains an unfounded refusal; undefined if the refusal may have another cause. */
  undone?(facts: F, given: Case): Undone | undefined;
}

/** A call that was accepted and had no effect, and the clauses that require the effect. */
export interface Undone {
  readonly call: EndpointId;
  readonly clauses: readonly string[];
}

/** All rules of the text about one call. */
export interface Operation<F> {
  /** The ids of the endpoints that follow these rules. */
  readonly ids: readonly string[];
  /** The facts that follow from state and request; undefined if too much is unknown to judge the exchange. */
  facts(given: Case): F | undefined;
  /** The reasons to refuse it, in the order of spec/errors.ts. */
  readonly refusals: readonly Refusal<F>[];
  /** The question that the text leaves open, if the service may refuse or accept the request. */
  open?(facts: F, given: Case): string | undefined;
  /** The question that makes an unfounded refusal no evidence. Costly, so it is called only for an unfounded refusal. */
  doubt?(facts: F, given: Case): string | undefined;
  /** The clauses by which a valid request is accepted. A refusal breaks the first. */
  accepts(facts: F, given: Case): readonly string[];
  /** Judges the reply of an accepted request, and records its changes in the state. */
  accepted(facts: F, given: Case): void;
  /** Judges the fields of a refusal other than error and code. */
  refused?(facts: F, given: Case, row: ErrorKey): void;
}
