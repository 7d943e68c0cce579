/**
 * Steps through the paid routes: heartbeat, SIGIL and reissue, each with its fee. Payments themselves are made in
 * trial/payer.ts.
 */
import type { Protocol } from '../../spec/protocol.js';
import { HOUR_MS } from '../../spec/time.js';
import type { Reply } from '../assertions/reply.js';
import { sigilFeeLamports, type WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';

/** The fee of the n-th heartbeat of an epoch, and its tier (4.5). */
export function heartbeatFee({ heartbeat }: Protocol, n: number): { readonly tier: number; readonly lamports: number } {
  if (n <= heartbeat.tier1HeartbeatsMax) return { tier: 1, lamports: heartbeat.tier1FeeLamports };
  if (n <= heartbeat.tier2HeartbeatsMax) return { tier: 2, lamports: heartbeat.tier2FeeLamports };
  return { tier: 3, lamports: heartbeat.tier3FeeLamports };
}

/** The fees of the first `count` heartbeats of an epoch together, in lamports. */
export function feesOf({ heartbeat }: Protocol, count: number): number {
  const upTo = [heartbeat.tier1HeartbeatsMax, heartbeat.tier2HeartbeatsMax, count].map((most) => Math.min(most, count));
  const fees = [heartbeat.tier1FeeLamports, heartbeat.tier2FeeLamports, heartbeat.tier3FeeLamports];
  return fees.reduce((sum, fee, tier) => sum + fee * ((upTo[tier] ?? 0) - (upTo[tier - 1] ?? 0)), 0);
}

/** Pays for a heartbeat, the first of an epoch without `n`, and sends it. */
export async function heartbeat(t: Trial, agent: WalletAgent, n = 1): Promise<Reply> {
  const payment_tx = await t.pay({ from: agent.wallet, lamports: heartbeatFee(t.protocol, n).lamports });
  return t.call('heartbeat', { key: agent.key, body: { payment_tx } });
}

/**
 * 7: a payment has been used where a heartbeat was taken for it, and not where that heartbeat was refused. A reply to the same
 * payment once more that says so is judged, and `another` payment is sent in its place.
 */
export async function stillGood(t: Trial, reply: Reply, another: () => Promise<Reply>): Promise<Reply> {
  const { code } = t.row('heartbeat/PAYMENT_ALREADY_USED');
  const spent = reply.get('code') === code;
  const about = 'the payment of a heartbeat that was refused';
  t.shows('heartbeat.error.payment-already-used').of(reply, about, !spent, `anything but ${code}`, reply.excerpt());
  return spent ? another() : reply;
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
  return { identity_class: 'narrow_task', principal: t.principal(), tier: 'ind', ...more };
}

/** Pays for a SIGIL, by the class of the purchase, and sends the purchase. */
export async function buy(t: Trial, agent: WalletAgent, what: Purchase, identityClass = 'narrow_task') {
  const payment_tx = await t.pay({ from: agent.wallet, lamports: sigilFeeLamports(t.protocol, identityClass) });
  return t.call('sigil', { key: agent.key, body: { ...what, payment_tx } });
}

/** 2.9: the lamports of a fee object are what was paid, and so in SOL; `clauses` say what is to be paid. */
export function feeIs(
  t: Trial,
  reply: Reply,
  {
    lamports,
    payment,
    clauses,
  }: { readonly lamports: number; readonly payment: string; readonly clauses: readonly string[] },
): void {
  t.shows(...clauses).field(reply, 'fee.amount_lamports', lamports);
  t.alsoShows('fee.field.amount-sol').field(reply, 'fee.amount_sol', lamports / 1_000_000_000);
  t.alsoShows('fee.field.payment-tx').exactField(reply, 'fee.payment_tx', payment);
  // JSON writes the shortest decimal that reads back as the number.
  t.alsoShows('fee.amount-sol.decimal').field(reply, 'fee.amount_sol', lamports / 1_000_000_000);
}

/** A server may take this long from its clock to the passport. */
const ISSUED_WITHIN_MS = 10_000;

/** 2.6: what every passport of an agent shows, whichever call returned it. */
export function passportIs(t: Trial, reply: Reply, agent: WalletAgent, identityClass: string): void {
  const { validityHours } = t.protocol.passport;
  t.alsoShows('passport.field.agent-hash').field(reply, 'passport.agent_hash', agent.hash);
  t.alsoShows('passport.field.identity-class').field(reply, 'passport.identity_class', identityClass);
  const [issuedMs, untilMs] = [reply.get('passport.issued_at'), reply.get('passport.valid_until')];
  if (typeof issuedMs === 'number') {
    const expected = issuedMs + validityHours * HOUR_MS;
    t.alsoShows('passport.field.valid-until', 'passport.validity').field(reply, 'passport.valid_until', expected);
    t.alsoShows('constant.passport-validity', 'service.heartbeat.passport').of(
      reply,
      'validity of the passport',
      untilMs === expected,
      `${validityHours} hours`,
      `${(Number(untilMs) - issuedMs) / HOUR_MS} hours`,
    );
    if (t.session.offers.has('clock')) {
      const near = Math.abs(issuedMs - t.nowMs()) <= ISSUED_WITHIN_MS;
      t.alsoShows('passport.field.issued-at').of(reply, 'passport.issued_at', near, `now, ${t.nowMs()}`, issuedMs);
    }
  }
  const key = reply.get('passport.agent_public_key');
  const { address, publicKeyHex } = agent.wallet;
  const known = [address, publicKeyHex, `0x${publicKeyHex}`].map((text) => text.toLowerCase());
  const own = typeof key === 'string' && known.includes(key.toLowerCase());
  t.alsoShows('passport.field.agent-public-key').of(
    reply,
    'passport.agent_public_key',
    own,
    'the wallet of the agent',
    key,
  );
  t.alsoShows('passport.public-key.solana').field(reply, 'passport.agent_public_key', address);
}

/**
 * 2.6 and 9: the deprecated alias of a reply's passport: the same object through 2026-09-01, and gone after. Not judged where
 * the target's clock, which the passport shows, and ours are on two sides of that day.
 */
export function aliasIs(t: Trial, reply: Reply, ...clauses: readonly string[]): void {
  const isOver = (ms: number): boolean => ms > t.protocol.passport.lineageProofUntilMs;
  const over = isOver(t.nowMs());
  const issuedMs = reply.get('passport.issued_at');
  if (!t.session.offers.has('clock') && typeof issuedMs === 'number' && isOver(issuedMs) !== over) {
    t.shows(...clauses).unjudged(
      'whether 2026-09-01 is over is one thing by our clock and another by that of the target',
    );
  } else if (over) {
    t.shows(...clauses).equal('lineage_proof after 2026-09-01', reply.get('lineage_proof'), undefined);
  } else {
    t.shows(...clauses).field(reply, 'lineage_proof', reply.get('passport'));
  }
}
