/**
 * A registry together with its anchors, its ledger and its keys, as plain state, and the passing of protocol time
 * (D-04, D-05, D-24). Clocks, HTTP and disks are around it, not in it.
 */

import type { Dialect } from '../spec/dialect.js';
import type { Protocol } from '../spec/protocol.js';
import {
  type AnchorChain,
  createAnchorChain,
  issueAnchor,
  isWithinGrace,
  nextDifficulty,
  recentAnchor,
} from './beats/anchor.js';
import { anchorMemo } from './beats/memo-text.js';
import { type SigningKey, signingKey } from './beats/signing.js';
import { type Blockchain, createBlockchain } from './ledger/chain.js';
import { accountOf, addressOf, blockHash, createLedger, type Ledger, memo, openAccount } from './ledger/ledger.js';
import { derivedKey, type Seed } from './registry/columns/stream.js';
import { advanceAnchor } from './registry/dead-man-switch.js';
import { purgeOneTime } from './registry/one-time.js';
import type { Authority } from './registry/passport.js';
import { createRegistry, type Policy, type Registry } from './registry/state.js';

/** The policy that a deployment chooses; the rest of it follows from the service's own keys. */
export type ServicePolicy = Omit<Policy, 'workProofKeyHex' | 'lineage'>;

export interface ServiceOptions {
  readonly protocol: Protocol;
  readonly dialect: Dialect;
  readonly policy: ServicePolicy;
  readonly seed: Seed;
  /** Unix ms of the service's genesis, at which anchor 0 is issued. */
  readonly startMs: number;
  /** Seconds between anchors, if not `anchor.intervalSec` of the protocol. */
  readonly anchorPaceSec?: number;
  /** The payment address on another ledger; absent: fees are paid to an account of the mock ledger. */
  readonly paymentAddress?: string;
}

/** The state of a service. It has no clock; every function takes the time as an argument. */
export interface Service {
  readonly options: ServiceOptions;
  readonly registry: Registry;
  /** The mock ledger. Fees may be paid on another one; the service's own memos are always written here. */
  readonly ledger: Ledger;
  /** The same ledger in the view of JSON-RPC. */
  readonly chain: Blockchain;
  readonly anchors: AnchorChain;
  readonly authority: Authority;
  /** The keys of the beats service, by what they sign (D-08). */
  readonly workProofKey: SigningKey;
  readonly timestampKey: SigningKey;
  /** The account to which fees are paid, and its address. */
  readonly paymentAccount: number;
  readonly paymentAddress: string;
  /** When the next anchor is due, Unix ms. */
  nextAnchorMs: number;
  /** While true, no anchor is issued, however much time passes. */
  stalled: boolean;
}

/** Starts a service: anchor 0 is issued at `startMs` (D-05). */
export function createService(options: ServiceOptions): Service {
  const { protocol, dialect, policy, seed, startMs } = options;
  const workProofKey = signingKey(derivedKey(seed, 'work-proof'));
  const authorityKey = signingKey(derivedKey(seed, 'authority'));
  const ledger = createLedger({ seed });
  const { paymentAddress } = options;
  const paymentAccount = paymentAddress === undefined ? openAccount(ledger) : accountOf(ledger, paymentAddress);
  const service: Service = {
    options,
    registry: createRegistry({
      protocol,
      dialect,
      policy: { ...policy, lineage: true, workProofKeyHex: workProofKey.publicKeyHex },
      seed,
      genesisMs: startMs,
    }),
    ledger,
    chain: createBlockchain(ledger, startMs),
    anchors: createAnchorChain({ domain: dialect.anchorDomain, protocol }),
    authority: {
      // D-11: the key id contains the first 16 hex characters of the key.
      keyId: `pvn-ed25519-${authorityKey.publicKeyHex.slice(0, 16)}`,
      publicKeyHex: authorityKey.publicKeyHex,
      signHex: authorityKey.signHex,
    },
    workProofKey,
    timestampKey: signingKey(derivedKey(seed, 'timestamp')),
    paymentAccount,
    paymentAddress: addressOf(ledger, paymentAccount),
    nextAnchorMs: startMs,
    stalled: false,
  };
  catchUp(service, startMs);
  return service;
}

/**
 * Brings protocol time up to `nowMs`: issues each anchor that is due, and runs the Dead Man's Switch after each (D-24).
 * While the chain is stalled, due anchors are skipped and never issued later. Returns the agents that froze.
 */
export function catchUp(service: Service, nowMs: number): readonly number[] {
  const { registry } = service;
  const intervalMs = anchorPaceMs(service);
  const frozen: number[] = [];
  while (service.nextAnchorMs <= nowMs) {
    const dueMs = service.nextAnchorMs;
    service.nextAnchorMs += intervalMs;
    if (service.stalled) {
      service.nextAnchorMs = dueMs + (Math.floor((nowMs - dueMs) / intervalMs) + 1) * intervalMs;
      // Each anchor purges expired values; while none is issued, unanswered challenges would pile up.
      purgeOneTime(registry, service.nextAnchorMs - intervalMs);
      continue;
    }
    anchorAt(service, dueMs);
    for (const agent of advanceAnchor(registry, dueMs)) frozen.push(agent);
  }
  return frozen;
}

/** D-04: the time from one anchor to the next, ms: that of the protocol, unless the service has a pace of its own. */
export function anchorPaceMs({ options, registry }: Service): number {
  return (options.anchorPaceSec ?? registry.protocol.anchor.intervalSec) * 1_000;
}

/** D-05: issues the anchor of a moment. D-57: the dialect may adjust its difficulty, and write it to the ledger. */
function anchorAt(service: Service, dueMs: number): void {
  const { anchors, ledger, registry } = service;
  const { protocol, dialect } = registry;
  const { anchorDifficulty } = dialect;
  const difficulty =
    anchorDifficulty === undefined ? undefined : nextDifficulty(anchors, dueMs, protocol, anchorDifficulty);
  const anchor = issueAnchor(anchors, { entropy: blockHash(ledger, dueMs), nowMs: dueMs, difficulty });
  if (dialect.memos !== 'json' || writesElsewhere(service)) return;
  const text = anchorMemo(anchor, protocol);
  anchor.txSignature = memo(ledger, { from: service.paymentAccount, text, nowMs: dueMs });
}

/** Whether fees are paid on another ledger, where memos belong too. */
export function writesElsewhere({ options }: Service): boolean {
  return options.paymentAddress !== undefined;
}

/** D-06 and D-57: whether the anchor of this index exists and is recent enough for a proof. */
export function hasGrace({ anchors, registry }: Service, index: number): boolean {
  return isWithinGrace(anchors, index, registry.protocol);
}

/** D-06: the hash of an anchor that a proof may weave now; undefined for any other index. */
export function graceAnchorHash({ anchors, registry }: Service, index: number): string | undefined {
  return isWithinGrace(anchors, index, registry.protocol) ? recentAnchor(anchors, index)?.hash : undefined;
}
