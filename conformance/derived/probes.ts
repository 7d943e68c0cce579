/**
 * The requests after an event, by endpoint: with one cheap fault each, and without a fault. The model judges each exchange; nothing is
 * asserted here.
 */

import type { Item } from '../../model/facts/fees.js';
import type { Ticket } from '../../model/facts/state.js';
import type { EndpointId } from '../../spec/endpoint-ids.js';
import { classesOf } from '../../spec/parts.js';
import { badKeys } from '../moves/agent-key.js';
import { submitBeats } from '../moves/beats-submit.js';
import { complaint, flag } from '../moves/flag.js';
import { heartbeat } from '../moves/heartbeat.js';
import { lookup } from '../moves/lookup.js';
import { change, FINE, immutables } from '../moves/metadata.js';
import { type Move, nearHash } from '../moves/move.js';
import { type Payment, paymentFaults } from '../moves/payment.js';
import { registerChild } from '../moves/register.js';
import { resync, resyncChallenge } from '../moves/resync.js';
import { spawn } from '../moves/spawn.js';
import { caps, endSponsorship, listSponsorships, sponsor } from '../moves/sponsor.js';
import { endSubsidy, grant, terms } from '../moves/subsidy.js';
import { verifyBatch } from '../moves/verify-batch.js';
import { link, linkBody, linkChallenge } from '../moves/wallet.js';
import { linkOf } from '../steps/wallet-call.js';
import { receiptOf } from '../steps/work.js';
import { type Paid, paidMoves } from './acts.js';
import { type Actor, nextBeats, pay, payerOf, type Row, ticketOf, usedPayment } from './cast.js';

/** Makes a request of an agent; undefined if the request is not possible. */
export type Probe = (row: Row, who: Actor) => Promise<Move | undefined> | Move | undefined;

/** The probes of an endpoint. */
export interface Column {
  readonly faults: Readonly<Record<string, Probe>>;
  readonly right?: Probe;
  /** For a request that only reads. `brief`: it shows several agents, or facts that no other request shows. */
  readonly reads?: 'brief' | 'whole';
}

const read = (right: Probe, reads: Column['reads'] = 'whole'): Column => ({ faults: {}, right, reads });

const paidBy =
  (item: Item, make: Paid, fault: Partial<Payment> = {}): Probe =>
  async (row, who) =>
    make(row.t, who, await pay(row, who, item, fault));

/** A heartbeat paid by the root of an agent; undefined if the agent is a root, or if its root pays in any case. */
export const paidByAncestor: Probe = async (row, who) => {
  const first = who.line.at(-1);
  if (first === undefined || payerOf(who) === first) return undefined;
  return heartbeat(who, await pay(row, { ...who, wallet: first.wallet }, 'heartbeat'));
};

/** Makes a request that names the latest used payment of an agent; undefined if it has used no payment. */
const usedBy =
  (make: Paid, of: (row: Row, who: Actor) => Actor | undefined): Probe =>
  (row, who) => {
    const owner = of(row, who);
    const payment = owner && usedPayment(row, owner);
    return payment === undefined ? undefined : make(row.t, who, payment);
  };

/** Makes a request with the latest used ticket of an agent; undefined if it has used no ticket. */
const usedTicket =
  (kind: Ticket['kind'], make: (row: Row, who: Actor, ticket: string) => Move): Probe =>
  (row, who) => {
    const ticket = ticketOf(row, who, kind, true);
    return ticket === undefined ? undefined : make(row, who, ticket);
  };

/** The column of a paid endpoint with some faults of payments; payments.ts tries all of them. */
function paid(item: Item, make: Paid, ...names: readonly PaymentFault[]): Column {
  const faults: Readonly<Record<PaymentFault, Probe>> = {
    'without-payment': paidBy(item, make, paymentFaults.none),
    'paid-too-little': paidBy(item, make, paymentFaults.low),
    'paid-by-stranger': paidBy(item, make, paymentFaults.stranger),
    'payment-used-before': usedBy(make, (_, who) => who),
    'payment-used-by-parent': usedBy(make, (_, { line }) => line[0]),
    'payment-used-by-stranger': usedBy(make, ({ stranger }) => stranger),
  };
  return { faults: Object.fromEntries(names.map((name) => [name, faults[name]])), right: paidBy(item, make) };
}
type PaymentFault =
  | 'without-payment'
  | 'paid-too-little'
  | 'paid-by-stranger'
  | `payment-used-${'before' | 'by-parent' | 'by-stranger'}`;

/** Fewer beats than the cost of any child. */
const FEW_BEATS = 3;

/** A change of the class, which never changes. */
const newClass = ({ t }: Row): object => ({
  identity_class: classesOf(t.protocol).at(-1) ?? immutables.identity_class,
});

/**
 * The columns of all endpoints that take an agent's key or hash; a test checks that none is missing. Requests without a fault are sent in this
 * order.
 */
export const columns: { readonly [Id in EndpointId]?: Column } = {
  init: {
    faults: {
      'without-key': () => ({ endpoint: 'init' }),
      'key-of-another': ({ stranger }, { key }) => ({ endpoint: 'init', ...badKeys['of-another'](key, stranger.key) }),
    },
    right: (_, { key }) => ({ endpoint: 'init', key }),
  },
  heartbeat: paid(
    'heartbeat',
    paidMoves.heartbeat,
    ...(['without-payment', 'paid-too-little', 'paid-by-stranger'] as const),
    ...(['payment-used-before', 'payment-used-by-parent', 'payment-used-by-stranger'] as const),
  ),
  sigil: paid('sigil_narrow_task', paidMoves.sigil, 'without-payment', 'payment-used-before'),
  'reissue-proof': paid('reissuance', paidMoves.reissue, 'paid-too-little', 'payment-used-before'),
  metadata: {
    faults: {
      'other-class': (row, who) => change(who, { ...FINE, ...newClass(row) }),
      'other-tier': (_, who) => change(who, { ...FINE, tier: immutables.tier }),
      nothing: (_, who) => change(who, {}),
    },
    right: (_, who) => change(who, FINE),
  },
  wallet: {
    faults: {
      'nonce-unknown': ({ t }, who) => link(who, linkBody(linkOf(t, 'self-custody', who, t.hex(32)))),
      'nonce-used': usedTicket('wallet', ({ t }, who, nonce) =>
        link(who, linkBody(linkOf(t, 'self-custody', who, nonce))),
      ),
    },
    right: (_, who) => linkChallenge(who),
  },
  spawn: {
    faults: {
      'receipt-too-small': async ({ t }, who) =>
        spawn(who, { child_name: t.word(), beats_receipt: await receiptOf(t, FEW_BEATS) }),
      'receipt-used': ({ t }, who) =>
        who.receipt === undefined ? undefined : spawn(who, { child_name: t.word(), beats_receipt: who.receipt }),
      'stranger-as-child': ({ stranger: { name, hash } }, who) => spawn(who, { child_name: name, child_hash: hash }),
    },
    // The refusal contains the price of a child.
    right: ({ t }, who) => spawn(who, { child_name: t.word() }),
  },
  register: {
    faults: {
      'authorization-unknown': ({ t }, who) =>
        registerChild(who, { name: t.word(), parent: who.hash, spawn_authorization: t.hex(32) }),
      'authorization-used': usedTicket('authorization', ({ t }, who, spawn_authorization) =>
        registerChild(who, { name: t.word(), parent: who.hash, spawn_authorization }),
      ),
    },
  },
  'beats-submit': {
    faults: {},
    right: async (row, who) => {
      const proof = await nextBeats(row, who);
      return proof && submitBeats(who, proof);
    },
  },
  resync: {
    faults: {
      'without-receipt': (_, who) => resync(who),
      'receipt-unknown': ({ t }, who) => resync(who, t.hex(32)),
      'receipt-used': (_, who) => (who.receipt === undefined ? undefined : resync(who, who.receipt)),
    },
    right: (_, who) => resyncChallenge(who),
  },
  flag: {
    faults: {
      itself: (_, who) => flag(who, complaint(who)),
      nobody: (_, who) => flag(who, complaint({ hash: nearHash(who.hash) })),
      // A complaint by the stranger is refused only if another one of the same pair is pending.
      'of-stranger': ({ stranger }, who) => flag(stranger, complaint(who)),
    },
    right: ({ stranger }, who) => flag(who, complaint(stranger)),
  },
  'sponsor.post': {
    faults: {
      itself: (_, who) => sponsor(who, who.hash),
      stranger: ({ stranger }, who) => sponsor(who, stranger.hash),
      parent: (_, who) => (who.line[0] === undefined ? undefined : sponsor(who, who.line[0].hash)),
      'cap-too-low': ({ t }, who) =>
        sponsor(who, (who.children[0] ?? who).hash, { max_heartbeats_epoch: caps(t.protocol)['too-low'] }),
    },
    right: (_, who) => (who.children[0] === undefined ? undefined : sponsor(who, who.children[0].hash)),
  },
  'sponsor.delete': {
    faults: {
      stranger: ({ stranger }, who) => endSponsorship(who, stranger.hash),
      parent: (_, who) => (who.line[0] === undefined ? undefined : endSponsorship(who, who.line[0].hash)),
    },
  },
  'subsidy.post': { faults: { 'key-of-agent': (_, who) => grant(who.key, terms(who)) } },
  'subsidy.delete': { faults: { 'key-of-agent': (_, who) => endSubsidy(who.key, who) } },
  checkin: read((_, { key }) => ({ endpoint: 'checkin', key })),
  passport: read((_, { key }) => ({ endpoint: 'passport', key })),
  'sponsor.get': read((_, who) => listSponsorships(who), 'brief'),
  status: read((_, { hash }) => lookup('status', hash)),
  verify: read((_, { hash }) => lookup('verify', hash)),
  'beat-status': read((_, { hash }) => lookup('beat-status', hash)),
  'verify-batch': read(
    ({ stranger, subject }) => verifyBatch([subject.hash, ...subject.line.map(({ hash }) => hash), stranger.hash]),
    'brief',
  ),
  'fees-summary': read(() => ({ endpoint: 'fees-summary' })),
};
