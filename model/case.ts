/** The types of the judge: one exchange, and the rules of an operation about it. */

import type { EndpointId } from '../spec/endpoint-ids.js';
import type { ErrorKey } from '../spec/errors.js';
import type { Judgement } from './evidence.js';
import type { Agent, State } from './facts/state.js';
import type { AnsweredCall } from './reading/call.js';
import type { Known } from './reading/known.js';

/** One exchange, and everything that is known when its reply comes. */
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

/** A reason to refuse a request: the row of errors, when it applies, and its clauses, which an unfounded refusal breaks. */
export interface Refusal<F> {
  readonly row: ErrorKey;
  /** The cause of the row, as the last word of that cause's clause: `name` for `register.error.validation.name`. */
  readonly cause?: string;
  /** Clauses in addition to that of the row or its cause. */
  readonly also?: readonly string[] | Clauses<F>['of'];
  /** All its clauses, if they do not include that of the row, or not always. */
  readonly clauses?: readonly string[] | Clauses<F>['of'];
  when(facts: F, given: Case): Known;
  /** The decision by which it does not apply, where the text leaves that open. */
  readonly decided?: string | Decided<F>['of'];
  /** The earlier call that had no effect, if the service judges the request otherwise; undefined if the service may be wrong in another way. */
  undone?(facts: F, given: Case): Undone | undefined;
}

/** A call that was accepted and had no effect, and the clauses that require the effect. */
export interface Undone {
  readonly call: EndpointId;
  readonly clauses: readonly string[];
}

/** All rules of the text about one call. */
export interface Operation<F> {
  /** The ids of its endpoints. */
  readonly ids: readonly string[];
  /** The facts that follow from state and request; undefined where too much is unknown for any judgement. */
  facts(given: Case): F | undefined;
  /** In the order of the rows of spec/errors.ts. */
  readonly refusals: readonly Refusal<F>[];
  /** Why a request may be refused or accepted, where the text does not say. */
  open?(facts: F, given: Case): string | undefined;
  /** Why a refusal without any reason says nothing, in words. It may cost much, so that it is asked for such a refusal alone. */
  doubt?(facts: F, given: Case): string | undefined;
  /** The clauses by which a request without a fault is accepted; first the one that a refusal breaks. */
  accepts(facts: F, given: Case): readonly string[];
  /** Judges the reply of an accepted request, and records its changes in the state. */
  accepted(facts: F, given: Case): void;
  /** Judges the fields of a refusal other than error and code. */
  refused?(facts: F, given: Case, row: ErrorKey): void;
}
