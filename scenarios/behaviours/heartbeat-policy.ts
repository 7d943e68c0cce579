/**
 * When an agent sends its heartbeats: pure decisions on a view and a random stream. Whether one is accepted is the
 * registry's rule (4.5).
 */

import { DAY_SEC } from '../../spec/time.js';
import { drawValue } from './duration.js';
import { type BehaviourOptions, type HeartbeatBehaviour, ownSec } from './own-behaviour.js';
import type { RandomStream } from './random-stream.js';

/** Policies that depend on fees that they do not pay yet, or on the end of the epoch. */
export const LOOKING_AHEAD: ReadonlySet<HeartbeatPolicy['policy']> = new Set([
  'budget',
  'thrifty',
  'elastic',
  'straddle',
  'own',
]);

/** A policy of sending heartbeats. */
export type HeartbeatPolicy =
  /** Every `everySec`, plus or minus a share `jitter` of it. */
  | { readonly policy: 'interval'; readonly everySec: number; readonly jitter: number }
  /** Before the anchor that would freeze it: `marginSec` earlier, and up to `spreadSec` more at random. */
  | { readonly policy: 'keep_alive'; readonly marginSec: number; readonly spreadSec: number }
  /**
   * Every `everySec` during `forSec` of each day of protocol time, from `fromSec` on; keep-alives in the rest of the
   * day.
   */
  | {
      readonly policy: 'daily';
      readonly fromSec: number;
      readonly forSec: number;
      readonly everySec: number;
      readonly marginSec: number;
    }
  /** As often as a sum for each day pays for, even if that is too seldom to stay active. */
  | { readonly policy: 'budget'; readonly dayLamports: number }
  /** Every `everySec` if heartbeats worth `worthLamports` each pay off over the rest of the epoch; else keep-alives. */
  | {
      readonly policy: 'thrifty';
      readonly everySec: number;
      readonly worthLamports: number;
      readonly marginSec: number;
    }
  /** After `everySec` × (fee / `atLamports`)^`elasticity`, within bounds: the dearer the next heartbeat, the longer the wait. */
  | {
      readonly policy: 'elastic';
      readonly everySec: number;
      readonly atLamports: number;
      readonly elasticity: number;
      readonly shortestSec: number;
      readonly longestSec: number;
    }
  /** Every `everySec` in each `turns`-th epoch, whose count reaches the cheap tiers; keep-alives in the others. */
  | { readonly policy: 'straddle'; readonly everySec: number; readonly turns: number; readonly marginSec: number }
  /** A heartbeat each `beatSec` for `forSec` of every `everySec`; in between it lets itself be frozen. */
  | { readonly policy: 'on_demand'; readonly everySec: number; readonly forSec: number; readonly beatSec: number }
  /** After a wait that is one of some measured ones, the shortest first. */
  | { readonly policy: 'trace'; readonly gapsSec: readonly number[] }
  /** Every `everySec`, whatever the service answers. */
  | { readonly policy: 'spam'; readonly everySec: number }
  /** As a behaviour of the user's own decides: own-behaviour.ts. */
  | { readonly policy: 'own'; readonly behaviour: string; readonly options: BehaviourOptions };

/** The facts besides the time that some policies use. */
export interface HeartbeatView {
  readonly epoch: number;
  readonly epochEndsSec: number;
  /** Seconds from a sign of life to the anchor that freezes the agent. */
  readonly freezeAfterSec: number;
  /** The fees of the next `count` heartbeats of this epoch. */
  costLamports(count: number): number;
  /** Money in the agent's wallet. */
  readonly walletLamports: number;
  /** Heartbeats accepted in this epoch. */
  readonly epochHeartbeats: number;
  /** A number from 0 on to a power, the same on every engine. */
  power(base: number, exponent: number): number;
  /** The behaviour of this name that the run was started with. */
  behaviour(name: string): HeartbeatBehaviour;
}

/**
 * The next heartbeat after a sign of life, in whole seconds since the start and after `nowSec`. `freezesAtSec`: the second of the
 * anchor that would freeze the agent.
 */
export function nextHeartbeatSec(
  policy: HeartbeatPolicy,
  nowSec: number,
  freezesAtSec: number,
  random: RandomStream,
  view: HeartbeatView,
): number {
  switch (policy.policy) {
    case 'interval': {
      const { everySec, jitter } = policy;
      const waitSec = jitter === 0 ? everySec : everySec * (1 + jitter * (2 * random.uniform() - 1));
      return nowSec + Math.max(1, Math.round(waitSec));
    }
    case 'keep_alive': {
      const earlierSec = policy.spreadSec === 0 ? 0 : Math.round(policy.spreadSec * random.uniform());
      return keepAliveSec(nowSec, freezesAtSec, policy.marginSec + earlierSec);
    }
    case 'daily':
      return dailySec(policy, nowSec, freezesAtSec, random);
    case 'budget':
      return nowSec + budgetWaitSec(policy.dayLamports, view);
    case 'thrifty':
      return paysOff(policy, nowSec, view)
        ? nowSec + policy.everySec
        : keepAliveSec(nowSec, freezesAtSec, policy.marginSec);
    case 'elastic':
      return nowSec + elasticWaitSec(policy, view);
    case 'straddle':
      return view.epoch % policy.turns === 0
        ? nowSec + policy.everySec
        : Math.min(
            keepAliveSec(nowSec, freezesAtSec, policy.marginSec),
            // The next epoch may be one with many heartbeats.
            Math.max(nowSec + 1, view.epochEndsSec),
          );
    case 'on_demand':
      return onDemandSec(policy, nowSec, random);
    case 'trace':
      return nowSec + Math.max(1, Math.round(drawValue(policy.gapsSec, random)));
    case 'spam':
      return nowSec + policy.everySec;
    case 'own':
      return ownSec('next', policy, { nowSec, freezesAtSec, view, random });
    default:
      return policy satisfies never;
  }
}

/**
 * The first heartbeat of an agent. Policies with a pace place it at random in their first interval, so that agents that start
 * together spread out; `keep_alive`, `daily` and `trace` place it like any other.
 */
export function firstHeartbeatSec(
  policy: HeartbeatPolicy,
  nowSec: number,
  freezesAtSec: number,
  random: RandomStream,
  view: HeartbeatView,
): number {
  switch (policy.policy) {
    case 'interval':
    case 'thrifty':
    case 'straddle':
    case 'spam':
      return nowSec + 1 + Math.floor(random.uniform() * policy.everySec);
    case 'budget':
      return nowSec + 1 + Math.floor(random.uniform() * budgetWaitSec(policy.dayLamports, view));
    case 'elastic':
      return nowSec + 1 + Math.floor(random.uniform() * elasticWaitSec(policy, view));
    case 'on_demand':
      return nowSec + 1 + Math.floor(random.uniform() * policy.beatSec);
    case 'own':
      return ownSec('first', policy, { nowSec, freezesAtSec, view, random });
    case 'keep_alive':
    case 'daily':
    case 'trace':
      return nextHeartbeatSec(policy, nowSec, freezesAtSec, random, view);
    default:
      return policy satisfies never;
  }
}

function keepAliveSec(nowSec: number, freezesAtSec: number, marginSec: number): number {
  return Math.max(nowSec + 1, freezesAtSec - marginSec);
}

function dailySec(
  { fromSec, forSec, everySec, marginSec }: Extract<HeartbeatPolicy, { policy: 'daily' }>,
  nowSec: number,
  freezesAtSec: number,
  random: RandomStream,
): number {
  const intoDay = (nowSec - fromSec + DAY_SEC) % DAY_SEC;
  if (intoDay + everySec < forSec) return nowSec + everySec;
  const wakesSec = nowSec + (DAY_SEC - intoDay) + Math.floor(random.uniform() * Math.min(everySec, forSec));
  return Math.min(wakesSec, keepAliveSec(nowSec, freezesAtSec, marginSec));
}

function budgetWaitSec(dayLamports: number, view: HeartbeatView): number {
  return Math.max(1, Math.ceil((view.costLamports(1) * DAY_SEC) / dayLamports));
}

function elasticWaitSec(
  { everySec, atLamports, elasticity, shortestSec, longestSec }: Extract<HeartbeatPolicy, { policy: 'elastic' }>,
  view: HeartbeatView,
): number {
  const waitSec = Math.round(everySec * view.power(view.costLamports(1) / atLamports, elasticity));
  return Math.min(longestSec, Math.max(shortestSec, waitSec));
}

/** Whether heartbeats at its pace to the end of the epoch are worth more, after fees, than keep-alives. */
function paysOff(
  { everySec, worthLamports, marginSec }: Extract<HeartbeatPolicy, { policy: 'thrifty' }>,
  nowSec: number,
  view: HeartbeatView,
): boolean {
  const leftSec = Math.max(0, view.epochEndsSec - nowSec);
  const gain = (count: number): number => count * worthLamports - view.costLamports(count);
  const often = Math.ceil(leftSec / everySec);
  const enough = Math.ceil(leftSec / Math.max(1, view.freezeAfterSec - marginSec));
  return gain(often) > gain(enough);
}

function onDemandSec(
  { everySec, forSec, beatSec }: Extract<HeartbeatPolicy, { policy: 'on_demand' }>,
  nowSec: number,
  random: RandomStream,
): number {
  const into = nowSec % everySec;
  if (into + beatSec < forSec) return nowSec + beatSec;
  return nowSec - into + everySec + Math.floor(random.uniform() * Math.min(beatSec, forSec));
}
