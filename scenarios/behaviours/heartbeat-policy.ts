import type { Luck } from './luck.js';

/** When an agent beats. */
export type HeartbeatPolicy =
  /** Every so often, give or take a share `jitter` of it. */
  | { readonly policy: 'interval'; readonly everySec: number; readonly jitter: number }
  /** As late as it dares: `marginSec` before the anchor that would freeze it, or up to `spreadSec` earlier than that. */
  | { readonly policy: 'keep_alive'; readonly marginSec: number; readonly spreadSec: number };

/**
 * When an agent that has just proved to be alive beats next, in whole seconds since the start and after `nowSec`.
 * `freezesAtSec`: when the anchor is issued that would freeze it.
 */
export function nextHeartbeatSec(policy: HeartbeatPolicy, nowSec: number, freezesAtSec: number, luck: Luck): number {
  switch (policy.policy) {
    case 'interval': {
      const { everySec, jitter } = policy;
      const waitSec = jitter === 0 ? everySec : everySec * (1 + jitter * (2 * luck.uniform() - 1));
      return nowSec + Math.max(1, Math.round(waitSec));
    }
    case 'keep_alive': {
      const earlierSec = policy.spreadSec === 0 ? 0 : Math.round(policy.spreadSec * luck.uniform());
      return Math.max(nowSec + 1, freezesAtSec - policy.marginSec - earlierSec);
    }
    default:
      return policy satisfies never;
  }
}

/** When an agent that has just got its SIGIL beats first: anywhere in its first interval, so that a crowd spreads out. */
export function firstHeartbeatSec(policy: HeartbeatPolicy, nowSec: number, freezesAtSec: number, luck: Luck): number {
  if (policy.policy === 'interval') return nowSec + 1 + Math.floor(luck.uniform() * policy.everySec);
  return nextHeartbeatSec(policy, nowSec, freezesAtSec, luck);
}
