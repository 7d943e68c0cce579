/** Payments as operations make them, and the passport that they buy (2.6, 2.9). */

import * as fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '../../../spec/time.js';
import { passportFields } from '../../../spec/vocabulary.js';
import { verifies } from '../../protocol/wallet.js';
import { type Answer, alike, equals, type Fault, isHex, isNumber, isText, Mismatch, that } from '../expectation.js';
import { mostly } from '../operation.js';
import type { Player } from '../player.js';
import type { AgentState, PaymentState, State } from '../state.js';

/** How a fee is paid: by whom, how much, and by which transaction. */
export interface Paying {
  readonly payer: 'own' | 'parent' | 'other';
  readonly amount: 'right' | 'low' | 'high';
  readonly tx: 'made' | 'unknown' | 'none' | 'again' | 'pending' | 'failed' | 'elsewhere';
}

export const paying = {
  payer: mostly('own', 'parent', 'other'),
  amount: mostly('right', 'low', 'high'),
  tx: fc.oneof(
    { weight: 10, arbitrary: fc.constant('made' as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom<Paying['tx'][]>('unknown', 'none', 'again', 'pending', 'failed', 'elsewhere'),
    },
  ),
};

/** Makes a payment for an agent, and returns what is sent as payment_tx. */
export async function paid(
  player: Player,
  who: number,
  fee: number,
  { payer, amount, tx }: Paying,
): Promise<string | undefined> {
  if (tx === 'none') return undefined;
  const { state } = player;
  if (tx === 'again') return state.payments.findLast((each) => each.usedFor !== null)?.tx ?? player.draws.hex(32);
  if (tx === 'unknown') return player.draws.hex(32);
  const from = payerOf(player, who, payer);
  const lamports = amount === 'right' ? fee : amount === 'low' ? fee - 1 : fee + 1;
  const status = tx === 'pending' || tx === 'failed' ? tx : 'confirmed';
  return player.pay(from, lamports, status, tx === 'elsewhere' ? player.newWallet('operator').address : undefined);
}

function payerOf(player: Player, who: number, payer: Paying['payer']): string {
  const { agents } = player.state;
  const own = agents[who];
  const parent = own?.parent == null ? undefined : agents[own.parent];
  const wallet = payer === 'own' ? own?.wallet : payer === 'parent' ? parent?.wallet : undefined;
  // An Ethereum wallet has nothing on the ledger: somebody else would have to pay for it.
  return wallet == null || wallet.kind === 'ethereum' ? player.newWallet('operator').address : wallet.address;
}

/** A payment as it was looked up, with what is wrong with it. */
export interface Checked {
  readonly payment: PaymentState | undefined;
  readonly faults: readonly Fault[];
}

/** The faults of a transaction as a payment of a fee. */
export function checkPayment(state: State, tx: string | undefined, fee: number): Checked {
  if (tx === undefined) return { payment: undefined, faults: [] };
  const payment = state.payments.find((each) => each.tx === tx);
  const invalid = (why: string): Fault => ({ why, status: 400, code: 'PAYMENT_INVALID' });
  if (payment === undefined) return { payment, faults: [invalid('there is no such transaction')] };
  const faults: Fault[] = [];
  if (payment.status !== 'confirmed') faults.push(invalid(`the transaction is ${payment.status}`));
  if (payment.lamports !== fee) faults.push(invalid(`it pays ${payment.lamports} in place of ${fee} lamports`));
  if (!payment.toService) faults.push(invalid('it pays somebody else'));
  return { payment, faults };
}

export const walletFault = (state: State, agent: AgentState): Fault[] =>
  agent.wallet === null && state.byoWallet
    ? [{ why: 'the agent has no wallet', status: 403, code: 'WALLET_REQUIRED' }]
    : [];

/** Holds the fee of a reply against 2.9: that of a heartbeat has a tier, no other has. */
export function judgeFee(answer: Answer, lamports: number, tx: string, tier?: number): void {
  equals(answer, 'fee.amount_lamports', lamports);
  that(answer, 'fee.amount_sol', `${lamports / 1e9}`, (value) => Math.abs(Number(value) - lamports / 1e9) < 1e-12);
  equals(answer, 'fee.payment_tx', tx);
  equals(answer, 'fee.tier', tier);
}

/** Holds the passport of a reply against 2.6 and what the model knows of the agent, and takes it down. */
export function judgePassport(state: State, answer: Answer, agent: AgentState): void {
  equals(answer, 'passport.format_version', state.protocol.passport.formatVersion);
  equals(answer, 'passport.agent_hash', agent.hash);
  that(answer, 'passport.authority_key_id', 'a text', isText);
  if (agent.sigil !== null) equals(answer, 'passport.identity_class', agent.sigil.identityClass);
  that(answer, 'passport.registered_at_beat', 'a number', isNumber);
  if (agent.registeredAtBeat !== null) equals(answer, 'passport.registered_at_beat', agent.registeredAtBeat);
  equals(answer, 'passport.sigil_issued_at_beat', agent.sigil?.beat ?? null);
  equals(answer, 'passport.last_heartbeat_beat', agent.lastHeartbeatBeat ?? 0);
  that(answer, 'passport.lineage_chain_hash', 'a text', isText);
  equals(answer, 'passport.issued_at', state.nowMs);
  equals(answer, 'passport.valid_until', state.nowMs + state.protocol.passport.validityHours * HOUR_MS);
  that(answer, 'passport.service_signature', '128 hex digits', isHex(128));
  const { wallet } = agent;
  that(answer, 'passport.agent_public_key', 'the wallet of the agent', (value) =>
    wallet === null ? value === null : value === wallet.address || value === wallet.publicKeyHex,
  );
  const { passport } = answer.json as { readonly passport: Readonly<Record<string, unknown>> };
  judgeSignature(state, answer, passport);
  agent.registeredAtBeat = Number(passport['registered_at_beat']);
  agent.passport = passport;
}

/** The bytes that are signed are not shown: where one passport verifies over those of D-11, every other one has to. */
function judgeSignature({ authority }: State, answer: Answer, passport: Readonly<Record<string, unknown>>): void {
  if (authority.keyHex === null) return;
  const text = JSON.stringify(Object.fromEntries(passportFields.map((field) => [field, passport[field]])));
  if (verifies(String(passport['service_signature']), text, authority.keyHex)) authority.verified = true;
  else if (authority.verified) throw new Mismatch(`${answer.name}: the signature of its passport does not verify`);
}

/** Holds the deprecated alias of a heartbeat's or reissue's passport against section 9. */
export function judgeAlias(state: State, answer: Answer): void {
  const { passport, lineage_proof: alias } = answer.json as Readonly<Record<string, unknown>>;
  // On the day of the sunset itself it may be there or not.
  const sunsetMs = state.protocol.passport.lineageProofUntilMs;
  if (state.nowMs <= sunsetMs - DAY_MS && !alike(alias, passport)) {
    throw new Mismatch(`${answer.name}: lineage_proof is not the passport, before its sunset`);
  }
  if (state.nowMs > sunsetMs && alias !== undefined) {
    throw new Mismatch(`${answer.name}: lineage_proof is still there after its sunset`);
  }
}
