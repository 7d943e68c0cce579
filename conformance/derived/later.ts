/**
 * Checks that let a day, an epoch or a year pass, and then use payments, complaints, subsidies, sponsorships and keys from before. After the
 * events of events.ts at most an hour passes.
 */

import type { Item } from '../../model/facts/fees.js';
import type { Protocol } from '../../spec/protocol.js';
import { DAY_SEC } from '../../spec/time.js';
import type { Reply } from '../assertions/reply.js';
import { complaint, flag } from '../moves/flag.js';
import { heartbeat } from '../moves/heartbeat.js';
import { flagging } from '../steps/flagging.js';
import { comeBack, penalty } from '../steps/resync-call.js';
import { whileAnchorsStall } from '../steps/stalled-anchors.js';
import { pauseAnchors } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { beat, type Paid, paidMoves, subsidise } from './acts.js';
import { probeAll, send } from './after.js';
import { type Actor, makeRow, pay, type Row, root } from './cast.js';

/** A time that passes. */
interface Span {
  readonly title: string;
  readonly sec: (protocol: Protocol) => number;
  /** The span is longer than other checks allow, so the check runs alone. */
  readonly exclusive?: true;
  /** No anchors are issued in this time, so no agent is frozen. A server would need seconds for half a million anchors. */
  readonly stalls?: true;
}

const spans: Readonly<Record<string, Span>> = {
  day: { title: 'a day', sec: () => DAY_SEC + 1 },
  epoch: {
    title: 'an epoch',
    sec: ({ heartbeat: { epochBeats }, anchor }) => (epochBeats / anchor.beatsPerAnchor) * anchor.intervalSec,
    exclusive: true,
  },
  year: { title: 'a year', sec: () => 366 * DAY_SEC, exclusive: true, stalls: true },
};

const bought: readonly (readonly [Item, Paid])[] = [
  ['heartbeat', paidMoves.heartbeat],
  ['reissuance', paidMoves.reissue],
  ['sigil_narrow_task', paidMoves.sigil],
];

/** The payments of an agent from before the span. */
interface Kept {
  readonly who: Actor;
  /** The payment of a heartbeat; `unused`: payments that no request has named. */
  readonly used: string | undefined;
  readonly unused: readonly (string | undefined)[];
}

/** Sends a heartbeat with its payment, and makes an unused payment for each item. */
async function keep(row: Row, who: Actor): Promise<Kept> {
  const used = await pay(row, who, 'heartbeat');
  await send(row, heartbeat(who, used));
  const unused: (string | undefined)[] = [];
  for (const [item] of bought) unused.push(await pay(row, who, item));
  return { who, used, unused };
}

/** Uses earlier payments: the unused ones, the used one, and the formerly unused ones again. */
async function spend(row: Row, { who, used, unused }: Kept): Promise<void> {
  const { t } = row;
  for (const payments of [unused, bought.map(() => used), unused])
    for (const [at, [, make]] of bought.entries()) await t.part(() => send(row, make(t, who, payments[at])));
}

/** Files two complaints before the span: one stays pending, the other is sustained. */
async function complain({
  t,
  flags,
  subject,
  stranger,
}: Row): Promise<{ pending: Reply; sustained: Reply; of: Actor }> {
  const of = await root(t, 'narrow_task');
  const pending = await flags.file(stranger, complaint(subject));
  const sustained = await flags.file(stranger, complaint(of));
  await flags.review(sustained, 'sustain');
  return { pending, sustained, of };
}

/** Resyncs agents that were frozen in the span. */
async function resyncAll(t: Trial, agents: readonly Actor[], anchors: number): Promise<void> {
  for (const who of agents) await t.part(() => comeBack(t, who, penalty(t, anchors)));
}

async function play(row: Row, { sec, stalls }: Span): Promise<void> {
  const { t, subject, stranger } = row;
  const near = [subject, ...subject.line];
  if (t.session.offers.has('admin')) for (const who of near) await t.part(() => subsidise({ ...row, subject: who }));
  const kept: Kept[] = [];
  for (const who of near) kept.push(await keep(row, who));
  const complaints = await complain(row);
  const seconds = sec(t.protocol);
  const pass = (): Promise<void> => t.sleep({ sec: seconds });
  await (stalls === true ? whileAnchorsStall(t, pass) : pass());
  await probeAll(row, near, 'whole');
  if (stalls !== true)
    await resyncAll(
      t,
      [stranger, complaints.of, ...near.toReversed()],
      Math.floor(seconds / t.protocol.anchor.intervalSec),
    );
  for (const each of kept) await spend(row, each);
  await judged(row, complaints);
  await probeAll(row, near, 'brief');
  await t.sleep({ anchors: pauseAnchors(t.protocol) });
  for (const { who, used } of kept) await send(row, heartbeat(who, used));
  for (const part of ['faults', 'writes', 'whole'] as const) await probeAll(row, near, part);
}

/** Old complaints keep their effect: a pending one forbids another of the same pair, a sustained one refuses heartbeats. */
async function judged(row: Row, { pending, sustained, of }: Awaited<ReturnType<typeof complain>>): Promise<void> {
  const { t, flags, subject, stranger } = row;
  await send(row, flag(stranger, complaint(subject)));
  await t.part(() => flags.review(pending, 'dismiss'));
  await send(row, flag(stranger, complaint(subject)));
  await beat(row, of);
  await t.part(() => flags.review(sustained, 'resolve'));
  await beat(row, of);
}

export const laterChecks: readonly WrittenCheck[] = Object.entries(spans).map(([word, span]) => ({
  id: `later/${word}`,
  title: `Payments, complaints, subsidies and keys stay in effect after ${span.title}`,
  needs: ['clock', 'payments', 'beats', 'control'],
  controls: ['flags/:id/review', ...(span.stalls === true ? (['anchors/stall'] as const) : [])],
  readsItself: true,
  exclusive: span.exclusive === true,
  run: (t) => flagging(t, async (flags) => play(await makeRow(t, flags, 'child'), span)),
}));
