import { setMaxListeners } from 'node:events';

/** How many deliveries are under way at once. */
export const ATTEMPTS_AT_ONCE_MAX = 64;

/** Deliveries under way for one registry. What waits is the registry's own state; this counts only what is under way. */
export interface DeliveryAttempts {
  /** Attempts by lane: one at a time, so that a partner gets the events of an agent in their order. */
  readonly attempts: Map<string, Promise<void>>;
  readonly stop: AbortController;
  /** Attempts that succeeded and failed, since the start. */
  delivered: number;
  failed: number;
  /** The last look at the outbox: how much had been written to it by then, and when something of it is due. */
  seen: number;
  nextDueMs: number;
}

/** A courier without work. */
export function createDeliveryAttempts(): DeliveryAttempts {
  const stop = new AbortController();
  // Each attempt listens to it, and Node warns of a leak at eleven.
  setMaxListeners(ATTEMPTS_AT_ONCE_MAX, stop.signal);
  return { attempts: new Map(), stop, delivered: 0, failed: 0, seen: 0, nextDueMs: 0 };
}
