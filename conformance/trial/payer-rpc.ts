/** Pays over a Solana RPC endpoint with the user's key. Transactions are built in protocol/solana.ts. */

import { base64 } from '@scure/base';
import { jsonOf } from '../../spec/formats.js';
import { lacking, Unjudged } from '../assertions/unjudged.js';
import { type Payment, signedPayment } from '../protocol/solana.js';
import type { Wallet } from '../protocol/wallet.js';
import { TransportFailure } from '../wire/transport.js';
import { Unaffordable } from '../wire/wire.js';
import type { Payer, Transfer } from './payer.js';
import { once } from './session.js';
import type { Trial } from './trial.js';

/** The fee of the chain for each signature of a transaction; ours have one. */
export const TRANSACTION_LAMPORTS = 5_000;
/** The least balance of an account without data, or it cannot exist (two years of rent). */
export const RESERVE_LAMPORTS = 890_880;
/** More lamports than exist, so that the transfer fails. */
const TOO_MUCH = 2n ** 62n;

const CONFIRM_MS_MAX = 60_000;
/** A wait doubles from the first to the longest. */
const POLL_MS = { first: 25, longest: 800 } as const;
const ATTEMPTS_MAX = 6;
const CLOCK_LOOK_MS = 1_000;
const SLOT_MS = 400;
const SHOWN_CHARS_MAX = 200;

type Confirmation = 'processed' | 'confirmed' | 'finalized';

/** The ledger has answered with a refusal. */
class Refused extends Unjudged {}

/** A transaction to be sent. */
interface Sent extends Pick<Payment, 'from' | 'to' | 'amounts'> {
  readonly skipPreflight?: boolean;
  /** Lamports taken from the purse. */
  readonly costLamports?: number;
}

/** The state of a transaction. */
interface Status {
  readonly confirmationStatus?: Confirmation | null;
  readonly err?: unknown;
}

/**
 * Pays on a ledger that speaks Solana JSON-RPC, from a wallet of the user's. Each paying wallet is funded when it pays, and
 * with no more than it needs; it then pays by itself, so that it is the one sender and bears the fee.
 */
export class RpcPayer implements Payer {
  /** Balances of the wallets of this run, by address; the reserve included. */
  readonly #held = new Map<string, number>();
  #payments = 0;

  constructor(
    readonly url: string,
    readonly purse: Wallet,
  ) {}

  async fund(): Promise<void> {
    // Wallets are funded when they pay: no money of the user is left in them.
  }

  async pay(trial: Trial, { from, to, lamports, status = 'confirmed' }: Transfer): Promise<string> {
    if (status === 'pending') throw new Unjudged('not-tested', 'this ledger does not delay transactions for a caller');
    const fails = status === 'failed';
    await this.#provide(trial, from, (fails ? 0 : lamports) + TRANSACTION_LAMPORTS);
    const amounts = fails ? [BigInt(lamports), TOO_MUCH] : [BigInt(lamports)];
    const signature = await this.#send(trial, { from, to, amounts, skipPreflight: fails });
    const { err } = await this.#until(trial, signature, 'confirmed');
    if ((err !== null) !== fails) {
      throw new Unjudged('inconclusive', `the payment ${signature} ended with ${JSON.stringify(err)} on its ledger`);
    }
    return signature;
  }

  /** Makes sure that a wallet holds `lamports` above its reserve, and reserves them for the payment at hand. */
  async #provide(trial: Trial, wallet: Wallet, lamports: number): Promise<void> {
    const held = this.#held.get(wallet.address);
    const wanted = lamports + (held === undefined ? RESERVE_LAMPORTS : 0);
    const lacking = Math.max(0, wanted - (held ?? 0));
    this.#held.set(wallet.address, (held ?? 0) + lacking - lamports);
    if (lacking === 0) return;
    const costLamports = lacking + TRANSACTION_LAMPORTS;
    const funding = { from: this.purse, to: wallet.address, amounts: [BigInt(lacking)], costLamports };
    const given = await this.#send(trial, funding).catch((error: unknown) => {
      if (error instanceof Refused || error instanceof Unaffordable) this.#takeBack(wallet, lacking - lamports);
      throw error;
    });
    const { err } = await this.#until(trial, given, 'processed');
    if (err === null) return;
    throw new Unjudged('inconclusive', `a wallet could not be funded: ${given} ended with ${JSON.stringify(err)}`);
  }

  /** Records that the funding of a wallet failed. */
  #takeBack({ address }: Wallet, lamports: number): void {
    const held = (this.#held.get(address) ?? 0) - lamports;
    if (held === 0) this.#held.delete(address);
    else this.#held.set(address, held);
  }

  /** Sends a transaction, and counts what it costs the purse unless the ledger refuses it. */
  async #send(trial: Trial, sent: Sent): Promise<string> {
    const { from, to, amounts, skipPreflight = false, costLamports = 0 } = sent;
    const latest = await this.#ask(trial, 'getLatestBlockhash', [{ commitment: 'confirmed' }]);
    const blockhash = (latest as { value?: { blockhash?: unknown } } | null)?.value?.blockhash;
    if (typeof blockhash !== 'string') throw strange('getLatestBlockhash', latest);
    this.#payments += 1;
    const memo = `aips conform ${trial.session.seed} ${this.#payments}`;
    const wire = signedPayment({ from, to, amounts, memo, blockhash });
    const config = { encoding: 'base64', preflightCommitment: 'processed', skipPreflight };
    const { wire: budget } = trial.session;
    budget.spend(costLamports);
    try {
      const signature = await this.#ask(trial, 'sendTransaction', [base64.encode(wire), config]);
      if (typeof signature === 'string') return signature;
      throw strange('sendTransaction', signature);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      budget.unspend(costLamports);
      if (from === this.purse) await this.#refuseIfEmpty(trial, costLamports);
      throw error;
    }
  }

  /** Polls until a transaction has reached this status. For a ledger that runs on the target's clock, moves that clock. */
  async #until(trial: Trial, signature: string, wanted: 'processed' | 'confirmed'): Promise<{ readonly err: unknown }> {
    const byClock = wanted === 'confirmed' && (await this.#standsStill(trial));
    const { wallMs, waitMs } = trial.session;
    const startMs = wallMs();
    let pauseMs: number = POLL_MS.first;
    while (wallMs() - startMs < CONFIRM_MS_MAX) {
      const statuses = await this.#ask(trial, 'getSignatureStatuses', [[signature]]);
      const status = (statuses as { value?: (Status | null)[] } | null)?.value?.[0];
      if (status === undefined) throw strange('getSignatureStatuses', statuses);
      const reached = status !== null && (wanted === 'processed' || status.confirmationStatus !== 'processed');
      // Some nodes leave out fields that are null.
      if (reached) return { err: status.err ?? null };
      if (byClock) await trial.time.passTime(SLOT_MS);
      else await waitMs(pauseMs);
      pauseMs = Math.min(2 * pauseMs, POLL_MS.longest);
    }
    throw new Unjudged(
      'inconclusive',
      `the transaction ${signature} was not ${wanted} within ${CONFIRM_MS_MAX / 1_000} s`,
    );
  }

  /** Whether the ledger's slots follow a clock that only this run moves. */
  async #standsStill(trial: Trial): Promise<boolean> {
    const { session } = trial;
    if (!session.offers.has('clock')) return false;
    return once(session, "the ledger's clock", async () => {
      const slot = () => this.#ask(trial, 'getSlot', [{ commitment: 'processed' }]);
      const before = await slot();
      await session.waitMs(CLOCK_LOOK_MS);
      return (await slot()) === before;
    });
  }

  /** Calls a method, and repeats the call while the ledger is busy. */
  async #ask(trial: Trial, method: string, params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const request = { method: 'POST', url: this.url, headers: { 'content-type': 'application/json' }, body };
    for (let attempt = 1; ; attempt += 1) {
      const reply = await trial.askOther(request, method === 'sendTransaction').catch((error: unknown) => {
        if (!(error instanceof TransportFailure)) throw error;
        throw new Unjudged('inconclusive', `the ledger that fees are paid on gives no reply: ${error.message}`);
      });
      const response = responseOf(reply.body);
      if ('result' in response) return response.result;
      const { code, message } = (response.error ?? {}) as { code?: unknown; message?: unknown };
      const busy = reply.status === 429 || reply.status === 503 || code === -32005;
      if (!busy || attempt === ATTEMPTS_MAX) {
        const said = typeof message === 'string' ? message : reply.body;
        const answered = `HTTP ${reply.status}, ${said.slice(0, SHOWN_CHARS_MAX)}`;
        throw new Refused('inconclusive', `the ledger that fees are paid on answers ${method} with ${answered}`);
      }
      await trial.session.waitMs(POLL_MS.longest * attempt);
    }
  }

  /** Ends a check that the purse cannot pay for as not tested; a cheaper check may still run. */
  async #refuseIfEmpty(trial: Trial, lamports: number): Promise<void> {
    const balance = await this.#ask(trial, 'getBalance', [this.purse.address, { commitment: 'processed' }]);
    const held = (balance as { value?: unknown } | null)?.value;
    if (typeof held !== 'number' || held === lamports || held >= lamports + RESERVE_LAMPORTS) return;
    // The purse must keep the minimum balance of an account.
    const needed = held < lamports ? lamports : lamports + RESERVE_LAMPORTS;
    const purse = `the wallet ${this.purse.address} of payments.key_file`;
    const reason = `${purse} holds ${held} lamports, and ${needed} are needed next`;
    trial.session.wire.lack(reason);
    throw new Refused('not-tested', lacking('purse', reason));
  }
}

function responseOf(text: string): { readonly result?: unknown; readonly error?: unknown } {
  const value = jsonOf(text);
  return typeof value === 'object' && value !== null ? value : {};
}

function strange(method: string, result: unknown): Unjudged {
  return new Unjudged(
    'inconclusive',
    `the ledger answers ${method} with ${JSON.stringify(result)?.slice(0, SHOWN_CHARS_MAX)}`,
  );
}
