/** A run of the suite as the page follows it: counts, deviations, and the state of each clause and check in one character each. */

import type { LiveRun, ShownRequest } from '../../../conformance/run/live-run.js';
import type { Evidence } from '../../../model/evidence.js';
import { CELL_STATES, cellState } from '../../../reports/conformance/clause-states.js';
import { VERDICTS } from '../../../reports/conformance/conformance-view.js';
import { findingTitle } from '../../../reports/conformance/findings-view.js';
import type { Verdict as RunVerdict } from '../../../reports/conformance/verdict-text.js';
import type { CheckOutcome, ConformanceResult, Verdict } from '../../../results/conformance-result.js';

export type { ShownRequest } from '../../../conformance/run/live-run.js';

/** A deviation that a run has met. */
export interface SeenDeviation {
  readonly title: string;
  readonly clauses: readonly string[];
  readonly level: string;
  readonly expected: string;
  readonly actual: string;
  times: number;
  /** The check that met it first. */
  readonly check: string;
  /** The exchange of that check; 0 where none is known. */
  n: number;
}

/** A run, as the page follows it. */
export interface Watched {
  readonly n: number;
  readonly only: readonly string[];
  /** It is cut to one judgement a clause. */
  readonly quick: boolean;
  /** The reference of the run is under a change of the specification. */
  readonly changed: boolean;
  readonly total: number;
  done: number;
  counts: Partial<Record<Verdict, number>>;
  /** Wrong checks, the latest last. */
  readonly wrong: string[];
  readonly seen: SeenDeviation[];
  /** The deviation from the text that was met first. */
  first: SeenDeviation | null;
  state: 'running' | 'ended' | 'failed';
  /** The verdict of the report, once the run has ended. */
  verdict: RunVerdict | null;
  /** The earlier run whose other checks stay in the report; null where the report is of this run alone. */
  readonly completes: number | null;
  /** The judged server; its URL is empty until it has started. */
  server: { readonly name: string; readonly url: string };
  /** The places in CELL_STATES of all clauses, in the order of the specification. */
  states: string;
  /** The places in VERDICTS of all checks of the suite, in its order; `-` for one that has not ended. */
  verdicts: string;
  requests: number;
  /** Since the start of the run. */
  tookMs: number;
  /** The latest check that began, with its latest requests. */
  newest: { readonly check: string; readonly requests: readonly ShownRequest[] } | null;
  /** The states of the clauses in the run before. */
  readonly before: { readonly n: number; readonly states: string } | null;
  /** Why a run could not be made. */
  error?: string;
}

const WRONG_MAX = 200;
const LAST_REQUESTS = 6;

/** Follows one run. */
export class RunWatch {
  readonly watched: Watched;
  readonly #order: ReadonlyMap<string, number>;
  readonly #verdicts: string[];
  readonly #startedMs: number;
  readonly #nowMs: () => number;
  readonly #unplaced = new Map<SeenDeviation, () => number>();
  live: LiveRun | undefined;

  /** `checks`: all checks of the suite. */
  constructor(watched: Watched, checks: readonly string[], nowMs: () => number) {
    this.watched = watched;
    this.#order = new Map(checks.map((id, place) => [id, place]));
    this.#verdicts = checks.map(() => '-');
    this.#nowMs = nowMs;
    this.#startedMs = nowMs();
  }

  /** Brings what is watched up to date. */
  look(): void {
    const { watched, live } = this;
    watched.tookMs = this.#nowMs() - this.#startedMs;
    watched.verdicts = this.#verdicts.join('');
    const states = live?.states() ?? [];
    // Before the first request and after the last nothing is under way.
    if (live === undefined || states.length === 0) return;
    watched.states = states.map(digitOf).join('');
    watched.requests = live.requests;
    const { newest } = live;
    watched.newest = newest === undefined ? null : { check: newest, requests: live.requestsOf(newest, LAST_REQUESTS) };
    for (const [seen, place] of this.#unplaced) {
      seen.n = place();
      if (seen.n > 0) this.#unplaced.delete(seen);
    }
  }

  /** Notes the result of a check. */
  outcome(outcome: CheckOutcome): void {
    const { watched } = this;
    const { id, verdict } = outcome;
    watched.done += 1;
    watched.counts[verdict] = (watched.counts[verdict] ?? 0) + 1;
    this.#noteVerdict(id, verdict);
    if ((verdict === 'fail' || verdict === 'error') && watched.wrong.length < WRONG_MAX) watched.wrong.push(id);
    if (outcome.verdict !== 'fail') return;
    const { about, expected, actual, clauses } = outcome;
    watched.first ??= { title: about, clauses, level: 'must', expected, actual, times: 1, check: id, n: 0 };
  }

  #noteVerdict(id: string, verdict: Verdict): void {
    const place = this.#order.get(id);
    if (place !== undefined) this.#verdicts[place] = String(VERDICTS.findIndex((each) => each.verdict === verdict));
  }

  /** Notes a deviation that the model has found. */
  deviation({ expected = '', actual = '', ...evidence }: Evidence, check: string, place: () => number): void {
    const { seen } = this.watched;
    const title = findingTitle(evidence);
    const known = seen.find((each) => each.title === title);
    if (known !== undefined) known.times += 1;
    if (known !== undefined || seen.length >= WRONG_MAX) return;
    const { clauses, level } = evidence;
    const met: SeenDeviation = { title, clauses, level, expected, actual, times: 1, check, n: place() };
    this.#unplaced.set(met, place);
    seen.push(met);
    this.watched.first ??= met;
  }

  /** Takes the final result: checks find deviations that the model alone does not. `checks`: those of this run, with their final verdicts. */
  end(result: ConformanceResult, verdict: RunVerdict, checks: ConformanceResult['checks'] = result.checks): void {
    const { watched } = this;
    this.look();
    watched.done = checks.length;
    watched.counts = {};
    for (const { verdict: own } of checks) watched.counts[own] = (watched.counts[own] ?? 0) + 1;
    const found = result.findings.map((finding): SeenDeviation => {
      const { clauses, level, expected, actual, checks } = finding;
      const check = checks[0] ?? '';
      return {
        ...{ title: findingTitle(finding), clauses, level, expected, actual, times: checks.length, check },
        n: placeIn(result, clauses, check),
      };
    });
    watched.seen.splice(0, watched.seen.length, ...found);
    const failing = new Set(found.filter(({ level }) => level === 'must').flatMap(({ clauses }) => clauses));
    // A later exchange may have explained what was met first.
    if (watched.first?.clauses.some((id) => failing.has(id)) !== true)
      watched.first = found.find(({ level }) => level === 'must') ?? null;
    for (const { id, verdict: own } of result.checks) this.#noteVerdict(id, own);
    watched.verdicts = this.#verdicts.join('');
    watched.states = statesOf(result);
    watched.newest = null;
    watched.requests = watched.completes === null ? result.requests : watched.requests;
    watched.verdict = verdict;
    watched.state = 'ended';
  }
}

const digitOf = (state: (typeof CELL_STATES)[number]): string => String(CELL_STATES.indexOf(state));

/** The states of the clauses of a result. */
export function statesOf({ clauses }: Pick<ConformanceResult, 'clauses'>): string {
  return clauses.map((clause) => digitOf(cellState(clause))).join('');
}

/** The exchange of a check that is evidence against one of these clauses; 0 where there is none. */
function placeIn({ clauses }: ConformanceResult, ids: readonly string[], check: string): number {
  const evidence = clauses.flatMap((clause) => (ids.includes(clause.id) ? clause.evidence : []));
  return evidence.find((each) => !each.ok && each.check === check)?.n ?? 0;
}
