/**
 * The seam for heartbeat behaviours of the user's own: the question that one is asked, and the answers that it may give. Those that come with the package
 * are in heartbeat-policy.ts.
 */

import type { HeartbeatPolicy, HeartbeatView } from './heartbeat-policy.js';
import type { RandomStream } from './random-stream.js';

/** The `options` of the scenario: plain values, of which the behaviour makes what it likes. */
export type BehaviourOptions = Readonly<Record<string, number | string | boolean>>;

/** When a decision is made, and what the agent can see then. */
export interface Decision {
  /** The second that is played, since the start. */
  readonly nowSec: number;
  /** The second of the anchor that freezes the agent without another sign of life. */
  readonly freezesAtSec: number;
  /** The other facts that an agent can look up. It is the same object at every decision: keep none of it. */
  readonly view: Omit<HeartbeatView, 'behaviour'>;
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
  let second: number;
  try {
    second =
      which === 'first' && behaviour.first !== undefined
        ? behaviour.first(decision, options)
        : behaviour.next(decision, options);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new BehaviourFault(`behaviour ${name} failed at ${nowSec} s: ${error.message}`);
  }
  if (Number.isSafeInteger(second) && second > nowSec) return second;
  throw new BehaviourFault(`behaviour ${name} answered ${second} at ${nowSec} s: it must be a whole second after that`);
}
