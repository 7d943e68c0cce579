/**
 * The simulated agents of the lab's reference. They decide as in a simulation, and call the same handlers as any client, second by second of
 * protocol time, without sockets. The heartbeats of single agents can be left out.
 */

import type { Running } from '../../../reference/http/server/server.js';
import type { Scenario } from '../../../scenarios/scenario.js';
import type { HttpReply, Send, ServerAgent } from '../../../simulator/server/http-target.js';
import { startSideBySide } from '../../../simulator/server/side-by-side.js';
import { GENESIS_MS } from '../../../simulator/world/world.js';
import { dialects } from '../../../spec/dialect.js';
import { CONTROL_PATH } from '../../../spec/endpoint.js';
import type { InProcess } from './in-process.js';

const SECOND_MS = 1_000;
const HEARTBEAT_PATH = '/agent/heartbeat';

/** The parts of the reference that a population uses. */
interface Home {
  readonly running: Running;
  readonly calls: InProcess;
  /** Called before each call: a second of many agents is many calls. Throws a `DriverError` where the lab is being closed. */
  readonly beforeCall: () => Promise<void>;
}

/** A population that lives as time moves. */
export class LivingPopulation {
  /** Why the population no longer lives, if so. */
  ended: string | undefined;
  readonly #scenario: Scenario;
  readonly #home: Home;
  #driver: Awaited<ReturnType<typeof startSideBySide>>['driver'] | undefined;
  #seconds: Awaited<ReturnType<typeof startSideBySide>>['seconds'] | undefined;
  /** The agents whose heartbeats are left out: the Authorization of each by its hash. */
  readonly #silent = new Map<string, string>();
  #second = 0;

  private constructor(scenario: Scenario, home: Home) {
    this.#scenario = scenario;
    this.#home = home;
  }

  /** Starts the population of a scenario at its first second. */
  static async start(scenario: Scenario, seed: number, home: Home): Promise<LivingPopulation> {
    const made = new LivingPopulation(scenario, home);
    const { running } = home;
    const { seconds, driver } = await startSideBySide(scenario, seed, {
      ...{ baseUrl: running.baseUrl, beatsUrl: running.beatsUrl, protocol: scenario.protocol },
      control: { url: running.controlUrl, token: running.controlToken },
      messagePrefix: dialects.service.messagePrefix,
      send: made.#send(),
    });
    made.#seconds = seconds;
    made.#driver = driver;
    return made;
  }

  /** The seconds of the scenario that have been played. */
  get second(): number {
    return this.#second;
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
  }

  /** Whether its next second is over by a moment. */
  isDue(untilMs: number): boolean {
    return this.#seconds !== undefined && GENESIS_MS + (this.#second + 1) * SECOND_MS <= untilMs;
  }

  /** Plays its next second. Returns the error that ends it: the user may have changed the state under it, such as by a key that was revoked. */
  async playSecond(): Promise<Error | undefined> {
    this.#second += 1;
    try {
      const played = await this.#seconds?.next();
      if (played?.done === true) this.#end(`the scenario ${this.#scenario.name} has ended`);
      return undefined;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#end(error.message);
      return error;
    }
  }

  #end(why: string): void {
    this.#seconds = undefined;
    this.ended = why;
  }

  /** Sends the population's calls through the same apps and the same log as those of clients. */
  #send(): Send {
    const { running, calls, beforeCall } = this.#home;
    return async ({ method, url, headers, body }): Promise<HttpReply> => {
      await beforeCall();
      if (!url.startsWith(running.controlUrl)) {
        if (url.endsWith(HEARTBEAT_PATH) && this.#isLeftOut(headers)) return { status: 0, body: {} };
        return calls.answer({ method, url, headers, body: JSON.stringify(body) });
      }
      const path = url.slice(`${running.controlUrl}${CONTROL_PATH}/`.length);
      return calls.control(method, path, path === 'clock/advance' ? this.#untilNow(body) : Object(body));
    };
  }

  #isLeftOut({ authorization = '' }: Readonly<Record<string, string>>): boolean {
    return this.#silent.size > 0 && [...this.#silent.values()].includes(authorization);
  }

  /** The population's clock follows the server's, which the user may have moved ahead of it. */
  #untilNow(body: unknown): object {
    const { ms } = Object(body) as { readonly ms: number };
    const ahead = this.#home.running.host.clock.nowMs() - (GENESIS_MS + this.#second * SECOND_MS);
    return { ms: ms === 0 ? 0 : Math.max(0, -ahead) };
  }
}
