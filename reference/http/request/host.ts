import { createService, type Service, type ServiceOptions } from '../../service.js';
import type { Command } from '../../store/journal.js';
import { type BeatPool, createBeatPool } from './beat-pool.js';
import type { Clock } from './clock.js';
import { createDeliveryAttempts, type DeliveryAttempts } from './delivery-attempts.js';
import type { PaymentLookup } from './payment.js';
import { createRateLimiter, type RateLimiter } from './rate-limit.js';

/** What the three apps share: the service, its clock and its rate limits. `reset` puts new ones in their place. */
export interface Host {
  service: Service;
  limiter: RateLimiter;
  deliveries: DeliveryAttempts;
  /** Recomputes the beats of proofs. */
  readonly beatPool: BeatPool;
  readonly clock: Clock;
  /** Take the client's address from X-Forwarded-For (D-34). */
  readonly trustForwardedFor: boolean;
  /** Makes an accepted command durable before its reply leaves; absent: the state lives in memory alone. */
  record?: (command: Command) => void;
  /** Asks the ledger that fees are paid on; absent: fees are paid on the service's own. */
  lookUpPayment?: PaymentLookup;
}

/** A host whose service starts now. */
export function createHost(options: ServiceOptions, clock: Clock, trustForwardedFor: boolean): Host {
  const service = createService(options);
  const [limiter, deliveries, beatPool] = [createRateLimiter(), createDeliveryAttempts(), createBeatPool()];
  return { service, limiter, deliveries, beatPool, clock, trustForwardedFor };
}

/** Begins anew: no agents, anchor 0, empty limits. */
export function resetHost(host: Host, seed: number, nowMs: number): void {
  host.service = createService({ ...host.service.options, seed, startMs: nowMs });
  host.limiter = createRateLimiter();
  host.deliveries.stop.abort();
  host.deliveries = createDeliveryAttempts();
}
