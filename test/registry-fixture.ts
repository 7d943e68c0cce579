import { hash } from 'node:crypto';
import { signReceipt } from '../reference/beats/receipt.js';
import { type SigningKey, signingKey } from '../reference/beats/signing.js';
import { anchorIssued } from '../reference/registry/anchor.js';
import { init } from '../reference/registry/init.js';
import { intern } from '../reference/registry/interner.js';
import type { Payment } from '../reference/registry/payment.js';
import { registerRoot } from '../reference/registry/register.js';
import { recordBirth, sigil } from '../reference/registry/sigil.js';
import { createRegistry, type Policy, type Registry } from '../reference/registry/state.js';
import { type Dialect, dialects } from '../spec/dialect.js';
import { type Protocol, protocol } from '../spec/protocol.js';
import type { IdentityClass, SigilTier } from '../spec/vocabulary.js';

/** 2026-01-01T00:00:00Z. */
export const START_MS = 1_767_225_600_000;
/** The key whose receipts the registries of this file take. */
export const workProofKey: SigningKey = signingKey(new Uint8Array(32).fill(7));

/** A registry with anchor 0 issued at START_MS. */
export function freshRegistry(
  given: { policy?: Partial<Policy>; dialect?: Dialect; protocol?: Protocol; seed?: number } = {},
): Registry {
  const policy: Policy = {
    network: 'devnet',
    registrationSecret: null,
    byoWallet: true,
    beatsRequired: true,
    lineage: true,
    workProofKeyHex: workProofKey.publicKeyHex,
    ...given.policy,
  };
  const registry = createRegistry({
    protocol: given.protocol ?? protocol,
    dialect: given.dialect ?? dialects.service,
    policy,
    seed: given.seed ?? 1,
    genesisMs: START_MS,
  });
  anchorIssued(registry, START_MS);
  return registry;
}

/** Issues anchors up to an index and gives the moment of the last. */
export function anchorsTo(registry: Registry, index: number): number {
  while (registry.anchorIndex < index) anchorIssued(registry, START_MS + (registry.anchorIndex + 1) * 60_000);
  return START_MS + registry.anchorIndex * 60_000;
}

/** A root agent with its chain started, and the number of its own Solana wallet. */
export function walletRoot(
  registry: Registry,
  name: string,
  given: { ref?: string; address?: string } = {},
): { agent: number; wallet: number } {
  const wallet = intern(registry.wallets, given.address ?? `wallet-of-${name}`);
  const linked = { wallet, model: 'self-custody', chain: 'solana' } as const;
  const { agent } = registerRoot(registry, { name, linked, ref: given.ref }, registry.anchorAtMs);
  init(registry, { agent }, registry.anchorAtMs);
  return { agent, wallet };
}

let payments = 0;

/** A confirmed payment to the service that has not been used. */
export function payment(sender: number, lamports: number): Payment {
  payments += 1;
  return { id: `payment-${payments}`, sender, lamports, counts: true };
}

/** Buys a SIGIL at the price of the specification. */
export function withSigil(
  registry: Registry,
  { agent, wallet }: { agent: number; wallet: number },
  identityClass: IdentityClass = 'narrow_task',
  tier: SigilTier = 'org',
): void {
  const lamports = { narrow_task: 50_000_000, autonomous: 150_000_000, orchestrator: 350_000_000 }[identityClass];
  const bought = sigil(
    registry,
    { agent, identityClass, principal: 'acme', tier, payment: payment(wallet, lamports) },
    registry.anchorAtMs,
  );
  if (!bought.ok) throw new Error(bought.row.code);
  recordBirth(registry, { agent, birthTx: `birth-of-${agent}` });
}

let receipts = 0;

/** A receipt of the beats service over a run of its own. */
export function receipt(
  given: { beats?: number; difficulty?: number; anchorIndex?: number; key?: SigningKey; of?: string } = {},
) {
  receipts += 1;
  const of = given.of ?? `run-${receipts}`;
  return signReceipt(
    {
      type: 'work_proof',
      beats_verified: given.beats ?? 1_000,
      difficulty: given.difficulty ?? 1_000,
      anchor_index: given.anchorIndex ?? 0,
      anchor_hash: hash('sha256', 'anchor', 'hex'),
      from_hash: hash('sha256', `${of}:from`, 'hex'),
      to_hash: hash('sha256', `${of}:to`, 'hex'),
      utc: '2026-01-01T00:00:00.000Z',
    },
    given.key ?? workProofKey,
  );
}

/** The code of a refusal, or `ok`. */
export function codeOfOutcome(outcome: { ok: true } | { ok: false; row: { code: string } }): string {
  return outcome.ok ? 'ok' : outcome.row.code;
}
