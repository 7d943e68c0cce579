/** The records of transactions, as a ledger gives them. How they are kept is in transaction-log.ts. */

/** The status of a transaction. Only a confirmed one has moved lamports; confirmed and failed are final. */
export type TransactionStatus = 'confirmed' | 'pending' | 'failed';

/** A recorded payment. `from` and `to` are accounts of the ledger. */
interface TransferRecord {
  readonly kind: 'transfer';
  readonly signature: string;
  readonly from: number;
  readonly to: number;
  readonly lamports: number;
  readonly atMs: number;
  readonly status: TransactionStatus;
  /** The balances of payer and payee when it was settled, before it moved anything. */
  readonly before: readonly [from: number, to: number];
  /** Sent by JSON-RPC: it becomes confirmed as slots pass, not at once. */
  readonly gradual?: true;
}

/** A text that an account wrote to the ledger. */
interface MemoRecord {
  readonly kind: 'memo';
  readonly signature: string;
  readonly from: number;
  readonly text: string;
  readonly atMs: number;
  readonly status: TransactionStatus;
  /** The account's balance in lamports, which a memo does not change. Fingerprints of journals rest on its name. */
  readonly held: number;
}

/** The reason why a transaction failed, in Solana's JSON. */
export type TransactionError =
  | string
  | { readonly DuplicateInstruction: number }
  | { readonly InstructionError: readonly [instruction: number, error: string | { readonly Custom: number }] };

/** A signed transaction that came by JSON-RPC, with its effects. It becomes confirmed as slots pass. */
export interface SentRecord {
  readonly kind: 'sent';
  readonly signature: string;
  /** The transaction as it was sent. */
  readonly wire: Uint8Array;
  readonly atMs: number;
  readonly status: 'confirmed' | 'failed';
  /** The accounts of the message in its order, and their balances before and after. */
  readonly accounts: readonly number[];
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly feeLamports: number;
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly units: number;
  /** The payments that it made, in order; none if it failed. */
  readonly transfers: readonly Pick<TransferRecord, 'from' | 'to' | 'lamports'>[];
  /** `[length] text` of each memo, joined by semicolons; null without one. */
  readonly memo: string | null;
}

export type TransactionRecord = TransferRecord | MemoRecord | SentRecord;

/** The part of a record that does not fit into columns: the text of a memo, or all of a transaction that came signed. */
export type TransactionExtra = { readonly text: string } | SentRecord;
