/**
 * A live view of a run: the state of each clause so far, the latest check, and every kept exchange with its judgements. The exchanges can also be
 * read after the run. Everything is computed and redacted on demand.
 */

import type { Evidence, Judgement, Withheld } from '../../model/evidence.js';
import type { Exchange } from '../../results/conformance-result.js';
import type { Clause } from '../../spec/clause.js';
import { clauseById } from '../../spec/clauses/index.js';
import type { SeenEvidence } from '../assertions/evidence.js';
import type { Redactor } from '../wire/redact.js';
import type { Transcript } from '../wire/transcript.js';
import type { WireReply } from '../wire/transport.js';
import type { RawExchange } from '../wire/wire.js';

/** The state of a clause so far. `inconclusive`: exchanges reached it, but none could judge it. */
export type StateSoFar = 'holds' | 'fails' | 'inconclusive' | 'not-judged' | 'excluded';

/** The judgement of one exchange. */
export interface ExchangeJudgement {
  /** The clauses for which it is evidence. */
  readonly shows: readonly string[];
  readonly against: readonly Evidence[];
  /** The clauses that it cannot judge, with reasons. */
  readonly open: readonly Withheld[];
}

/** A request in one line. */
export interface ShownRequest {
  /** Its number in the transcript of its check, from 1. */
  readonly n: number;
  readonly method: string;
  readonly path: string;
  /** Absent without a reply. */
  readonly status?: number;
  /** The number of deviations that it shows. */
  readonly against: number;
}

/** The sources of a live view. */
interface LiveSources {
  readonly clauses: readonly Clause[];
  /** The state of a clause by the model's evidence. */
  readonly states: () => (clause: string) => StateSoFar;
  readonly requests: () => number;
}

interface Shown {
  readonly transcript: Transcript;
  readonly redactor: Redactor;
  /** The evidence of the check itself, once it has ended. */
  own?: readonly SeenEvidence[];
}

/** A live view of one run. */
export class LiveRun {
  readonly #checks = new Map<string, Shown>();
  /** By reply, so that judgements of dropped exchanges do not stay in memory. */
  readonly #judgements = new WeakMap<WireReply, ExchangeJudgement>();
  readonly #showing = new Map<string, boolean>();
  readonly #redactor: Redactor;
  #sources: LiveSources | undefined;

  constructor(redactor: Redactor, sources: LiveSources) {
    this.#redactor = redactor;
    this.#sources = sources;
  }

  /** A check begins. */
  begin(check: string, redactor: Redactor, transcript: Transcript): void {
    this.#checks.set(check, { redactor, transcript });
  }

  /** Records the judgement of an exchange by the model. */
  judge(reply: WireReply, { evidence, withheld }: Judgement): void {
    const shows = new Set(evidence.flatMap(({ ok, clauses }) => (ok ? clauses : [])));
    // Keep the ids of the table, and no copies of them.
    const said = { shows: [...shows].map((id) => clauseById(id).id), against: evidence.filter(({ ok }) => !ok) };
    this.#judgements.set(reply, { ...said, open: [...withheld] });
  }

  /** A check has ended; records its evidence. */
  end(check: string, own: readonly SeenEvidence[]): void {
    const shown = this.#checks.get(check);
    if (shown !== undefined) shown.own = own;
    for (const { clauses, ok } of own)
      for (const clause of clauses) this.#showing.set(clause, ok && this.#showing.get(clause) !== false);
  }

  /** The run has ended; its exchanges can still be read. */
  close(): void {
    this.#sources = undefined;
  }

  /** The state of each clause so far, in the order of the specification; empty once the run has ended. A later exchange may explain a deviation. */
  states(): readonly StateSoFar[] {
    const { clauses = [], states } = this.#sources ?? {};
    const byModel = states?.();
    return clauses.map(({ id, excluded }) => {
      if (excluded !== undefined) return 'excluded';
      const seen = byModel?.(id) ?? 'not-judged';
      const own = this.#showing.get(id);
      return seen === 'fails' || own === undefined ? seen : own ? 'holds' : 'fails';
    });
  }

  /** The number of requests so far; 0 once the run has ended. */
  get requests(): number {
    return this.#sources?.requests() ?? 0;
  }

  /** The running check that began last, of those that have sent a request; without one, the last check of all. */
  get newest(): string | undefined {
    const begun = [...this.#checks].toReversed();
    const underWay = begun.find(([, { own, transcript }]) => own === undefined && transcript.at(1) !== undefined);
    return (underWay ?? begun[0])?.[0];
  }

  /** True if a check has begun in this run. */
  has(check: string): boolean {
    return this.#checks.has(check);
  }

  /** True if the exchange `n` of a check is kept; numbers begin at 1. */
  keeps(check: string, n: number): boolean {
    const kept = numbered(this.#checks.get(check)?.transcript.kept() ?? []);
    return kept.some(([at, { request }]) => at === n && request.method !== 'NOTE');
  }

  /** The kept exchanges of a check, in the form of reports. */
  transcriptOf(check: string): readonly Exchange[] {
    const { transcript, redactor } = this.#checks.get(check) ?? {};
    const kept = transcript?.kept() ?? [];
    return this.#redactor.everywhere(kept.flatMap((each) => redactor?.exchange(each, this.#redactor) ?? []));
  }

  /** The latest `max` requests of a check in short (by default all kept ones), the latest last. */
  requestsOf(check: string, max = Number.POSITIVE_INFINITY): readonly ShownRequest[] {
    const kept = numbered(this.#checks.get(check)?.transcript.kept() ?? []);
    const sent = kept.filter(([, { request }]) => request.method !== 'NOTE');
    return sent.slice(-max).map(([n, { request, response }]) => ({
      n,
      method: request.method,
      path: this.#redactor.redact(new URL(request.url).pathname),
      ...(response === undefined ? {} : { status: response.status }),
      against: this.#judgementOf(check, n, response).against.length,
    }));
  }

  /** The judgement of an exchange of a check, by the model and by the check itself. */
  judgementOf(check: string, n: number): ExchangeJudgement {
    const [, exchange] = numbered(this.#checks.get(check)?.transcript.kept() ?? []).find(([at]) => at === n) ?? [];
    const said = this.#judgementOf(check, n, exchange?.response);
    return { ...said, against: this.#redactor.everywhere(said.against, OWN_WORDS) };
  }

  #judgementOf(check: string, n: number, reply: WireReply | undefined): ExchangeJudgement {
    const { shows = [], against = [], open = [] } = (reply && this.#judgements.get(reply)) ?? {};
    const own = (this.#checks.get(check)?.own ?? []).filter((each) => each.n === n);
    const shown = own.flatMap(({ ok, clauses }) => (ok ? clauses : []));
    const more = own.flatMap(({ exchange: _, ...each }) =>
      each.ok || against.some(({ about, expected }) => about === each.about && expected === each.expected) ? [] : each,
    );
    return { shows: [...new Set([...shows, ...shown])], against: [...against, ...more], open };
  }
}

/** Fields with words of the suite. */
const OWN_WORDS: ReadonlySet<string> = new Set(['clauses', 'level', 'endpoint', 'cause']);

/** Exchanges with their numbers, from 1. */
function numbered(kept: readonly RawExchange[]): readonly (readonly [n: number, exchange: RawExchange])[] {
  let n = 0;
  return kept.map((exchange) => {
    n += exchange.left_out ?? 1;
    return [n, exchange] as const;
  });
}
