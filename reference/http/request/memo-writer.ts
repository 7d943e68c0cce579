/**
 * Writes the memos of a call: to the mock ledger at once, or to another ledger, signed now and sent once the call is
 * accepted. Handlers write the texts of memos; remote-memos.ts sends them.
 */

import { hash } from 'node:crypto';
import { OWN_RECORD } from '../../../spec/formats.js';
import { memo } from '../../ledger/ledger.js';
import { type Service, writesElsewhere } from '../../service.js';
import type { RemoteMemos, SignedMemo } from './remote-memos.js';

/** Writes a text to the ledger, and returns the signature by which it is found there, or the name of a record of our own. */
export type WriteMemo = (text: string) => string;

/** The writer of memos, and their outcomes. */
interface MemoWriter {
  readonly write: WriteMemo;
  /** Memos to send once the call is accepted. */
  readonly signed: SignedMemo[];
}

const RECORD_HEX = 32;

/**
 * A writer for one call. On another ledger it takes the signature that `written` has from before, when a journal is
 * replayed, or signs; without a fee payer there the text stays a record of the service's own, under a name that no
 * ledger has.
 */
export function memoWriter(service: Service, nowMs: number, remote?: RemoteMemos, written?: string): MemoWriter {
  const { ledger, paymentAccount } = service;
  const signed: SignedMemo[] = [];
  const write = (text: string): string => {
    if (written !== undefined) return written;
    if (writesElsewhere(service) && remote !== undefined) {
      const made = remote.sign(text);
      signed.push(made);
      return made.signature;
    }
    const signature = memo(ledger, { from: paymentAccount, text, nowMs });
    return writesElsewhere(service) ? `${OWN_RECORD}${hash('sha256', signature).slice(0, RECORD_HEX)}` : signature;
  };
  return { write, signed };
}

/** The note of a reply where a memo is on no ledger; undefined where it does. */
export function recordNote(signature: string): string | undefined {
  return signature.startsWith(OWN_RECORD)
    ? 'a record of the service alone: it has no fee payer for memos on its ledger (--fee-payer)'
    : undefined;
}
