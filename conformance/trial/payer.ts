/** The interface by which checks pay, and the choice of its implementation. It does not know fees. */
import { lacking, Unjudged } from '../assertions/unjudged.js';
import type { Wallet } from '../protocol/wallet.js';
import type { Target } from '../target/target.js';
import { CommandPayer } from './payer-command.js';
import { RpcPayer } from './payer-rpc.js';
import type { Trial } from './trial.js';

/** A payment that a check requests. */
export interface Transfer {
  readonly from: Wallet;
  readonly to: string;
  readonly lamports: number;
  /** The status that the transaction gets; confirmed without it. */
  readonly status?: 'confirmed' | 'pending' | 'failed' | undefined;
}

/** Pays for checks. Throws `Unjudged` if a payment is impossible, `Unaffordable` if it exceeds the budget. */
export interface Payer {
  /** Funds a wallet for later payments; does nothing if wallets are funded at each payment. */
  readonly fund: (trial: Trial, wallet: Wallet, lamports: number) => Promise<void>;
  /** Makes a payment, waits until its transaction has the requested status, and returns its signature. */
  readonly pay: (trial: Trial, transfer: Transfer) => Promise<string>;
  /** Makes several payments at once, and returns their signatures; absent if each payment takes a call. */
  readonly payAll?: (trial: Trial, transfers: readonly Transfer[]) => Promise<readonly string[]>;
}

/** The payer for the kind of payments that a target file names. */
export function payerOf({ payments }: Target): Payer {
  switch (payments.kind) {
    case 'control':
      return controlPayer;
    case 'solana-rpc':
      return new RpcPayer(payments.rpcUrl, payments.wallet);
    case 'command':
      return new CommandPayer(payments.command);
    case 'none':
      return nobody;
    default:
      return payments satisfies never;
  }
}

const controlPayer: Payer = {
  fund: async (trial, { address }, lamports) => {
    await trial.control('POST ledger/wallets', { address, lamports });
  },
  pay: async (trial, { from, to, lamports, status }) => {
    trial.session.wire.spend(lamports);
    const body = { from: from.address, to, lamports, ...(status === undefined ? {} : { status }) };
    const reply = await trial.control('POST ledger/transfers', body);
    return reply.string('signature');
  },
  payAll: async (trial, transfers) => {
    const { transfersMax, wire } = trial.session;
    const signatures: string[] = [];
    for (let from = 0; from < transfers.length; from += transfersMax) {
      const some = transfers.slice(from, from + transfersMax);
      for (const { lamports } of some) wire.spend(lamports);
      const body = { transfers: some.map(({ from: { address }, ...rest }) => ({ from: address, ...rest })) };
      const reply = await trial.control('POST ledger/transfers', body);
      for (const n of some.keys()) signatures.push(reply.string(`signatures.${n}`));
    }
    return signatures;
  },
};

const unpaid = (): Promise<never> =>
  Promise.reject(new Unjudged('not-tested', lacking('payments', 'the target file names no way to pay (payments)')));
const nobody: Payer = { fund: unpaid, pay: unpaid };
