import { catchUp, createService, type ObservedPayment, type Service, type ServiceOptions } from '../service.js';
import type { Command } from '../store/journal.js';
import { type BeatPool, createBeatPool } from './beat-pool.js';
import type { Clock } from './clock.js';
import { type Courier, createCourier } from './courier.js';
import { createLimiter, type Limiter } from './rate-limit.js';

/** What a look-up of a payment found: what came of it, that nobody knows it, or why nobody can say. */
export type LookedUp = ObservedPayment | 'unknown' | { readonly unavailable: string };

/** What the three apps share: the service, its clock and its rate limits. `reset` puts new ones in their place. */
export interface Host {
  service: Service;
  limiter: Limiter;
  courier: Courier;
  /** Recomputes the beats of proofs. */
  readonly beats: BeatPool;
  readonly clock: Clock;
  /** Take the client's address from X-Forwarded-For (D-34). */
  readonly trustForwardedFor: boolean;
  /** Makes an accepted command durable before its reply leaves; absent: the state lives in memory alone. */
  record?: (command: Command) => void;
  /** Looks a payment up on somebody else's ledger; absent: fees are paid on the service's own. Never rejects. */
  payments?: (signature: string) => Promise<LookedUp>;
}

/** A host whose service starts now. */
export function createHost(options: ServiceOptions, clock: Clock, trustForwardedFor: boolean): Host {
  const service = createService(options);
  const [limiter, courier, beats] = [createLimiter(), createCourier(), createBeatPool()];
  return { service, limiter, courier, beats, clock, trustForwardedFor };
}

/** The name of the command that records how far a clock that runs by itself has come. */
export const TICK = 'clock:tick';

/**
 * The moment of a call, with every anchor issued that was due by then. What a reply shows of them, and who is frozen by
 * them, must hold after a restart too: so that they were issued is kept before anyone hears of it.
 */
export function arrive(host: Host): number {
  const { service, clock } = host;
  const nowMs = clock.nowMs();
  const { nextAnchorMs } = service;
  catchUp(service, nowMs);
  if (service.nextAnchorMs !== nextAnchorMs) recordTime(host, nowMs);
  return nowMs;
}

/** Keeps how far the clock has come. A clock that is moved by calls needs none of this: those are kept themselves. */
export function recordTime({ clock, record }: Host, nowMs: number): void {
  if (clock.advance === undefined) record?.({ at: nowMs, name: TICK, agent: -1, body: null, given: {} });
}

/** Begins anew: no agents, anchor 0, empty limits. */
export function resetHost(host: Host, seed: number, nowMs: number): void {
  host.service = createService({ ...host.service.options, seed, startMs: nowMs });
  host.limiter = createLimiter();
  host.courier.stop.abort();
  host.courier = createCourier();
}
