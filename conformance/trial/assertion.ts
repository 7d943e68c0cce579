/**
 * Assertions about clauses of one level: each records what it saw and lets the check go on. Verdicts are made of the
 * records in judge/.
 */
import { againstBy } from '../../model/evidence.js';
import { identical, sameMeaning, show } from '../../model/reading/compare.js';
import type { FieldTest } from '../../model/reading/field-tests.js';
import { at } from '../../model/reading/values.js';
import type { Reason } from '../../results/conformance-result.js';
import type { Cause } from '../../spec/causes.js';
import { type EvidenceLog, levelOfClauses, type SeenEvidence } from '../assertions/evidence.js';
import type { Reply } from '../assertions/reply.js';
import { asReason, notFollowed } from '../assertions/unjudged.js';

/** The reply that an assertion judges, and the kind of a deviation, where it knows one. */
interface Seen {
  readonly reply?: Reply | undefined;
  readonly cause?: Cause;
  /** Both values are JSON, not words of a report. */
  readonly isJson?: true;
}

/**
 * An assertion about clauses of one level: it records a pass or a deviation, and the check goes on. It is evidence only for the clauses that it
 * names. Values without which a check cannot go on are read by Trial.need instead.
 */
export class Assertion {
  readonly #clauses: readonly string[];
  readonly #level: SeenEvidence['level'];
  readonly #log: EvidenceLog;
  readonly #placeOf: (reply?: Reply) => number;
  readonly #decision: string | undefined;
  readonly #inPassing: boolean;

  constructor(
    log: EvidenceLog,
    placeOf: (reply?: Reply) => number,
    clauses: readonly string[],
    { decision, inPassing = false }: { readonly decision?: string | undefined; readonly inPassing?: boolean } = {},
  ) {
    this.#log = log;
    this.#placeOf = placeOf;
    this.#clauses = clauses;
    this.#level = levelOfClauses(clauses);
    this.#decision = decision;
    this.#inPassing = inPassing;
  }

  /**
   * The value is in a field that only a decision names. A target without the field does not follow the decision, and these clauses are not judged;
   * a target with the field must show the value.
   */
  through(decision: string): Assertion {
    return new Assertion(this.#log, this.#placeOf, this.#clauses, { decision, inPassing: this.#inPassing });
  }

  /** Asserts that both values mean the same: hex of either case, instants in any form. `about` contains no values. */
  equal(about: string, actual: unknown, expected: unknown): boolean {
    return this.#compare(about, sameMeaning(actual, expected), expected, actual);
  }

  /** Asserts that both are exactly the same JSON value. */
  exactly(about: string, actual: unknown, expected: unknown): boolean {
    return this.#compare(about, identical(actual, expected), expected, actual);
  }

  /** Asserts that a condition, in words, is true. */
  that(about: string, ok: boolean, expected: string, actual: unknown): boolean {
    return this.#write(about, ok, expected, actual);
  }

  /** Asserts the meaning of a field of a reply. */
  field(reply: Reply, path: string, expected: unknown): boolean {
    const actual = at(reply.json, path);
    return this.#compare(path, sameMeaning(actual, expected), expected, actual, reply);
  }

  /** Asserts the exact value of a field of a reply, such as one that a client sent. */
  exactField(reply: Reply, path: string, expected: unknown): boolean {
    const actual = at(reply.json, path);
    return this.#compare(path, identical(actual, expected), expected, actual, reply);
  }

  /** Asserts that a field of a reply passes a test. */
  fieldIs(reply: Reply, path: string, { words, holds, whereGiven = false }: FieldTest): boolean {
    const actual = at(reply.json, path);
    if (whereGiven && actual === undefined) return true;
    return this.#record(path, holds(actual), words, actual, { reply, cause: 'field' });
  }

  /** Asserts that the status of a reply is one of these. */
  status(reply: Reply, ...statuses: readonly number[]): boolean {
    const words = `${statuses.join(' or ')}`;
    const cause = statuses.some((each) => each < 400) && reply.status >= 400 ? 'refused' : 'field';
    return this.#replied(statuses.includes(reply.status), words, reply, cause);
  }

  /** Asserts that a request is accepted. The check goes on if it is not. */
  succeeds(reply: Reply): boolean {
    return this.#replied(reply.status >= 200 && reply.status < 300, 'a success (2xx)', reply, 'refused');
  }

  /** Asserts that a request is refused, in any form. */
  refuses(reply: Reply): boolean {
    return this.#replied(reply.status >= 400 && reply.status < 500, 'a refusal (4xx)', reply, 'effect');
  }

  /** Asserts the code of an error body. */
  code(reply: Reply, code: string): boolean {
    return this.#record('code', reply.get('code') === code, show(code), reply.get('code'), { reply, cause: 'field' });
  }

  /** Asserts something about several replies together; a report names the endpoint of one of them. */
  of(reply: Reply, about: string, ok: boolean, expected: string, actual: unknown): boolean {
    return this.#write(about, ok, expected, actual, { reply });
  }

  /** Says why these clauses are not judged. */
  unjudged(because: Reason | string): void {
    this.#log.withhold(this.#clauses, asReason(because));
  }

  /** Records that these clauses are not judged, since a decision is not followed. */
  notFollowed(decision: string, what: string): void {
    this.unjudged(notFollowed(decision, what));
  }

  #replied(ok: boolean, expected: string, reply: Reply, cause: Cause): boolean {
    return this.#write('status', ok, expected, `${reply.status} ${reply.excerpt()}`, { reply, cause });
  }

  /** Compares two JSON values. */
  #compare(about: string, ok: boolean, expected: unknown, actual: unknown, reply?: Reply): boolean {
    return this.#unlessOpen(about, actual) ?? this.#write(about, ok, expected, actual, { reply, isJson: true });
  }

  #record(about: string, ok: boolean, expected: string, actual: unknown, seen: Seen): boolean {
    const shown = actual === undefined ? undefined : show(actual);
    return this.#unlessOpen(about, actual) ?? this.#write(about, ok, expected, shown, seen);
  }

  /** False if a field that only a decision names is missing. */
  #unlessOpen(about: string, actual: unknown): false | undefined {
    if (this.#decision === undefined || actual !== undefined) return undefined;
    this.notFollowed(this.#decision, `${about} is not there`);
    return false;
  }

  #write(about: string, ok: boolean, expected: unknown, actual: unknown, { reply, cause, isJson }: Seen = {}): boolean {
    const evidence: SeenEvidence = {
      clauses: this.#clauses,
      level: this.#level,
      n: this.#placeOf(reply),
      endpoint: reply?.name ?? '',
      about,
      ok,
      ...(ok ? {} : againstBy(reply?.judged, expected, actual, cause, isJson)),
    };
    if (this.#inPassing) this.#log.recordInPassing(evidence);
    else this.#log.record(evidence);
    return ok;
  }
}
