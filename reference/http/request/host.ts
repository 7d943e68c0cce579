/** The objects that the three apps of a server share, and how they are made and reset. It has no logic of its own. */

import type { RateWindow } from '../../../spec/rate-window.js';
import type { Seed } from '../../registry/columns/stream.js';
import { createService, type Service, type ServiceOptions } from '../../service.js';
import { type BeatPool, createBeatPool } from './beat-pool.js';
import type { Clock } from './clock.js';
import { createDeliveryAttempts, type DeliveryAttempts } from './delivery-attempts.js';
import type { Keeper } from './keeper.js';
import type { PaymentLookup } from './payment.js';
import { createRateLimiter, type RateLimiter } from './rate-limit.js';
import type { RemoteMemos } from './remote-memos.js';

/** The shared objects: service, clock, rate limits, deliveries. A reset replaces some of them. */
export interface Host {
  service: Service;
  limiter: RateLimiter;
  deliveries: DeliveryAttempts;
  /** Recomputes the beats of proofs. */
  readonly beatPool: BeatPool;
  /** Set once, after the state of the journal has been restored. */
  clock: Clock;
  /** Whether the client's address is taken from X-Forwarded-For (D-34). */
  readonly trustForwardedFor: boolean;
  /** The key of the HMAC of a delivery: the bytes behind a secret's hex, or its text (D-58). */
  readonly signsWithBytes: boolean;
  /** Keeps accepted commands on the disk; absent: the state is in memory only. */
  keeper?: Keeper;
  /** Writes memos to another ledger; absent without one, or without an account that pays its fee. */
  memos?: RemoteMemos;
  /** Looks payments up on another ledger; absent: fees are paid on the service's own. */
  lookUpPayment?: PaymentLookup;
}

/** How a host takes its callers. */
export interface HostOptions {
  /** Whether a client's address is read from X-Forwarded-For. */
  readonly trustForwardedFor: boolean;
  readonly rateWindow?: RateWindow | undefined;
  /** Deliveries are signed with the bytes that the hex of a secret encodes, in place of its text (D-58). */
  readonly signsWithBytes?: boolean | undefined;
}

/** Makes a host whose service starts now. */
export function createHost(
  options: ServiceOptions,
  clock: Clock,
  { trustForwardedFor, rateWindow, signsWithBytes = false }: HostOptions,
): Host {
  const service = createService(options);
  const [limiter, deliveries, beatPool] = [createRateLimiter(rateWindow), createDeliveryAttempts(), createBeatPool()];
  return { service, limiter, deliveries, beatPool, clock, trustForwardedFor, signsWithBytes };
}

/** Starts over: no agents, anchor 0, empty rate limits. */
export function resetHost(host: Host, seed: Seed, nowMs: number): void {
  host.service = createService({ ...host.service.options, seed, startMs: nowMs });
  host.limiter = createRateLimiter(host.limiter.form);
  host.deliveries.stop.abort();
  host.deliveries = createDeliveryAttempts();
}
