/**
 * Assertions about clauses of one level: each records what it saw and lets the check go on. Verdicts are made of the
 * records in judge/.
 */
import { identical, inWords, sameMeaning, show } from '../../model/reading/compare.js';
import type { FieldTest } from '../../model/reading/field-tests.js';
import { at } from '../../model/reading/values.js';
import type { Reason } from '../../reports/conformance-result.js';
import { type EvidenceLog, levelOfClauses, type SeenEvidence } from '../assertions/evidence.js';
import type { Reply } from '../assertions/reply.js';
import { asReason, notFollowed } from '../assertions/unjudged.js';

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
    return this.#record(about, sameMeaning(actual, expected), show(expected), actual);
  }

  /** Both are the same JSON value, to the letter. */
  exactly(about: string, actual: unknown, expected: unknown): boolean {
    return this.#record(about, identical(actual, expected), show(expected), actual);
  }

  /** Something holds, in words. */
  that(about: string, ok: boolean, expected: string, actual: unknown): boolean {
    return this.#write(about, ok, expected, inWords(actual));
  }

  /** A field of a reply means this. */
  field(reply: Reply, path: string, expected: unknown): boolean {
    const actual = at(reply.json, path);
    return this.#record(path, sameMeaning(actual, expected), show(expected), actual, reply);
  }

  /** A field of a reply is this, to the letter: what a client sent and gets back. */
  exactField(reply: Reply, path: string, expected: unknown): boolean {
    const actual = at(reply.json, path);
    return this.#record(path, identical(actual, expected), show(expected), actual, reply);
  }

  /** A field of a reply passes a test, or is in a form that words say. */
  fieldIs(reply: Reply, path: string, { words, holds, whereGiven = false }: FieldTest): boolean {
    const actual = at(reply.json, path);
    if (whereGiven && actual === undefined) return true;
    return this.#record(path, holds(actual), words, actual, reply);
  }

  /** The status of a reply is this, or one of these. */
  status(reply: Reply, ...statuses: readonly number[]): boolean {
    const words = `${statuses.join(' or ')}`;
    return this.#replied('status', statuses.includes(reply.status), words, reply);
  }

  /** The request is accepted. The check goes on even where it is not. */
  succeeds(reply: Reply): boolean {
    return this.#replied('status', reply.status >= 200 && reply.status < 300, 'a success (2xx)', reply);
  }

  /** The request is refused, in whatever way. */
  refuses(reply: Reply): boolean {
    return this.#replied('status', reply.status >= 400 && reply.status < 500, 'a refusal (4xx)', reply);
  }

  /** The code of an error body. */
  code(reply: Reply, code: string): boolean {
    return this.#record('code', reply.get('code') === code, show(code), reply.get('code'), reply);
  }

  /** Some replies, or values of them, taken together: a report names the endpoint of one of them. */
  of(reply: Reply, about: string, ok: boolean, expected: string, actual: unknown): boolean {
    return this.#write(about, ok, expected, inWords(actual), reply);
  }

  /** Says why these clauses are not judged. */
  unjudged(because: Reason | string): void {
    this.#log.withhold(this.#clauses, asReason(because));
  }

  /** They are not judged, since a decision is not followed. */
  notFollowed(decision: string, what: string): void {
    this.unjudged(notFollowed(decision, what));
  }

  #replied(about: string, ok: boolean, expected: string, reply: Reply): boolean {
    return this.#write(about, ok, expected, `${reply.status} ${reply.excerpt()}`, reply);
  }

  #record(about: string, ok: boolean, expected: string, actual: unknown, reply?: Reply): boolean {
    if (this.#decision !== undefined && actual === undefined) {
      this.notFollowed(this.#decision, `${about} is not there`);
      return false;
    }
    return this.#write(about, ok, expected, show(actual), reply);
  }

  #write(about: string, ok: boolean, expected: string, actual: string, reply?: Reply): boolean {
    const evidence: SeenEvidence = {
      clauses: this.#clauses,
      level: this.#level,
      n: this.#placeOf(reply),
      endpoint: reply?.name ?? '',
      about,
      ok,
      ...(ok ? {} : { expected, actual }),
    };
    if (this.#inPassing) this.#log.recordInPassing(evidence);
    else this.#log.record(evidence);
    return ok;
  }
}
