/**
 * The random streams of all agents, with a count of draws for each agent and purpose. Keys come from chance/, storage
 * from the agents' lines.
 */

import type { RandomStream } from '../../scenarios/behaviours/random-stream.js';
import {
  PURPOSE_COUNT,
  PURPOSE_COUNT_PLAIN,
  PURPOSES,
  type Purpose,
  type StreamKey,
  uniform,
} from '../chance/counter-random.js';
import { InversionStream } from '../chance/inversion-stream.js';
import { type Agents, drawCountAt, streamKeyAt } from './agents.js';

/**
 * Purposes whose draw counts are in the agent's line, since every heartbeat draws for them; the index is the place
 * there.
 */
const IN_LINE: readonly Purpose[] = [PURPOSES.heartbeat, PURPOSES.outage];

/**
 * Every agent's random streams: `of(agent, purpose)` points this object at one of them, and behaviours draw from it. One object
 * serves all, so that a draw allocates nothing.
 */
export class AgentStreams extends InversionStream {
  readonly #lines: Int32Array;
  /** How many numbers each agent has drawn for the other purposes. */
  readonly drawn: Int32Array;
  /** By purpose: its place in the line, or -1. */
  readonly #places: readonly number[];
  #agent = 0;
  #purpose: Purpose = 0;

  readonly #width: number;

  /** `features`: whether the scenario uses purposes of features. */
  constructor(agents: Agents, features: boolean) {
    super();
    this.#lines = agents.words;
    this.#width = features ? PURPOSE_COUNT : PURPOSE_COUNT_PLAIN;
    this.drawn = new Int32Array(agents.size * this.#width);
    this.#places = Array.from({ length: PURPOSE_COUNT }, (_, purpose) => IN_LINE.indexOf(purpose as Purpose));
  }

  /** Gives an agent its key. Its streams start again at their first draw. */
  setKey(agent: number, { high, low }: StreamKey): void {
    const at = streamKeyAt(agent);
    this.#lines[at] = high;
    this.#lines[at + 1] = low;
    this.drawn.fill(0, agent * this.#width, (agent + 1) * this.#width);
    for (let place = 0; place < IN_LINE.length; place += 1) this.#lines[drawCountAt(agent, place)] = 0;
  }

  /** The key of an agent. */
  keyOf(agent: number): StreamKey {
    const at = streamKeyAt(agent);
    return { high: this.#lines[at]!, low: this.#lines[at + 1]! };
  }

  /** The n-th uniform number of an agent for a purpose that is not counted here. */
  uniformAt(agent: number, purpose: number, n: number): number {
    const at = streamKeyAt(agent);
    return uniform(this.#lines[at]!, this.#lines[at + 1]!, purpose, n);
  }

  /** Points this at a stream. It is valid until the next call. */
  of(agent: number, purpose: Purpose): RandomStream {
    this.#agent = agent;
    this.#purpose = purpose;
    return this;
  }

  uniform(): number {
    const at = streamKeyAt(this.#agent);
    return uniform(this.#lines[at]!, this.#lines[at + 1]!, this.#purpose, this.#nextCount());
  }

  /** Counts a draw, and returns how many came before it. */
  #nextCount(): number {
    const agent = this.#agent;
    const purpose = this.#purpose;
    const place = this.#places[purpose]!;
    const counts = place < 0 ? this.drawn : this.#lines;
    const at = place < 0 ? agent * this.#width + purpose : drawCountAt(agent, place);
    const n = counts[at]!;
    counts[at] = n + 1;
    return n;
  }
}
