/** The vocabulary of the judge: one exchange, and what an operation says of it. */

import type { EndpointId } from '../spec/endpoint-ids.js';
import type { ErrorKey } from '../spec/errors.js';
import type { Judgement } from './evidence.js';
import type { Agent, State } from './facts/state.js';
import type { AnsweredCall } from './reading/call.js';
import type { Known } from './reading/known.js';

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
  /** The cause of the row that it is, by the last word of that cause's clause: `name` for `register.error.validation.name`. */
  readonly cause?: string;
  /** The clauses that say so besides that of the row or its cause, which follows from these. */
  readonly also?: readonly string[] | Clauses<F>['of'];
  /** All its clauses, where that of the row is not among them, or not always. */
  readonly clauses?: readonly string[] | Clauses<F>['of'];
  when(facts: F, given: Case): Known;
  /** Where the text leaves open whether it applies: the decision by which it does not. */
  readonly decided?: string | Decided<F>['of'];
  /** The earlier call that has no effect where the service judges otherwise; undefined where the service may be wrong in another way. */
  undone?(facts: F, given: Case): Undone | undefined;
}

/** A call that was accepted and has no effect, and the clauses that give it one. */
export interface Undone {
  readonly call: EndpointId;
  readonly clauses: readonly string[];
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
