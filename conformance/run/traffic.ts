/** Passes every exchange of a run to the model, and collects its evidence, which counts in addition to that of the checks. */

import { Acceptance } from '../../model/acceptance.js';
import type { Evidence, Judgement } from '../../model/evidence.js';
import { forgetFreezes, halfSilenceMs } from '../../model/facts/rules.js';
import { emptyState, type State } from '../../model/facts/state.js';
import type { Judged } from '../../model/oracle.js';
import { Oracle } from '../../model/oracle.js';
import { Noticing } from '../../power/noticing.js';
import type { ConfigurableNumber } from '../../spec/numbers.js';
import type { SeenEvidence } from '../assertions/evidence.js';
import type { LearntNumber, TrafficSeen } from '../judge/record.js';
import { settingsOf } from '../target/modelled.js';
import type { Target } from '../target/target.js';
import type { Check } from '../trial/check.js';
import { EFFECTS_ID } from '../trial/session.js';
import type { Redactor } from '../wire/redact.js';
import type { WireReply, WireRequest } from '../wire/transport.js';
import type { RawExchange } from '../wire/wire.js';
import type { StateSoFar } from './live-run.js';

type Sent = Pick<WireRequest, 'method' | 'url' | 'headers' | 'body' | 'owner'>;

/** An exchange, and the check that sent it. */
export interface Sender extends RawExchange {
  readonly owner: string;
  response?: WireReply;
}

/** The evidence about one clause: from accepted requests, and from refused ones by endpoint. */
interface ClauseSeen {
  pass: number;
  fail: number;
  open: number;
  /** The first evidence for it in each check about the clause; if there is no such check, in the run. */
  readonly by: Map<string, Found>;
  readonly refused: Map<string, { n: number; readonly by: Map<string, Found> }>;
}

/** A piece of evidence, and the exchange that shows it. */
interface Found {
  readonly evidence: Evidence;
  readonly by: Sender;
}

/** The facts of a run that decide which evidence counts. */
interface Counting {
  readonly redactor: Redactor;
  /** The number of a reply in the transcript of its check, from 1. */
  readonly placeOf: (reply: WireReply | undefined) => number | undefined;
  /** Replies are missing, as in a recording with gaps, so effects are unknown and deviations are no evidence. */
  readonly hasGaps: boolean;
  /** Whether an endpoint exists; a missing one has only one finding. */
  readonly isServed: (endpoint: string) => boolean;
  /** Whether a check judged its clauses. */
  readonly hasEnded: (check: string) => boolean;
}

/** At most this many checks are named for one deviation. */
const CHECKS_MAX = 20;
/** Fields with words of the suite. */
const OWN_WORDS: ReadonlySet<string> = new Set(['clauses', 'level', 'endpoint']);

/** Judges the traffic of a run. */
export class Traffic {
  readonly #oracle: Oracle<Sender>;
  readonly #clauses = new Map<string, ClauseSeen>();
  /** Evidence against clauses by subject, and then by the check that met it. */
  readonly #against = new Map<string, Map<string, Found>>();
  readonly #acceptance: Acceptance;
  readonly #learnt: (Pick<LearntNumber, 'number' | 'value'> & { readonly by: Sender })[] = [];
  #exchanges = 0;
  #judged = 0;
  #pieces = 0;
  /** The last time, by the wall clock, at which agents were known not to be frozen. */
  #sinceMs: number | undefined;
  /** The planted mistakes that its requests would notice. */
  readonly #noticing = new Noticing();

  /** The clauses of each check. */
  readonly #about: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(
    target: Target,
    checks: readonly Pick<Check, 'id' | 'clauses'>[],
    readonly nowWallMs: () => number,
    /** Called with each new deviation from the text. */
    readonly onDeviation: (evidence: Evidence, by: Sender) => void = () => {},
    /** Called with each judged exchange. */
    readonly onJudged: (by: Sender, judgement: Judgement) => void = () => {},
  ) {
    const settings = settingsOf(target);
    this.#about = new Map(checks.map(({ id, clauses }) => [id, new Set(clauses)]));
    this.#acceptance = new Acceptance(settings);
    this.#oracle = new Oracle(emptyState(settings), (judged) => this.#keep(judged));
    this.#oracle.state.describes = this.#noticing.asks;
  }

  /** The state of the model. */
  get state(): State {
    return this.#oracle.state;
  }

  /** Begins an exchange when its request is sent. The returned function ends it with the reply, or without one. */
  watch({ owner = '', ...request }: Sent): (reply?: WireReply) => void {
    const by: Sender = { owner, request };
    this.#passWallTime();
    const end = this.#oracle.begin(request, by);
    this.#exchanges += 1;
    return (reply) => {
      if (reply === undefined) return end();
      by.response = reply;
      // A reply is uncertain if it is cut, or if its request was sent twice.
      end(reply, reply.cut !== true && reply.resent === undefined);
    };
  }

  /** Without a clock for protocol time, an agent may be frozen after half of the allowed silence. */
  #passWallTime(): void {
    const { state } = this;
    const nowMs = this.nowWallMs();
    this.#sinceMs ??= nowMs;
    if (state.nowMs !== undefined || nowMs - this.#sinceMs < halfSilenceMs(state.settings.protocol)) return;
    this.#sinceMs = nowMs;
    forgetFreezes(state);
  }

  #keep({ by, judgement }: Judged<Sender>): void {
    const { evidence, withheld, endpoint, learnt } = judgement;
    for (const [number, value] of Object.entries(learnt))
      this.#learnt.push({ number: number as ConfigurableNumber, value, by });
    if (by.owner === EFFECTS_ID) return;
    this.onJudged(by, judgement);
    this.#noticing.see(judgement);
    const isRefused = this.#acceptance.isRefusal(endpoint, by.response?.status);
    this.#judged += evidence.length === 0 ? 0 : 1;
    this.#pieces += evidence.length;
    for (const one of evidence) {
      const found = { evidence: one, by };
      for (const clause of one.clauses) {
        const seen = this.#of(clause);
        if (!one.ok) seen.fail += 1;
        else if (!isRefused) {
          seen.pass += 1;
          this.#keepFor(seen.by, clause, found);
        } else {
          const refused = seen.refused.get(endpoint) ?? { n: 0, by: new Map<string, Found>() };
          seen.refused.set(endpoint, refused);
          refused.n += 1;
          this.#keepFor(refused.by, clause, found);
        }
      }
      if (!one.ok) this.#keepAgainst(found);
    }
    for (const { clauses } of withheld) for (const clause of clauses) this.#of(clause).open += 1;
  }

  /** Keeps the first evidence of each check about the clause, and the first of the run. */
  #keepFor(kept: Map<string, Found>, clause: string, found: Found): void {
    const { owner } = found.by;
    if (kept.size === 0 || (this.#isAbout(owner, clause) && !kept.has(owner))) kept.set(owner, found);
  }

  #isAbout(check: string, clause: string): boolean {
    return this.#about.get(check)?.has(clause) === true;
  }

  #keepAgainst(found: Found): void {
    const { evidence, by } = found;
    const key = `${evidence.endpoint} ${evidence.clauses.join()} ${evidence.about}`;
    const known = this.#against.get(key);
    const met = known ?? new Map<string, Found>();
    this.#against.set(key, met);
    if (known === undefined && evidence.level === 'must') this.onDeviation(evidence, by);
    if (met.size < CHECKS_MAX && !met.has(by.owner)) met.set(by.owner, found);
  }

  #of(clause: string): ClauseSeen {
    const seen = this.#clauses.get(clause) ?? { pass: 0, fail: 0, open: 0, by: new Map(), refused: new Map() };
    this.#clauses.set(clause, seen);
    return seen;
  }

  /** True once the run has evidence for or against a clause. */
  hasJudged(clause: string): boolean {
    return (this.#clauses.get(clause)?.fail ?? 0) > 0 || this.#isShown(clause);
  }

  /** Whether the run has evidence for a clause so far. */
  #isShown(clause: string): boolean {
    const seen = this.#clauses.get(clause);
    return seen !== undefined && (seen.pass > 0 || this.#acceptance.counting(seen.refused).length > 0);
  }

  /** The state of a clause so far, without evidence against endpoints that do not exist. */
  statesSoFar(isServed: Counting['isServed']): (clause: string) => StateSoFar {
    const against = [...this.#against.values()].flatMap((met) => [...met.values()].slice(0, 1));
    const served = against.filter(({ evidence }) => isServed(evidence.endpoint));
    const failing = new Set(served.flatMap(({ evidence }) => evidence.clauses));
    return (clause) => {
      if (failing.has(clause)) return 'fails';
      if (this.#isShown(clause)) return 'holds';
      return (this.#clauses.get(clause)?.open ?? 0) > 0 ? 'inconclusive' : 'not-judged';
    };
  }

  /** The evidence against clauses from requests of a check so far, each deviation once. */
  againstOf(check: string): readonly SeenEvidence[] {
    return [...this.#against.values()].flatMap((met) => {
      const found = met.get(check);
      return found === undefined ? [] : [{ ...found.evidence, n: 0 }];
    });
  }

  /**
   * The evidence that counts, by the check that sent the request, and the number of judgements of each clause. A refusal is evidence for a clause
   * only if the endpoint has accepted a request, since an endpoint that refuses everything is right by chance. Evidence from the run's own requests
   * counts for the first of `checks` that sent any.
   */
  seen({ hasGaps, redactor, placeOf, isServed, hasEnded }: Counting, checks: readonly string[]): TrafficSeen {
    const clauses: Record<string, TrafficSeen['clauses'][string]> = {};
    const found: Found[] = [];
    for (const [clause, seen] of this.#clauses) {
      if (hasGaps && seen.fail > 0) continue;
      const refused = this.#acceptance.counting(seen.refused);
      const pass = seen.pass + refused.reduce((sum, { n }) => sum + n, 0);
      clauses[clause] = { pass, fail: seen.fail, open: seen.open };
      const passing = new Map([...refused.flatMap(({ by }) => [...by]), ...seen.by]);
      const about = [...passing.values()].filter(({ by }) => this.#isAbout(by.owner, clause));
      // Without a check about the clause, the evidence counts for the first check that met it.
      for (const one of about.length > 0 ? about : [...passing.values()].slice(0, 1))
        found.push({ ...one, evidence: { ...one.evidence, clauses: [clause] } });
    }
    if (!hasGaps) for (const met of this.#against.values()) found.push(...met.values());
    const runs: Record<string, SeenEvidence[]> = {};
    const served = found.filter(({ evidence }) => isServed(evidence.endpoint));
    const owners = new Set(served.map(({ by }) => by.owner));
    const own = new Set(checks);
    const first = checks.find((id) => owners.has(id));
    for (const { evidence, by } of served) {
      const owner = own.has(by.owner) ? by.owner : first;
      if (owner === undefined) continue;
      const placed = { ...evidence, n: placeOf(by.response) ?? 0 };
      const list = runs[owner] ?? [];
      runs[owner] = list;
      // Evidence for a clause quotes nothing of the target.
      if (evidence.ok) list.push(placed);
      else list.push({ ...redactor.everywhere(placed, OWN_WORDS), exchange: redactor.exchange(by) });
    }
    const learnt = this.#learnt.map(({ number, value, by }) => ({
      ...{ number, value, check: by.owner },
      n: placeOf(by.response) ?? 0,
    }));
    for (const id of checks) if (hasEnded(id)) this.#noticing.seeCheck(id);
    const model = { exchanges: this.#exchanges, judged: this.#judged, evidence: this.#pieces };
    return { learnt, model, clauses, runs, noticed: [...this.#noticing.noticed] };
  }
}
