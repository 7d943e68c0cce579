/** Checks of the receipts that POST /agent/resync accepts: their beats, signature, single use and age. */

import { show } from '../../model/reading/compare.js';
import { groups } from '../../spec/clauses/groups.js';
import type { Protocol } from '../../spec/protocol.js';
import { resync } from '../moves/resync.js';
import { spawn } from '../moves/spawn.js';
import { proofOf } from '../protocol/beats.js';
import { capUnseen, comeBack, fewest, frozen, fullAt, penalty } from '../steps/resync-call.js';
import { costBeats } from '../steps/spawn-call.js';
import { untilFrozen } from '../steps/waits.js';
import { asString, payloadOf, type Receipt, receiptFor, sharedChain, tampered } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';

const base = { needs: ['clock', 'beats'], waits: untilFrozen() } as const;

const refused: WrittenCheck = {
  ...base,
  id: 'resync/receipt-refused',
  title: 'A receipt that is invented, altered, short or used is refused, and a valid one reactivates one agent',
  async run(t) {
    const one = await t.root({ init: true });
    const other = await frozen(t, fewest(t));
    const beats = penalty(t, other.missed);
    const chain = await sharedChain(t, beats);
    const good = await receiptFor(t, proofOf(chain));
    await t.send(resync(one, 'no receipt at all'));
    await t.send(resync(one, tampered(good, { beats_verified: 10 * beats })));
    // This receipt is too short even if the server counts one missed anchor less.
    await t.send(resync(one, await receiptFor(t, proofOf(chain, penalty(t, other.missed - 1) - 1))));
    const short = await receiptFor(t, proofOf(chain, beats - 1));
    const reply = await t.send(resync(one, short));
    // The refusal leaves the receipt unused, so it still pays for a child.
    if (reply.status >= 400 && costBeats(t, 0, 0) < beats) {
      const parent = await t.root({ init: true });
      t.mustSucceed(await t.send(spawn(parent, { child_name: t.word(), beats_receipt: short })));
    }
    await t.call('init', { key: one.key });
    t.mustSucceed(await t.send(resync(one, good)));
    await t.send(resync(other, good));
    t.mustSucceed(await comeBack(t, other, beats));
  },
};

const insufficientAtCap: WrittenCheck = {
  ...base,
  id: 'resync/insufficient-cap',
  title: 'A resync after 102 missed anchors is accepted with 10,000 beats and refused with 9,999',
  unsuitableFor: ({ protocol }) => capUnseen(protocol),
  waits: (protocol) => ({ anchors: beyondCap(protocol) }),
  async run(t) {
    const agent = await frozen(t, beyondCap(t.protocol));
    const { beatsMax } = t.protocol.resync;
    const short = await receiptFor(t, proofOf(await sharedChain(t, beatsMax), beatsMax - 1));
    t.refused(await t.send(resync(agent, short)), 'resync/INVALID_RECEIPT', ...groups.penaltyCap);
    t.accepted(await comeBack(t, agent, beatsMax), ...groups.penaltyCap);
  },
};

/** An absence after which the penalty is at its cap, whether its first anchor counts or not. */
const beyondCap = (protocol: Protocol): number => Math.max(fewest({ protocol }), fullAt(protocol) + 2);

const forms: WrittenCheck = {
  ...base,
  id: 'resync/receipt-forms',
  title: 'A receipt is accepted as a string and as an object',
  async run(t) {
    const one = await t.root({ init: true });
    const other = await frozen(t, fewest(t));
    const beats = penalty(t, other.missed);
    const receipts: Receipt[] = [];
    for (let count = 0; count < 2; count += 1) {
      receipts.push(await receiptFor(t, proofOf(await sharedChain(t, beats))));
    }
    t.shows('dialect.receipt-form').equal('type of a receipt', typeof receipts[0], t.facts.dialect.receiptForm);
    const [asObject, text] = receipts.map(payloadOf);
    const readable = asObject !== undefined && text !== undefined;
    t.shows('receipt.string').that('a receipt', readable, 'base64url of a JSON object', show(receipts[0]));
    if (asObject === undefined || text === undefined) return;
    t.accepted(await t.send(resync(one, asObject)), 'receipt.both-forms');
    t.accepted(await t.send(resync(other, asString(text))), 'receipt.both-forms', 'receipt.string');
  },
};

const stale: WrittenCheck = {
  ...base,
  id: 'resync/receipt-window',
  title: 'A receipt is accepted for 60 anchors and refused after them',
  waits: untilFrozen(1),
  async run(t) {
    const { receiptAnchorsMax } = t.protocol.work;
    const [young, old] = [await t.root({ init: true }), await t.root({ init: true })];
    // Waits so long that both agents are frozen before receipts that are made now expire.
    await t.sleep({ anchors: Math.max(1, fewest(t) - receiptAnchorsMax) });
    const beats = penalty(t, Math.max(fewest(t), receiptAnchorsMax + 1) + 1);
    const receipts = [
      await receiptFor(t, proofOf(await sharedChain(t, beats))),
      await receiptFor(t, proofOf(await sharedChain(t, beats))),
    ];
    await t.sleep({ anchors: receiptAnchorsMax });
    t.accepted(await t.send(resync(young, receipts[0])), 'receipt.window');
    await t.sleep({ anchors: 1 });
    await t.send(resync(old, receipts[1]));
  },
};

export const resyncReceiptChecks: readonly WrittenCheck[] = [refused, insufficientAtCap, forms, stale];
