/** Counts the replies of a run that the model judged, those that it left open, and those that deviate from decisions. */

import type { Evidence, Judgement } from '../../model/evidence.js';
import { causeText } from '../../spec/causes.js';

/** The extent of a run's judgement. */
export interface JudgedExtent {
  /** All replies of the service. */
  readonly replies: number;
  readonly judged: number;
  readonly clauses_judged: number;
  /** Clauses that were reached, but left open by every reply. */
  readonly clauses_open: readonly string[];
  /** Calls of which no reply was judged. */
  readonly calls_not_judged: readonly string[];
  /** Replies that deviate from decisions, which the text allows. */
  readonly other_than_decided: readonly string[];
}

/** Evidence against a reply in words: actual and expected value, and the clauses. `call`: method and path. */
export function inWords(call: string, { about, actual = '', expected = '', cause: kind, clauses }: Evidence): string {
  const [, cause] = /^[A-Z]+ \/\S+?,? (.*)$/.exec(about) ?? [];
  if (kind === 'refused' || about === causeText('refused'))
    return `${call}: ${about} with ${actual} (${clauses.join(', ')})`;
  const seen = cause === undefined ? `${about} is ${actual}` : `${actual} came`;
  const why = cause === undefined ? '' : `: ${cause}`;
  return `${call}: ${seen}, and ${expected} is expected${why} (${clauses.join(', ')})`;
}

export class Tally {
  readonly #onJudged: ((judgement: Judgement, request: object) => void) | undefined;
  #replies = 0;
  #judged = 0;
  readonly #clauses = new Set<string>();
  readonly #open = new Set<string>();
  readonly #calls = new Map<string, boolean>();
  readonly #decided = new Map<string, string>();

  /** `onJudged`: called with each judgement and the request that it is about. */
  constructor(onJudged?: (judgement: Judgement, request: object) => void) {
    this.#onJudged = onJudged;
  }

  take(
    judgement: Judgement,
    request: { readonly method: string; readonly url: string },
    redact: (text: string) => string,
  ): void {
    this.#onJudged?.(judgement, request);
    const { endpoint, evidence, withheld } = judgement;
    const { method, url } = request;
    const { pathname } = new URL(url);
    if (pathname.startsWith('/control/')) return;
    const call = endpoint === '' ? `${method} ${pathname}` : endpoint;
    this.#replies += 1;
    if (evidence.length > 0) this.#judged += 1;
    this.#calls.set(call, this.#calls.get(call) === true || evidence.length > 0);
    for (const one of evidence) {
      for (const clause of one.clauses) this.#clauses.add(clause);
      if (!one.ok && one.level === 'decision') this.#note(call, one, redact);
    }
    for (const { clauses } of withheld) for (const clause of clauses) this.#open.add(clause);
  }

  #note(call: string, one: Evidence, redact: (text: string) => string): void {
    const key = `${call} ${one.about}`;
    if (!this.#decided.has(key)) this.#decided.set(key, redact(inWords(call, one)));
  }

  told(): JudgedExtent {
    return {
      replies: this.#replies,
      judged: this.#judged,
      clauses_judged: this.#clauses.size,
      clauses_open: [...this.#open].filter((clause) => !this.#clauses.has(clause)).toSorted(),
      calls_not_judged: [...this.#calls].flatMap(([call, isJudged]) => (isJudged ? [] : [call])).toSorted(),
      other_than_decided: [...this.#decided.values()],
    };
  }
}
