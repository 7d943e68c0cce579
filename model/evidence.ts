/** The evidence that one exchange gives: clauses, subject, expected and actual value. A value that the model does not know gives no evidence. */

import type { Cause } from '../spec/causes.js';
import type { ClauseLevel, DemandedType } from '../spec/clause.js';
import { clauses as allClauses, clauseById } from '../spec/clauses/index.js';
import type { ConfigurableNumber } from '../spec/numbers.js';
import type { ClauseLists } from './reading/clause-lists.js';
import { contrasted, inWords, kindOf, lackShown, sameMeaning, show } from './reading/compare.js';
import { type FieldTest, isBoolean, isInstant, isNumber, isString, orNull } from './reading/field-tests.js';
import type { Known } from './reading/known.js';
import { aboutPath, at } from './reading/values.js';

/**
 * One fact about clauses that an exchange shows. Only evidence decides about a clause: it holds if there is evidence for it
 * and no evidence against it.
 */
export interface Evidence {
  /** Its clauses, all of one level. */
  readonly clauses: readonly string[];
  readonly level: ClauseLevel;
  /** Method and path of the judged endpoint, for example `POST /api/v1/sigil`; empty if there is none. */
  readonly endpoint: string;
  /** The judged field or behaviour, without values. Findings are grouped by it. */
  readonly about: string;
  readonly ok: boolean;
  /** Absent if the value is as expected. */
  readonly expected?: string;
  readonly actual?: string;
  /** The kind of the deviation. */
  readonly cause?: Cause;
  /** The value is missing, and `actual` is the beginning of the reply. */
  readonly absent?: true;
}

/** The reply that shows the evidence. */
export interface JudgedReply {
  readonly status: number;
  /** The body, as text. */
  readonly body: string;
  /** The call only reads, so its reply shows the effects of other calls. */
  readonly isRead: boolean;
}

/**
 * Describes a deviation: expected and actual value as text, and its kind. `given`: the kind, if the caller knows it. `isJson`: strings are JSON
 * values and are quoted; otherwise they may be words of the report.
 */
export function againstBy(
  reply: JudgedReply | undefined,
  expected: unknown,
  actual: unknown,
  given?: Cause,
  isJson = false,
): Pick<Evidence, 'expected' | 'actual' | 'cause' | 'absent'> {
  const [words, seen] = contrasted(expected, actual, isJson ? show : inWords);
  const absent = actual === undefined;
  const shown = absent && reply !== undefined ? lackShown(reply.status, reply.body) : seen;
  return {
    expected: words,
    actual: shown,
    cause: causeOf(reply, expected, actual, given),
    ...(absent ? { absent } : {}),
  };
}

function causeOf(reply: JudgedReply | undefined, expected: unknown, actual: unknown, given: Cause | undefined): Cause {
  if (reply === undefined) return given ?? 'effect';
  if (reply.status >= 500) return 'server-error';
  // A lookup that shows another value of the same type: an earlier call is at fault. A missing field or another type: the lookup is at fault.
  const isOther = reply.isRead && actual !== undefined && kindOf(expected) === kindOf(actual);
  return given ?? (isOther ? 'effect' : 'field');
}

/** Clauses that the exchange reaches but cannot judge; empty if nothing in the reply can be judged. */
export interface Withheld {
  readonly clauses: readonly string[];
  readonly reason: string;
}

const LEVELS = ['must', 'decision'] as const;

/** The evidence of one exchange. */
export class Judgement {
  readonly evidence: Evidence[] = [];
  readonly withheld: Withheld[] = [];
  /** The configured numbers that the model has learnt from the reply. */
  readonly learnt: Partial<Record<ConfigurableNumber, number>> = {};
  /** The situation of the request (judge/situation.ts), if the state is asked to describe situations. */
  situation: readonly string[] | undefined;

  /** `endpoint`: method and path; empty if no endpoint was called. `json`: the body of the reply as the model reads it. */
  constructor(
    readonly endpoint: string,
    readonly lists: ClauseLists,
    readonly reply?: JudgedReply,
    readonly json?: unknown,
  ) {}

  /** Records whether a condition holds, unless that is unknown. Each level of clauses gets its own piece of evidence. */
  that(about: string, ok: Known, expected: unknown, actual: unknown, ...named: readonly string[]): void {
    this.#write(this.endpoint, undefined, about, ok, expected, actual, named);
  }

  /** Does the same as `that`, and names the kind of the deviation. */
  because(
    cause: Cause | undefined,
    about: string,
    ok: Known,
    expected: unknown,
    actual: unknown,
    ...named: readonly string[]
  ): void {
    this.#write(this.endpoint, cause, about, ok, expected, actual, named);
  }

  /** Records whether a value is the one that is due. */
  same(about: string, actual: unknown, due: unknown, ...named: readonly string[]): void {
    this.#write(this.endpoint, undefined, about, actual === due, due, actual, named);
  }

  /** Records evidence against an earlier call whose effect is missing in a reply. `earlier`: its method and path. */
  lacksEffect(earlier: string, expected: string, actual: unknown, ...named: readonly string[]): void {
    this.#write(earlier, 'effect', 'its effect on later calls', false, expected, actual, named);
  }

  #write(
    endpoint: string,
    cause: Cause | undefined,
    about: string,
    ok: Known,
    expected: unknown,
    actual: unknown,
    named: readonly string[],
  ): void {
    const byLevel = this.lists.of(named);
    for (const level of LEVELS) {
      const clauses = byLevel[level];
      if (clauses.length === 0) continue;
      if (ok === undefined) this.withheld.push({ clauses, reason: about });
      else if (ok) this.evidence.push({ clauses, level, endpoint, about, ok });
      else {
        const words = againstBy(this.reply, expected, actual, cause);
        this.evidence.push({ clauses, level, endpoint, about, ok, ...words });
      }
    }
  }

  /** Compares the value at a path of the reply; `expected` is undefined if it is unknown. Clauses about the type alone are judged by the type. */
  equals(path: string, expected: unknown, ...clauses: readonly string[]): void {
    const actual = at(this.json, path);
    const about = aboutPath(path);
    const others = clauses.filter((id) => {
      const test = typeTests.get(id);
      if (test !== undefined) this.because('field', about, test.holds(actual), clauseById(id).text, actual, id);
      return test === undefined;
    });
    const ok = expected === undefined ? undefined : sameMeaning(actual, expected);
    this.#write(this.endpoint, undefined, about, ok, expected, actual, others);
  }

  /** Compares a value that the text does not place: a reply without it at this path gives no evidence. */
  shown(path: string, expected: unknown, ...clauses: readonly string[]): void {
    if (at(this.json, path) === undefined) this.leave(`${path} is not shown`, ...clauses);
    else this.equals(path, expected, ...clauses);
  }

  /** Removes evidence, and notes that its clauses are not judged. */
  withdraw(which: (evidence: Evidence) => boolean, reason: string): void {
    for (const { clauses } of this.evidence.filter(which)) this.leave(reason, ...clauses);
    const kept = this.evidence.filter((each) => !which(each));
    this.evidence.splice(0, this.evidence.length, ...kept);
  }

  /** Notes why clauses are not judged. */
  leave(reason: string, ...clauses: readonly string[]): void {
    this.withheld.push({ clauses: clauses.flatMap((id) => this.lists.standing(id) ?? []), reason });
  }
}

const TYPES: Readonly<Record<DemandedType, FieldTest>> = {
  boolean: isBoolean,
  instant: isInstant,
  number: isNumber,
  string: isString,
};

/** The tests of the clauses that give only the type of a field. */
const typeTests: ReadonlyMap<string, FieldTest> = new Map(
  allClauses.flatMap(({ id, demand: { type, nullable } = {} }) =>
    type === undefined ? [] : [[id, nullable ? orNull(TYPES[type]) : TYPES[type]]],
  ),
);

/** The clauses that have a level. */
export function ofLevel(clauses: readonly string[], level: ClauseLevel): readonly string[] {
  return clauses.filter((id) => clauseById(id).level === level);
}

/** Builds a clause id from words or names of fields: `clauseOf('metadata.field', 'substrate_model')` is `metadata.field.substrate-model`. */
export const clauseOf = (...words: readonly string[]): string => words.join('.').replaceAll('_', '-');
