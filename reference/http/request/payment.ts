/**
 * Finds the payment that a request names: on the service's own ledger at once, or on another ledger, which is asked
 * only when the rule has reached the payment (D-27). Whether a payment is valid is for the rules to decide.
 */
import { commitmentOf, reaches } from '../../ledger/chain.js';
import { addressOf, findTransaction } from '../../ledger/ledger.js';
import type { TransactionRecord } from '../../ledger/transaction-record.js';
import { numberOf } from '../../registry/columns/interner.js';
import type { NamedPayment } from '../../registry/payment.js';
import type { Service } from '../../service.js';

/** A transaction on a ledger, as far as the rules depend on it. */
export interface ObservedPayment {
  /** The address that paid; null unless there is exactly one. */
  readonly sender: string | null;
  readonly lamports: number;
  /** Confirmed, and paid by one sender only to the payment address (D-27). */
  readonly counts: boolean;
}

/** The reply of another ledger: the transaction, its absence, or why the ledger cannot tell. */
export type LookupResult = ObservedPayment | 'unknown' | { readonly unavailable: string };

/** Looks a transaction up on another ledger by its signature. Never rejects. */
export type PaymentLookup = (signature: string) => Promise<LookupResult>;

/**
 * The payment with this signature. If fees are paid on another ledger, it is the transaction that was `observed` there;
 * without that, it must be looked up first.
 */
export function namedPayment(
  service: Service,
  signature: string | undefined,
  nowMs: number,
  observed?: ObservedPayment,
): NamedPayment {
  if (signature === undefined || signature === '') return 'missing';
  const remote = service.options.paymentAddress !== undefined;
  if (remote && observed === undefined) return { lookUp: signature };
  const seen = remote ? observed : onOwnLedger(service, signature, nowMs);
  if (seen === undefined) return 'unknown';
  const sender = seen.sender === null ? -1 : numberOf(service.registry.wallets, seen.sender);
  return { id: signature, sender, lamports: seen.lamports, counts: seen.counts };
}

function onOwnLedger(
  { chain, ledger, paymentAccount }: Service,
  signature: string,
  nowMs: number,
): ObservedPayment | undefined {
  const found = findTransaction(ledger, signature);
  if (found === undefined || found.kind === 'memo') return undefined;
  const confirmed = found.status === 'confirmed' && reaches(commitmentOf(chain, found, nowMs), 'confirmed');
  const paid = paymentsOf(found).filter(({ to }) => to === paymentAccount);
  const [payer, ...others] = new Set(paid.map(({ from }) => from));
  return {
    sender: payer === undefined || others.length > 0 ? null : addressOf(ledger, payer),
    lamports: paid.reduce((sum, { lamports }) => sum + lamports, 0),
    counts: confirmed && payer !== undefined && others.length === 0,
  };
}

function paymentsOf(record: Exclude<TransactionRecord, { readonly kind: 'memo' }>) {
  return record.kind === 'transfer' ? [record] : record.transfers;
}
