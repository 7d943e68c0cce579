/** Statements that every transition of a small world has to keep: the promises of section 3 and 4 that no later move may undo. */

import { feesBooked, feeTotals } from '../reference/registry/fee-book.js';
import { ACTIVE, FROZEN } from '../reference/registry/state.js';
import { penaltyBeats } from '../spec/lint/quantities.js';
import { feeShares, feeTypes } from '../spec/vocabulary.js';
import * as F from './fields.js';
import { ACCEPTED, type Invariant, type Step } from './search.js';

/** A statement that has to hold for each agent. `at`: the first of its fields. */
const ofEach =
  (holds: (step: Step, at: number) => boolean) =>
  (step: Step): boolean => {
    const { fields } = step.world;
    for (let agent = 0; agent < fields.agents; agent++) if (!holds(step, fields.agent(agent))) return false;
    return true;
  };

/** A statement about the sender of an accepted heartbeat. `at`: the first of its fields. */
const beating =
  (holds: (step: Step, at: number) => boolean) =>
  (step: Step): boolean =>
    step.move.op !== 'heartbeat' || step.answer !== ACCEPTED || holds(step, step.world.fields.agent(step.move.actor));

function hasComplaint({ world: { fields }, before }: Step, agent: number): boolean {
  for (let by = 0; by < fields.agents; by++) if (before[fields.flag(by, agent)] === F.SUSTAINED) return true;
  return false;
}

function isBookedOnce({ world: { registry, depositsLamports }, cost }: Step): boolean {
  if (cost.lamports === 0) return true;
  const { heldLamports, forfeitedLamports } = registry.deposits;
  const deposits = heldLamports + forfeitedLamports - depositsLamports;
  if (feesBooked(registry.feeBook) + deposits !== cost.lamports) return false;
  return feeTypes.every((type) => {
    const { totalLamports, shares } = feeTotals(registry.feeBook, type);
    const burnt = Math.floor((totalLamports * registry.protocol.feeSplit.burntBps) / 10_000);
    return feeShares.reduce((sum, share) => sum + shares[share], burnt) === totalLamports;
  });
}

/** All invariants. */
export const invariants: readonly Invariant[] = [
  { text: 'a refused call changes nothing', holds: ({ answer }) => answer === ACCEPTED },
  {
    text: 'only an active agent with a valid key sends an accepted heartbeat, or a frozen one within its grace',
    holds: beating(
      ({ before, world }, at) =>
        (before[at + F.STATUS] === ACTIVE || world.fields.isInGrace(before, at)) && before[at + F.REVOKED] === 0,
    ),
  },
  {
    text: 'no heartbeat is accepted within the minimum interval of the last one',
    holds: beating(({ before }, at) => before[at + F.BEAT]! < F.FRESH),
  },
  {
    text: 'no heartbeat is accepted beyond the cap of an epoch',
    holds: beating(({ before, world }, at) => before[at + F.COUNT]! < world.registry.protocol.heartbeat.narrowTaskCap),
  },
  {
    text: 'no heartbeat of an agent is accepted while a complaint against it is sustained',
    holds: beating((step) => !hasComplaint(step, step.move.actor)),
  },
  {
    text: 'a root without a SIGIL sends no accepted heartbeat',
    holds: beating(({ before, move }, at) => move.actor > 0 || before[at + F.SIGIL_KIND] !== F.NO_SIGIL),
  },
  {
    text: 'an agent freezes by time alone, and with more missed anchors than the limit',
    holds: ofEach(
      ({ before, after, move, world }, at) =>
        after[at + F.STATUS] !== FROZEN ||
        before[at + F.STATUS] === FROZEN ||
        (move.op === 'time' && after[at + F.AGE]! >= world.fields.spans.freeze),
    ),
  },
  {
    text: 'no agent that has missed more anchors than the limit is active',
    holds: ofEach(
      ({ after, world }, at) => after[at + F.STATUS] !== ACTIVE || after[at + F.AGE]! < world.fields.spans.freeze,
    ),
  },
  {
    text: 'a frozen agent becomes active by a resync that proves its penalty, or by a heartbeat within its grace',
    holds: ofEach(
      ({ before, after, move, world, cost }, at) =>
        before[at + F.STATUS] !== FROZEN ||
        after[at + F.STATUS] === FROZEN ||
        (move.isResync === true && cost.beats >= penaltyBeats(world.registry.protocol, before[at + F.AGE]!)) ||
        (move.op === 'heartbeat' && world.fields.isInGrace(before, at)),
    ),
  },
  {
    text: 'a linked wallet, a SIGIL, a link and a revocation stay',
    holds: ofEach(
      ({ before, after }, at) =>
        after[at + F.REVOKED]! >= before[at + F.REVOKED]! &&
        (before[at + F.STAGE] !== F.LINKED || after[at + F.STAGE] === F.LINKED) &&
        (after[at + F.REVOKED] === 1 ||
          (after[at + F.WALLET]! >= before[at + F.WALLET]! &&
            (before[at + F.SIGIL_KIND] === F.NO_SIGIL || after[at + F.SIGIL_KIND] === before[at + F.SIGIL_KIND]))),
    ),
  },
  {
    text: 'no sponsorship by a frozen agent is active',
    holds: ({ world: { fields }, after }) => {
      if (after[fields.agent(0) + F.STATUS] !== FROZEN) return true;
      for (let child = 1; child < fields.agents; child++)
        if (after[fields.sponsorship(child) + F.SPONSOR_STATE] === F.SPONSORED) return false;
      return true;
    },
  },
  {
    text: 'no sponsorship pays more heartbeats in an epoch than its cap',
    holds: beating(({ world, before, after, move: { actor } }) => {
      if (actor === 0) return true;
      const used = world.fields.sponsorship(actor) + F.SPONSOR_USED;
      return after[used] === before[used] || before[used]! < world.registry.protocol.sponsor.heartbeatsEpochMin;
    }),
  },
  {
    text: 'an accepted payment is used up',
    holds: ({ cost, world }) => cost.lamports === 0 || world.registry.usedPayments.size > 1,
  },
  { text: 'a fee is booked once, and its shares add up to it', holds: isBookedOnce },
];
