/**
 * Runs the suite against one target: opening, waves of checks, and the result. It knows no check and makes no verdict.
 */

import { median } from 'simple-statistics';
import type { Evidence, Judgement } from '../../model/evidence.js';
import type { CheckOutcome, ConformanceResult, Verdict } from '../../results/conformance-result.js';
import { clausesIn } from '../../spec/dialect-clauses.js';
import { endpointNamed } from '../../spec/endpoint-ids.js';
import { Unjudged } from '../assertions/unjudged.js';
import { allChecks } from '../checks/index.js';
import { conclude } from '../judge/conclude.js';
import { settled } from '../judge/not-served.js';
import type { End, EndedCheck, RunRecord } from '../judge/record.js';
import { judgedRun, notTested, stoppedBy } from '../judge/verdict.js';
import { ChainPool } from '../protocol/chain-pool.js';
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

/** How a run is made. */
export interface ConformOptions extends Selection {
  /** Names, keys, wallets and addresses of every check follow from it. */
  readonly seed: number;
  /** The number of checks that may be awake at the same time; 16 by default. */
  readonly concurrency?: number;
  /** Deviations from decisions count as those from the text. */
  readonly strict?: boolean;
  /** Ends the run early; its reason says who did (`AbortController.abort('SIGINT')`). What has been judged so far is kept. */
  readonly signal?: AbortSignal;
  /** Stops after the first failure. */
  readonly failFast?: boolean;
  /** Cuts the run to one judgement a clause: fewer checks, which judge the same clauses. */
  readonly quick?: boolean;
  /** Clauses that a quick run need not judge: one of another deployment has judged them. */
  readonly judged?: ReadonlySet<string>;
  /** Lets checks write to a host that is not this machine. */
  readonly allowWrites?: boolean;
  /** The percentage of the must clauses that must be judged for a run to count. */
  readonly requireJudged?: number;
  readonly toolVersion: string;
  /** Milliseconds of the wall clock. */
  readonly nowWallMs: () => number;
  /** Seconds that checks may wait in real time if the target's clock cannot be moved; 0 by default. */
  readonly waitSec?: number;
  /** Waits `ms` milliseconds of the clock that `nowWallMs` shows; absent: a timer of this process. */
  readonly waitMs?: (ms: number) => Promise<void>;
  /** Called when all checks wait for time to pass, with the end of the wait (ms of the wall clock) and how many wait. */
  readonly onWait?: (untilMs: number, waiting: number) => void;
  /** Called with the check for which all others have waited since the last call: for measuring. */
  readonly onWaited?: (check: string) => void;
  /** Called with the number of hashes of each chain of beats before it is computed: for measuring. */
  readonly onHashes?: (hashes: number) => void;
  /** Used instead of HTTP: for tests, and to break replies on purpose. */
  readonly transport?: Transport;
  /** Used instead of a receiver of webhooks that listens: for recordings. */
  readonly receive?: typeof WebhookReceiver.start;
  /** Used instead of the whole suite. */
  readonly checks?: readonly Check[];
  /** Called with the number of open computations of beat chains and of open waits, whenever it changes. */
  readonly onBusy?: (underWay: number) => void;
  /** Called with each result at once, to show progress. */
  readonly onResult?: (result: CheckOutcome) => void;
  /** Called before `onResult` with the number of clauses that are judged, and of those in reach of the run's checks. */
  readonly onJudged?: (judged: number, inReach: number) => void;
  /**
   * Called with each deviation from the text when the model first finds it, the check that sent the request, and its place in the transcript of the
   * check once it has one (0 before); later exchanges may explain the deviation.
   */
  readonly onDeviation?: (evidence: Evidence, check: string, place: () => number) => void;
  /** Called once, before the first request: what can be seen of the run as it goes on. */
  readonly onLive?: (live: LiveRun) => void;
  /** For tests: the target file is believed without probes, and only checks send requests. */
  readonly unprobed?: boolean;
  /** Whether the model judges the traffic; its evidence counts in addition to that of the checks. True by default. */
  readonly model?: boolean;
  /** Adds looks for the model. True by default, except in a quick run; without them a run only sends the requests of its checks. */
  readonly looks?: boolean;
  /** For tests: the time between two tests whether a check is idle. */
  readonly lookMs?: number;
}

/** Judges a target by one run. It never throws because of what the target does. */
export async function conform(target: Target, options: ConformOptions): Promise<ConformanceResult> {
  const { checks = allChecks, requireJudged, strict } = options;
  return conclude([await runSuite(target, options)], { checks, requireJudged, strict });
}

/** Runs the suite against a target, and returns the record of the run. It never throws because of what the target does. */
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

/** A run with its reason replaced: client_ip is given, but the target ignores the header of addresses. */
function namingAddresses(ended: EndedCheck): EndedCheck {
  const { end } = ended;
  const kind = end?.why?.kind;
  if (end === undefined || (kind !== 'address' && kind !== 'client-ip')) return ended;
  return { ...ended, end: { ...end, why: { kind, of: FORWARDED } } };
}

const FORWARDED = 'x-forwarded-for';
const UNSEEN = 'whether the target tells clients apart could not be seen: its replies were lost';

/** Fields of a result that hold the suite's own words: ids, titles and places. */
const OWN_WORDS: ReadonlySet<string> = new Set(
  'schema tool_version id title text section section_title where clauses checks check level state verdict step endpoint'.split(
    ' ',
  ),
);

/** Waits by a timer of this process, until `signal` at the latest. */
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
  /** The target file gives client_ip, but the target does not distinguish clients by it. */
  #ignoresAddresses = false;
  /** The checks of the barrier's jobs, by their places. */
  #underWayIds: readonly string[] = [];
  readonly #waitMs: (ms: number) => Promise<void>;
  readonly #presence: Presence;
  #receiver: WebhookReceiver | undefined;
  readonly #redactor: Redactor;
  #traffic: Traffic | undefined;
  #live: LiveRun | undefined;
  /** Deviations of endpoints that may be missing. */
  #untold: readonly { readonly evidence: Evidence; readonly by: Sender }[] = [];
  /** The checks that a quick run spares. */
  #spared: ReadonlySet<string> = new Set();
  /** The clauses that the run's checks judge, and those of them that checks have judged. */
  #inReach: ReadonlySet<string> = new Set();
  readonly #shown = new Set<string>();

  constructor(
    readonly target: Target,
    readonly options: ConformOptions,
    transport: Transport,
  ) {
    this.#startedMs = options.nowWallMs();
    this.#presence = new Presence(target.unsupported);
    this.#chains = new ChainPool((change) => this.#noteBusy(change), options.onHashes);
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
      this.#untold = [...this.#untold, { evidence, by }];
      this.#tellDeviations();
    };
    const onJudged = ({ response }: Sender, judgement: Judgement): void => {
      if (response !== undefined) this.#live?.judge(response, judgement);
    };
    if (options.model !== false)
      this.#traffic = new Traffic(target, this.#checks, options.nowWallMs, onDeviation, onJudged);
    if (options.onLive === undefined) return;
    this.#live = new LiveRun(this.#redactor, {
      clauses: clausesIn(target.dialect),
      states: () => this.#traffic?.statesSoFar((name) => this.#hasAnswered(name)) ?? (() => 'not-judged'),
      requests: () => this.#wire.requests,
    });
    options.onLive(this.#live);
  }

  /** Tells the deviations of endpoints that have answered by now. */
  #tellDeviations(): void {
    const told = this.#untold.filter(({ evidence }) => this.#hasAnswered(evidence.endpoint));
    this.#untold = this.#untold.filter((each) => !told.includes(each));
    for (const { evidence, by } of told) {
      const place = (): number => (by.response && this.#wire.places.get(by.response)) ?? 0;
      this.options.onDeviation?.(this.#redacted(evidence), by.owner, place);
    }
  }

  /** Only the report names missing endpoints, and an endpoint that has not answered yet may be missing. */
  #hasAnswered(name: string): boolean {
    const id = endpointNamed(name);
    return id === undefined || this.#presence.isServed(id);
  }

  /** Redacts everything that leaves a run. */
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
    const traffic = this.#traffic?.seen(
      {
        hasGaps: this.#wire.hasGaps,
        redactor: this.#redactor,
        placeOf: (reply) => reply && this.#wire.places.get(reply),
        isServed: (endpoint) => this.#isServed(endpoint),
      },
      ended.map(({ id }) => id),
    );
    const { strict = false } = options;
    const runs = settled(chosen, ended, this.#presence, strict).map((each) =>
      judgedRun(each, traffic?.runs[each.id] ?? [], strict),
    );
    return {
      ...this.#redacted({
        target: {
          base_url: target.baseUrl,
          beats_url: target.beatsUrl,
          network: target.network,
          dialect: target.dialect.name,
          offers: [...(offers?.has ?? [])],
        },
        runs,
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
      ...(traffic === undefined ? {} : { traffic }),
    };
  }

  /** False for an endpoint, given by method and path, that has shown itself to be missing. */
  #isServed(name: string): boolean {
    const id = endpointNamed(name);
    return id === undefined || this.#presence.unservedBy(id) === undefined;
  }

  /** Why a chosen check has no result: the run was stopped, or the suite has a fault. */
  #unreported(): End | undefined {
    const { stopped } = this.#wire;
    return stopped === undefined
      ? { verdict: 'error', reason: 'the check never reported' }
      : notTested(stoppedBy(stopped));
  }

  /** Sends one probe, then reads the capabilities of the control API. Stops the run if there is nothing to judge. */
  async #askTarget(): Promise<Offers | undefined> {
    const { control } = this.target;
    return this.#orStop(async () => {
      const { unprobed = false } = this.options;
      if (!unprobed) await probe(this.#wire, this.target, this.options);
      // Only now is it known that the server is the service, so the model begins here.
      this.#wire.watch = this.#traffic?.watch.bind(this.#traffic);
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
      if (this.#traffic !== undefined && !offers.has.has('clock')) this.#traffic.state.isTimed = false;
      if (unprobed) return offers;
      if (!offers.has.has('client-ip')) return offers;
      const apart = await unlessLost(() => tellsClientsApart(this.#wire, this.target, this.options.seed));
      this.#ignoresAddresses = apart === false;
      return apart === true ? offers : withoutOffer(offers, 'client-ip', apart === false ? ADDRESSES_ALIKE : UNSEEN);
    });
  }

  /** Runs steps without which nothing can be judged: if they fail, the run stops. */
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

  /** Runs the checks of a wave; before the first that sleeps, tests the effect of moving the clock. */
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

  /** Keeps an ended check, and reports its verdict with the evidence that the model has so far. */
  #keep(kept: EndedCheck): Verdict {
    const ended = this.#ignoresAddresses ? namingAddresses(kept) : kept;
    this.#ended.set(ended.id, ended);
    this.#live?.end(ended.id, ended.evidence);
    this.#tellDeviations();
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
