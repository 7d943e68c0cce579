import type { Protocol } from '../../spec/protocol.js';
import type { IdentityClass } from '../../spec/vocabulary.js';
import type { Reply } from '../assertions/reply.js';
import { sigilFeeLamports, type WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** What the n-th heartbeat of an epoch costs, and its tier (4.5). */
export function heartbeatFee({ heartbeat }: Protocol, n: number): { readonly tier: number; readonly lamports: number } {
  if (n <= heartbeat.tier1HeartbeatsMax) return { tier: 1, lamports: heartbeat.tier1FeeLamports };
  if (n <= heartbeat.tier2HeartbeatsMax) return { tier: 2, lamports: heartbeat.tier2FeeLamports };
  return { tier: 3, lamports: heartbeat.tier3FeeLamports };
}

/** Pays for a heartbeat, the first of an epoch without `n`, and sends it. */
export async function heartbeat(t: Trial, agent: WalletAgent, n = 1): Promise<Reply> {
  const payment_tx = await t.pay({ from: agent.wallet, lamports: heartbeatFee(t.protocol, n).lamports });
  return t.call('heartbeat', { key: agent.key, body: { payment_tx } });
}

/** Pays for a passport and has it reissued. */
export async function reissue(t: Trial, agent: WalletAgent): Promise<Reply> {
  const payment_tx = await t.pay({ from: agent.wallet, lamports: t.protocol.reissue.feeLamports });
  return t.call('reissue-proof', { key: agent.key, body: { payment_tx } });
}

/** A SIGIL purchase without its payment. */
export interface Purchase {
  readonly identity_class?: unknown;
  readonly principal?: unknown;
  readonly tier?: unknown;
  readonly name?: unknown;
}

/** A purchase of the cheapest class that lacks nothing but its payment. */
export function purchase(t: Trial, more: Purchase = {}): Purchase {
  return { identity_class: 'narrow_task', principal: t.word(), tier: 'ind', ...more };
}

/** Pays for a SIGIL, by the class of the purchase, and sends the purchase. */
export async function buy(t: Trial, agent: WalletAgent, what: Purchase, identityClass: IdentityClass = 'narrow_task') {
  const payment_tx = await t.pay({ from: agent.wallet, lamports: sigilFeeLamports(t.protocol, identityClass) });
  return t.call('sigil', { key: agent.key, body: { ...what, payment_tx } });
}

/**
 * The checks of a fee object (2.9): its lamports are what was paid, and in SOL. That the decimal is the shortest one is
 * JSON's own way of writing a number (D-44).
 */
export function feeIs(t: Trial, reply: Reply, lamports: number, payment: string): void {
  t.equal('fee.amount_lamports', reply.get('fee.amount_lamports'), lamports);
  t.equal('fee.amount_sol', reply.get('fee.amount_sol'), lamports / 1_000_000_000);
  t.equal('fee.payment_tx', reply.get('fee.payment_tx'), payment);
}

const HOUR_MS = 3_600_000;

/** What every passport of an agent shows, whoever returned it (2.6). */
export function passportIs(t: Trial, reply: Reply, agent: WalletAgent, identityClass: IdentityClass): void {
  const { formatVersion, validityHours } = t.protocol.passport;
  t.equal('passport.format_version', reply.get('passport.format_version'), formatVersion);
  t.equal('passport.agent_hash', reply.get('passport.agent_hash'), agent.hash);
  t.equal('passport.identity_class', reply.get('passport.identity_class'), identityClass);
  const issuedMs = reply.number('passport.issued_at');
  t.equal('passport.valid_until', reply.get('passport.valid_until'), issuedMs + validityHours * HOUR_MS);
  if (t.session.offers.has('clock')) t.equal('passport.issued_at', issuedMs, t.nowMs());
  t.decided('D-11', () =>
    t.equal('passport.agent_public_key', reply.get('passport.agent_public_key'), agent.wallet.address),
  );
}

/** The deprecated alias of a reply's passport: the same object through 2026-09-01, and gone after (9). */
export function aliasIs(t: Trial, reply: Reply): void {
  const alias = reply.get('lineage_proof');
  if (t.nowMs() <= t.protocol.passport.lineageProofUntilMs) t.equal('lineage_proof', alias, reply.get('passport'));
  else t.equal('lineage_proof after 2026-09-01', alias, undefined);
}
