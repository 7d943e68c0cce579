/**
 * Runs the suite against one target: opening, waves of checks, and the record. Verdicts are derived in judge/.
 */

import { median } from 'simple-statistics';
import type { Evidence, Judgement } from '../../model/evidence.js';
import type { CheckOutcome, ConformanceResult, Verdict } from '../../results/conformance-result.js';
import { clausesIn } from '../../spec/dialect-clauses.js';
import { endpointNamed } from '../../spec/endpoint-ids.js';
import type { Protocol } from '../../spec/protocol.js';
import { Unjudged } from '../assertions/unjudged.js';
import { allChecks } from '../checks/index.js';
import { conclude } from '../judge/conclude.js';
import { settled } from '../judge/not-served.js';
import type { End, EndedCheck, RunRecord } from '../judge/record.js';
import { judgedRun, notTested, stoppedBy } from '../judge/verdict.js';
import { type ChainMemory, ChainPool } from '../protocol/chain-pool.js';
import { withOwnHeaders } from '../target/access.js';
import type { Target } from '../target/target.js';
import { type Check, sleepsOf } from '../trial/check.js';
import type { Job, Turn } from '../trial/clock.js';
import { Control, ControlFault } from '../trial/control.js';
import { clockFault, loseClock } from '../trial/control-effects.js';
import { ADDRESSES_ALIKE, askedOffers, type Offers, reusesAgents, withoutOffer } from '../trial/needs.js';
import { Presence } from '../trial/presence.js';
import { hiddenOf, type Session } from '../trial/session.js';
import { Redactor } from '../wire/redact.js';
import { httpTransport, type Transport, TransportFailure } from '../wire/transport.js';
import { WebhookReceiver } from '../wire/webhook-receiver.js';
import { INTERRUPTED, NO_REPLY, Stopped, Wire } from '../wire/wire.js';
import { takeCensus } from './census.js';
import { tellsClientsApart } from './client-addresses.js';
import { evidenceOf } from './cover.js';
import { checksIn } from './in-dialect.js';
import { LiveRun } from './live-run.js';
import { openSession, probe, unlessLost } from './opening.js';
import { mayWrite } from './own-requests.js';
import { runCheck, unrun } from './run-check.js';
import { type Schedule, schedule, type Wave } from './schedule.js';
import { type Selection, selectChecks } from './select.js';
import { type Sender, Traffic } from './traffic.js';

/** The options of a run. */
export interface ConformOptions extends Selection {
  /** Determines names, keys, wallets and addresses of all checks. */
  readonly seed: number;
  /** At most this many checks are awake at the same time; 16 by default. */
  readonly concurrency?: number;
  /** Deviations from decisions fail the run, too. */
  readonly strict?: boolean;
  /** Ends the run early. Its reason names the cause (`AbortController.abort('SIGINT')`). Earlier verdicts are kept. */
  readonly signal?: AbortSignal;
  /** Stops after the first failure. */
  readonly failFast?: boolean;
  /** Runs fewer checks, which judge each clause once. */
  readonly quick?: boolean;
  /** Clauses that a quick run need not judge, since a run against another deployment has. */
  readonly judged?: ReadonlySet<string>;
  /** Lets checks write to a host that is not this machine. */
  readonly allowWrites?: boolean;
  /** The required percentage of judged must clauses. */
  readonly requireJudged?: number;
  /** The required percentage of planted mistakes that the run would have noticed. */
  readonly requirePower?: number;
  readonly toolVersion: string;
  /** The time of the wall clock in ms. */
  readonly nowWallMs: () => number;
  /** Checks may wait for this many seconds of real time if the target's clock cannot be moved; 0 by default. */
  readonly waitSec?: number;
  /** Waits for `ms` milliseconds of the clock of `nowWallMs`; by default by a timer. */
  readonly waitMs?: (ms: number) => Promise<void>;
  /** Called when all checks wait for time to pass, with the end of the wait (ms of the wall clock) and the number of waiting checks. */
  readonly onWait?: (untilMs: number, waiting: number) => void;
  /** Called with the check for which all others have waited since the last call; for measurements. */
  readonly onWaited?: (check: string) => void;
  /** Called before each chain of beats is computed, with its number of hashes; for measurements. */
  readonly onHashes?: (hashes: number) => void;
  /** Replaces HTTP; for tests, and to break replies on purpose. */
  readonly transport?: Transport;
  /** Replaces the listening receiver of webhooks; for recordings. */
  readonly receive?: typeof WebhookReceiver.start;
  /** Replaces the checks of the suite. */
  readonly checks?: readonly Check[];
  /** Other numbers by which the model judges the same traffic, too. Checks send their requests by the numbers of the target. */
  readonly alsoBy?: readonly Protocol[];
  /** Chains of beats that are known and need not be computed, and who learns of others; for recordings. */
  readonly chains?: ChainMemory;
  /** Called with the number of open computations of beats and open waits, whenever it changes. */
  readonly onBusy?: (underWay: number) => void;
  /** Called with each result as soon as it is known, to show progress. */
  readonly onResult?: (result: CheckOutcome) => void;
  /** Called before `onResult` with the number of judged clauses, and of clauses that the run's checks can judge. */
  readonly onJudged?: (judged: number, inReach: number) => void;
  /**
   * Called with each deviation from the text when the model first finds it, with the check that sent the request. `place`: the number of the exchange
   * in the transcript of the check, or 0 if it has none yet. Later exchanges may still explain the deviation.
   */
  readonly onDeviation?: (evidence: Evidence, check: string, place: () => number) => void;
  /** Called with each exchange that the model judged, and the check that sent its request. */
  readonly onExchange?: (judgement: Judgement, check: string) => void;
  /** Called once, before the first request, with a live view of the run. */
  readonly onLive?: (live: LiveRun) => void;
  /** Trusts the target file: only checks send requests; for tests. */
  readonly unprobed?: boolean;
  /** Whether the model judges the traffic, in addition to the checks. True by default. */
  readonly model?: boolean;
  /** Whether the run adds reads of the state for the model. True by default, except in a quick run. */
  readonly looks?: boolean;
  /** The interval of the tests whether a check is idle; for tests. */
  readonly lookMs?: number;
}

/** Judges a target by one run. It never throws because of the target. */
export async function conform(target: Target, options: ConformOptions): Promise<ConformanceResult> {
  const { checks = allChecks, requireJudged, requirePower, strict } = options;
  return conclude([await runSuite(target, options)], { checks, requireJudged, requirePower, strict });
}

/** Runs the suite against a target, and returns the record of the run. It never throws because of the target. */
export async function runSuite(target: Target, options: ConformOptions): Promise<RunRecord> {
  const http = options.transport === undefined ? httpTransport({ end: options.signal, target }) : undefined;
  const transport = options.transport ?? http?.send;
  if (transport === undefined) throw new Error('there is no transport');
  try {
    return await new Run(target, options, transport).record();
  } finally {
    await http?.close();
  }
}

/** Replaces the reason of an ended check: the target file gives client_ip, but the target ignores the header. */
function withAddressReason(ended: EndedCheck): EndedCheck {
  const { end } = ended;
  const kind = end?.why?.kind;
  if (end === undefined || (kind !== 'address' && kind !== 'client-ip')) return ended;
  return { ...ended, end: { ...end, why: { kind, of: FORWARDED } } };
}

const FORWARDED = 'x-forwarded-for';
const ADDRESSES_UNKNOWN = 'the test whether the target tells clients apart failed: its replies were lost';

/** Fields of a result with words of the suite: ids, titles and places. */
const OWN_WORDS: ReadonlySet<string> = new Set(
  'schema tool_version id title text section section_title where clauses checks check level state verdict step endpoint'.split(
    ' ',
  ),
);

/** Waits by a timer, at the latest until `signal` aborts. */
function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

/** One run of the suite. */
class Run {
  readonly #wire: Wire;
  readonly #checks: readonly Check[];
  readonly #ended = new Map<string, EndedCheck>();
  readonly #startedMs: number;
  readonly #chains: ChainPool;
  #underWay = 0;
  #isClockSeen = false;
  /** The target does not distinguish clients, although its file gives client_ip. */
  #ignoresAddresses = false;
  /** The ids of the checks that run as jobs of the barrier, by place. */
  #underWayIds: readonly string[] = [];
  readonly #waitMs: (ms: number) => Promise<void>;
  readonly #presence: Presence;
  #receiver: WebhookReceiver | undefined;
  readonly #redactor: Redactor;
  #traffic: Traffic | undefined;
  /** The same traffic by other numbers. */
  readonly #others: readonly Traffic[];
  #live: LiveRun | undefined;
  /** Deviations at endpoints that have not answered yet and may be missing. */
  #pendingDeviations: readonly { readonly evidence: Evidence; readonly by: Sender }[] = [];
  /** The checks that a quick run leaves out. */
  #spared: ReadonlySet<string> = new Set();
  /** The clauses that the run's checks can judge; `#shown`: those that they have judged. */
  #inReach: ReadonlySet<string> = new Set();
  readonly #shown = new Set<string>();

  constructor(
    readonly target: Target,
    readonly options: ConformOptions,
    transport: Transport,
  ) {
    this.#startedMs = options.nowWallMs();
    this.#presence = new Presence(target.unsupported);
    this.#chains = new ChainPool((change) => this.#noteBusy(change), options.onHashes, options.chains);
    this.#redactor = new Redactor(hiddenOf(target), { others: true });
    const waitMs = options.waitMs ?? ((ms: number) => wait(ms, options.signal));
    this.#waitMs = async (ms) => {
      this.#noteBusy(1);
      await waitMs(ms).finally(() => this.#noteBusy(-1));
    };
    const { timeoutSec, pacePerSec } = target;
    const pace = {
      ...(timeoutSec === undefined ? {} : { timeoutMs: timeoutSec * 1_000 }),
      perSec: pacePerSec,
      waitMs: this.#waitMs,
    };
    this.#wire = new Wire(transport, target.budget, options.nowWallMs, pace, withOwnHeaders(target));
    this.#checks = checksIn(options.checks ?? allChecks, target.dialect);
    const onDeviation = (evidence: Evidence, by: Sender): void => {
      this.#pendingDeviations = [...this.#pendingDeviations, { evidence, by }];
      this.#reportDeviations();
    };
    const onJudged = ({ response, owner }: Sender, judgement: Judgement): void => {
      options.onExchange?.(judgement, owner);
      if (response !== undefined) this.#live?.judge(response, judgement);
    };
    if (options.model !== false)
      this.#traffic = new Traffic(target, this.#checks, options.nowWallMs, onDeviation, onJudged);
    // A listener gets the situations of all exchanges.
    if (this.#traffic !== undefined && options.onExchange !== undefined) this.#traffic.state.describes = () => true;
    const { alsoBy = [] } = options;
    this.#others = alsoBy.map(
      (numbers) => new Traffic({ ...target, protocol: numbers }, this.#checks, options.nowWallMs),
    );
    if (options.onLive === undefined) return;
    this.#live = new LiveRun(this.#redactor, {
      clauses: clausesIn(target.dialect),
      states: () => this.#traffic?.statesSoFar((name) => this.#hasAnswered(name)) ?? (() => 'not-judged'),
      requests: () => this.#wire.requests,
    });
    options.onLive(this.#live);
  }

  /** Reports the deviations at endpoints that have answered by now. */
  #reportDeviations(): void {
    const known = this.#pendingDeviations.filter(({ evidence }) => this.#hasAnswered(evidence.endpoint));
    this.#pendingDeviations = this.#pendingDeviations.filter((each) => !known.includes(each));
    for (const { evidence, by } of known) {
      const place = (): number => (by.response && this.#wire.places.get(by.response)) ?? 0;
      this.options.onDeviation?.(this.#redacted(evidence), by.owner, place);
    }
  }

  /** True if an endpoint has answered. An endpoint without an answer may be missing, which only the report says. */
  #hasAnswered(name: string): boolean {
    const id = endpointNamed(name);
    return id === undefined || this.#presence.isServed(id);
  }

  /** Removes secrets from the output of the run. */
  #redacted<T>(output: T): T {
    return this.#redactor.everywhere(output, OWN_WORDS);
  }

  #noteBusy(change: 1 | -1): void {
    this.#underWay += change;
    this.options.onBusy?.(this.#underWay);
  }

  async record(): Promise<RunRecord> {
    const { signal } = this.options;
    const breakOff = (): void => {
      this.#wire.stop(`it was interrupted by ${String(signal?.reason)}`, INTERRUPTED);
      void this.#chains.close();
    };
    if (signal?.aborted === true) breakOff();
    signal?.addEventListener('abort', breakOff);
    try {
      return await this.#recorded();
    } finally {
      signal?.removeEventListener('abort', breakOff);
      this.#live?.close();
    }
  }

  async #recorded(): Promise<RunRecord> {
    const chosen = selectChecks(this.#checks, this.options);
    let offers: Offers | undefined;
    if (chosen.length === 0)
      this.#wire.stop('no check of the profile has such an id, clause or section', { unjudgeable: true });
    else offers = await this.#askTarget();
    if (offers !== undefined) {
      offers = await this.#listen(offers);
      try {
        await this.#runAll(chosen, offers);
      } finally {
        await Promise.all([this.#receiver?.close(), this.#chains.close()]);
      }
    }
    for (const check of chosen) {
      if (!this.#ended.has(check.id) && !this.#spared.has(check.id)) this.#keep(unrun(check, this.#unreported()));
    }
    const ended = chosen.flatMap((check) => this.#ended.get(check.id) ?? []);
    const { target, options } = this;
    const { requests, lamports, stopped, unpaid, tookMs } = this.#wire;
    const { strict = false } = options;
    const finished = settled(chosen, ended, this.#presence, strict);
    const whole = new Set(finished.flatMap(({ id, end }) => (end === undefined ? [id] : [])));
    const judgedBy = (model: Traffic | undefined): Pick<RunRecord, 'runs' | 'traffic'> => {
      const traffic = model?.seen(
        {
          hasGaps: this.#wire.hasGaps,
          redactor: this.#redactor,
          placeOf: (reply) => reply && this.#wire.places.get(reply),
          isServed: (endpoint) => this.#isServed(endpoint),
          hasEnded: (check) => whole.has(check),
        },
        ended.map(({ id }) => id),
      );
      const runs = finished.map((each) => judgedRun(each, traffic?.runs[each.id] ?? [], strict));
      return { runs: this.#redacted(runs), ...(traffic === undefined ? {} : { traffic }) };
    };
    const also = this.#others.map(judgedBy);
    return {
      ...this.#redacted({
        target: {
          base_url: target.baseUrl,
          beats_url: target.beatsUrl,
          network: target.network,
          dialect: target.dialect.name,
          offers: [...(offers?.has ?? [])],
        },
        ...(stopped === undefined ? {} : { stopped }),
        ...(unpaid === undefined ? {} : { unpaid }),
        notes: this.#presence.notes,
      }),
      tool_version: options.toolVersion,
      seed: options.seed,
      ...(options.quick === true ? { spared: [...this.#spared] } : {}),
      requests,
      lamports,
      startedMs: this.#startedMs,
      wallMs: options.nowWallMs() - this.#startedMs,
      ...(tookMs.length === 0 ? {} : { replyMs: median(tookMs) }),
      clauses: clausesIn(target.dialect),
      checks: this.#checks,
      ...judgedBy(this.#traffic),
      ...(options.alsoBy === undefined ? {} : { also, finished }),
    };
  }

  /** Whether an endpoint exists, as far as is known. `name`: its method and path. */
  #isServed(name: string): boolean {
    const id = endpointNamed(name);
    return id === undefined || this.#presence.unservedBy(id) === undefined;
  }

  /** The reason why a chosen check has no result: the run was stopped, or the suite has a fault. */
  #unreported(): End | undefined {
    const { stopped } = this.#wire;
    return stopped === undefined
      ? { verdict: 'error', reason: 'the check never reported' }
      : notTested(stoppedBy(stopped));
  }

  /** Sends a probe, and reads the capabilities of the control API. Stops the run if there is nothing to judge. */
  async #askTarget(): Promise<Offers | undefined> {
    const { control } = this.target;
    return this.#orStop(async () => {
      const { unprobed = false } = this.options;
      if (!unprobed) await probe(this.#wire, this.target, this.options);
      // The model starts here, since now the server is known to be the service.
      const all = [...(this.#traffic === undefined ? [] : [this.#traffic]), ...this.#others];
      this.#wire.watch = (request) => {
        const ends = all.map((traffic) => traffic.watch(request));
        return (reply) => {
          for (const end of ends) end(reply);
        };
      };
      const asking = {
        waitSec: this.options.waitSec ?? 0,
        wallMs: this.options.nowWallMs,
        waitMs: this.#waitMs,
      };
      const offers = await askedOffers(
        this.target,
        control && new Control(this.#wire, control.url, control.token),
        asking,
      );
      if (!offers.has.has('clock')) for (const { state } of all) state.isTimed = false;
      if (unprobed) return offers;
      if (!offers.has.has('client-ip')) return offers;
      const apart = await unlessLost(() => tellsClientsApart(this.#wire, this.target, this.options.seed));
      this.#ignoresAddresses = apart === false;
      return apart === true
        ? offers
        : withoutOffer(offers, 'client-ip', apart === false ? ADDRESSES_ALIKE : ADDRESSES_UNKNOWN);
    });
  }

  /** Runs necessary steps. If they fail, the run stops. */
  async #orStop<T>(steps: () => Promise<T>): Promise<T | undefined> {
    try {
      return await steps();
    } catch (error) {
      if (error instanceof TransportFailure) this.#wire.stop(`no reply from the target: ${error.message}`, NO_REPLY);
      else if (error instanceof Unjudged)
        this.#wire.stop(error.because.reason, { ...error.because, unjudgeable: true });
      else if (!(error instanceof Stopped)) throw error;
      return undefined;
    }
  }

  /** Starts the receiver of webhooks, if the target file configures one. */
  async #listen(offers: Offers): Promise<Offers> {
    const { webhooks } = this.target;
    if (webhooks === undefined) return offers;
    try {
      const { receive = WebhookReceiver.start } = this.options;
      this.#receiver = await receive(webhooks.listen, webhooks.publicUrl);
      return offers;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return withoutOffer(offers, 'webhooks', `the suite cannot receive webhooks at ${webhooks.listen}: ${reason}`);
    }
  }

  async #runAll(chosen: readonly Check[], offers: Offers): Promise<void> {
    const { allowWrites = false, unprobed = false, quick, judged } = this.options;
    const scheduled = (checks: readonly Check[]): Schedule => {
      const planned = schedule(checks, this.target, offers, { allowWrites, quick, judged });
      this.#spared = new Set(planned.spared.map(({ id }) => id));
      this.#inReach = new Set(planned.waves.flatMap((wave) => wave.checks.flatMap(evidenceOf)));
      return planned;
    };
    const keepLeftOut = ({ leftOut }: Schedule): void => {
      for (const { check, finding } of leftOut) this.#keep(unrun(check, finding));
    };
    const first = scheduled(chosen);
    if (first.waves.length === 0) return keepLeftOut(first);
    await this.#orStop(async () => {
      const session = await openSession(this.target, offers, this.options, {
        wire: this.#wire,
        chains: this.#chains,
        presence: this.#presence,
        redactor: this.#redactor,
        model: this.#traffic?.state,
        live: this.#live,
        looks: this.options.looks !== false && quick !== true,
        receiver: this.#receiver,
        waitMs: this.#waitMs,
        onWaited: (place) => this.options.onWaited?.(this.#underWayIds[place] ?? 'the run itself'),
      });
      const running = unprobed ? [] : first.waves.flatMap((wave) => wave.checks);
      const { there, gone } = await takeCensus(session, chosen, running, mayWrite(this.target, this.options));
      for (const result of gone) this.#keep(result);
      const planned = gone.length === 0 ? first : scheduled(there);
      keepLeftOut(planned);
      for (const wave of planned.waves) await this.#runWave(wave, session);
    });
  }

  /** Runs the checks of a wave. Before the first sleep, tests whether a move of the clock has an effect. */
  async #runWave(wave: Wave, session: Session): Promise<void> {
    const still = wave.checks.filter((check) => sleepsOf(check) === 0);
    const isKnown = this.#isClockSeen || this.options.unprobed === true || !session.offers.has('clock');
    if (isKnown || still.length === wave.checks.length) return this.#runChecks(wave, session);
    this.#isClockSeen = true;
    if (still.length > 0) await this.#runChecks({ ...wave, checks: still }, session);
    await this.#orStop(() => this.#lookAtClock(session));
    await this.#runChecks({ ...wave, checks: wave.checks.filter((check) => !still.includes(check)) }, session);
  }

  async #lookAtClock(session: Session): Promise<void> {
    const { control, barrier } = session;
    if (control === undefined || session.clockFault !== undefined) return;
    try {
      const fault = await clockFault(session, control);
      if (fault !== undefined) return loseClock(session, fault);
      // The model sees the time of the clock.
      barrier.setNow((await control.advance(0)).nowMs);
    } catch (error) {
      if (!(error instanceof ControlFault)) throw error;
      loseClock(session, error.message);
    }
  }

  async #runChecks(wave: Wave, session: Session): Promise<void> {
    const { barrier } = session;
    if (this.#wire.stopped !== undefined) return;
    if (session.observedSec > 0) barrier.setNow(this.options.nowWallMs());
    if (wave.waitSec > 0) await barrier.run([(turn) => turn.sleepUntil(barrier.nowMs + wave.waitSec * 1_000)]);
    const job = (check: Check) => (turn: Turn) => this.#runOne(check, session, turn);
    const own = wave.checks.filter((check) => !reusesAgents(session.offers, check));
    const sharing = wave.checks.filter((check) => reusesAgents(session.offers, check)).map(job);
    const inTurn = async (turn: Turn): Promise<void> => {
      for (const one of sharing) await one(turn);
    };
    const run = (checks: readonly Check[], ...more: readonly Job[]): Promise<void> => {
      this.#underWayIds = checks.map(({ id }) => id);
      return barrier.run([...checks.map(job), ...more]);
    };
    if (!wave.exclusive) return run(own, inTurn);
    for (const check of own) await run([check]);
  }

  async #runOne(check: Check, session: Session, turn: Turn): Promise<void> {
    if (this.#wire.stopped !== undefined) return;
    const { failFast = false, lookMs } = this.options;
    const verdict = this.#keep(await runCheck(check, session, turn, lookMs === undefined ? {} : { lookMs }));
    if (failFast && verdict === 'fail')
      this.#wire.stop(`${check.id} failed, and the run stops at the first`, { why: { kind: 'first-failure' } });
  }

  #noteJudged({ evidence }: EndedCheck): void {
    const { onJudged } = this.options;
    if (onJudged === undefined) return;
    for (const { clauses } of evidence) for (const clause of clauses) this.#shown.add(clause);
    const judged = [...this.#inReach].filter((clause) => this.#shown.has(clause) || this.#traffic?.hasJudged(clause));
    onJudged(judged.length, this.#inReach.size);
  }

  /** Keeps an ended check, and reports its verdict from the evidence so far. */
  #keep(kept: EndedCheck): Verdict {
    const ended = this.#ignoresAddresses ? withAddressReason(kept) : kept;
    this.#ended.set(ended.id, ended);
    this.#live?.end(ended.id, ended.evidence);
    this.#reportDeviations();
    // If replies are missing, deviations are no evidence.
    const against = this.#wire.hasGaps ? [] : (this.#traffic?.againstOf(ended.id) ?? []);
    const seen = against.filter(({ endpoint }) => this.#isServed(endpoint));
    const {
      transcript: _,
      evidence: __,
      withheld: ___,
      ...outcome
    } = judgedRun(ended, seen, this.options.strict === true);
    this.#noteJudged(ended);
    this.options.onResult?.(this.#redacted(outcome));
    return outcome.verdict;
  }
}
