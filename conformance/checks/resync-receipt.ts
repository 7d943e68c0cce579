/** Checks of the receipts that POST /agent/resync takes: how many beats, whose signature, how often, how old. */

import { show } from '../../model/reading/compare.js';
import type { Protocol } from '../../spec/protocol.js';
import { proofOf } from '../protocol/beats.js';
import {
  capUnseen,
  comeBack,
  fewest,
  frozen,
  fullAt,
  lapse,
  penalty,
  penaltyIs,
  resync,
} from '../steps/resync-call.js';
import { costBeats, makeChild, spawn } from '../steps/spawn-call.js';
import { untilFrozen } from '../steps/waits.js';
import { asString, payloadOf, type Receipt, receiptFor, sharedChain, tampered } from '../steps/work.js';
import type { Check } from '../trial/check.js';

const base = { registers: 1, writes: true, needs: ['clock', 'beats'], waits: untilFrozen() } as const;

const insufficient: Check = {
  ...base,
  id: 'resync/insufficient',
  title: 'A receipt one beat short of the penalty is refused, one with that beat accepted',
  clauses: [
    'resync.error.invalid-receipt',
    'resync.transition.active',
    'resync.penalty',
    'constant.resync-penalty',
    'resync.gap.receipt',
    'receipt.once',
  ],
  registers: 2,
  requests: 17,
  refusal: true,
  async run(t) {
    const agent = await frozen(t, fewest(t));
    const beats = penalty(t, agent.missed);
    // Short by the other reading of the gap too, an anchor less: what one beat short of 6,100 makes rests on D-24.
    const shorter = await receiptFor(t, proofOf(await sharedChain(t, beats), penalty(t, agent.missed - 1) - 1));
    const clauses = ['resync.transition.active', 'resync.penalty', 'constant.resync-penalty'];
    t.refused(await resync(t, agent, shorter), 'resync/INVALID_RECEIPT', 'resync.error.invalid-receipt', ...clauses);
    const short = await receiptFor(t, proofOf(await sharedChain(t, beats), beats - 1));
    const refused = await resync(t, agent, short);
    t.refused(refused, 'resync/INVALID_RECEIPT', 'resync.gap.receipt');
    // A refused receipt is unused: it suffices for a child.
    if (refused.status >= 400 && costBeats(t, 0, 0) < beats) {
      const parent = await t.root({ init: true });
      t.accepted(await spawn(t, parent, { child_name: t.word(), beats_receipt: short }), 'receipt.once');
    }
    t.shows('resync.transition.active').field(t.accepted(await t.call('init', { key: agent.key })), 'status', 'frozen');
    t.accepted(await comeBack(t, agent, beats), ...clauses);
  },
};

const insufficientAtCap: Check = {
  ...base,
  id: 'resync/insufficient-cap',
  title: 'After a long absence a receipt one beat short of 10,000 is refused, one with that beat accepted',
  clauses: [
    'resync.error.invalid-receipt',
    'resync.transition.active',
    'resync.penalty.cap',
    'constant.resync-penalty-cap',
  ],
  unsuitableFor: ({ protocol }) => capUnseen(protocol),
  waits: (protocol) => ({ anchors: beyondCap(protocol) }),
  requests: 12,
  refusal: true,
  async run(t) {
    const agent = await frozen(t, beyondCap(t.protocol));
    const { beatsMax } = t.protocol.resync;
    const short = await receiptFor(t, proofOf(await sharedChain(t, beatsMax), beatsMax - 1));
    const clauses = ['resync.transition.active', 'resync.penalty.cap', 'constant.resync-penalty-cap'];
    t.refused(await resync(t, agent, short), 'resync/INVALID_RECEIPT', 'resync.error.invalid-receipt', ...clauses);
    t.accepted(await comeBack(t, agent, beatsMax), ...clauses);
  },
};

const ofChild: Check = {
  ...base,
  id: 'resync/child',
  title: 'A child owes for missed anchors what a root owes, and its challenge says so',
  clauses: ['resync.penalty', 'constant.resync-penalty', 'resync.gap.receipt', 'resync.error.invalid-receipt'],
  registers: 2,
  requests: 22,
  refusal: true,
  async run(t) {
    const child = await makeChild(t, await t.root({ init: true }), { init: true });
    const missed = await lapse(t, child);
    const beats = penalty(t, missed);
    const musts = ['resync.penalty', 'constant.resync-penalty'];
    const asked = await t.call('resync', { key: child.key, body: { action: 'challenge' }, address: t.newAddress() });
    if (asked.get('challenge.required_beats') !== undefined)
      penaltyIs(t, asked, { missed, field: 'challenge.required_beats', exact: 'resync.gap.receipt' });
    // An anchor less, by whichever reading.
    const short = await receiptFor(t, proofOf(await sharedChain(t, penalty(t, missed - 1) - 1)));
    t.refused(await resync(t, child, short), 'resync/INVALID_RECEIPT', 'resync.error.invalid-receipt', ...musts);
    const back = t.accepted(await comeBack(t, child, beats), ...musts);
    penaltyIs(t, back, { missed, field: 'required_beats', exact: 'resync.gap.receipt' });
  },
};

/** An absence after which the penalty is at its cap, whether its first anchor counts or not. */
const beyondCap = (protocol: Protocol): number => Math.max(fewest({ protocol }), fullAt(protocol) + 2);

const forged: Check = {
  ...base,
  id: 'resync/forged',
  title: 'A receipt whose beats were raised under the old signature is refused',
  clauses: ['resync.error.invalid-receipt', 'resync.receipt.body', 'receipt.signature'],
  requests: 11,
  refusal: true,
  async run(t) {
    const agent = await frozen(t, fewest(t));
    const beats = penalty(t, agent.missed);
    const good = await receiptFor(t, proofOf(await sharedChain(t, beats)));
    const clauses = ['resync.error.invalid-receipt', 'resync.receipt.body', 'receipt.signature'];
    const forged = tampered(good, { beats_verified: 10 * beats });
    t.refused(await resync(t, agent, forged), 'resync/INVALID_RECEIPT', ...clauses);
    t.refused(await resync(t, agent, 'no receipt at all'), 'resync/INVALID_RECEIPT', ...clauses.slice(0, 2));
    t.accepted(await comeBack(t, agent, beats), 'resync.receipt.body');
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
    const beats = penalty(t, other.missed);
    const receipt = await receiptFor(t, proofOf(await sharedChain(t, beats)));
    t.accepted(await resync(t, one, receipt));
    t.refused(await resync(t, other, receipt), 'resync/INVALID_RECEIPT', 'receipt.once');
    t.accepted(await comeBack(t, other, beats), 'receipt.once');
  },
};

const forms: Check = {
  ...base,
  id: 'resync/receipt-forms',
  title: 'A receipt is taken as a string and as an object',
  clauses: ['receipt.both-forms', 'receipt.string', 'dialect.receipt-form'],
  registers: 2,
  requests: 13,
  async run(t) {
    const one = await t.root({ init: true });
    const other = await frozen(t, fewest(t));
    const beats = penalty(t, other.missed);
    const receipts: Receipt[] = [];
    for (let count = 0; count < 2; count += 1) {
      receipts.push(await receiptFor(t, proofOf(await sharedChain(t, beats))));
    }
    const form = t.shows('dialect.receipt-form');
    form.equal('type of a receipt', typeof receipts[0], t.facts.dialect.receiptForm);
    const [asObject, text] = receipts.map(payloadOf);
    const readable = asObject !== undefined && text !== undefined;
    t.shows('receipt.string').that('a receipt', readable, 'base64url of a JSON object', show(receipts[0]));
    if (asObject === undefined || text === undefined) return;
    t.accepted(await resync(t, one, asObject), 'receipt.both-forms');
    t.accepted(await resync(t, other, asString(text)), 'receipt.both-forms', 'receipt.string');
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
    t.accepted(await resync(t, young, receipts[0]), 'receipt.window');
    await t.sleep({ anchors: 1 });
    t.refused(await resync(t, old, receipts[1]), 'resync/INVALID_RECEIPT', 'receipt.window');
  },
};

export const resyncReceiptChecks: readonly Check[] = [
  insufficient,
  insufficientAtCap,
  ofChild,
  forged,
  once,
  forms,
  stale,
];
