import type { Luck } from '../scenarios/behaviours/luck.js';
import { exponential, logNormal, weibull } from './samplers.js';
import { agentKey, PURPOSE_COUNT, type Purpose, uniform } from './stream.js';

const DRAWN = 2;
const WIDTH = DRAWN + PURPOSE_COUNT;

/**
 * The luck of every agent, handed out one stream at a time: `of(agent, purpose)` points this at a stream, and behaviours
 * draw from it. One object serves them all, so that a draw costs none.
 */
export class AgentLuck implements Luck {
  /** By agent: its key in two words, then by purpose how many numbers have been drawn. Together, since they are used so. */
  private readonly words: Int32Array;
  private agent = 0;
  private purpose: Purpose = 0;

  constructor(agents: number) {
    this.words = new Int32Array(agents * WIDTH);
  }

  /** Gives an agent the key of its place in its population. */
  key(agent: number, seed: number, population: string, member: number): void {
    const { high, low } = agentKey(seed, population, member);
    this.words[agent * WIDTH] = high;
    this.words[agent * WIDTH + 1] = low;
  }

  of(agent: number, purpose: Purpose): Luck {
    this.agent = agent;
    this.purpose = purpose;
    return this;
  }

  /** Reads what a draw of this agent will need (see warm.ts). */
  peek(agent: number): number {
    return this.words[agent * WIDTH]! + this.words[agent * WIDTH + WIDTH - 1]!;
  }

  uniform(): number {
    const { words, purpose } = this;
    const at = this.agent * WIDTH;
    const n = words[at + DRAWN + purpose]!;
    words[at + DRAWN + purpose] = n + 1;
    return uniform(words[at]!, words[at + 1]!, purpose, n);
  }

  exponential(mean: number): number {
    return exponential(this.uniform(), mean);
  }

  logNormal(mean: number, sigma: number): number {
    return logNormal(this.uniform(), mean, sigma);
  }

  weibull(mean: number, shape: number): number {
    return weibull(this.uniform(), mean, shape);
  }
}
