/** Counts and beats of heartbeats over what else becomes of an agent: a purchase, a freeze, many of them. One heartbeat is judged in heartbeat.ts. */
import type { Protocol } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { pause } from '../steps/beat-clock.js';
import { buy, heartbeat, heartbeatFee, passportIs, passportKeeps, purchase, reissue } from '../steps/paid.js';
import { comeBack, lapse, penalty, resync } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { sponsor } from '../steps/sponsor-call.js';
import { foundInBatch } from '../steps/verify-batch-call.js';
import { betweenHeartbeats } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { Check } from '../trial/check.js';
import { sigilFeeLamports } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { keptIs } from './metadata.js';

const fees =
  (count: number) =>
  (protocol: Protocol): number =>
    count * heartbeatFee(protocol, 1).lamports;

/** The second heartbeat of an agent is counted as that, in all and, where both are of one epoch, in the epoch. */
function isSecond(t: Trial, first: Reply, second: Reply): void {
  t.shows('heartbeat.reply.total-heartbeats').field(second, 'total_heartbeats', 2);
  const inEpoch = t.shows('heartbeat.reply.heartbeat-count-epoch', 'fee.heartbeat.epoch');
  if (first.get('billing_epoch') === second.get('billing_epoch')) inEpoch.field(second, 'heartbeat_count_epoch', 2);
  else inEpoch.unjudged('a billing epoch has ended meanwhile');
}

const afterFreeze: Check = {
  id: 'heartbeat/after-freeze',
  title:
    'Freezes and the resyncs after them leave SIGIL, passport, generation and counts as they are, and the agent may sponsor again',
  clauses: [
    'heartbeat.reply.total-heartbeats',
    'heartbeat.reply.heartbeat-count-epoch',
    'fee.heartbeat.epoch',
    'passport.field.registered-at-beat',
    'passport.field.sigil-issued-at-beat',
    'passport.field.last-heartbeat-beat',
    'sigil.immutable',
    'resync.penalty',
    'constant.resync-penalty',
    'resync.transition.active',
    'resync.gap.receipt',
    'resync.transition.not-frozen',
    'metadata.field.generation-trigger.counter',
    'metadata.only-way',
    'sponsor.transition.create',
  ],
  needs: ['payments', 'clock', 'beats'],
  registers: 1,
  walletRegisters: 2,
  requests: 44,
  refusal: true,
  lamports: (protocol) => sigilFeeLamports(protocol, 'narrow_task') + protocol.reissue.feeLamports + fees(2)(protocol),
  writes: true,
  waits: ({ dms }) => ({ anchors: 1 + 2 * (dms.missedAnchorsMax + 1) }),
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    await t.sleep({ anchors: 1 });
    const bought = t.accepted(await buy(t, agent, purchase(t)));
    const first = t.accepted(await heartbeat(t, agent));
    // Its chain does not start, so that it is not frozen.
    const child = await makeChild(t, agent, { link: true });
    const change = async (): Promise<Reply> =>
      t.accepted(await t.call('metadata', { key: agent.key, body: { generation_trigger: t.word() } }));
    const substrate = 'hybrid';
    await t.setup('a field of the SIGIL', async () =>
      t.accepted(await t.call('metadata', { key: agent.key, body: { substrate } })),
    );
    const generation = (await change()).number('generation');
    const gap = await lapse(t, agent);
    await t.setup('a resync', async () => t.accepted(await comeBack(t, agent, penalty(t, gap))));
    t.refused(await resync(t, agent), 'resync/AGENT_WRONG_STATE', 'resync.transition.not-frozen');
    await t.part(async () => passportKeeps(t, first, t.accepted(await reissue(t, agent))));
    t.shows('metadata.field.generation-trigger.counter').field(await change(), 'generation', generation + 1);
    t.accepted(await sponsor(t, agent, child.hash), 'sponsor.transition.create');
    const verify = t.accepted(await t.call('verify', { params: { hash: agent.hash } }));
    const issued = t.shows('sigil.immutable').through('D-20');
    issued.field(verify, 'sigil.issued_at_beat', bought.get('sigil.issued_at_beat'));
    issued.field(verify, 'sigil.sigil', bought.get('sigil.sigil'));
    keptIs(t, verify, 'substrate', substrate, 'metadata.only-way');
    // No heartbeat comes between: what is missed counts from the resync, and not from the heartbeat before it.
    const missed = await lapse(t, agent);
    t.accepted(await comeBack(t, agent, penalty(t, missed)));
    isSecond(t, first, t.accepted(await heartbeat(t, agent, 2)));
  },
};

/** Anchors between the registration of a parent and that of its child. */
const LATER_ANCHORS = 12;

const childBuys: Check = {
  id: 'heartbeat/child-buys-sigil',
  title: 'A child that buys a SIGIL pays the price of its class, and keeps its beats and its counts',
  clauses: [
    'passport.field.registered-at-beat',
    'passport.field.last-heartbeat-beat',
    'fee.sigil.autonomous',
    'sigil.transition.again',
    'sigil.error.sigil-already-exists',
    'verify-batch.reply.found',
    'heartbeat.interval.min',
    'heartbeat.reply.total-heartbeats',
    'heartbeat.reply.heartbeat-count-epoch',
    'fee.heartbeat.epoch',
    'sigil.body.name',
  ],
  needs: ['payments', 'clock', 'beats'],
  registers: 1,
  walletRegisters: 2,
  requests: 38,
  lamports: (protocol) =>
    3 * sigilFeeLamports(protocol, 'narrow_task') + sigilFeeLamports(protocol, 'autonomous') + fees(3)(protocol),
  writes: true,
  refusal: true,
  waits: betweenHeartbeats(2),
  async run(t) {
    const parent = await t.walletRoot({ init: true });
    const elder = t.accepted(await buy(t, parent, purchase(t)));
    await t.sleep({ anchors: Math.min(LATER_ANCHORS, t.protocol.dms.missedAnchorsMax) });
    const young = await makeChild(t, parent, { init: true });
    const wallet = t.wallet();
    await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, young, wallet)));
    const prices = ['narrow_task', 'autonomous', 'narrow_task'].map((name) => sigilFeeLamports(t.protocol, name));
    await t.fund(
      wallet,
      prices.reduce((sum, price) => sum + price, fees(4)(t.protocol)),
    );
    const child = { ...young, wallet };
    const first = t.accepted(await heartbeat(t, child));
    const [ofParent, ofChild] = [elder, first].map((reply) => reply.get('passport.registered_at_beat'));
    const after = typeof ofParent === 'number' && typeof ofChild === 'number' && ofChild > ofParent;
    const registered = t.shows('passport.field.registered-at-beat');
    registered.of(first, 'registered_at_beat of a later child', after, `after ${String(ofParent)}`, ofChild);
    const name = t.word();
    const what = purchase(t, { identity_class: 'autonomous', name });
    t.refused(await buy(t, child, what), 'sigil/PAYMENT_INVALID', 'fee.sigil.autonomous');
    const bought = t.accepted(await buy(t, child, what, 'autonomous'), 'fee.sigil.autonomous');
    const beat = first.get('current_beat');
    t.shows('passport.field.last-heartbeat-beat').field(bought, 'passport.last_heartbeat_beat', beat);
    t.shows('sigil.body.name').field(bought, 'sigil.sigil_name', name);
    await foundInBatch(t, child.hash, bought.string('sigil.sigil_name'));
    // A child has one SIGIL, as a root has.
    const second = await buy(t, child, purchase(t));
    t.refused(second, 'sigil/SIGIL_ALREADY_EXISTS', 'sigil.transition.again', 'sigil.error.sigil-already-exists');
    if (t.protocol.heartbeat.intervalBeatsMin > t.protocol.anchor.beatsPerAnchor)
      t.shows('heartbeat.interval.min').refuses(await heartbeat(t, child, 2));
    await pause(t);
    const next = t.accepted(await heartbeat(t, child, 2), 'heartbeat.interval.min');
    isSecond(t, first, next);
    passportIs(t, next, child, 'autonomous');
  },
};

export const heartbeatStateChecks: readonly Check[] = [afterFreeze, childBuys];
