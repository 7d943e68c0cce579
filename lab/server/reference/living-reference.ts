/**
 * The reference of the lab: its three servers on loopback with a clock that the page moves, and a population of simulated agents that
 * lives as time moves. Agents decide as in a simulation, and call the same handlers as any client.
 */

import { manualClock } from '../../../reference/http/request/clock.js';
import type { Host } from '../../../reference/http/request/host.js';
import { type Running, startServers } from '../../../reference/http/server/server.js';
import type { Service, ServiceOptions } from '../../../reference/service.js';
import type { Scenario } from '../../../scenarios/scenario.js';
import { DriverError, type HttpReply, type ServerAgent } from '../../../simulator/server/http-target.js';
import { GENESIS_MS } from '../../../simulator/world/world.js';
import { dialects } from '../../../spec/dialect.js';
import { ActionRefused } from '../action.js';
import { Acting } from './acting.js';
import { History, type HistoryLimits, type Mark, type PastState } from './history.js';
import { InProcess, type InProcessRequest } from './in-process.js';
import { LivingPopulation } from './living-population.js';
import { type Moment, noteMoment } from './moments.js';
import { Player } from './player.js';
import { type LoggedRequest, RequestLog } from './request-log.js';

/** Between two words about a clock that moves. */
const TOLD_EVERY_MS = 100;
/** The longest time that a population occupies the event loop; a request of the suite takes several turns. */
const TURN_MS = 2;

/** Listeners of the reference. */
interface ReferenceListeners {
  readonly onRequest: (entry: LoggedRequest) => void;
  /** Time has moved, or something else than a request has changed the state. */
  readonly onChange: () => void;
  /** A copy of an earlier moment has gone through an accepted command of an agent, or past a refusal. */
  readonly onReplayed?: (name: string, agent: number) => void;
  readonly onRefusedAgain?: (entry: LoggedRequest) => void;
  /** Called with an error that is a bug, so that it is not lost. */
  readonly onError: (error: unknown) => void;
}

/** Between two moments of the picture. */
const MOMENT_SEC = 300;

/** A reference with a population. */
export class LivingReference {
  readonly running: Running;
  readonly history: History;
  readonly log: RequestLog;
  readonly scenario: Scenario;
  /** Acts for agents, as their clients would. */
  readonly acting = new Acting(this);
  /** Plays time at a speed. */
  readonly player = new Player(this);
  /** The copy of an earlier moment that is shown, if one is. */
  past: PastState | undefined;
  /** The population over time, for its picture. */
  readonly moments: Moment[] = [];
  /** The simulated agents, once they are there. */
  population: LivingPopulation | undefined;
  readonly #listeners: ReferenceListeners;
  readonly #calls: InProcess;
  #turn: Promise<unknown> = Promise.resolve();
  #moving = false;
  #isClosing = false;
  /** When others were last served, in ms of this process. */
  #servedMs = 0;
  #toldMs = 0;

  private constructor(
    running: Running,
    options: ServiceOptions,
    scenario: Scenario,
    log: RequestLog,
    listeners: ReferenceListeners,
    limits: Partial<HistoryLimits> | undefined,
  ) {
    this.running = running;
    this.scenario = scenario;
    this.log = log;
    this.#listeners = listeners;
    this.history = new History(options, limits);
    running.host.keeper = this.history.keeper;
    this.#calls = new InProcess(running, log);
  }

  /** Starts the servers on free ports, and the population at its first second. */
  static async start(
    scenario: Scenario,
    seed: number,
    listeners: ReferenceListeners,
    limits?: Partial<HistoryLimits>,
  ): Promise<LivingReference> {
    const { protocol } = scenario;
    const policy = { network: 'devnet', registrationSecret: null, byoWallet: true, beatsRequired: true } as const;
    const service = { protocol, dialect: dialects.service, policy, seed, startMs: GENESIS_MS };
    const log = new RequestLog(listeners.onRequest);
    let host: Host | undefined;
    const hostNow = (): Host => host as Host;
    const running = await startServers({
      service,
      clock: manualClock,
      trustForwardedFor: true,
      bind: '127.0.0.1',
      ports: { registry: 0, beats: 0, control: 0 },
      around: (app) => log.around(app, hostNow),
    });
    host = running.host;
    const made = new LivingReference(running, service, scenario, log, listeners, limits);
    try {
      made.population = await LivingPopulation.start(scenario, seed, {
        ...{ running, calls: made.#calls },
        beforeCall: () => made.#beforeCall(),
      });
      made.#mark();
    } catch (error) {
      await running.close();
      throw error;
    }
    return made;
  }

  /** The state that is shown: the present, or the copy of an earlier moment. */
  get shown(): { readonly service: Service; readonly nowMs: number } {
    const { past, running } = this;
    const host = past?.host ?? running.host;
    return { service: host.service, nowMs: past?.atMs ?? host.clock.nowMs() };
  }

  get isMoving(): boolean {
    return this.#moving;
  }

  /** Moves time forward; the population lives through it. One advance follows the other. */
  advance(ms: number): Promise<void> {
    return this.#inTurn(async () => {
      this.#moving = true;
      try {
        await this.#move(this.running.host.clock.nowMs() + ms, () => !this.#isClosing);
      } finally {
        this.#moving = false;
        this.settle();
      }
    });
  }

  /**
   * Plays on for a time: the present lives, a copy of an earlier moment goes through what happened then. `goOn` is asked after each second of
   * the present. Returns false where a copy has come to the present.
   */
  playOn(ms: number, goOn: () => boolean): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.past !== undefined) return this.#playCopy(this.past, ms, goOn);
      await this.#move(this.running.host.clock.nowMs() + ms, () => goOn() && !this.#isClosing);
      this.#tellNowAndThen();
      return true;
    });
  }

  /** Reports an error that is a bug, unless the lab is being closed. */
  failed(error: unknown): void {
    if (!this.#isClosing) this.#listeners.onError(error);
  }

  /** Notes the moment in picture and history: time has come to a rest. */
  settle(): void {
    if (this.#isClosing) return;
    this.#noteMoment();
    this.#mark();
    this.#listeners.onChange();
  }

  async #move(untilMs: number, goOn: () => boolean): Promise<void> {
    const { clock } = this.running.host;
    let reportedMs = performance.now();
    this.#servedMs = reportedMs;
    const { population } = this;
    while (population?.isDue(untilMs) === true) {
      await this.#playSecond(population);
      if (!goOn()) return;
      if (population.second % MOMENT_SEC === 0) this.#noteMoment();
      if (this.history.isDue) this.#mark();
      await this.#serveOthers();
      if (this.#servedMs - reportedMs < TOLD_EVERY_MS) continue;
      this.#listeners.onChange();
      reportedMs = this.#servedMs;
    }
    if (untilMs > clock.nowMs()) await this.control('POST', 'clock/advance', { ms: untilMs - clock.nowMs() });
  }

  /** Slices of time that plays come more often than anybody reads. */
  #tellNowAndThen(): void {
    const nowMs = performance.now();
    if (this.#isClosing || nowMs - this.#toldMs < TOLD_EVERY_MS) return;
    this.#toldMs = nowMs;
    this.#listeners.onChange();
  }

  async #playCopy(past: PastState, ms: number, goOn: () => boolean): Promise<boolean> {
    const presentMs = this.running.host.clock.nowMs();
    const untilMs = Math.min(past.atMs + ms, presentMs);
    const fromMs = past.atMs;
    while (past.atMs < untilMs && goOn() && past === this.past) {
      await this.history.forward(past, this.history.markUntil(past, untilMs), {
        goOn: () => this.#requireOpen(),
        onCommand: ({ name, agent }) => this.#listeners.onReplayed?.(name, agent),
      });
    }
    for (const entry of this.log.latest)
      if (entry.refused !== undefined && entry.atMs > fromMs && entry.atMs <= past.atMs)
        this.#listeners.onRefusedAgain?.(entry);
    const isThere = past.atMs >= presentMs;
    if (isThere && past.same === null) past.same = this.#mark().fingerprint === this.history.fingerprint(past);
    this.#tellNowAndThen();
    return !isThere;
  }

  /** A control call, as any client could make it. */
  async control(method: string, path: string, body: object): Promise<HttpReply> {
    const reply = await this.#calls.control(method, path, body);
    this.#listeners.onChange();
    return reply;
  }

  /** The client of an agent of the population; undefined for any other agent. */
  clientOf(hash: string): ServerAgent | undefined {
    return this.population?.clientOf(hash);
  }

  /** Leaves out the heartbeats of an agent of the population, or no longer. */
  silence(hash: string, on: boolean): void {
    this.population?.silence(hash, on);
    this.#listeners.onChange();
  }

  /** A request to a service, without a socket; `logged` gets its entry of the log. */
  async answer(request: InProcessRequest, logged?: (entry: LoggedRequest) => void): Promise<HttpReply> {
    const reply = await this.#calls.answer(request, logged);
    // The population reports what it does with each move of time.
    if (logged !== undefined) this.#listeners.onChange();
    return reply;
  }

  /** Opens the copy of an earlier moment. */
  back(atMs: number): Promise<PastState> {
    return this.#inTurn(async () => {
      this.past = await this.history.at(atMs, () => this.#requireOpen());
      this.#listeners.onChange();
      return this.past;
    });
  }

  /** Closes the copy: the page shows the present again. */
  present(): void {
    this.past = undefined;
    this.#listeners.onChange();
  }

  /** Ends open work, however many agents move, and closes the servers. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.player.pause();
    await this.#turn.catch(() => undefined);
    await this.running.close();
  }

  #requireOpen(): void {
    if (this.#isClosing) throw new ActionRefused(503, 'CLOSING', 'the lab is being closed');
  }

  async #beforeCall(): Promise<void> {
    await this.#serveOthers();
    if (this.#isClosing) throw new DriverError('the lab is being closed');
  }

  /** Lets other work of this process be done, signals among it, where this has kept it waiting for long enough. */
  async #serveOthers(): Promise<void> {
    if (performance.now() - this.#servedMs < TURN_MS) return;
    await new Promise<void>((served) => setImmediate(served));
    this.#servedMs = performance.now();
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(run, run);
    this.#turn = next;
    return next;
  }

  async #playSecond(population: LivingPopulation): Promise<void> {
    const error = await population.playSecond();
    if (error !== undefined && !(error instanceof DriverError) && !this.#isClosing) this.#listeners.onError(error);
  }

  #mark(): Mark {
    const { service, clock } = this.running.host;
    return this.history.mark(service, clock.nowMs(), this.log.counts);
  }

  #noteMoment(): void {
    const { host } = this.running;
    noteMoment(this.moments, host.service.registry, host.clock.nowMs());
  }
}
