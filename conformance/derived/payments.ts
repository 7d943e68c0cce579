/** Checks of payments: each paid endpoint with each payer, payee, amount and age, with used payments, and before and after a change of the fee. */

import type { Item } from '../../model/facts/fees.js';
import type { LimitName } from '../../spec/protocol.js';
import { heartbeat } from '../moves/heartbeat.js';
import { namesOf } from '../moves/move.js';
import { type Payment, paymentFaults } from '../moves/payment.js';
import { sponsor } from '../moves/sponsor.js';
import { grant, terms } from '../moves/subsidy.js';
import { flagging } from '../steps/flagging.js';
import { adminKey } from '../steps/keys.js';
import { pauseAnchors } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { type Paid, paidMoves } from './acts.js';
import { send } from './after.js';
import { type Actor, type ContextName, childOf, contexts, feeOf, makeRow, pay, payerOf, type Row } from './cast.js';

/** An item with a fee, and the request that names its payment. */
interface Bought {
  readonly title: string;
  readonly item: Item;
  readonly context: ContextName;
  readonly limit: LimitName;
  readonly make: Paid;
}

const bought: Readonly<Record<string, Bought>> = {
  heartbeat: {
    title: 'A heartbeat',
    item: 'heartbeat',
    context: 'root',
    limit: 'heartbeat',
    make: paidMoves.heartbeat,
  },
  sponsored: {
    title: 'A heartbeat of a sponsored child',
    item: 'heartbeat',
    context: 'child',
    limit: 'heartbeat',
    make: paidMoves.heartbeat,
  },
  sigil: {
    title: 'A SIGIL',
    item: 'sigil_narrow_task',
    context: 'plain',
    limit: 'sigil',
    make: paidMoves.sigil,
  },
  reissue: {
    title: 'A passport',
    item: 'reissuance',
    context: 'root',
    limit: 'reissueProof',
    make: paidMoves.reissue,
  },
};

/** Uses payments again that another request or agent has used. `own`: a valid payment of the subject. */
async function again(row: Row, { make }: Bought, own: string | undefined): Promise<void> {
  const { t, subject, stranger } = row;
  for (const who of [subject, stranger, ...subject.line])
    for (const each of Object.values(bought)) await send(row, each.make(t, who, own));
  // The subject names a payment of the stranger before and after the stranger uses it.
  const theirs = await pay(row, stranger, 'heartbeat');
  await send(row, make(t, subject, theirs));
  await send(row, heartbeat(stranger, theirs));
  await send(row, make(t, subject, theirs));
}

/** Tries each faulty payment, and the fee of each other item. Each agent sends only as many requests as the limit of the endpoint allows. */
async function faulty(row: Row, { item, context, limit, make }: Bought): Promise<void> {
  const { t } = row;
  const others = (['heartbeat', 'reissuance', 'sigil_autonomous'] as const).filter((other) => other !== item);
  const faults: readonly ((who: Actor) => Partial<Payment>)[] = [
    ...namesOf(paymentFaults).map((name) => () => paymentFaults[name]),
    ...others.map((other) => (who: Actor) => ({ excess: feeOf(t, who, other) - feeOf(t, who, item) })),
  ];
  const each = Math.max(1, t.protocol.limits[limit].count);
  for (let from = 0; from < faults.length; from += each) {
    const who = await contexts[context].make(t);
    await fundLargePayment(t, who);
    for (const fault of faults.slice(from, from + each))
      await t.part(async () => send(row, make(t, who, await pay(row, who, item, fault(who)))));
  }
}

/** Gives the payer of an agent more lamports than 32 bits hold, which one of the faults needs. */
async function fundLargePayment(t: Trial, who: Actor): Promise<void> {
  const wallet = payerOf(who)?.wallet;
  if (wallet !== undefined) await t.fund(wallet, 2 * paymentFaults['over-32-bits'].excess);
}

async function play(row: Row, kind: Bought): Promise<void> {
  const { t, subject, stranger } = row;
  const { item, make } = kind;
  const right = async (): Promise<void> => send(row, make(t, subject, await pay(row, subject, item)));
  for (const who of [subject, stranger]) await fundLargePayment(t, who);
  // The full fee is paid before a subsidy lowers it.
  const early = await pay(row, subject, item);
  await t.part(async () => {
    if (!t.session.offers.has('admin')) return;
    const fee_type = item.startsWith('sigil') ? 'sigil' : item;
    await t.send(grant(await adminKey(t), terms(subject, { fee_type, discount_bps: 2_500 })));
    await send(row, make(t, subject, early));
  });
  const own = await pay(row, subject, item);
  await t.part(async () => send(row, make(t, subject, own)));
  await t.part(() => again(row, kind, own));
  await faulty(row, kind);
  // The payer is a stranger, and then a child that paid before its sponsorship.
  const child = await childOf(t, stranger);
  const ahead = await pay(row, child, 'heartbeat');
  await t.sleep({ anchors: pauseAnchors(t.protocol) });
  await t.part(async () => send(row, sponsor(stranger, child.hash)));
  await t.part(async () => send(row, make(t, subject, await pay(row, subject, item, { from: 'stranger' }))));
  await t.part(async () => send(row, heartbeat(child, ahead)));
  await t.part(right);
}

export const paymentChecks: readonly WrittenCheck[] = Object.entries(bought).map(([word, kind]) => ({
  id: `payments/${word}`,
  title: `${kind.title} takes one payment of the exact fee from an agent that may pay for it, once`,
  needs: ['clock', 'payments', 'beats', 'control'],
  controls: ['flags/:id/review'],
  readsItself: true,
  run: (t) => flagging(t, async (flags) => play(await makeRow(t, flags, kind.context), kind)),
}));
