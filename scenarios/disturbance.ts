import type { Overlay } from '../spec/overlay.js';
import type { FeeType } from '../spec/vocabulary.js';
import type { DurationDistribution } from './behaviours/outage.js';
import type { PaymentFaultRates } from './behaviours/payment-faults.js';

/** Whom something befalls: each agent of these populations with this probability. */
export interface AffectedAgents {
  /** Indexes of populations. */
  readonly populations: readonly number[];
  readonly share: number;
}

/** What goes wrong around the agents. */
export type ScenarioFault =
  /** Agents are cut off from the service all at once. What they compute goes on. */
  | { readonly kind: 'outage'; readonly atSec: number; readonly forSec: number; readonly whom: AffectedAgents }
  /** The same again and again, at random. */
  | {
      readonly kind: 'outages';
      readonly up: DurationDistribution;
      readonly down: DurationDistribution;
      readonly whom: AffectedAgents;
    }
  /** No anchor is issued. With `catchUp` those that are owed come all at once, in the second in which it ends. */
  | { readonly kind: 'anchor_stall'; readonly atSec: number; readonly forSec: number; readonly catchUp: boolean }
  /** The ledger delays and drops payments of heartbeats and SIGILs. */
  | { readonly kind: 'payments'; readonly atSec: number; readonly forSec: number; readonly trouble: PaymentFaultRates };

/** What somebody does to the protocol or to agents, once. */
export type Intervention =
  /** Numbers of the protocol change. */
  | { readonly kind: 'protocol'; readonly atSec: number; readonly set: Overlay }
  /** Keys are revoked (D-15). Their agents learn of it from the next call, and are never heard of again. */
  | { readonly kind: 'revoke_keys'; readonly atSec: number; readonly whom: AffectedAgents }
  /** Registered agents get a discount (4.17). */
  | {
      readonly kind: 'subsidy';
      readonly atSec: number;
      readonly whom: AffectedAgents;
      readonly feeType: FeeType;
      readonly discountBps: number;
      /** Null: the protocol's own floor. */
      readonly floorLamports: number | null;
      /** Null: without end. */
      readonly forSec: number | null;
    };
