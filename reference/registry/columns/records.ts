import type { FeeType, IdentityClass, PartnerEvent, SigilTier } from '../../../spec/vocabulary.js';

/** 2.7: what a SIGIL adds to the columns of its agent. */
export interface Sigil {
  readonly name: string;
  readonly principal: string;
  readonly tier: SigilTier;
  /** The signature of its birth record on the ledger; empty until that is written (D-45). */
  birthTx: string;
  readonly paymentTx: string;
  generation: number;
}

/** A value that is good once and for a while: a nonce, bound to its flow, or a registration token. */
export interface OneTime {
  readonly flow: string;
  readonly expiresAtMs: number;
  /** What a challenge fixed; absent where it fixes nothing. */
  readonly bound?: Readonly<Record<string, string | number>>;
}

/** D-31: credited beats that an authorization has taken and that are free again when it expires. */
export interface Reservation {
  readonly authorization: string;
  readonly beats: number;
  readonly expiresAtMs: number;
}

/** 3.4: why a sponsorship no longer holds; `active` while it does. Expiry is a matter of time, not of state (D-30). */
export type SponsorshipState = 'active' | 'revoked' | 'revoked-by-sponsor-freeze';

/** 2.10: one ancestor's promise to one descendant. */
export interface Sponsorship {
  readonly parent: number;
  readonly child: number;
  readonly createdAtMs: number;
  heartbeatsEpochMax: number;
  expiresAtMs: number | null;
  state: SponsorshipState;
  /** The billing epoch of `used` (D-30: it begins anew with each). */
  epoch: number;
  used: number;
}

/** Every sponsorship, by its two ends. */
export interface Sponsorships {
  readonly byChild: Map<number, Sponsorship[]>;
  /** The same objects again. */
  readonly byParent: Map<number, Sponsorship[]>;
}

/** 3.5 and D-36. */
export type FlagStatus = 'pending' | 'sustained' | 'dismissed' | 'resolved';

/** 2.12: one complaint. */
export interface Flag {
  readonly id: string;
  readonly reporter: number;
  readonly target: number;
  readonly assertedClass: IdentityClass;
  readonly reason: string;
  readonly createdAtMs: number;
  status: FlagStatus;
}

/** Every complaint, the oldest first, and `<reporter>:<target>` of those that are pending. */
export interface Flags {
  readonly list: Flag[];
  readonly pendingPairs: Set<string>;
}

/** 2.11: a discount on one type of fee for one agent. */
export interface Subsidy {
  readonly agent: number;
  readonly feeType: FeeType;
  readonly discountBps: number;
  readonly floorLamports: number;
  readonly reason: string;
  /** The last moment at which it counts, Unix ms; null for no end. */
  readonly validUntilMs: number | null;
}

/** 2.13: where a partner wants which events. */
export interface Webhook {
  readonly url: string;
  readonly events: readonly PartnerEvent[];
  readonly secret: string;
}

/** 5: a partner; its number is its place in `registry.partners`. */
export interface Partner {
  readonly name: string;
  /** D-37: what a registration carries to be under this partner. */
  readonly ref: string;
  readonly keyDigest: string;
  keyExpired: boolean;
  suspended: boolean;
  webhook: Webhook | null;
}

/** One event on its way to one partner. */
export interface Delivery {
  readonly id: string;
  readonly partner: number;
  readonly agent: number;
  readonly event: PartnerEvent;
  /** The body, to the byte: it is what the signature is over (6, rule 2). */
  readonly body: string;
  /** Attempts that have failed. */
  failures: number;
  /** When the next attempt is due, Unix ms. */
  dueAtMs: number;
}

/** Deliveries that have not been made. Whether one succeeds is not the registry's to know: it is told by `settle`. */
export interface Outbox {
  /** By partner and agent, in the order of their events: only the first of a lane may be attempted. */
  readonly lanes: Map<string, Delivery[]>;
  /** D-37: what failed to the last. */
  readonly dead: Delivery[];
  /** How many events have ever been written here. */
  emitted: number;
}
