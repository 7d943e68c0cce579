/** The paid moves of a small world. A payment is right, or wrong in one way. */

import { depositWithSigil } from '../reference/registry/deposit.js';
import { epochFeeLamports, flatFeeLamports } from '../reference/registry/fee-resolution.js';
import { billingEpoch, heartbeatTier, sigilFeeLamports } from '../reference/registry/fees.js';
import { heartbeat, heartbeatsInEpoch } from '../reference/registry/heartbeat.js';
import type { NamedPayment } from '../reference/registry/payment.js';
import { reissueProof } from '../reference/registry/reissue-proof.js';
import { sigil } from '../reference/registry/sigil.js';
import { currentBeat } from '../reference/registry/state.js';
import * as F from './fields.js';
import { type Cost, FURTHER, type Move, own, pay, payment, STRANGER, script } from './move.js';
import { SIGIL_NAME, USED_PAYMENT, type World } from './world.js';

/** How a payment is made, in the fields of an action; without any it is right. */
interface How {
  readonly payer?: 'own' | 'other';
  readonly tx?: 'none' | 'again';
  readonly amount?: 'low';
}

const RIGHT = ['', { payer: 'own' }] as const;
/** A payment for each way in which it can be wrong. */
const WRONG: readonly (readonly [detail: string, how: How])[] = [
  ['without a payment', { tx: 'none' }],
  ['with a payment that is too low', { amount: 'low' }],
  ['paid by another', { payer: 'other' }],
];
const AGAIN = ['with a payment that was used', { tx: 'again' }] as const;

/** A paid operation of an agent. */
interface Operation {
  readonly op: string;
  readonly fee: () => number;
  readonly call: (payment: NamedPayment) => Parameters<typeof pay>[1];
  /** The fields of an action, apart from the payment. */
  readonly fields: object;
}

function heartbeatOf(world: World, agent: number): Operation {
  const { registry } = world;
  return {
    op: 'heartbeat',
    fee: () => {
      const nth = heartbeatsInEpoch(registry, agent, billingEpoch(registry.protocol, currentBeat(registry))) + 1;
      return flatFeeLamports(registry, heartbeatTier(registry.protocol, nth)) + epochFeeLamports(registry, agent);
    },
    call: (paid) => heartbeat(registry, { agent, payment: paid }, world.nowMs),
    fields: {},
  };
}

const CLASS = { identityClass: 'narrow_task' } as const;

/** A SIGIL. `nameOf`: its name, if not one of the service. */
function sigilOf(world: World, agent: number, fields: object, tier = 'ind', nameOf = () => ({})): Operation {
  const { registry } = world;
  const named = { ...CLASS, principal: SIGIL_NAME.principal, tier };
  return {
    op: 'sigil',
    fee: () => sigilFeeLamports(registry.protocol, CLASS.identityClass) + depositWithSigil(registry, agent),
    call: (paid) => sigil(registry, { agent, ...named, ...nameOf(), payment: paid }, world.nowMs),
    fields,
  };
}

function reissueOf(world: World, agent: number): Operation {
  const { registry } = world;
  return {
    op: 'reissue-proof',
    fee: () => registry.feeTable.flat.reissuance,
    call: (paid) => reissueProof(registry, { agent, payment: paid }, world.nowMs),
    fields: {},
  };
}

/** The move that pays for an operation. */
function paidMove(
  world: World,
  agent: number,
  { op, fee, call, fields }: Operation,
  [detail, how]: readonly [detail: string, how: How],
  more: Partial<Move> = {},
): Move {
  const { payer, tx, amount } = how;
  const paid = (): NamedPayment => {
    if (tx === 'none') return 'missing';
    const lamports = fee() - (amount === 'low' ? 1 : 0);
    return payment(world, payer === 'other' ? STRANGER : agent, lamports, tx === 'again' ? USED_PAYMENT : undefined);
  };
  const play = (cost: Cost) => pay(cost, call(paid()));
  return own(world, agent, op, detail, play, { ...fields, ...how }, { uses: ['money'], ...more });
}

/** The paid requests of an agent: heartbeats, SIGILs and reissues, paid rightly and wrongly. */
export function paidMoves(world: World, agent: number): Move[] {
  const { fields, registry } = world;
  const [beat, bought, reissue] = [heartbeatOf(world, agent), sigilOf(world, agent, CLASS), reissueOf(world, agent)];
  const at = (values: Int32Array, field: number): number => values[fields.agent(agent) + field]!;
  const isTaken = {
    isPossible: (values: Int32Array) => fields.exists(values, agent) && fields.hasSigilBeside(values, agent),
  };
  const taken = () => {
    const { name, principal } = [...registry.sigils].find(([other]) => other !== agent)?.[1] ?? SIGIL_NAME;
    return { name, principal };
  };
  const ofAnother = { ...CLASS, principal: 'of-another', name: 'of-another' };
  return [
    ...[RIGHT, ...WRONG].map((how) => paidMove(world, agent, beat, how)),
    paidMove(world, agent, beat, AGAIN, {
      isPossible: (values) => agent === 0 && at(values, F.BEAT) !== F.NEVER && at(values, F.COUNT) === 0,
    }),
    paidMove(world, agent, sigilOf(world, agent, { tier: 'ind', ...CLASS }), ['ind', {}]),
    // One agent with a SIGIL of the sandbox is enough to meet what differs for it.
    ...(agent === 0
      ? [paidMove(world, agent, sigilOf(world, agent, { tier: 'sbx', ...CLASS }, 'sbx'), ['sbx', {}], FURTHER)]
      : []),
    ...WRONG.map((how) => paidMove(world, agent, bought, how)),
    ...[RIGHT, ...WRONG].map((how) => paidMove(world, agent, reissue, how)),
    paidMove(world, agent, sigilOf(world, agent, ofAnother, 'ind', taken), ['of a name that is taken', {}], isTaken),
    paidMove(world, agent, bought, AGAIN, isTaken),
    paidTwice(world, agent, reissue),
  ];
}

/** The operation, and again with the same payment. */
function paidTwice(world: World, agent: number, { op, fee, call, fields }: Operation): Move {
  const play = (cost: Cost) => {
    const paid = payment(world, agent, fee());
    const once = pay(cost, call(paid));
    return once.ok ? pay(cost, call(paid)) : once;
  };
  return own(world, agent, op, 'twice with one payment', play, fields, {
    uses: ['money'],
    actions: () => [
      { op, agent: script(agent) },
      { op, agent: script(agent), tx: 'again' },
    ],
  });
}

/** A heartbeat of a child that the root pays. */
export function paidByParent(world: World, child: number): Move {
  const { op, fee, call } = heartbeatOf(world, child);
  const play = (cost: Cost) => pay(cost, call(payment(world, 0, fee())));
  return own(
    world,
    child,
    op,
    'paid by the parent',
    play,
    { payer: 'parent' },
    {
      uses: ['money', 'sponsor'],
      isPossible: (values) => world.fields.exists(values, child) && values[world.fields.agent(0) + F.WALLET] === 1,
    },
  );
}
