/**
 * Watches traffic: the model judges every exchange, and this keeps for each clause how often it was judged, and each deviation with the shortest
 * excerpt that shows it. What it keeps is bounded. It makes no request, and writes nothing.
 */

import { Acceptance } from '../model/acceptance.js';
import type { Evidence, Judgement } from '../model/evidence.js';
import type { State } from '../model/facts/state.js';
import { Table } from '../model/facts/table.js';
import { GATEWAY } from '../model/judge/settle.js';
import { perObject, perText } from '../model/reading/memo.js';
import type { Settings } from '../model/reading/settings.js';
import { Noticing } from '../power/noticing.js';
import { endpointNamed } from '../spec/endpoint-ids.js';
import { type Excerpt, keyOf, shortestExcerpt } from './excerpt.js';
import type { Observed, Unread } from './exchange.js';
import { InOrder } from './in-order.js';
import { openJudge } from './judging.js';
import { Recent } from './recent.js';
import type { Scope } from './scope.js';

/** The judgements of one clause. */
interface ClauseSeen {
  /** For it: from accepted requests, and from refused ones by endpoint. */
  pass: number;
  readonly refused: Map<string, number>;
  fail: number;
  /** Exchanges that come to the clause and leave it open, by reason. */
  readonly open: Map<string, number>;
}

/** A deviation, however many exchanges show it. */
export interface Break {
  readonly evidence: Evidence;
  count: number;
  readonly by: Observed;
  /** Absent for a deviation from a decision, and for the last of very many. */
  readonly excerpt?: Excerpt;
}

/** The number of judgements of a clause, and the reasons of those that are open. */
interface ClauseCount {
  readonly pass: number;
  readonly fail: number;
  readonly open: number;
  readonly reason: string | undefined;
}

/** Everything that was seen. */
export interface Watched {
  readonly seen: number;
  /** The exchanges that gave evidence. */
  readonly judged: number;
  /** Exchanges that match no endpoint of the services. */
  readonly unknown: number;
  readonly unread: Readonly<Partial<Record<Unread, number>>>;
  /** Exchanges that were read and gave no evidence, by reason. */
  readonly undecided: readonly { readonly reason: string; readonly count: number }[];
  readonly clauses: ReadonlyMap<string, ClauseCount>;
  readonly breaks: readonly Break[];
  /** Deviations beyond the number of those that are kept. */
  readonly breaksLeft: number;
  /** How often the state was dropped, since it was too large or an unknown request may have changed anything. */
  readonly forgotten: { readonly full: number; readonly unknown: number };
  /** The planted mistakes that the traffic would notice, by id. */
  readonly noticed: ReadonlySet<string>;
  /** How the time of the server was known in the end. */
  readonly clock: State['clock']['kind'];
}

/** The judgements that count. */
export interface WatchOptions {
  readonly scope: Scope;
  /** Whether the target file declares an endpoint as missing, by its id. */
  readonly isUnsupported: (endpoint: string) => boolean;
}

const BREAKS_MAX = 200;
const EXCERPTS_MAX = 50;
const REASONS_MAX = 8;
/** The state is dropped beyond this number of agents, payments, nonces and other entries, so that memory is bounded. */
const ENTRIES_MAX = 40_000;
/** Exchanges between two counts of the entries. */
const COUNT_EVERY = 5_000;

/** Watches the traffic of one deployment. */
export class Watch {
  readonly #order: InOrder;
  readonly #recent = new Recent();
  readonly #clauses = new Map<string, ClauseSeen>();
  /** The clauses of a list that count, by the judged endpoint. */
  readonly #counting = perText((endpoint) => perObject((list: readonly string[]) => this.#countingOf(list, endpoint)));
  readonly #breaks = new Map<string, Break>();
  readonly #acceptance: Acceptance;
  readonly #noticing = new Noticing();
  readonly #unread = new Map<Unread, number>();
  readonly #undecided = new Map<string, number>();
  readonly #forgotten = { full: 0, unknown: 0 };
  #judge: ReturnType<typeof openJudge>;
  #seen = 0;
  #known = 0;
  #judged = 0;
  #breaksLeft = 0;

  constructor(
    readonly settings: Settings,
    readonly options: WatchOptions,
  ) {
    this.#acceptance = new Acceptance(settings);
    this.#judge = this.#openJudge();
    this.#order = new InOrder((observed) => this.#begin(observed));
  }

  /** Adds an exchange; it is judged when its place in the order of time is certain. */
  add(observed: Observed): void {
    this.#order.add(observed);
  }

  /** Judges what ended before a time, at which no exchange can be added any more: Unix ms. */
  passUntil(atMs: number): void {
    this.#order.passUntil(atMs);
  }

  /** Notes that exchanges passed by unseen: everything may have changed. */
  lose(count: number): void {
    this.#order.flush();
    this.#seen += count;
    this.#count('dropped', count);
    this.#forget('unknown');
  }

  /** Judges what is left, and returns everything that was seen. */
  end(): Watched {
    this.#order.flush();
    const unread = [...this.#unread.values()].reduce((sum, each) => sum + each, 0);
    return {
      seen: this.#seen,
      judged: this.#judged,
      unknown: Math.max(0, this.#seen - this.#known - unread),
      unread: Object.fromEntries(this.#unread),
      undecided: [...this.#undecided].map(([reason, count]) => ({ reason, count })),
      clauses: new Map([...this.#clauses].map(([id, seen]) => [id, this.#countOf(seen)])),
      breaks: [...this.#breaks.values()],
      breaksLeft: this.#breaksLeft,
      forgotten: this.#forgotten,
      clock: this.#judge.state.clock.kind,
      noticed: this.#noticing.noticed,
    };
  }

  #openJudge(): ReturnType<typeof openJudge> {
    return openJudge(this.settings, (by, judgement) => this.#keep(by, judgement), this.#noticing.asks);
  }

  /** Starts from an unknown state again. */
  #forget(why: 'full' | 'unknown'): void {
    this.#forgotten[why] += 1;
    this.#judge = this.#openJudge();
  }

  #begin(observed: Observed): () => void {
    this.#seen += 1;
    const { unread, lacksBody } = observed;
    if (unread !== undefined) this.#count(unread, 1);
    if (unread === 'not-served') return () => {};
    // A request that is not known as it was sent may have changed anything.
    if (lacksBody === true || unread === 'no-credentials') {
      if (unread === undefined) this.#count('body', 1);
      this.#forget('unknown');
      return () => {};
    }
    if (this.#seen % COUNT_EVERY === 0 && entriesOf(this.#judge.state) > ENTRIES_MAX) this.#forget('full');
    if (unread === undefined) this.#recent.add(observed);
    const judge = this.#judge;
    const end = judge.begin(observed);
    return () => {
      if (judge === this.#judge) end();
      // It overlaps a request after which everything is unknown.
      else if (unread === undefined) this.#count('dropped', 1);
    };
  }

  #count(why: Unread, count: number): void {
    this.#unread.set(why, (this.#unread.get(why) ?? 0) + count);
  }

  #keep(by: Observed, judgement: Judgement): void {
    const { evidence, withheld, endpoint } = judgement;
    this.#known += 1;
    this.#noticing.see(judgement);
    const isRefused = this.#acceptance.isRefusal(endpoint, by.reply?.status);
    let isJudged = false;
    for (const one of merged(evidence)) {
      const { clauses, counts } = this.#counting(one.endpoint)(one.clauses);
      if (clauses.length === 0) continue;
      isJudged = true;
      for (const seen of counts) {
        if (!one.ok) seen.fail += 1;
        else if (isRefused) seen.refused.set(endpoint, (seen.refused.get(endpoint) ?? 0) + 1);
        else seen.pass += 1;
      }
      if (!one.ok) this.#keepBreak({ ...one, clauses }, by);
    }
    if (isJudged) this.#judged += 1;
    else count(this.#undecided, this.#whyUndecided(by, { evidence, withheld, endpoint }));
    for (const { clauses, reason } of withheld)
      for (const clause of clauses) if (this.options.scope(clause, endpoint)) this.#leave(clause, reason);
  }

  #countingOf(
    list: readonly string[],
    endpoint: string,
  ): { readonly clauses: readonly string[]; readonly counts: readonly ClauseSeen[] } {
    const id = endpointNamed(endpoint);
    const isMissing = id !== undefined && this.options.isUnsupported(id);
    const clauses = isMissing ? [] : list.filter((clause) => this.options.scope(clause, endpoint));
    return { clauses, counts: clauses.map((clause) => this.#of(clause)) };
  }

  #leave(clause: string, reason: string): void {
    count(this.#of(clause).open, reason);
  }

  /** Why an exchange with an endpoint gave no evidence. */
  #whyUndecided(
    { reply }: Observed,
    { evidence, withheld, endpoint }: Pick<Judgement, 'evidence' | 'withheld' | 'endpoint'>,
  ): string {
    if (endpoint === '') return 'calls of the control API';
    if (evidence.length > 0) return 'outside of --only, or of an endpoint that the target file declares as missing';
    const [first] = withheld;
    if (first !== undefined) return first.reason;
    return GATEWAY.includes(reply?.status ?? 0) ? 'the service was down' : 'no clause decides about such a reply';
  }

  #of(clause: string): ClauseSeen {
    const seen = this.#clauses.get(clause) ?? { pass: 0, fail: 0, refused: new Map(), open: new Map() };
    this.#clauses.set(clause, seen);
    return seen;
  }

  #countOf({ pass, fail, refused, open }: ClauseSeen): ClauseCount {
    const counted = this.#acceptance.counting(refused);
    const [most] = [...open].sort(([, one], [, other]) => other - one);
    return {
      pass: pass + counted.reduce((sum, count) => sum + count, 0),
      fail,
      open: [...open.values()].reduce((sum, count) => sum + count, 0),
      reason: most?.[0],
    };
  }

  #keepBreak(evidence: Evidence, by: Observed): void {
    const key = keyOf(evidence);
    const known = this.#breaks.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#breaks.size >= BREAKS_MAX) this.#breaksLeft += 1;
    else {
      const hasExcerpt = evidence.level === 'must' && this.#breaks.size < EXCERPTS_MAX;
      const excerpt = hasExcerpt ? this.#excerptOf(by, evidence) : undefined;
      this.#breaks.set(key, { evidence, count: 1, by, ...(excerpt === undefined ? {} : { excerpt }) });
    }
  }

  #excerptOf(by: Observed, evidence: Evidence): Excerpt {
    return shortestExcerpt(this.settings, this.#recent.relatedTo(by), evidence);
  }
}

/** Counts a reason. There are few, and many more become one. */
function count(reasons: Map<string, number>, reason: string): void {
  const kept = reasons.has(reason) || reasons.size < REASONS_MAX ? reason : 'other reasons';
  reasons.set(kept, (reasons.get(kept) ?? 0) + 1);
}

/** The evidence of one exchange, in which a deviation from several clauses is one. */
function merged(evidence: readonly Evidence[]): readonly Evidence[] {
  if (evidence.every(({ ok }) => ok)) return evidence;
  const against = new Map<string, Evidence>();
  for (const one of evidence) {
    if (one.ok) continue;
    const key = `${one.level} ${one.endpoint} ${one.about} ${one.expected}`;
    const known = against.get(key);
    against.set(
      key,
      known === undefined ? one : { ...known, clauses: [...new Set([...known.clauses, ...one.clauses])] },
    );
  }
  return [...evidence.filter(({ ok }) => ok), ...against.values()];
}

/** The number of entries of a state. */
function entriesOf(state: State): number {
  return Object.values(state).reduce((sum, value) => sum + (value instanceof Table ? value.keys().length : 0), 0);
}
