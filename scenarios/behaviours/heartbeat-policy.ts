import type { RandomStream } from './random-stream.js';

/** When an agent beats. */
export type HeartbeatPolicy =
  /** Every so often, give or take a share `jitter` of it. */
  | { readonly policy: 'interval'; readonly everySec: number; readonly jitter: number }
  /** As late as it dares: `marginSec` before the anchor that would freeze it, or up to `spreadSec` earlier than that. */
  | { readonly policy: 'keep_alive'; readonly marginSec: number; readonly spreadSec: number }
  /** Often from one hour of the day (of protocol time) on, and for the rest of the day just enough to stay alive. */
  | {
      readonly policy: 'daily';
      readonly fromSec: number;
      readonly forSec: number;
      readonly everySec: number;
      readonly marginSec: number;
    }
  /** As often as a daily sum pays for, whatever that does to its life. */
  | { readonly policy: 'budget'; readonly dayLamports: number }
  /** A heartbeat beyond those that keep it alive is worth `worthLamports`: it makes them where the rest of the epoch pays. */
  | {
      readonly policy: 'thrifty';
      readonly everySec: number;
      readonly worthLamports: number;
      readonly marginSec: number;
    }
  /** Puts what it may put off into every `turns`-th epoch, where its count runs into the cheap tiers. */
  | { readonly policy: 'straddle'; readonly everySec: number; readonly turns: number; readonly marginSec: number }
  /** Alive for `forSec` of every `everySec` only, with a heartbeat each `beatSec`; in between it lets itself be frozen. */
  | { readonly policy: 'on_demand'; readonly everySec: number; readonly forSec: number; readonly beatSec: number }
  /** Every so often, whatever the service answers. */
  | { readonly policy: 'spam'; readonly everySec: number };

/** What an agent knows besides the time, for the policies that look further. */
export interface HeartbeatView {
  readonly epoch: number;
  readonly epochEndsSec: number;
  /** Seconds from a sign of life to the anchor that freezes. */
  readonly freezeAfterSec: number;
  /** What the next so many heartbeats of this epoch cost together. */
  costLamports(count: number): number;
}

const DAY_SEC = 86_400;

/**
 * When an agent that has just proved to be alive beats next, in whole seconds since the start and after `nowSec`.
 * `freezesAtSec`: when the anchor is issued that would freeze it.
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
    case 'straddle':
      return view.epoch % policy.turns === 0
        ? nowSec + policy.everySec
        : Math.min(
            keepAliveSec(nowSec, freezesAtSec, policy.marginSec),
            // The epoch after may be one for haste.
            Math.max(nowSec + 1, view.epochEndsSec),
          );
    case 'on_demand':
      return onDemandSec(policy, nowSec, random);
    case 'spam':
      return nowSec + policy.everySec;
    default:
      return policy satisfies never;
  }
}

/** When an agent that may beat for the first time does so: anywhere in its first interval, so that a crowd spreads out. */
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
    case 'on_demand':
      return nowSec + 1 + Math.floor(random.uniform() * policy.beatSec);
    case 'keep_alive':
    case 'daily':
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
  const wakesSec = nowSec + (DAY_SEC - intoDay) + Math.floor(random.uniform() * everySec);
  return Math.min(wakesSec, keepAliveSec(nowSec, freezesAtSec, marginSec));
}

function budgetWaitSec(dayLamports: number, view: HeartbeatView): number {
  return Math.max(1, Math.ceil((view.costLamports(1) * DAY_SEC) / dayLamports));
}

/** Whether beating at its pace to the end of the epoch leaves more than beating just enough. */
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
