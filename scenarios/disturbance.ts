/**
 * Faults and interventions of a scenario, resolved. Their form in a file is in disturbance-schema.ts; what they do is
 * in the simulator.
 */

import type { Overlay } from '../spec/overlay.js';
import type { FeeType } from '../spec/vocabulary.js';
import type { DurationDistribution } from './behaviours/duration.js';
import type { PaymentFaultRates } from './behaviours/payment-faults.js';

/** The agents that a disturbance affects: each agent of these populations with probability `share`. */
export interface AffectedAgents {
  /** Indexes of populations. */
  readonly populations: readonly number[];
  readonly share: number;
}

/** Something that goes wrong around the agents. Its name keys its random draws, so that adding other faults does not change them. */
export type ScenarioFault =
  /** Agents are cut off from the service at the same time. Their work goes on. */
  | {
      readonly kind: 'outage';
      readonly name: string;
      readonly atSec: number;
      readonly forSec: number;
      readonly affected: AffectedAgents;
    }
  /** The same, recurring at random. */
  | {
      readonly kind: 'outages';
      readonly name: string;
      readonly up: DurationDistribution;
      readonly down: DurationDistribution;
      readonly affected: AffectedAgents;
    }
  /** No anchor is issued. With `catchUp` all delayed anchors are issued in the second in which the stall ends. */
  | {
      readonly kind: 'anchor_stall';
      readonly name: string;
      readonly atSec: number;
      readonly forSec: number;
      readonly catchUp: boolean;
    }
  /** The ledger delays or drops payments of heartbeats and SIGILs. */
  | {
      readonly kind: 'payments';
      readonly name: string;
      readonly atSec: number;
      readonly forSec: number;
      readonly rates: PaymentFaultRates;
    };

/** A single change to the protocol or to agents. Its name keys its random draws. */
export type Intervention =
  /** Protocol numbers change. */
  | { readonly kind: 'protocol'; readonly name: string; readonly atSec: number; readonly set: Overlay }
  /** Keys are revoked (D-15). Each agent learns of it at its next call, and stops for good. */
  | { readonly kind: 'revoke_keys'; readonly name: string; readonly atSec: number; readonly affected: AffectedAgents }
  /** Registered agents get a discount (4.17). */
  | {
      readonly kind: 'subsidy';
      readonly name: string;
      readonly atSec: number;
      readonly affected: AffectedAgents;
      readonly feeType: FeeType;
      readonly discountBps: number;
      /** Null: the protocol's own floor. */
      readonly floorLamports: number | null;
      /** Null: no expiry. */
      readonly forSec: number | null;
    }
  /** Numbers of the protocol are multiplied again and again, so that a measure stays at its target. */
  | Hold;

/** Every `everySec` from `atSec` on, each number is its first value times a factor, which answers the period that has just ended. */
export interface Hold {
  readonly kind: 'hold';
  readonly name: string;
  /** The first period begins here. */
  readonly atSec: number;
  readonly everySec: number;
  /** Fees a day, or the share of the time until departure in which agents are active and online. */
  readonly measure: 'revenue' | 'heartbeat_revenue' | 'availability';
  /** Lamports a day, or a share. */
  readonly target: number;
  /** The populations whose revenue or availability is measured, by index. */
  readonly populations: readonly number[];
  /** Paths of numbers. */
  readonly numbers: readonly string[];
  /** The factor is multiplied by (target / measured) to this power. */
  readonly gain: number;
  /** The bounds of the factor. */
  readonly factorMin: number;
  readonly factorMax: number;
}

/**
 * The last millisecond of a period that begins at `fromMs` and lasts `forSec`. The service counts the moment of an expiry as part of the time
 * (4.17), and the second in which a time of a scenario ends is no part of it.
 */
export function lastMsOf(fromMs: number, forSec: number): number {
  return fromMs + forSec * 1_000 - 1;
}
