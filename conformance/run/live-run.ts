/**
 * Shows a run from outside while it goes on, and its exchanges afterwards: the state of each clause so far, the newest check, and every exchange
 * that a transcript keeps, with what the model and the check say of it. Nothing is made before it is read, and all texts are redacted then.
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

/** The state of a clause so far. `inconclusive`: exchanges came to it, and none could judge it. */
export type StateSoFar = 'holds' | 'fails' | 'inconclusive' | 'not-judged' | 'excluded';

/** The clauses that one exchange shows, breaks and leaves open. */
export interface Said {
  /** The clauses that it shows. */
  readonly shows: readonly string[];
  readonly against: readonly Evidence[];
  /** The clauses that it leaves open, with the reasons. */
  readonly open: readonly Withheld[];
}

/** A request in one line. */
export interface ShownRequest {
  /** Its place in the transcript of its check, from 1. */
  readonly n: number;
  readonly method: string;
  readonly path: string;
  /** Absent where no reply came. */
  readonly status?: number;
  /** The number of deviations that it shows. */
  readonly against: number;
}

/** The facts of a run that goes on. */
interface UnderWay {
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

/** A run, as it is seen from outside. */
export class LiveRun {
  readonly #checks = new Map<string, Shown>();
  /** By reply, so that it goes with the exchanges that transcripts drop. */
  readonly #said = new WeakMap<WireReply, Said>();
  readonly #showing = new Map<string, boolean>();
  readonly #redactor: Redactor;
  #underWay: UnderWay | undefined;

  constructor(redactor: Redactor, underWay: UnderWay) {
    this.#redactor = redactor;
    this.#underWay = underWay;
  }

  /** Notes that a check begins. */
  begin(check: string, redactor: Redactor, transcript: Transcript): void {
    this.#checks.set(check, { redactor, transcript });
  }

  /** Notes the judgement of an exchange by the model. */
  judge(reply: WireReply, { evidence, withheld }: Judgement): void {
    const shows = new Set(evidence.flatMap(({ ok, clauses }) => (ok ? clauses : [])));
    // The ids of the table: others would be copies.
    const said = { shows: [...shows].map((id) => clauseById(id).id), against: evidence.filter(({ ok }) => !ok) };
    this.#said.set(reply, { ...said, open: [...withheld] });
  }

  /** Notes the evidence of a check that has ended. */
  end(check: string, own: readonly SeenEvidence[]): void {
    const shown = this.#checks.get(check);
    if (shown !== undefined) shown.own = own;
    for (const { clauses, ok } of own)
      for (const clause of clauses) this.#showing.set(clause, ok && this.#showing.get(clause) !== false);
  }

  /** Notes the end of the run: its exchanges can still be read. */
  close(): void {
    this.#underWay = undefined;
  }

  /** The state of each clause so far, in the order of the specification; empty once the run has ended. A later exchange may explain a deviation. */
  states(): readonly StateSoFar[] {
    const { clauses = [], states } = this.#underWay ?? {};
    const byModel = states?.();
    return clauses.map(({ id, excluded }) => {
      if (excluded !== undefined) return 'excluded';
      const seen = byModel?.(id) ?? 'not-judged';
      const own = this.#showing.get(id);
      return seen === 'fails' || own === undefined ? seen : own ? 'holds' : 'fails';
    });
  }

  /** Requests so far; 0 once the run has ended. */
  get requests(): number {
    return this.#underWay?.requests() ?? 0;
  }

  /** The latest check that began and is under way; the latest of all where none is. */
  get newest(): string | undefined {
    const begun = [...this.#checks.keys()].toReversed();
    return begun.find((id) => this.#checks.get(id)?.own === undefined) ?? begun[0];
  }

  /** Whether a check has begun in this run. */
  has(check: string): boolean {
    return this.#checks.has(check);
  }

  /** The kept exchanges of a check, as a report shows them. */
  transcriptOf(check: string): readonly Exchange[] {
    const { transcript, redactor } = this.#checks.get(check) ?? {};
    const kept = transcript?.kept() ?? [];
    return this.#redactor.everywhere(kept.flatMap((each) => redactor?.exchange(each, this.#redactor) ?? []));
  }

  /** The latest requests of a check in short, the latest last; all that are kept without `max`. */
  requestsOf(check: string, max = Number.POSITIVE_INFINITY): readonly ShownRequest[] {
    const kept = numbered(this.#checks.get(check)?.transcript.kept() ?? []);
    const sent = kept.filter(([, { request }]) => request.method !== 'NOTE');
    return sent.slice(-max).map(([n, { request, response }]) => ({
      n,
      method: request.method,
      path: this.#redactor.redact(new URL(request.url).pathname),
      ...(response === undefined ? {} : { status: response.status }),
      against: this.#saidOf(check, n, response).against.length,
    }));
  }

  /** The judgement of an exchange of a check, by the model and by the check itself. */
  saidOf(check: string, n: number): Said {
    const [, exchange] = numbered(this.#checks.get(check)?.transcript.kept() ?? []).find(([at]) => at === n) ?? [];
    const said = this.#saidOf(check, n, exchange?.response);
    return { ...said, against: this.#redactor.everywhere(said.against, OWN_WORDS) };
  }

  #saidOf(check: string, n: number, reply: WireReply | undefined): Said {
    const { shows = [], against = [], open = [] } = (reply && this.#said.get(reply)) ?? {};
    const own = (this.#checks.get(check)?.own ?? []).filter((each) => each.n === n);
    const shown = own.flatMap(({ ok, clauses }) => (ok ? clauses : []));
    const more = own.flatMap(({ exchange: _, ...each }) =>
      each.ok || against.some(({ about, expected }) => about === each.about && expected === each.expected) ? [] : each,
    );
    return { shows: [...new Set([...shows, ...shown])], against: [...against, ...more], open };
  }
}

/** Fields that hold words of the suite. */
const OWN_WORDS: ReadonlySet<string> = new Set(['clauses', 'level', 'endpoint', 'cause']);

/** Exchanges with their places, from 1. */
function numbered(kept: readonly RawExchange[]): readonly (readonly [n: number, exchange: RawExchange])[] {
  let n = 0;
  return kept.map((exchange) => {
    n += exchange.left_out ?? 1;
    return [n, exchange] as const;
  });
}
