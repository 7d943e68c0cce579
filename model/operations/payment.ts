/** Payments of the paid routes: heartbeat, SIGIL and reissue (2.9, 4.5 to 4.7). */

import type { ErrorKey } from '../../spec/errors.js';
import type { Case, Refusal, Undone } from '../case.js';
import { type Fee, type Price, priceOf } from '../facts/fees.js';
import { UNSEEN } from '../facts/open-state.js';
import type { Agent, Payment, State } from '../facts/state.js';
import type { Known } from '../reading/known.js';
import { at, numberAt } from '../reading/values.js';

/** The payment that a paid request names, and the fee that is due. */
export interface Paid extends Price {
  readonly agent: Agent;
  readonly tx: unknown;
  readonly payment: Payment | undefined;
  /** The deposit that is due in addition to the fee; undefined: unknown. */
  readonly deposit: number | undefined;
}

export function paidFacts({ state, call }: Case, agent: Agent, fee: Fee, deposit: number | undefined = 0): Paid {
  const tx = call.body?.['payment_tx'];
  return { agent, tx, payment: paymentOf(state, tx), deposit, ...priceOf(state, agent, fee) };
}

/** A payment by its transaction. Unless the state knows all transfers, one that it has not met has unknown terms. */
export function paymentOf({ payments }: State, tx: unknown): Payment | undefined {
  if (typeof tx !== 'string') return undefined;
  if (payments.isUnknown(tx)) payments.set(tx, { ...UNSEEN });
  return payments.get(tx);
}

type Stem = 'heartbeat' | 'sigil' | 'reissue-proof';
/** The clauses that require a transfer to the service. */
const UNPAID: Readonly<Record<Stem, readonly string[]>> = {
  heartbeat: ['service.heartbeat.paid'],
  sigil: ['sigil.body.payment-tx'],
  'reissue-proof': ['fee.reissuance'],
};
const key = (stem: Stem, code: string): ErrorKey => `${stem}/${code}` as ErrorKey;

/** 4.5: paid routes need a wallet if the BYO-wallet policy is enforced. */
export const walletRequired = (stem: Stem, sponsored: (facts: Paid, given: Case) => Known): Refusal<Paid> => ({
  row: key(stem, 'WALLET_REQUIRED'),
  also: ({ agent }) => [
    `${stem}.byo-wallet`,
    'auth.wallet-required',
    ...(stem === 'heartbeat' && agent.depth > 0 ? ['heartbeat.child.unsponsored'] : []),
  ],
  ...(stem === 'heartbeat' ? { decided: 'heartbeat.child.sponsored' } : {}),
  when: (facts, given) => {
    if (facts.agent.wallet !== null) return false;
    const { byoWallet } = given.state;
    return byoWallet === true && sponsored(facts, given) === false ? true : byoWallet === false ? false : undefined;
  },
});

export const paymentRequired = (stem: Stem): Refusal<Paid> => ({
  row: key(stem, 'PAYMENT_REQUIRED'),
  also: [`${stem}.body.payment-tx`],
  when: ({ tx }) => (tx === undefined ? true : typeof tx === 'string' && tx !== '' ? false : undefined),
});

/** The fee and the deposit; undefined if either is unknown. */
const dueOf = ({ fee, deposit }: Paid): number | undefined =>
  fee === undefined || deposit === undefined ? undefined : fee + deposit;

/** Whether the payment is the fee that the deleted subsidy would give. */
const paysSubsidizedFee = ({ payment, fee, subsidizedFee, deposit = 0 }: Paid): boolean =>
  subsidizedFee !== undefined && subsidizedFee !== fee && payment?.lamports === subsidizedFee + deposit;

/** Whether the payment is the full fee, which a service refuses if it still applies the deleted subsidy. */
const paysFullFee = (paid: Paid): boolean =>
  paid.subsidizedFee !== undefined && paid.subsidizedFee !== paid.fee && paid.payment?.lamports === dueOf(paid);

const SUBSIDY_STILL_APPLIES: Undone = { call: 'subsidy.delete', clauses: ['subsidy.delete.reply'] };

/** Refuses a payment that does not exist, has another amount, is not confirmed, or goes to another account. */
export const paymentInvalid = (stem: Stem): readonly Refusal<Paid>[] => {
  const row = key(stem, 'PAYMENT_INVALID');
  const whenThere =
    (test: (payment: Payment, facts: Paid, given: Case) => Known) =>
    (facts: Paid, given: Case): Known =>
      facts.payment === undefined ? false : test(facts.payment, facts, given);
  return [
    {
      row,
      clauses: ({ payment }) => (payment === undefined ? [`${stem}.error.payment-invalid`, ...UNPAID[stem]] : []),
      when: ({ tx, payment }) => typeof tx === 'string' && tx !== '' && payment === undefined,
    },
    {
      row,
      clauses: (paid) =>
        paid.payment?.lamports === dueOf(paid)
          ? paid.feeClauses
          : [`${stem}.error.payment-invalid.amount`, 'fee.payment.exact', ...paid.feeClauses],
      when: whenThere(({ lamports }, paid) => {
        const due = dueOf(paid);
        return due === undefined ? undefined : lamports !== due;
      }),
      undone: (facts, { call: { status } }) =>
        (status < 400 ? paysSubsidizedFee : paysFullFee)(facts) ? SUBSIDY_STILL_APPLIES : undefined,
    },
    { row, clauses: ['fee.payment.confirmed'], when: whenThere(({ status }) => status === 'pending') },
    {
      row,
      clauses: ['fee.payment.confirmed', ...UNPAID[stem]],
      when: whenThere(({ status }) => status === 'failed'),
    },
    {
      row,
      clauses: ['fee.payment.recipient', ...UNPAID[stem]],
      when: whenThere(({ to }, _, { state }) =>
        state.paymentAddress === undefined ? undefined : to !== state.paymentAddress,
      ),
    },
  ];
};

/**
 * Refuses a used payment. One transaction pays one fee: for heartbeats by the text, for other fees by D-25. A refused heartbeat does not use up its
 * payment; for other refused requests D-27 decides.
 */
export const paymentUsed = (stem: Stem): readonly Refusal<Paid>[] => {
  const row = key(stem, 'PAYMENT_ALREADY_USED');
  const isHeartbeat = stem === 'heartbeat';
  return [
    {
      row,
      also: ['fee.payment.once'],
      when: ({ payment }) => payment?.usedFor != null && (!isHeartbeat || payment.usedFor === 'heartbeat'),
    },
    {
      row,
      clauses: [],
      decided: 'fee.payment.kept',
      when: ({ payment }) => (!isHeartbeat && payment?.tried === true && payment.usedFor === null ? undefined : false),
    },
    {
      row,
      clauses: ['fee.payment.once'],
      when: ({ payment }) => payment?.usedFor != null && isHeartbeat && payment.usedFor !== 'heartbeat',
    },
  ];
};

/** D-50: the agent's own wallet pays for SIGIL and reissue. An agent that needs a wallet and has none gets 403 (4.5). */
export const ownSender = (stem: 'sigil' | 'reissue-proof'): Refusal<Paid> => ({
  row: key(stem, 'PAYMENT_SENDER_MISMATCH'),
  clauses: ({ agent }) => [
    agent.wallet?.kind === 'ethereum' ? 'fee.payment.ethereum' : `${stem}.error.payment-sender-mismatch`,
  ],
  when: ({ payment, agent }, { state }) => {
    if (payment === undefined) return false;
    if (agent.wallet === null) return state.byoWallet === true ? false : undefined;
    return payment.from !== agent.wallet.address;
  },
});

/** 2.9: judges the fee in a reply, and marks the payment as used. */
export function judgeFee({ state, call, judgement }: Case, facts: Paid, tier?: number): void {
  const { fee, open, payment, feeType, tx, feeClauses } = facts;
  const feeClause = `${feeType === 'reissuance' ? 'reissue-proof' : feeType}.reply.fee`;
  const lamports = at(call.json, 'fee.amount_lamports');
  const book = state.books.get(feeType) ?? state.books.set(feeType, { count: 0, lamports: 0 });
  book.count += 1;
  book.lamports += typeof lamports === 'number' ? lamports : (fee ?? 0);
  if (payment !== undefined) payment.usedFor = feeType;
  // If the deleted subsidy still lowers the fee, only the payment is judged.
  const due = paysSubsidizedFee(facts) ? undefined : fee;
  if (open !== undefined) judgement.leave(open, ...feeClauses);
  judgement.equals('fee.amount_lamports', due, ...(open === undefined ? feeClauses : []), 'fee.field.amount-lamports');
  // Both amounts are the same, also where the fee is unknown.
  const amount = due ?? numberAt(call.json, 'fee.amount_lamports');
  const sol = amount === undefined ? undefined : amount / 1e9;
  judgement.equals('fee.amount_sol', sol, 'fee.field.amount-sol', feeClause, 'fee.amount-sol.decimal');
  judgement.equals('fee.payment_tx', tx, 'fee.field.payment-tx', feeClause);
  const kept = feeClauses.includes('fee.resolution.subsidy') ? ['fee.subsidy.tier'] : [];
  if (tier === undefined) return;
  const shown = at(call.json, 'fee.tier');
  judgement.that('fee.tier', shown === 1 || shown === 2 || shown === 3, '1, 2 or 3', shown, 'fee.field.tier');
  judgement.equals('fee.tier', tier, `fee.heartbeat.tier-${tier}`, ...kept);
}
