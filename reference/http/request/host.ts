import { createService, type Service, type ServiceOptions } from '../../service.js';
import type { Command } from '../../store/journal.js';
import { type BeatPool, createBeatPool } from './beat-pool.js';
import type { Clock } from './clock.js';
import { type Courier, createCourier } from './courier.js';
import type { PaymentLookup } from './payment.js';
import { createLimiter, type Limiter } from './rate-limit.js';

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
  /** Asks the ledger that fees are paid on; absent: fees are paid on the service's own. */
  lookUpPayment?: PaymentLookup;
}

/** A host whose service starts now. */
export function createHost(options: ServiceOptions, clock: Clock, trustForwardedFor: boolean): Host {
  const service = createService(options);
  const [limiter, courier, beats] = [createLimiter(), createCourier(), createBeatPool()];
  return { service, limiter, courier, beats, clock, trustForwardedFor };
}

/** Begins anew: no agents, anchor 0, empty limits. */
export function resetHost(host: Host, seed: number, nowMs: number): void {
  host.service = createService({ ...host.service.options, seed, startMs: nowMs });
  host.limiter = createLimiter();
  host.courier.stop.abort();
  host.courier = createCourier();
}
