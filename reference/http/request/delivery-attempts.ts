/**
 * The webhook deliveries that are under way. It is no part of the state: deliveries that wait are in the registry's
 * outbox, and dispatch.ts makes the attempts.
 */

import { setMaxListeners } from 'node:events';

/** The most deliveries that are under way at once. */
export const ATTEMPTS_AT_ONCE_MAX = 64;

/** Attempts under way for one registry. */
export interface DeliveryAttempts {
  /** Attempts by lane: one at a time, so that a partner gets the events of an agent in their order. */
  readonly attempts: Map<string, Promise<void>>;
  readonly stop: AbortController;
  /** Successful and failed attempts since the start. */
  delivered: number;
  failed: number;
  /** `emitted` of the outbox when it was last read, and the time at which the next delivery is due. */
  seen: number;
  nextDueMs: number;
}

/** Makes the record of a registry for which no delivery is under way. */
export function createDeliveryAttempts(): DeliveryAttempts {
  const stop = new AbortController();
  // Each attempt listens to the signal, and Node warns of a leak at eleven listeners.
  setMaxListeners(ATTEMPTS_AT_ONCE_MAX, stop.signal);
  return { attempts: new Map(), stop, delivered: 0, failed: 0, seen: 0, nextDueMs: 0 };
}
