/** The mock ledger in the view of JSON-RPC: slots, blocks, commitments, and the history of an address. It only reads the ledger. */

import { base58 } from '@scure/base';
import { addressOf, balanceOf, blockHash, findAccount, type Ledger, seededBytes } from './ledger.js';
import type { TransactionRecord } from './transaction-record.js';

/** A slot is 400 ms of the service's clock, and every slot has its block. */
const SLOT_MS = 400;
/** A block is confirmed once one slot has followed it, and finalized after 32. */
const CONFIRMED_SLOTS = 1;
const FINALIZED_SLOTS = 32;
/** A block hash can be used until more than 150 blocks have followed its own. */
const HASH_SLOTS_MAX = 150;

export const commitments = ['processed', 'confirmed', 'finalized'] as const;
export type Commitment = (typeof commitments)[number];

/** A ledger as a chain of blocks. */
export interface Blockchain {
  readonly ledger: Ledger;
  /** Unix ms of slot 0. */
  readonly genesisMs: number;
  /** Slots by the hashes of their blocks, up to `hashedTo`. */
  readonly slots: Map<string, number>;
  hashedTo: number;
}

/** Makes the chain of a ledger whose slot 0 begins at `genesisMs`. It costs nothing until it is read. */
export function createBlockchain(ledger: Ledger, genesisMs: number): Blockchain {
  return { ledger, genesisMs, slots: new Map(), hashedTo: -1 };
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
  const gradual = record.kind === 'sent' || (record.kind === 'transfer' && record.gradual === true);
  return record.status === 'pending' ? undefined : reachedBy(chain, record.atMs, gradual, nowMs);
}

/** The same for the transaction at a place, without making its record: a history may pass over many. */
export function commitmentAt(chain: Blockchain, row: number, nowMs: number): Commitment | undefined {
  const { transactions } = chain.ledger;
  if (transactions.isPendingAt(row)) return undefined;
  return reachedBy(chain, transactions.atMsAt(row), transactions.isGradualAt(row), nowMs);
}

/** Transactions of the control API are confirmed at once, those sent by JSON-RPC (`gradual`) as slots pass. */
function reachedBy(chain: Blockchain, atMs: number, gradual: boolean, nowMs: number): Commitment {
  const passed = slotAt(chain, nowMs) - slotAt(chain, atMs);
  if (passed >= FINALIZED_SLOTS) return 'finalized';
  return passed >= CONFIRMED_SLOTS || !gradual ? 'confirmed' : 'processed';
}

/** Whether a commitment is at least as high as another. */
export function reaches(commitment: Commitment | undefined, wanted: Commitment): boolean {
  return commitment !== undefined && commitments.indexOf(commitment) >= commitments.indexOf(wanted);
}

/** The places of the transactions of an address in the ledger's list of them, the oldest first. */
export function transactionsOf({ ledger }: Blockchain, address: string): readonly number[] {
  const account = findAccount(ledger, address);
  return account === undefined ? [] : ledger.transactions.rowsOf(account);
}

/** How many transactions came up to the end of a slot: the place of the first one after it. */
export function countUpTo(chain: Blockchain, slot: number): number {
  const { transactions } = chain.ledger;
  let [low, high] = [0, transactions.size];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (slotAt(chain, transactions.atMsAt(middle)) <= slot) low = middle + 1;
    else high = middle;
  }
  return low;
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
  const { transactions } = chain.ledger;
  const rows = transactions.rowsOf(account);
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i]!;
    if (slotAt(chain, transactions.atMsAt(row)) <= slot) break;
    if (!reaches(commitmentAt(chain, row, nowMs), commitment)) lamports -= transactions.changeAt(row, account);
  }
  return lamports;
}

/** The hash that identifies this chain. */
export function chainGenesisHash({ ledger }: Blockchain): string {
  return base58.encode(seededBytes(ledger, 'genesis'));
}

/** The accounts that airdrops come from and that fees go to: addresses whose keys are unknown. */
export function ownAddress({ ledger }: Blockchain, whose: 'faucet' | 'validator'): string {
  return base58.encode(seededBytes(ledger, whose));
}

/** The address of an account of the chain's ledger. */
export function addressIn({ ledger }: Blockchain, account: number): string {
  return addressOf(ledger, account);
}
