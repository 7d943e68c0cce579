/**
 * The seam for heartbeat behaviours of the user's own: the question that one is asked, and the answers that it may give. Those that come with the package
 * are in heartbeat-policy.ts.
 */

import type { HeartbeatPolicy, HeartbeatView } from './heartbeat-policy.js';
import type { RandomStream } from './random-stream.js';

/** The `options` of the scenario: plain values for the behaviour. */
export type BehaviourOptions = Readonly<Record<string, number | string | boolean>>;

/** When a decision is made, and what the agent can see then. */
export interface Decision {
  /** The second that is played, since the start. */
  readonly nowSec: number;
  /** The second of the anchor that freezes the agent without another sign of life. */
  readonly freezesAtSec: number;
  /** The other facts that an agent can look up. It is the same object at every decision: keep none of it. */
  readonly view: Omit<HeartbeatView, 'behaviour' | 'power'>;
  /** The agent's own draws for its heartbeats: one number for each call. */
  readonly random: RandomStream;
}

/**
 * When an agent sends its heartbeats. Both are pure functions of what they are given: no clock, no Math.random, nothing kept from one
 * call to the next. They return a whole second after `nowSec`.
 */
export interface HeartbeatBehaviour {
  /** The next heartbeat after a sign of life. */
  next(decision: Decision, options: BehaviourOptions): number;
  /** The first heartbeat of an agent; absent: as `next` says. */
  first?(decision: Decision, options: BehaviourOptions): number;
}

/** Behaviours by the name under which scenarios ask for them. */
export type Behaviours = ReadonlyMap<string, HeartbeatBehaviour>;

/** An answer that no behaviour may give, or an error in one. */
export class BehaviourFault extends Error {
  override readonly name = 'BehaviourFault';
}

/** The second that a behaviour answers. Throws BehaviourFault for one that is not a whole second after `nowSec`. */
export function ownSec(
  which: 'next' | 'first',
  { behaviour: name, options }: Extract<HeartbeatPolicy, { policy: 'own' }>,
  decision: Decision & { readonly view: HeartbeatView },
): number {
  const behaviour = decision.view.behaviour(name);
  const { nowSec } = decision;
  const { freezesAtSec, view, random } = decision;
  const shown = { nowSec, freezesAtSec, view: new ShownView(view), random: new ShownStream(random) };
  if (!Object.isFrozen(options)) Object.freeze(options);
  let second: unknown;
  try {
    second =
      which === 'first' && behaviour.first !== undefined
        ? behaviour.first(shown, options)
        : behaviour.next(shown, options);
  } catch (error) {
    throw new BehaviourFault(`behaviour ${name} failed at ${nowSec} s: ${thrownText(error)}`);
  }
  if (typeof second === 'number' && Number.isSafeInteger(second) && second > nowSec) return second;
  const answer = typeof second === 'number' || second === undefined || second === null ? `${second}` : kindOf(second);
  throw new BehaviourFault(`behaviour ${name} answered ${answer} at ${nowSec} s: it must be a whole second after that`);
}

/** The facts that an agent can look up, of which nothing can be changed: what a behaviour writes there would be met by other agents. */
class ShownView implements Omit<HeartbeatView, 'behaviour' | 'power'> {
  readonly #view: HeartbeatView;
  constructor(view: HeartbeatView) {
    this.#view = view;
  }
  get epoch(): number {
    return this.#view.epoch;
  }
  get epochEndsSec(): number {
    return this.#view.epochEndsSec;
  }
  get freezeAfterSec(): number {
    return this.#view.freezeAfterSec;
  }
  get walletLamports(): number {
    return this.#view.walletLamports;
  }
  get epochHeartbeats(): number {
    return this.#view.epochHeartbeats;
  }
  costLamports(count: number): number {
    return this.#view.costLamports(count);
  }
}

/** Draws of which nothing can be changed. */
class ShownStream implements RandomStream {
  readonly #random: RandomStream;
  constructor(random: RandomStream) {
    this.#random = random;
  }
  uniform(): number {
    return this.#random.uniform();
  }
  exponential(mean: number): number {
    return this.#random.exponential(mean);
  }
  logNormal(mean: number, sigma: number): number {
    return this.#random.logNormal(mean, sigma);
  }
  weibull(mean: number, shape: number): number {
    return this.#random.weibull(mean, shape);
  }
}
for (const { prototype } of [ShownView, ShownStream]) Object.freeze(prototype);

const kindOf = (value: unknown): string => (typeof value === 'object' ? 'an object' : `a ${typeof value}`);

/** The first line of what was thrown, whatever it is: a user's code may throw any value, even errors that throw when they are read. */
export function thrownText(thrown: unknown): string {
  if (typeof thrown === 'string') return firstLine(thrown);
  if (typeof thrown !== 'object' || thrown === null) return `${thrown === null ? 'null' : kindOf(thrown)} was thrown`;
  try {
    const { message } = thrown as { readonly message?: unknown };
    return typeof message === 'string' ? firstLine(message) : 'an object without a message was thrown';
  } catch {
    return 'an object was thrown that cannot be read';
  }
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
