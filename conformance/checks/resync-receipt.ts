import { resynced } from '../../spec/endpoints/resync.js';
import { proofOf } from '../protocol/beats.js';
import { comeBack, fewest, frozen, penalty, resync } from '../steps/resync-call.js';
import { untilFrozen } from '../steps/waits.js';
import { asString, ownChain, payloadOf, type Receipt, receiptFor, sharedChain, tampered } from '../steps/work.js';
import type { Check } from '../trial/check.js';

const base = { registers: 1, writes: true, needs: ['clock', 'beats'], waits: untilFrozen() } as const;

const insufficient: Check = {
  ...base,
  id: 'resync/insufficient',
  title: 'A receipt one beat short of the penalty is refused, one with that beat accepted',
  clauses: ['resync.error.invalid-receipt', 'resync.penalty', 'constant.resync-penalty'],
  requests: 10,
  refusal: true,
  async run(t) {
    const agent = await frozen(t, fewest(t));
    const beats = penalty(t, fewest(t));
    const short = await receiptFor(t, proofOf(await sharedChain(t, beats), beats - 1));
    t.refused(await resync(t, agent, short), 'resync/INVALID_RECEIPT');
    t.accepted(await comeBack(t, agent, beats), resynced);
  },
};

const forged: Check = {
  ...base,
  id: 'resync/forged',
  title: 'A receipt whose beats were raised under the old signature is refused',
  clauses: ['resync.error.invalid-receipt', 'resync.receipt.body', 'receipt.signature'],
  requests: 11,
  refusal: true,
  async run(t) {
    const agent = await frozen(t, fewest(t));
    const beats = penalty(t, fewest(t));
    const small = await receiptFor(t, proofOf(await ownChain(t, 3)));
    t.refused(await resync(t, agent, tampered(small, { beats_verified: beats })), 'resync/INVALID_RECEIPT');
    t.refused(await resync(t, agent, 'no receipt at all'), 'resync/INVALID_RECEIPT');
    t.accepted(await comeBack(t, agent, beats), resynced);
  },
};

const once: Check = {
  ...base,
  id: 'resync/receipt-once',
  title: 'A receipt brings back one agent',
  clauses: ['receipt.once'],
  registers: 2,
  requests: 13,
  refusal: true,
  async run(t) {
    const one = await t.root({ init: true });
    const other = await frozen(t, fewest(t));
    const beats = penalty(t, fewest(t));
    const receipt = await receiptFor(t, proofOf(await sharedChain(t, beats)));
    t.accepted(await resync(t, one, receipt), resynced);
    t.refused(await resync(t, other, receipt), 'resync/INVALID_RECEIPT');
    t.accepted(await comeBack(t, other, beats), resynced);
  },
};

const forms: Check = {
  ...base,
  id: 'resync/receipt-forms',
  title: 'A receipt is taken as a string and as an object',
  clauses: ['receipt.both-forms', 'receipt.string', 'receipt.payload', 'dialect.receipt-form'],
  registers: 2,
  requests: 13,
  async run(t) {
    const one = await t.root({ init: true });
    const other = await frozen(t, fewest(t));
    const beats = penalty(t, fewest(t));
    const receipts: Receipt[] = [];
    for (let count = 0; count < 2; count += 1) {
      receipts.push(await receiptFor(t, proofOf(await sharedChain(t, beats))));
    }
    const [asObject, text] = receipts.map(payloadOf);
    t.that('the receipts', asObject !== undefined && text !== undefined, 'the payload of D-09', 'something else');
    if (asObject === undefined || text === undefined) return;
    t.accepted(await resync(t, one, asObject), resynced);
    t.accepted(await resync(t, other, asString(text)), resynced);
  },
};

const stale: Check = {
  ...base,
  id: 'resync/receipt-window',
  title: 'A receipt is good for 60 anchors',
  clauses: ['receipt.window'],
  registers: 2,
  requests: 18,
  refusal: true,
  waits: untilFrozen(1),
  async run(t) {
    const { receiptAnchorsMax } = t.protocol.work;
    const [young, old] = [await t.root({ init: true }), await t.root({ init: true })];
    // Both are frozen by the time at which a receipt made now is just good, and a moment later no longer.
    await t.sleep({ anchors: Math.max(1, fewest(t) - receiptAnchorsMax) });
    const beats = penalty(t, Math.max(fewest(t), receiptAnchorsMax + 1) + 1);
    const receipts = [
      await receiptFor(t, proofOf(await sharedChain(t, beats))),
      await receiptFor(t, proofOf(await sharedChain(t, beats))),
    ];
    await t.sleep({ anchors: receiptAnchorsMax });
    t.accepted(await resync(t, young, receipts[0]), resynced);
    await t.sleep({ anchors: 1 });
    t.refused(await resync(t, old, receipts[1]), 'resync/INVALID_RECEIPT');
  },
};

export const resyncReceiptChecks: readonly Check[] = [insufficient, forged, once, forms, stale];
