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
  /** Both values are JSON, and no words of a report. */
  readonly isJson?: true;
}

/**
 * An assertion about clauses of one level: it records what it sees and goes on, whatever that is. Nothing is shown by
 * being near it. What a check cannot go on without is not asserted but needed (Trial.need).
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
   * The value is read from a field that only a decision names: a target without the field does not follow the decision,
   * and then these clauses are not judged; one that has it must show the value.
   */
  through(decision: string): Assertion {
    return new Assertion(this.#log, this.#placeOf, this.#clauses, { decision, inPassing: this.#inPassing });
  }

  /** Both mean the same: hex of either case, instants in any form. `about` has no values in it. */
  equal(about: string, actual: unknown, expected: unknown): boolean {
    return this.#compare(about, sameMeaning(actual, expected), expected, actual);
  }

  /** Both are the same JSON value, to the letter. */
  exactly(about: string, actual: unknown, expected: unknown): boolean {
    return this.#compare(about, identical(actual, expected), expected, actual);
  }

  /** Something holds, in words. */
  that(about: string, ok: boolean, expected: string, actual: unknown): boolean {
    return this.#write(about, ok, expected, actual);
  }

  /** A field of a reply means this. */
  field(reply: Reply, path: string, expected: unknown): boolean {
    const actual = at(reply.json, path);
    return this.#compare(path, sameMeaning(actual, expected), expected, actual, reply);
  }

  /** A field of a reply is this, to the letter: what a client sent and gets back. */
  exactField(reply: Reply, path: string, expected: unknown): boolean {
    const actual = at(reply.json, path);
    return this.#compare(path, identical(actual, expected), expected, actual, reply);
  }

  /** A field of a reply passes a test, or is in a form that words say. */
  fieldIs(reply: Reply, path: string, { words, holds, whereGiven = false }: FieldTest): boolean {
    const actual = at(reply.json, path);
    if (whereGiven && actual === undefined) return true;
    return this.#record(path, holds(actual), words, actual, { reply, cause: 'field' });
  }

  /** The status of a reply is this, or one of these. */
  status(reply: Reply, ...statuses: readonly number[]): boolean {
    const words = `${statuses.join(' or ')}`;
    const cause = statuses.some((each) => each < 400) && reply.status >= 400 ? 'refused' : 'field';
    return this.#replied(statuses.includes(reply.status), words, reply, cause);
  }

  /** The request is accepted. The check goes on even where it is not. */
  succeeds(reply: Reply): boolean {
    return this.#replied(reply.status >= 200 && reply.status < 300, 'a success (2xx)', reply, 'refused');
  }

  /** The request is refused, in whatever way. */
  refuses(reply: Reply): boolean {
    return this.#replied(reply.status >= 400 && reply.status < 500, 'a refusal (4xx)', reply, 'effect');
  }

  /** The code of an error body. */
  code(reply: Reply, code: string): boolean {
    return this.#record('code', reply.get('code') === code, show(code), reply.get('code'), { reply, cause: 'field' });
  }

  /** Some replies, or values of them, taken together: a report names the endpoint of one of them. */
  of(reply: Reply, about: string, ok: boolean, expected: string, actual: unknown): boolean {
    return this.#write(about, ok, expected, actual, { reply });
  }

  /** Says why these clauses are not judged. */
  unjudged(because: Reason | string): void {
    this.#log.withhold(this.#clauses, asReason(because));
  }

  /** They are not judged, since a decision is not followed. */
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

  /** False where a field that a decision alone names is not there. */
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
