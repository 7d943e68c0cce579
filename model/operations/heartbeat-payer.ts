/** The payer of a heartbeat (4.5): the agent's own wallet, or an ancestor that sponsors it. */

import type { Case, Refusal, Undone } from '../case.js';
import { endUnknown, unlessUnknown } from '../facts/earlier.js';
import { descends, epochOf, isActive, isExpired, usedInEpoch } from '../facts/rules.js';
import type { Agent, Sponsorship, State } from '../facts/state.js';
import { all, any, type Known } from '../reading/known.js';
import { type Paid, walletRequired } from './payment.js';

/** A paid heartbeat, and who pays it. */
export interface PaidBy extends Paid {
  readonly isOwn: boolean;
  /** The agent's sponsorships by parents with the wallet that pays. */
  readonly bySender: readonly Sponsorship[];
}

/** The sponsorships of an agent as a child that the state holds. */
function sponsorshipsOf({ sponsorships }: State, { hash }: Agent): readonly Sponsorship[] {
  const own = sponsorships.keys().filter((key) => key.endsWith(` ${hash}`));
  return own.flatMap((key) => sponsorships.get(key) ?? []);
}

/** The sponsorships of an agent by parents with a wallet. */
export function sponsorsWith(state: State, agent: Agent, address: string): readonly Sponsorship[] {
  // An agent from before the traffic may have more sponsors.
  if (agent.isPartial) endUnknown();
  return sponsorshipsOf(state, agent).filter(({ parent }) => state.agents.get(parent)?.wallet?.address === address);
}

/** Whether a sponsorship has heartbeats left under its cap in this epoch. */
const isBelowCap = (state: State, one: Sponsorship): Known => {
  // 4.5: the cap is for a whole epoch, even if a change of terms resets the shown number.
  if (one.paid.count >= one.max && one.paid.epoch !== undefined && one.paid.epoch === epochOf(state)) return false;
  const used = usedInEpoch(state, one);
  return used === undefined ? undefined : used < one.max;
};

/** Whether the payer is a sponsor that may pay: its sponsorship is active, has not expired (D-30), and is below its cap. */
const isSponsored = ({ bySender }: PaidBy, { state }: Case): Known =>
  any(
    ...bySender.map((one) =>
      all(isActive(state, one), isExpired(state, one) === false ? true : undefined, isBelowCap(state, one)),
    ),
  );

const SPONSORSHIP_KEPT: Undone = { call: 'sponsor.delete', clauses: ['sponsor.transition.revoke'] };

const mayBeActive = ({ status }: Sponsorship): boolean => status !== 'revoked';

const depthOf = (state: State, { parent }: Sponsorship): number => state.agents.get(parent)?.depth ?? 0;

/** The clauses by which the sender of the payment may pay. */
export const payerClauses = ({ isOwn }: PaidBy): readonly string[] =>
  isOwn ? ['heartbeat.sender.own'] : ['heartbeat.sender.sponsor', 'sponsor.pays', 'service.sponsor'];

/** The refusals of an agent without a wallet. */
export const walletRefusals: readonly Refusal<PaidBy>[] = [
  walletRequired('heartbeat', (facts, given) =>
    any(isSponsored(facts as PaidBy, given), (facts as PaidBy).bySender.length > 0 ? undefined : false),
  ),
  {
    row: 'heartbeat/WALLET_REQUIRED',
    clauses: ['sponsor.expired.unused'],
    when: ({ agent, bySender, isOwn }, { state }) => {
      const active = bySender.filter(mayBeActive);
      if (agent.wallet !== null || isOwn || active.length === 0 || state.byoWallet !== true) return false;
      return all(...active.map((one) => isExpired(state, one)));
    },
  },
];

/** The refusals of a payment by a wallet other than the agent's own. */
export const senderRefusals: readonly Refusal<PaidBy>[] = [
  {
    row: 'heartbeat/SPONSOR_PARENT_FROZEN',
    also: ({ agent }) => [
      'heartbeat.sponsor.frozen',
      ...(agent.wallet === null ? ['heartbeat.child.sponsor-frozen'] : []),
    ],
    when: ({ bySender, isOwn }, { state }) => {
      if (isOwn) return false;
      const isPaid = any(...bySender.map((one) => isActive(state, one)));
      if (isPaid !== false) return isPaid === true ? false : undefined;
      const frozen = bySender.filter((one) => one.endedBy === 'parent');
      if (frozen.length === 0) return false;
      // A parent that came back is not frozen; its sponsorships stay revoked.
      return any(...frozen.map(({ parent }) => state.agents.get(parent)?.frozen));
    },
  },
  {
    row: 'heartbeat/SPONSOR_CAP_REACHED',
    // A cap that is reached too early keeps the sponsor from paying.
    also: ({ bySender }, { state }) => [
      ...(bySender.some((one) => isBelowCap(state, one) === true) ? ['service.sponsor'] : []),
    ],
    when: ({ bySender, isOwn }, { state }) => {
      const active = bySender.filter(mayBeActive);
      if (isOwn || active.length === 0) return false;
      const room = any(...active.map((one) => isBelowCap(state, one)));
      if (room !== false) return room === undefined ? undefined : false;
      if (active.some((one) => isActive(state, one) === undefined)) return undefined;
      return active.every((one) => isExpired(state, one) === false) ? true : undefined;
    },
  },
  {
    row: 'heartbeat/PAYMENT_SENDER_MISMATCH',
    clauses: ({ isOwn, bySender }) => {
      if (isOwn) return ['heartbeat.sender.own'];
      const isPaid = bySender.some(({ status }) => status === 'active');
      return isPaid ? ['heartbeat.sender.sponsor', 'sponsor.pays'] : ['heartbeat.error.payment-sender-mismatch'];
    },
    when: ({ payment, isOwn, bySender, agent }, { state }) => {
      if (payment === undefined || isOwn) return false;
      if (bySender.length === 0)
        return agent.wallet?.kind === 'ethereum' || agent.wallet !== null || state.byoWallet === true
          ? true
          : undefined;
      const active = bySender.filter(mayBeActive);
      if (active.length === 0 && agent.wallet === null && state.byoWallet !== true) return undefined;
      if (active.length === 0) return bySender.some((one) => one.endedBy === 'parent') ? undefined : true;
      if (active.some((one) => isActive(state, one) === undefined)) return undefined;
      return any(...active.map((one) => isExpired(state, one))) === false ? false : undefined;
    },
    undone: ({ bySender }) =>
      bySender.length > 0 && bySender.every(({ status, endedBy }) => status === 'revoked' && endedBy === 'call')
        ? SPONSORSHIP_KEPT
        : undefined,
  },
];

/** The question about the payer that the text leaves open. */
export function openPayer({ agent, isOwn, bySender, payment }: PaidBy, state: State): string | undefined {
  if (agent.wallet === null && payment !== undefined && !bySender.some(mayBeActive) && state.byoWallet !== true)
    return 'the text does not say whether another wallet may pay for an agent without a wallet';
  const parent = bySender.map((one) => state.agents.get(one.parent)).find((one) => one !== undefined);
  if (!isOwn && parent !== undefined && descends(state, agent, parent.hash) !== true)
    return 'the child is not linked to its parent yet';
  return undefined;
}

/** 4.5: charges the sponsor that paid for a heartbeat. If the payer is unknown, any sponsor of the agent may have paid. */
export function charge(facts: PaidBy, { state }: Case): void {
  const isOwn = unlessUnknown(() => facts.isOwn);
  if (isOwn) return;
  const bySender = unlessUnknown(() => facts.bySender);
  if (isOwn === undefined || bySender === undefined) {
    for (const one of sponsorshipsOf(state, facts.agent)) one.used = undefined;
    return;
  }
  const epoch = epochOf(state);
  const paying = bySender.filter(mayBeActive);
  const [only] = paying;
  if (only !== undefined && paying.length === 1) only.status = 'active';
  // D-50: of several sponsors below their caps, the nearest one pays; this reply does not show the payer.
  const nearest = paying
    .filter((one) => (one.decided ?? usedInEpoch(state, one) ?? 0) < one.max)
    .toSorted((one, other) => depthOf(state, other) - depthOf(state, one));
  for (const one of paying) {
    const used = usedInEpoch(state, one);
    const charged = one === nearest[0] ? 1 : 0;
    one.decided = paying.length > 1 ? (one.decided ?? used ?? 0) + charged : undefined;
    one.used = paying.length > 1 || used === undefined ? undefined : used + 1;
    one.epoch = epoch;
    const before = one.paid.epoch === epoch ? one.paid.count : 0;
    one.paid = { epoch, count: before + (paying.length > 1 ? 0 : 1) };
  }
}
