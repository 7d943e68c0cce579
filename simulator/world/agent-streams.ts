import type { RandomStream } from '../../scenarios/behaviours/random-stream.js';
import {
  PURPOSE_COUNT,
  PURPOSE_COUNT_PLAIN,
  PURPOSES,
  type Purpose,
  streamKey,
  uniform,
} from '../chance/counter-random.js';
import { InversionStream } from '../chance/inversion-stream.js';
import { type Agents, drawCountAt, streamKeyAt } from './agents.js';

/** Purposes whose draws are counted in the agent's line, since every heartbeat draws for them; by their place there. */
const IN_LINE: readonly Purpose[] = [PURPOSES.heartbeat, PURPOSES.outage];

/**
 * The luck of every agent, handed out one stream at a time: `of(agent, purpose)` points this at a stream, and behaviours
 * draw from it. One object serves them all, so that a draw costs none.
 */
export class AgentStreams extends InversionStream {
  private readonly lines: Int32Array;
  /** How many numbers an agent has drawn for the other purposes. */
  readonly drawn: Int32Array;
  /** By purpose: its place in the line, or -1. */
  private readonly places: readonly number[];
  private agent = 0;
  private purpose: Purpose = 0;

  private readonly width: number;

  /** `features`: whether the purposes of features are drawn for. */
  constructor(agents: Agents, features: boolean) {
    super();
    this.lines = agents.words;
    this.width = features ? PURPOSE_COUNT : PURPOSE_COUNT_PLAIN;
    this.drawn = new Int32Array(agents.size * this.width);
    this.places = Array.from({ length: PURPOSE_COUNT }, (_, purpose) => IN_LINE.indexOf(purpose as Purpose));
  }

  /** Gives an agent the key of its place in its population. */
  key(agent: number, seed: number, population: string, member: number): void {
    const { high, low } = streamKey(seed, population, member);
    const at = streamKeyAt(agent);
    this.lines[at] = high;
    this.lines[at + 1] = low;
  }

  of(agent: number, purpose: Purpose): RandomStream {
    this.agent = agent;
    this.purpose = purpose;
    return this;
  }

  uniform(): number {
    const { lines, agent, purpose } = this;
    const at = streamKeyAt(agent);
    return uniform(lines[at]!, lines[at + 1]!, purpose, this.next());
  }

  /** Counts a draw, and answers how many went before it. */
  private next(): number {
    const { agent, purpose } = this;
    const place = this.places[purpose]!;
    const counts = place < 0 ? this.drawn : this.lines;
    const at = place < 0 ? agent * this.width + purpose : drawCountAt(agent, place);
    const n = counts[at]!;
    counts[at] = n + 1;
    return n;
  }
}
