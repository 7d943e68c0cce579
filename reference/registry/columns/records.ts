/**
 * The records that the state keeps in addition to its columns: SIGILs, sponsorships, flags, subsidies, partners, deliveries.
 * They are plain data; the rules that change them are in the files of their names.
 */

import type { FeeType, PartnerEvent } from '../../../spec/vocabulary.js';

/** 2.7: the SIGIL of an agent; its identity class and beat are in the agent's columns. */
export interface Sigil {
  readonly name: string;
  readonly principal: string;
  readonly tier: string;
  /** The signature of its birth record on the ledger; empty until that is written (D-45). */
  birthTx: string;
  readonly paymentTx: string;
  generation: number;
}

/** The deposits of a registry: those that each agent has paid and no freeze has taken, by row, and the sums of both. */
export interface Deposits {
  readonly byAgent: Map<number, number>;
  heldLamports: number;
  forfeitedLamports: number;
}

/** A value that can be used once, for a limited time: a nonce of one flow, or a registration token. */
export interface OneTime {
  readonly flow: string;
  readonly expiresAtMs: number;
  /** The terms that a challenge fixed; absent without any. */
  readonly bound?: Readonly<Record<string, string | number>>;
}

/** D-31: credited beats that an authorization has reserved; they are free again when it expires. */
export interface Reservation {
  readonly authorization: string;
  readonly beats: number;
  readonly expiresAtMs: number;
}

/** 3.4: `active`, or why the sponsorship was revoked. Expiry follows from the time and is no state (D-30). */
type SponsorshipState = 'active' | 'revoked' | 'revoked-by-sponsor-freeze';

/** 2.10: an ancestor's sponsorship of one descendant. */
export interface Sponsorship {
  readonly parent: number;
  readonly child: number;
  readonly createdAtMs: number;
  heartbeatsEpochMax: number;
  expiresAtMs: number | null;
  state: SponsorshipState;
  /** The billing epoch in which `used` counts (D-30: it starts at 0 in each). */
  epoch: number;
  used: number;
}

/** Every sponsorship, by child and by parent. */
export interface Sponsorships {
  readonly byChild: Map<number, Sponsorship[]>;
  /** The same objects as in `byChild`. */
  readonly byParent: Map<number, Sponsorship[]>;
}

/** 3.5 and D-36: the status of a flag. */
export type FlagStatus = 'pending' | 'sustained' | 'dismissed' | 'resolved';

/** 2.12: a complaint by one agent about another. */
export interface Flag {
  readonly id: string;
  readonly reporter: number;
  readonly target: number;
  readonly assertedClass: string;
  readonly reason: string;
  readonly createdAtMs: number;
  status: FlagStatus;
}

/** 2.11: a discount for one agent on one type of fee. */
export interface Subsidy {
  readonly agent: number;
  readonly feeType: FeeType;
  readonly discountBps: number;
  readonly floorLamports: number;
  readonly reason: string;
  /** The last moment at which it applies, Unix ms; null without an end. */
  readonly validUntilMs: number | null;
}

/** 2.13: a partner's webhook, and the events that it gets. */
export interface Webhook {
  readonly url: string;
  readonly events: readonly PartnerEvent[];
  readonly secret: string;
}

/** 5: a partner; its number is its index in `registry.partners`. */
export interface Partner {
  readonly name: string;
  /** D-37: the text by which registrations name this partner. */
  readonly ref: string;
  readonly keyDigest: string;
  keyExpired: boolean;
  suspended: boolean;
  webhook: Webhook | null;
}

/** An event that waits to be delivered to a partner. */
export interface Delivery {
  readonly id: string;
  readonly partner: number;
  readonly agent: number;
  readonly event: PartnerEvent;
  /** The exact body, since the signature covers its bytes (6, rule 2). */
  readonly body: string;
  /** Failed attempts. */
  failures: number;
  /** When the next attempt is due, Unix ms. */
  dueAtMs: number;
}

/**
 * Events that have not been delivered. The registry does not deliver; `settleDelivery` gets the result of each attempt.
 */
export interface Outbox {
  /** By partner and agent, in the order of the events. Only the first delivery of a lane may be attempted. */
  readonly lanes: Map<string, Delivery[]>;
  /** D-37: deliveries that have failed for good. */
  readonly dead: Delivery[];
  /** How many events have been written so far. */
  emitted: number;
}
