/**
 * The reference of the lab: its three servers on loopback with a clock that the page moves, and a population of simulated agents that
 * lives as time moves. Agents decide as in a simulation, and call the same handlers as any client.
 */

import { manualClock } from '../../../reference/http/request/clock.js';
import type { Host } from '../../../reference/http/request/host.js';
import { type Running, startServers } from '../../../reference/http/server/server.js';
import type { Service, ServiceOptions } from '../../../reference/service.js';
import { serviceFingerprint } from '../../../reference/state-digest.js';
import type { Scenario } from '../../../scenarios/scenario.js';
import { DriverError, type HttpReply, type Send, type ServerAgent } from '../../../simulator/server/http-target.js';
import { startSideBySide } from '../../../simulator/server/side-by-side.js';
import { GENESIS_MS } from '../../../simulator/world/world.js';
import { dialects } from '../../../spec/dialect.js';
import { CONTROL_PATH } from '../../../spec/endpoint.js';
import { ActionRefused } from '../action.js';
import { Acting } from './acting.js';
import { History, type HistoryLimits, type PastState } from './history.js';
import { InProcess, type InProcessRequest } from './in-process.js';
import { type Moment, noteMoment } from './moments.js';
import { Player } from './player.js';
import { type LoggedRequest, RequestLog } from './request-log.js';

const MS = 1_000;
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
  /** Why the population no longer lives, if so. */
  ended: string | undefined;
  readonly #listeners: ReferenceListeners;
  readonly #calls: InProcess;
  #driver: Awaited<ReturnType<typeof startSideBySide>>['driver'] | undefined;
  #population: Awaited<ReturnType<typeof startSideBySide>>['seconds'] | undefined;
  /** The agents whose heartbeats are left out: the Authorization of each by its hash. */
  readonly #silent = new Map<string, string>();
  #second = 0;
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
    limits: HistoryLimits | undefined,
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
    limits?: HistoryLimits,
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
      await made.#populate(scenario, seed);
    } catch (error) {
      await running.close();
      throw error;
    }
    return made;
  }

  async #populate(scenario: Scenario, seed: number): Promise<void> {
    const { running } = this;
    const { protocol } = scenario;
    const { seconds, driver } = await startSideBySide(scenario, seed, {
      ...{ baseUrl: running.baseUrl, beatsUrl: running.beatsUrl, protocol },
      control: { url: running.controlUrl, token: running.controlToken },
      messagePrefix: dialects.service.messagePrefix,
      send: this.#send(),
    });
    this.#population = seconds;
    this.#driver = driver;
    this.#mark();
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
    while (this.#population !== undefined && GENESIS_MS + (this.#second + 1) * MS <= untilMs) {
      await this.#playSecond();
      if (!goOn()) return;
      if (this.#second % MOMENT_SEC === 0) this.#noteMoment();
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
    if (isThere && past.same === null) {
      past.fingerprint = serviceFingerprint(past.host.service);
      past.same = past.fingerprint === serviceFingerprint(this.running.host.service);
    }
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
    return this.#driver?.clientOf(hash);
  }

  /** Whether the heartbeats of an agent of the population are left out. */
  isSilent(hash: string): boolean {
    return this.#silent.has(hash);
  }

  /** Leaves out the heartbeats of an agent of the population, or no longer. */
  silence(hash: string, on: boolean): void {
    if (on) this.#silent.set(hash, this.clientOf(hash)?.headers['authorization'] ?? '');
    else this.#silent.delete(hash);
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

  async #playSecond(): Promise<void> {
    this.#second += 1;
    try {
      const played = await this.#population?.next();
      if (played?.done === true) this.#end(`the scenario ${this.scenario.name} has ended`);
    } catch (error) {
      // The user may have changed the state under it, such as by a key that was revoked: time goes on without it.
      if (!(error instanceof Error)) throw error;
      if (this.#isClosing) return;
      if (!(error instanceof DriverError)) this.#listeners.onError(error);
      this.#end(error.message);
    }
  }

  #mark(): void {
    const { service, clock } = this.running.host;
    this.history.mark(service, clock.nowMs(), this.log.counts);
  }

  #noteMoment(): void {
    const { host } = this.running;
    noteMoment(this.moments, host.service.registry, host.clock.nowMs());
  }

  #end(why: string): void {
    this.#population = undefined;
    this.ended = why;
  }

  /** Sends the population's calls without sockets, through the same apps and the same log. */
  #send(): Send {
    const { controlUrl } = this.running;
    return async ({ method, url, headers, body }) => {
      // A second of many agents is many calls.
      await this.#serveOthers();
      if (this.#isClosing) throw new DriverError('the lab is being closed');
      if (!url.startsWith(controlUrl)) {
        if (url.endsWith(HEARTBEAT_PATH) && this.#isLeftOut(headers)) return { status: 0, body: {} };
        return this.answer({ method, url, headers, body: JSON.stringify(body) });
      }
      const path = url.slice(`${controlUrl}${CONTROL_PATH}/`.length);
      return this.#calls.control(method, path, path === 'clock/advance' ? this.#untilNow(body) : Object(body));
    };
  }

  #isLeftOut({ authorization = '' }: Readonly<Record<string, string>>): boolean {
    return this.#silent.size > 0 && [...this.#silent.values()].includes(authorization);
  }

  /** The population's clock follows the server's, which the user may have moved ahead of it. */
  #untilNow(body: unknown): object {
    const { ms } = Object(body) as { readonly ms: number };
    const ahead = this.running.host.clock.nowMs() - (GENESIS_MS + this.#second * MS);
    return { ms: ms === 0 ? 0 : Math.max(0, -ahead) };
  }
}

const HEARTBEAT_PATH = '/agent/heartbeat';
