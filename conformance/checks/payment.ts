/**
 * Checks of the payment rules that all paid routes share: amount, sender, recipient, age and single use. What each
 * route costs is with its own checks.
 */
import type { ErrorKey } from '../../spec/errors.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import type { Check } from '../trial/check.js';
import type { WalletAgent } from '../trial/fixtures.js';
import { unlessByControl } from '../trial/needs.js';
import type { Trial } from '../trial/trial.js';

/** A paid route, as far as its payments go. */
export interface PaidRoute {
  readonly id: 'heartbeat' | 'sigil' | 'reissue-proof';
  /** An agent that can use the route; two registration calls of the wallet flow. */
  readonly ready: (t: Trial) => Promise<WalletAgent>;
  readonly feeLamports: (protocol: Protocol) => number;
  /** Everything in the body but the payment. */
  readonly body: (t: Trial) => Readonly<Record<string, unknown>>;
  /** Clauses of spec/clauses, by fault. */
  readonly clauses: Readonly<Record<keyof typeof faults, readonly string[]>>;
  /** Must clauses by which a fault is refused, in whatever way. */
  readonly refuses?: Partial<Readonly<Record<keyof typeof faults, readonly string[]>>>;
  /** Lamports that `ready` pays. */
  readonly readyLamports: (protocol: Protocol) => number;
}

interface Fault {
  readonly title: string;
  /** The payment_tx of the faulty request; undefined leaves it out. */
  readonly pay: (t: Trial, agent: WalletAgent, feeLamports: number, send: Send) => Promise<string | undefined>;
  /** Nothing is paid for the faulty request. */
  readonly unpaid?: true;
  readonly code: 'PAYMENT_REQUIRED' | 'PAYMENT_INVALID' | 'PAYMENT_ALREADY_USED' | 'PAYMENT_SENDER_MISMATCH';
  /** Lamports that the faulty request pays over the fee; absent: one. */
  readonly overpaid?: number;
  /** Why it takes the control API to make such a payment. */
  readonly onlyByControl?: string;
}

type Send = (payment: string | undefined) => Promise<Reply>;

/** One more than 32 bits hold. */
const OVER_32_BITS = 2 ** 32;

/** The faults that a payment can have (section 7, D-25, D-27, D-50). */
const faults = {
  missing: {
    title: 'without payment_tx is refused',
    pay: async () => undefined,
    unpaid: true,
    code: 'PAYMENT_REQUIRED',
  },
  unknown: {
    title: 'with a transaction that nobody can find is refused',
    pay: async (t) => t.hex(32),
    unpaid: true,
    code: 'PAYMENT_INVALID',
  },
  less: {
    title: 'paid one lamport short is refused',
    pay: (t, { wallet }, fee) => t.pay({ from: wallet, lamports: fee - 1 }),
    code: 'PAYMENT_INVALID',
  },
  more: {
    title: 'paid one lamport over is refused',
    pay: (t, { wallet }, fee) => t.pay({ from: wallet, lamports: fee + 1 }),
    code: 'PAYMENT_INVALID',
  },
  // 2^32 lamports and the fee: in 32 bits it is the fee.
  wrapped: {
    title: 'paid 4,294,967,296 lamports over is refused',
    pay: async (t, { wallet }, fee) => {
      await t.fund(wallet, fee + OVER_32_BITS);
      return t.pay({ from: wallet, lamports: fee + OVER_32_BITS });
    },
    code: 'PAYMENT_INVALID',
    onlyByControl: 'it takes a wallet with more than four SOL',
    overpaid: OVER_32_BITS,
  },
  recipient: {
    title: 'paid to somebody else is refused',
    pay: (t, { wallet }, lamports) => t.pay({ from: wallet, lamports, to: t.wallet().address }),
    code: 'PAYMENT_INVALID',
  },
  pending: {
    title: 'whose transaction is not confirmed is refused',
    pay: (t, { wallet }, lamports) => t.pay({ from: wallet, lamports, status: 'pending' }),
    code: 'PAYMENT_INVALID',
    onlyByControl: 'only a mock ledger holds a transaction back',
  },
  failed: {
    title: 'whose transaction failed is refused',
    pay: (t, { wallet }, lamports) => t.pay({ from: wallet, lamports, status: 'failed' }),
    code: 'PAYMENT_INVALID',
  },
  sender: {
    title: 'paid from a wallet that is neither the own one nor a sponsor is refused',
    pay: async (t, _agent, lamports) => {
      const stranger = t.wallet();
      await t.fund(stranger, lamports);
      return t.pay({ from: stranger, lamports });
    },
    code: 'PAYMENT_SENDER_MISMATCH',
  },
} as const satisfies Record<string, Fault>;

const names: Record<PaidRoute['id'], string> = {
  heartbeat: 'A heartbeat',
  sigil: 'A SIGIL purchase',
  'reissue-proof': 'A reissue',
};

/** A check for each fault of a payment, on one paid route. Its twin pays right. */
export function paymentChecks(route: PaidRoute): readonly Check[] {
  return Object.entries(faults).map(([word, fault]: [string, Fault]): Check => {
    const clauses = route.clauses[word as keyof typeof faults];
    const refuses = route.refuses?.[word as keyof typeof faults] ?? [];
    return {
      id: `${route.id}/payment-${word}`,
      title: `${names[route.id]} ${fault.title}`,
      clauses: [...clauses, ...refuses],
      needs: ['payments'],
      registers: 0,
      walletRegisters: 2,
      requests: 12,
      ...(fault.onlyByControl === undefined ? {} : { unsuitableFor: unlessByControl(fault.onlyByControl) }),
      lamports: (protocol) => {
        const fee = route.feeLamports(protocol);
        return route.readyLamports(protocol) + fee + (fault.unpaid === true ? 0 : fee + (fault.overpaid ?? 1));
      },
      writes: true,
      refusal: true,
      async run(t) {
        const agent = await route.ready(t);
        const body = route.body(t);
        const send: Send = (payment_tx) =>
          t.call(route.id, { key: agent.key, body: payment_tx === undefined ? body : { ...body, payment_tx } });
        const fee = route.feeLamports(t.protocol);
        const refused = await send(await fault.pay(t, agent, fee, send));
        t.refused(refused, `${route.id}/${fault.code}` as ErrorKey, ...clauses);
        if (refuses.length > 0) t.refusedWith(refused, '4xx', ...refuses);
        // A faulty request that was accepted cannot be sent again without its fault.
        if (refused.status < 400) return;
        t.accepted(await send(await t.pay({ from: agent.wallet, lamports: fee })));
      },
    };
  });
}
