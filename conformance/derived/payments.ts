/** Payments: each paid endpoint by each payer, to each payee, of each amount and age, once and twice, before and after what changes the fee. */

import { heartbeat } from '../moves/heartbeat.js';
import type { Move } from '../moves/move.js';
import { namesOf } from '../moves/move.js';
import { type Payment, paymentFaults } from '../moves/payment.js';
import { reissue } from '../moves/reissue-proof.js';
import { buySigil, purchaseOf } from '../moves/sigil.js';
import { sponsor } from '../moves/sponsor.js';
import { grant, terms } from '../moves/subsidy.js';
import { flagging } from '../steps/flagging.js';
import { adminKey } from '../steps/keys.js';
import { pauseAnchors } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { send } from './after.js';
import { type Actor, type ContextName, childOf, feeOf, type Item, makeRow, pay, payerOf, type Row } from './cast.js';

/** An item with a fee, and the request that names its payment. */
interface Bought {
  readonly title: string;
  readonly item: Item;
  readonly context: ContextName;
  readonly make: (t: Trial, who: Actor, payment: string | undefined) => Move;
}

const bought: Readonly<Record<string, Bought>> = {
  heartbeat: { title: 'A heartbeat', item: 'heartbeat', context: 'root', make: (_, who, paid) => heartbeat(who, paid) },
  sponsored: {
    title: 'A heartbeat of a sponsored child',
    item: 'heartbeat',
    context: 'child',
    make: (_, who, paid) => heartbeat(who, paid),
  },
  sigil: {
    title: 'A SIGIL',
    item: 'sigil_narrow_task',
    context: 'plain',
    make: (t, who, paid) => buySigil(who, purchaseOf(t.principal()), paid),
  },
  reissue: { title: 'A passport', item: 'reissuance', context: 'root', make: (_, who, paid) => reissue(who, paid) },
};

/** Payments that another request or agent has used are used again; `own`: the payment that was right. */
async function again(row: Row, { make }: Bought, own: string | undefined): Promise<void> {
  const { t, subject, stranger } = row;
  for (const who of [subject, stranger, ...subject.line])
    for (const each of Object.values(bought)) await send(row, each.make(t, who, own));
  // One of the stranger's, named by the subject before the stranger uses it, and afterwards.
  const theirs = await pay(row, stranger, 'heartbeat');
  await send(row, make(t, subject, theirs));
  await send(row, heartbeat(stranger, theirs));
  await send(row, make(t, subject, theirs));
}

async function play(row: Row, kind: Bought): Promise<void> {
  const { t, subject, stranger } = row;
  // One of the faults pays more than 32 bits hold.
  for (const who of [payerOf(subject), stranger])
    if (who?.wallet !== undefined) await t.fund(who.wallet, 2 * paymentFaults['over-32-bits'].excess);
  const { item, make } = kind;
  const tried = (steps: () => Promise<unknown>): Promise<void> => t.part(async () => void (await steps()));
  const each = (fault: Partial<Payment>) => async () =>
    send(row, make(t, subject, await pay(row, subject, item, fault)));
  for (const name of namesOf(paymentFaults)) await tried(each(paymentFaults[name]));
  // The fee of another item, and of another class.
  for (const other of ['heartbeat', 'reissuance', 'sigil_autonomous'] as const)
    if (other !== item) await tried(each({ excess: feeOf(t, subject, other) - feeOf(t, subject, item) }));
  // One that is paid before a subsidy is short no more, and one of the full fee is more than what is due.
  const early = await pay(row, subject, item);
  await tried(async () => {
    if (!t.session.offers.has('admin')) return;
    const fee_type = item.startsWith('sigil') ? 'sigil' : item;
    await t.send(grant(await adminKey(t), terms(subject, { fee_type, discount_bps: 2_500 })));
    await send(row, make(t, subject, early));
  });
  const right = await pay(row, subject, item);
  await tried(async () => send(row, make(t, subject, right)));
  await tried(() => again(row, kind, right));
  await t.sleep({ anchors: pauseAnchors(t.protocol) });
  // The payer is another ancestor, the sponsor of another child, or the child in place of its sponsor.
  const child = await childOf(t, stranger);
  await tried(async () => send(row, sponsor(stranger, child.hash)));
  await tried(async () => send(row, make(t, subject, await pay(row, subject, item, { from: 'stranger' }))));
  await tried(async () => send(row, heartbeat(child, await pay(row, child, 'heartbeat'))));
  await tried(each({}));
}

export const paymentChecks: readonly WrittenCheck[] = Object.entries(bought).map(([word, kind]) => ({
  id: `payments/${word}`,
  title: `${kind.title} takes one payment of the exact fee from who may pay for it, once`,
  needs: ['clock', 'payments', 'beats', 'control'],
  controls: ['flags/:id/review'],
  readsItself: true,
  run: (t) => flagging(t, async (flags) => play(await makeRow(t, flags, kind.context), kind)),
}));
