import type { Dialect } from '../spec/dialect.js';
import type { Protocol } from '../spec/protocol.js';
import { type AnchorChain, createAnchorChain, issueAnchor, isWithinGrace, recentAnchor } from './beats/anchor.js';
import { type SigningKey, signingKey } from './beats/signing.js';
import { type Blockchain, createBlockchain } from './ledger/chain.js';
import { accountOf, addressOf, blockHash, createLedger, type Ledger, openAccount } from './ledger/ledger.js';
import { derivedKey } from './registry/columns/stream.js';
import { advanceAnchor } from './registry/dead-man-switch.js';
import { purgeOneTime } from './registry/one-time.js';
import type { Authority } from './registry/passport.js';
import { createRegistry, type Policy, type Registry } from './registry/state.js';

/** What a deployment chooses; the rest of its policy follows from its own keys. */
export type ServicePolicy = Omit<Policy, 'workProofKeyHex' | 'lineage'>;

export interface ServiceOptions {
  readonly protocol: Protocol;
  readonly dialect: Dialect;
  readonly policy: ServicePolicy;
  readonly seed: number;
  /** Unix ms of the service's genesis, at which anchor 0 is issued. */
  readonly startMs: number;
  /** Where fees are paid on a ledger of somebody else's; absent: an account of the mock ledger. */
  readonly paymentAddress?: string;
}

/** A registry with all that stands around it: its anchors, its ledger, its keys. Plain state; the shell owns the clock. */
export interface Service {
  readonly options: ServiceOptions;
  readonly registry: Registry;
  /** The ledger that fees are paid on, unless they are on another; what the service itself writes is always here. */
  readonly ledger: Ledger;
  /** The same ledger as JSON-RPC tells of it. */
  readonly chain: Blockchain;
  readonly anchors: AnchorChain;
  readonly authority: Authority;
  /** Keys of the beats service, by what they sign (D-08). */
  readonly workProofKey: SigningKey;
  readonly timestampKey: SigningKey;
  /** The account that fees are paid to, and its address. */
  readonly paymentAccount: number;
  readonly paymentAddress: string;
  /** When the next anchor is due. */
  nextAnchorMs: number;
  /** While true no anchor is issued, however much time passes. */
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
      // D-11: the first 16 hex characters of the key name it.
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
 * Brings global time up to a moment: issues every anchor that is due, one by one, and runs the DMS after each (D-24).
 * While the chain is stalled the anchors that would be due are skipped, not owed. Returns the agents that froze.
 */
export function catchUp(service: Service, nowMs: number): readonly number[] {
  const { registry, anchors, ledger } = service;
  const intervalMs = registry.protocol.anchor.intervalSec * 1_000;
  const frozen: number[] = [];
  while (service.nextAnchorMs <= nowMs) {
    const dueMs = service.nextAnchorMs;
    service.nextAnchorMs += intervalMs;
    if (service.stalled) {
      service.nextAnchorMs = dueMs + (Math.floor((nowMs - dueMs) / intervalMs) + 1) * intervalMs;
      // Anchors would do this; without them, challenges that nobody answers would pile up.
      purgeOneTime(registry, service.nextAnchorMs - intervalMs);
      continue;
    }
    issueAnchor(anchors, { entropy: blockHash(ledger, dueMs), nowMs: dueMs });
    for (const agent of advanceAnchor(registry, dueMs)) frozen.push(agent);
  }
  return frozen;
}

/** D-06: the hash of an anchor that a proof may weave now; undefined for any other index. */
export function graceAnchorHash({ anchors, registry }: Service, index: number): string | undefined {
  return isWithinGrace(anchors, index, registry.protocol) ? recentAnchor(anchors, index)?.hash : undefined;
}
