/**
 * The mock ledger in the view of JSON-RPC: slots, blocks, commitments, and the history of an address. It only reads the
 * ledger; nothing lands here.
 */

import { base58 } from '@scure/base';
import { addressOf, balanceOf, blockHash, findAccount, type Ledger, seededBytes } from './ledger.js';
import type { TransactionRecord } from './transaction-log.js';

/** A slot is 400 ms of the service's clock, and every slot has its block. */
export const SLOT_MS = 400;
/** A block is confirmed once one slot has followed it, and finalized after 32. */
const CONFIRMED_SLOTS = 1;
const FINALIZED_SLOTS = 32;
/** A block hash can be used until more than 150 blocks have followed its own. */
const HASH_SLOTS_MAX = 150;

export const commitments = ['processed', 'confirmed', 'finalized'] as const;
export type Commitment = (typeof commitments)[number];

/** A ledger as a chain of blocks, with an index of its transactions. */
export interface Blockchain {
  readonly ledger: Ledger;
  /** Unix ms of slot 0. */
  readonly genesisMs: number;
  /** The places of the transactions of each account, in order of arrival. Brought up to date when it is read. */
  readonly byAccount: Map<number, number[]>;
  /** How many transactions are in it. */
  indexed: number;
  /** Slots by the hashes of their blocks, up to `hashedTo`. */
  readonly slots: Map<string, number>;
  hashedTo: number;
}

/** Makes the chain of a ledger whose slot 0 begins at `genesisMs`. It costs nothing until it is read. */
export function createBlockchain(ledger: Ledger, genesisMs: number): Blockchain {
  return { ledger, genesisMs, indexed: 0, byAccount: new Map(), slots: new Map(), hashedTo: -1 };
}

/** The slot at a moment (Unix ms); 0 before genesis. */
export function slotAt({ genesisMs }: Blockchain, ms: number): number {
  return Math.max(0, Math.floor((ms - genesisMs) / SLOT_MS));
}

/** The latest slot that has reached a commitment. */
export function slotOf(chain: Blockchain, commitment: Commitment, nowMs: number): number {
  const behind = { processed: 0, confirmed: CONFIRMED_SLOTS, finalized: FINALIZED_SLOTS }[commitment];
  return Math.max(0, slotAt(chain, nowMs) - behind);
}

/** The begin of a slot, in Unix seconds. */
export function blockTimeSec({ genesisMs }: Blockchain, slot: number): number {
  return Math.floor((genesisMs + slot * SLOT_MS) / 1_000);
}

/** The hash of a slot's block, in base58. */
export function blockhashOf({ ledger }: Blockchain, slot: number): string {
  return base58.encode(blockHash(ledger, slot));
}

/** The last block height at which the hash of this slot can be used. */
export function lastValidHeight(slot: number): number {
  return slot + HASH_SLOTS_MAX;
}

/** The slot of a block hash; undefined for one that is unknown or too old to be used. */
export function slotOfHash(chain: Blockchain, blockhash: string, nowMs: number): number | undefined {
  const latest = slotAt(chain, nowMs);
  const oldest = Math.max(0, latest - HASH_SLOTS_MAX);
  for (let slot = Math.max(chain.hashedTo + 1, oldest); slot <= latest; slot++) {
    chain.slots.set(blockhashOf(chain, slot), slot);
  }
  chain.hashedTo = Math.max(chain.hashedTo, latest);
  for (const [hash, slot] of chain.slots) {
    if (slot >= oldest) break;
    chain.slots.delete(hash);
  }
  const found = chain.slots.get(blockhash);
  return found !== undefined && found <= latest ? found : undefined;
}

/** The commitment that a transaction has reached; undefined while it is pending, and in no block. */
export function commitmentOf(chain: Blockchain, record: TransactionRecord, nowMs: number): Commitment | undefined {
  if (record.status === 'pending') return undefined;
  const passed = slotAt(chain, nowMs) - slotAt(chain, record.atMs);
  if (passed >= FINALIZED_SLOTS) return 'finalized';
  return passed >= CONFIRMED_SLOTS || !isGradual(record) ? 'confirmed' : 'processed';
}

/** Transactions of the control API are confirmed at once, those sent by JSON-RPC as slots pass. */
function isGradual(record: TransactionRecord): boolean {
  return record.kind === 'sent' || (record.kind === 'transfer' && record.gradual === true);
}

/** Whether a commitment is at least as high as another. */
export function reaches(commitment: Commitment | undefined, wanted: Commitment): boolean {
  return commitment !== undefined && commitments.indexOf(commitment) >= commitments.indexOf(wanted);
}

function catchUpIndex(chain: Blockchain): void {
  const { transactions } = chain.ledger;
  // The ledger drops nothing.
  for (; chain.indexed < transactions.size; chain.indexed++) {
    for (const account of transactions.accountsAt(chain.indexed)) {
      const known = chain.byAccount.get(account);
      if (known === undefined) chain.byAccount.set(account, [chain.indexed]);
      else known.push(chain.indexed);
    }
  }
}

/** The places of the transactions of an address in the ledger's list of them, the oldest first. */
export function transactionsOf(chain: Blockchain, address: string): readonly number[] {
  const account = findAccount(chain.ledger, address);
  if (account === undefined) return [];
  catchUpIndex(chain);
  return chain.byAccount.get(account) ?? [];
}

/** The lamports that an account gained (positive) or lost (negative) by a transaction. */
function changeOf(record: TransactionRecord, account: number): number {
  if (record.kind === 'sent') {
    const place = record.accounts.indexOf(account);
    return place < 0 ? 0 : (record.after[place] as number) - (record.before[place] as number);
  }
  if (record.kind === 'memo' || record.status !== 'confirmed') return 0;
  return (record.to === account ? record.lamports : 0) - (record.from === account ? record.lamports : 0);
}

/**
 * The lamports of an address at a commitment: its balance now, without the changes of newer blocks. Lamports that the
 * control API minted are in no block and count at once. 0 for an unknown address.
 */
export function lamportsOf(chain: Blockchain, address: string, commitment: Commitment, nowMs: number): number {
  const account = findAccount(chain.ledger, address);
  if (account === undefined) return 0;
  let lamports = balanceOf(chain.ledger, account);
  if (commitment === 'processed') return lamports;
  const slot = slotOf(chain, commitment, nowMs);
  const rows = transactionsOf(chain, address);
  for (let i = rows.length - 1; i >= 0; i--) {
    const record = chain.ledger.transactions.at(rows[i]!);
    if (slotAt(chain, record.atMs) <= slot) break;
    if (!reaches(commitmentOf(chain, record, nowMs), commitment)) lamports -= changeOf(record, account);
  }
  return lamports;
}

/** The hash that identifies this chain. */
export function chainGenesisHash({ ledger }: Blockchain): string {
  return base58.encode(seededBytes(ledger, 'genesis'));
}

/** The accounts that airdrops come from and that fees go to: addresses whose keys nobody has. */
export function ownAddress({ ledger }: Blockchain, whose: 'faucet' | 'validator'): string {
  return base58.encode(seededBytes(ledger, whose));
}

/** The address of an account of the chain's ledger. */
export function addressIn({ ledger }: Blockchain, account: number): string {
  return addressOf(ledger, account);
}
