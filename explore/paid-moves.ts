/** The paid moves of a small world. A payment is right, or wrong in one way. */

import { epochFeeLamports, flatFeeLamports } from '../reference/registry/fee-resolution.js';
import { billingEpoch, heartbeatTier, sigilFeeLamports } from '../reference/registry/fees.js';
import { heartbeat, heartbeatsInEpoch } from '../reference/registry/heartbeat.js';
import type { NamedPayment } from '../reference/registry/payment.js';
import { reissueProof } from '../reference/registry/reissue-proof.js';
import { sigil } from '../reference/registry/sigil.js';
import { currentBeat } from '../reference/registry/state.js';
import * as F from './fields.js';
import { type Cost, FURTHER, type Move, type Outcome, own, pay, payment, STRANGER, script } from './move.js';
import { SIGIL_NAME, USED_PAYMENT, type World } from './world.js';

/** The payments of a fee: a right one, and one for each way in which it can be wrong. */
const payments = [
  ['', { payer: 'own' }],
  ['without a payment', { tx: 'none' }],
  ['with a payment that is too low', { amount: 'low' }],
  ['paid by another', { payer: 'other' }],
] as const;

function named(world: World, agent: number, fee: number, how: (typeof payments)[number][1]): NamedPayment {
  if ('tx' in how) return 'missing';
  if ('amount' in how) return payment(world, agent, fee - 1);
  return payment(world, how.payer === 'other' ? STRANGER : agent, fee);
}

/** The paid requests of an agent: heartbeats, SIGILs and reissues, paid rightly and wrongly. */
export function paidMoves(world: World, agent: number): Move[] {
  const { registry } = world;
  const at = (values: Int32Array, field: number): number => values[world.fields.agent(agent) + field]!;
  const heartbeatFee = (): number => {
    const epoch = billingEpoch(registry.protocol, currentBeat(registry));
    const tier = heartbeatTier(registry.protocol, heartbeatsInEpoch(registry, agent, epoch) + 1);
    return flatFeeLamports(registry, tier) + epochFeeLamports(registry, agent);
  };
  const beat = (cost: Cost, paid: NamedPayment): Outcome =>
    pay(cost, heartbeat(registry, { agent, payment: paid }, world.nowMs));
  const money = { uses: ['money'] as const };
  const reissueFee = registry.feeTable.flat.reissuance;
  const sigilFee = sigilFeeLamports(registry.protocol, 'narrow_task');
  const buy = (cost: Cost, tier: string, paid: NamedPayment, name?: string): Outcome => {
    const what = { identityClass: 'narrow_task', principal: SIGIL_NAME.principal, tier, name };
    return pay(cost, sigil(registry, { agent, ...what, payment: paid }, world.nowMs));
  };
  const others = (values: Int32Array): boolean =>
    world.fields.exists(values, agent) && world.fields.hasSigilBeside(values, agent);
  return [
    ...payments.map(([detail, how]) =>
      own(
        world,
        agent,
        'heartbeat',
        detail,
        (cost) => beat(cost, named(world, agent, heartbeatFee(), how)),
        how,
        money,
      ),
    ),
    own(
      ...([world, agent, 'heartbeat', 'with a payment that was used'] as const),
      (cost) => beat(cost, payment(world, agent, heartbeatFee(), USED_PAYMENT)),
      { tx: 'again' },
      { ...money, isPossible: (values) => agent === 0 && at(values, F.BEAT) !== F.NEVER && at(values, F.COUNT) === 0 },
    ),
    // One agent with a SIGIL of the sandbox is enough to meet what differs for it.
    ...(agent === 0 ? (['ind', 'sbx'] as const) : (['ind'] as const)).map((tier) =>
      own(
        ...([world, agent, 'sigil', tier] as const),
        (cost) => buy(cost, tier, payment(world, agent, sigilFee)),
        { tier, identityClass: 'narrow_task' },
        { ...money, ...(tier === 'sbx' && FURTHER) },
      ),
    ),
    ...payments
      .slice(1)
      .map(([detail, how]) =>
        own(
          ...([world, agent, 'sigil', detail] as const),
          (cost) => buy(cost, 'ind', named(world, agent, sigilFee, how)),
          { identityClass: 'narrow_task', ...how },
          money,
        ),
      ),
    ...payments.map(([detail, how]) =>
      own(
        ...([world, agent, 'reissue-proof', detail] as const),
        (cost) =>
          pay(cost, reissueProof(registry, { agent, payment: named(world, agent, reissueFee, how) }, world.nowMs)),
        how,
        money,
      ),
    ),
    own(
      ...([world, agent, 'sigil', 'of a name that is taken'] as const),
      (cost) => buy(cost, 'ind', payment(world, agent, sigilFee), SIGIL_NAME.name),
      { identityClass: 'narrow_task', principal: 'of-another', name: 'of-another' },
      { ...money, isPossible: others },
    ),
    own(
      ...([world, agent, 'sigil', 'with a payment that was used'] as const),
      (cost) => buy(cost, 'ind', payment(world, agent, sigilFee, USED_PAYMENT)),
      { identityClass: 'narrow_task', tx: 'again' },
      { ...money, isPossible: others },
    ),
    own(
      ...([world, agent, 'reissue-proof', 'twice with one payment'] as const),
      (cost) => {
        const twice = { agent, payment: payment(world, agent, reissueFee) };
        const once = pay(cost, reissueProof(registry, twice, world.nowMs));
        return once.ok ? pay(cost, reissueProof(registry, twice, world.nowMs)) : once;
      },
      {},
      {
        ...money,
        actions: () => [
          { op: 'reissue-proof', agent: script(agent) },
          { op: 'reissue-proof', agent: script(agent), tx: 'again' },
        ],
      },
    ),
  ];
}

/** A heartbeat of a child that the root pays. */
export function paidByParent(world: World, child: number): Move {
  const { registry } = world;
  return own(
    ...([world, child, 'heartbeat', 'paid by the parent'] as const),
    (cost) => {
      const epoch = billingEpoch(registry.protocol, currentBeat(registry));
      const nth = heartbeatsInEpoch(registry, child, epoch) + 1;
      const fee = flatFeeLamports(registry, heartbeatTier(registry.protocol, nth)) + epochFeeLamports(registry, child);
      const result = heartbeat(registry, { agent: child, payment: payment(world, 0, fee) }, world.nowMs);
      if (result.ok) cost.lamports += result.feeLamports;
      return result;
    },
    { payer: 'parent' },
    {
      uses: ['money', 'sponsor'],
      isPossible: (values) => world.fields.exists(values, child) && values[world.fields.agent(0) + F.WALLET] === 1,
    },
  );
}
