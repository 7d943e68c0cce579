/**
 * An assertion about clauses of one level. It records evidence that the model cannot see in a reply, and does not end the check. The
 * verdicts are in judge/.
 */
import { againstBy } from '../../model/evidence.js';
import { sameMeaning, show } from '../../model/reading/compare.js';
import type { FieldTest } from '../../model/reading/field-tests.js';
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

const isTest = (expected: unknown): expected is FieldTest =>
  typeof expected === 'object' && expected !== null && 'holds' in expected;

/** An assertion about some clauses, made by Trial.shows. Each method returns whether it holds, and none of them ends the check. */
export class Assertion {
  readonly #level: SeenEvidence['level'];

  constructor(
    readonly log: EvidenceLog,
    readonly placeOf: (reply?: Reply) => number,
    readonly clauses: readonly string[],
  ) {
    this.#level = levelOfClauses(clauses);
  }

  /**
   * Asserts that a field of a reply means `expected`, or passes a test. The model judges fields too; a check needs this for a value that
   * only the check knows, such as the end of a chain that it computed. `decision`: the only source of the field's name. A target without
   * the field does not follow the decision, and then the clauses are not judged.
   */
  field(reply: Reply, path: string, expected: unknown, decision?: string): boolean {
    const actual = reply.get(path);
    if (decision !== undefined && actual === undefined) {
      this.unjudged(notFollowed(decision, `${path} is not there`));
      return false;
    }
    if (!isTest(expected)) return this.#compare(path, expected, actual, reply);
    const { words, holds, whereGiven = false } = expected;
    if (whereGiven && actual === undefined) return true;
    const shown = actual === undefined ? undefined : show(actual);
    return this.#write(path, holds(actual), words, shown, { reply, cause: 'field' });
  }

  /**
   * Asserts that two values mean the same: hex in either case, instants in any form. A check needs this for values of several replies, or
   * of deliveries. `about` contains no values.
   */
  equal(about: string, actual: unknown, expected: unknown): boolean {
    return this.#compare(about, expected, actual);
  }

  /**
   * Asserts a fact in words. A check needs this for a fact that is no field of a reply: a count over time, a signature that another
   * library verifies, a key of another owner. `reply`: the reply that shows it; reports name its endpoint.
   */
  that(about: string, ok: boolean, expected: string, actual: unknown, reply?: Reply): boolean {
    return this.#write(about, ok, expected, actual, { reply });
  }

  /** Records why these clauses are not judged. */
  unjudged(because: Reason | string): void {
    this.log.withhold(this.clauses, asReason(because));
  }

  #compare(about: string, expected: unknown, actual: unknown, reply?: Reply): boolean {
    return this.#write(about, sameMeaning(actual, expected), expected, actual, { reply, isJson: true });
  }

  #write(about: string, ok: boolean, expected: unknown, actual: unknown, { reply, cause, isJson }: Seen): boolean {
    this.log.record({
      clauses: this.clauses,
      level: this.#level,
      n: this.placeOf(reply),
      endpoint: reply?.name ?? '',
      about,
      ok,
      ...(ok ? {} : againstBy(reply?.judged, expected, actual, cause, isJson)),
    });
    return ok;
  }
}
