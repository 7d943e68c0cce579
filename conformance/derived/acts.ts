/** The steps of the events in events.ts: heartbeats, purchases, freezes and resyncs, complaints, subsidies. */

import { classesOf } from '../../spec/parts.js';
import { HOUR_SEC } from '../../spec/time.js';
import { feeTypes } from '../../spec/vocabulary.js';
import type { Reply } from '../assertions/reply.js';
import { complaint } from '../moves/flag.js';
import { heartbeat } from '../moves/heartbeat.js';
import type { Move } from '../moves/move.js';
import { reissue } from '../moves/reissue-proof.js';
import { resync } from '../moves/resync.js';
import { buySigil, purchaseOf } from '../moves/sigil.js';
import { grant, terms } from '../moves/subsidy.js';
import { adminKey } from '../steps/keys.js';
import { fewest, lapse, penalty } from '../steps/resync-call.js';
import { pauseAnchors } from '../steps/waits.js';
import { receiptOf } from '../steps/work.js';
import { sigilPriceLamports } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { type Actor, giveWallet, pay, type Row } from './cast.js';

/** A request of an agent that names a payment. */
export type Paid = (t: Trial, who: Actor, payment: string | undefined) => Move;

/** The paid requests, by endpoint. */
export const paidMoves = {
  heartbeat: (_, who, payment) => heartbeat(who, payment),
  sigil: (t, who, payment) => buySigil(who, purchaseOf(t.principal()), payment),
  reissue: (_, who, payment) => reissue(who, payment),
} as const satisfies Readonly<Record<string, Paid>>;

/** Sends a heartbeat. The agent pays, or its nearest ancestor with a wallet. */
export const beat = async (row: Row, who: Actor): Promise<Reply> =>
  row.t.send(heartbeat(who, await pay(row, who, 'heartbeat')));

export const buyClass = async (row: Row, identity_class: string, tier: string): Promise<Reply> => {
  const payment = await pay(row, row.subject, `sigil_${identity_class}`);
  return row.t.send(
    buySigil(row.subject, purchaseOf(row.t.principal(), { identity_class, tier, name: row.t.word() }), payment),
  );
};

/** Buys the n-th class for the subject from its own wallet, one anchor later. */
export async function buyLater(row: Row, nth: number): Promise<void> {
  const { t, subject } = row;
  const identityClass = classesOf(t.protocol).at(nth) ?? 'narrow_task';
  if (subject.wallet === undefined) await giveWallet(t, subject);
  await t.fund(subject.wallet ?? t.wallet(), 2 * sigilPriceLamports(t.protocol, identityClass));
  await t.sleep({ anchors: 1 });
  await buyClass(row, identityClass, 'sov');
}

export const parentOf = ({ subject }: Row): Actor => subject.line[0] ?? subject;

/** Lets an agent miss more anchors than allowed, and polls until it is frozen. `awake`: agents that stay in sync by heartbeats. */
export async function freeze(row: Row, who: Actor, awake: readonly Actor[] = []): Promise<number> {
  const { t } = row;
  const most = t.protocol.dms.missedAnchorsMax;
  const half = Math.max(pauseAnchors(t.protocol), Math.floor(most / 2));
  if (awake.length === 0 || half > most) return lapse(t, who);
  await t.sleep({ anchors: half });
  for (const one of awake) await beat(row, one);
  return lapse(t, who, { least: fewest(t), left: Math.max(0, fewest(t) - half) });
}

/** Resyncs a frozen agent by a receipt, and stores the receipt with the agent. */
export async function resyncFrozen({ t }: Row, who: Actor, missed: number): Promise<void> {
  who.receipt = await receiptOf(t, penalty(t, missed));
  await t.send(resync(who, who.receipt));
}

/** A step of an event. */
type Act = (row: Row) => Promise<unknown>;

/** Freezes the subject, takes a step while it is frozen, and resyncs it. */
export const whileFrozen =
  (happens: Act = async () => undefined): Act =>
  async (row) => {
    const missed = await freeze(row, row.subject, row.subject.line);
    await happens(row);
    await resyncFrozen(row, row.subject, missed);
  };

export const review =
  (...outcomes: readonly ('sustain' | 'dismiss' | 'resolve')[]) =>
  async ({ flags, stranger, subject }: Row): Promise<void> => {
    const filed = await flags.file(stranger, complaint(subject));
    for (const outcome of outcomes) await flags.review(filed, outcome);
  };
export const flagged = { needs: ['control'], controls: ['flags/:id/review'] } as const;
export const revoked = { needs: ['control'], controls: ['agents/:hash/revoke-key'] } as const;

/** Grants a subsidy of every fee, each with another discount. */
export async function subsidise({ t, subject }: Row, more: object = {}): Promise<void> {
  const key = await adminKey(t);
  for (const [place, fee_type] of feeTypes.entries())
    await t.send(grant(key, terms(subject, { fee_type, discount_bps: 2_000 + 1_500 * place, ...more })));
}

export const inHours = (t: Row['t'], hours: number): string =>
  new Date(t.nowMs() + hours * HOUR_SEC * 1_000).toISOString();
