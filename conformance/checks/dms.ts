/** The Dead Man's Switch: when an agent is frozen, and what it may still do. Reactivation is in resync.ts. */

import { groups } from '../../spec/clauses/groups.js';
import type { EndpointId } from '../../spec/endpoint-ids.js';
import { submitBeats } from '../moves/beats-submit.js';
import { heartbeat as heartbeatMove } from '../moves/heartbeat.js';
import { lookup } from '../moves/lookup.js';
import { verifyBatch } from '../moves/verify-batch.js';
import { latestAnchor, pauseWithin } from '../steps/beat-clock.js';
import { buy, heartbeat, heartbeatFee, purchase, reissue } from '../steps/paid.js';
import { freezeLate, lapse } from '../steps/resync-call.js';
import { whileAnchorsStall } from '../steps/stalled-anchors.js';
import { pauseAnchors, untilFrozen } from '../steps/waits.js';
import { chainEnd, chainProof } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Agent, WalletAgent } from '../trial/fixtures.js';
import { tried } from '../trial/presence.js';
import type { Trial } from '../trial/trial.js';

/** Clauses that say when an agent is frozen. */
const FREEZE = [...groups.freeze, 'dms.when'] as const;

/**
 * Asserts that an agent is frozen after one missed anchor too many (3.1), at once or by a later cron run. The `witness` started its count one
 * anchor later. A cron freezes both agents at the same moment; a server with a too high threshold freezes the witness one anchor later.
 */
async function frozenBy(t: Trial, agent: Agent, witness: Agent): Promise<void> {
  const late = await freezeLate(t, agent);
  await t.call('init', { key: agent.key });
  if (late === 0 || t.session.observedSec > 0) return;
  const isFrozen = async (): Promise<boolean> =>
    t.mustSucceed(await t.call('init', { key: witness.key })).get('status') === 'frozen';
  const together = await isFrozen();
  await t.sleep({ anchors: 1 });
  const each = !together && (await isFrozen());
  const most = t.protocol.dms.missedAnchorsMax;
  const missed = `${most + 1 + late}, for each agent`;
  const musts = FREEZE.filter((id) => id !== 'dms.when');
  t.shows(...musts).that('missed anchors that freeze', !each, `${most + 1}, or a cron run after them`, missed);
}

/** Asserts the status that init shows, since the model cannot always know it from the clock. */
async function statusIs(t: Trial, { key }: Agent, status: 'active' | 'frozen', count: string): Promise<void> {
  const reply = t.mustSucceed(await t.call('init', { key }));
  // A reply without the status is a fault of init, and no evidence about the Dead Man's Switch.
  t.need(reply.get('status'), 'the status that init shows');
  // A cron may freeze an agent a little later, so only `active` is evidence here.
  if (status === 'active') t.shows('dms.freeze').field(reply, 'status', status);
  t.shows(count, 'dms.when').field(reply, 'status', status);
}

/** Sends the n-th heartbeat with another anchor than the latest. If it is refused for that, sends it again without the anchor. */
async function heartbeatAt(t: Trial, agent: WalletAgent, global_anchor: number, n = 1): Promise<void> {
  const payment_tx = await t.pay({ from: agent.wallet, lamports: heartbeatFee(t.protocol, n).lamports });
  const reported = await t.send(heartbeatMove(agent, payment_tx, { global_anchor }));
  if (reported.status >= 400) t.mustSucceed(await t.send(heartbeatMove(agent, payment_tx)));
}

/** The number of anchors by which the client's global_anchor is ahead. */
const AHEAD = 1_000;

const afterHeartbeat: WrittenCheck = {
  id: 'dms/after-heartbeat',
  title: 'An agent of any class is active through 60 missed anchors after its heartbeat and frozen by the 61st',
  needs: ['payments', 'clock'],
  waits: (protocol) => ({ anchors: 2 * protocol.dms.missedAnchorsMax + 1 + pauseAnchors(protocol) }),
  async run(t) {
    const [saved, ahead, lost] = [
      await t.walletRoot({ sigil: 'narrow_task' }),
      await t.walletRoot({ sigil: 'autonomous' }),
      await t.walletRoot({ sigil: 'orchestrator' }),
    ];
    const { missedAnchorsMax } = t.protocol.dms;
    // The chain started too long ago to keep the agent active, so only the heartbeat counts.
    await t.sleep({ anchors: missedAnchorsMax });
    const { index } = await latestAnchor(t);
    t.mustSucceed(await heartbeat(t, saved));
    // An anchor that was the latest a moment ago, and one that is not issued yet.
    await heartbeatAt(t, lost, index - 1);
    await heartbeatAt(t, ahead, index + AHEAD);
    pauseWithin(t, missedAnchorsMax);
    await t.sleep({ anchors: 1 });
    const witness = await t.root({ init: true });
    await t.sleep({ anchors: missedAnchorsMax - 1 });
    for (const agent of [saved, lost]) await statusIs(t, agent, 'active', 'dms.count.heartbeat');
    // The first anchor of all is the furthest behind.
    await heartbeatAt(t, saved, 0, 2);
    await t.sleep({ anchors: 1 });
    await frozenBy(t, lost, witness);
    for (const { key } of [ahead, saved]) await t.call('init', { key });
    await heartbeat(t, lost, 2);
    // One anchor of the interval has passed already. If the interval is as long as the allowed silence, the agent is frozen by now.
    await t.sleep({ anchors: Math.max(0, pauseAnchors(t.protocol) - 1) });
    t.accepted(await heartbeat(t, saved, 3), 'checkin.replacement');
  },
};

const otherCalls: WrittenCheck = {
  id: 'dms/other-calls',
  title: 'An agent that makes every call except heartbeat is still frozen by the 61st missed anchor',
  needs: ['payments', 'clock'],
  waits: untilFrozen(),
  async run(t) {
    const agent = await t.walletRoot({ init: true });
    const { key, hash } = agent;
    const { missedAnchorsMax } = t.protocol.dms;
    const half = Math.floor(missedAnchorsMax / 2);
    await t.sleep({ anchors: half });
    const proof = await chainProof(t, await chainEnd(t, agent), 6);
    await tried(() => t.send(submitBeats({ key }, proof)));
    t.mustSucceed(await buy(t, agent, purchase(t)));
    await tried(() => reissue(t, agent));
    const stranger = t.wallet();
    const { lamports } = heartbeatFee(t.protocol, 1);
    await t.fund(stranger, lamports);
    const flag = { target_hash: hash, asserted_class: 'narrow_task', reason: 'of itself' };
    const [wallet_nonce, wallet_public_key, wallet_signature] = [t.hex(32), t.hex(32), `${t.hex(32)}${t.hex(32)}`];
    // Refused calls change nothing, and refused heartbeats do not count.
    const calls: readonly (readonly [id: EndpointId, body?: unknown])[] = [
      ['heartbeat', {}],
      ['heartbeat', { payment_tx: t.hex(32) }],
      ['heartbeat', { payment_tx: 7 }],
      ['heartbeat', { payment_tx: await t.pay({ from: stranger, lamports }) }],
      ['heartbeat', { payment_tx: await t.pay({ from: agent.wallet, lamports: lamports + 1 }) }],
      ['sigil', {}],
      ['init'],
      ['metadata', { capability: 'executor' }],
      ['spawn', { child_name: t.word() }],
      ['wallet', { action: 'challenge' }],
      ['wallet', { wallet_nonce, wallet_public_key, wallet_signature }],
      ['resync', { action: 'challenge' }],
      ['resync', { beats_receipt: 'none' }],
      ['resync', {}],
      ['sponsor.post', { child_hash: hash }],
      ['sponsor.get'],
      ['sponsor.delete', { child_hash: hash }],
      ['flag', flag],
      ['passport'],
      ['checkin'],
      ['status'],
      ['verify'],
      ['beat-status'],
    ];
    for (const [id, body] of calls)
      await tried(() => t.call(id, { key, body, params: { hash }, mayMiss: true, mayBeOff: true }));
    await t.sleep({ anchors: missedAnchorsMax - half });
    await t.call('init', { key });
    await lapse(t, agent, { left: 1 });
    await t.call('init', { key });
  },
};

const afterInit: WrittenCheck = {
  id: 'dms/after-init',
  title: 'The missed anchors of an agent without a heartbeat count from init',
  needs: ['clock'],
  waits: untilFrozen(),
  async run(t) {
    const agent = await t.root({ init: true });
    await t.sleep({ anchors: t.protocol.dms.missedAnchorsMax });
    await statusIs(t, agent, 'active', 'dms.count.init');
    await t.sleep({ anchors: 1 });
    await statusIs(t, agent, 'frozen', 'dms.count.init');
  },
};

const unstarted: WrittenCheck = {
  id: 'dms/unstarted',
  title: 'An agent whose chain has not started is not frozen',
  needs: ['clock'],
  waits: untilFrozen(),
  async run(t) {
    const { hash, key } = await t.root();
    await t.sleep({ anchors: t.protocol.dms.missedAnchorsMax + 1 });
    const status = await t.send(lookup('status', hash));
    t.shows('agent.unstarted.standing').field(status, 'status', 'registered');
    const started = t.mustSucceed(await t.call('init', { key }));
    t.shows('dms.unstarted').field(started, 'status', 'active');
  },
};

const standings: WrittenCheck = {
  id: 'dms/standings',
  title: 'Status reads registered, active, warning from 49 anchors behind, and frozen',
  needs: ['clock'],
  waits: untilFrozen(),
  async run(t) {
    const { hash, key } = await t.root();
    const reads = async (): Promise<void> => {
      for (const id of ['status', 'verify', 'beat-status'] as const)
        await t.call(id, { params: { hash }, mayMiss: true });
    };
    await reads();
    t.mustSucceed(await t.call('init', { key }));
    const { warningAnchors, missedAnchorsMax } = t.protocol.dms;
    await t.sleep({ anchors: warningAnchors });
    await reads();
    await t.sleep({ anchors: 1 });
    await reads();
    await t.sleep({ anchors: missedAnchorsMax - warningAnchors - 1 });
    await reads();
    // Reads the state by a lookup; init of a frozen agent follows below.
    const lives = async (): Promise<boolean> => (await t.send(lookup('status', hash))).get('status') !== 'frozen';
    await lapse(t, { key }, { left: 1, lives });
    await reads();
    await t.send(verifyBatch([hash]));
    // Init returns the existing chain as it is; only a resync reactivates an agent (3.1).
    await t.call('init', { key });
    await reads();
  },
};

const open: WrittenCheck = {
  id: 'dms/frozen-open',
  title: 'A frozen agent still buys a reissue, fetches its passport and is looked up',
  needs: ['payments', 'clock'],
  waits: untilFrozen(),
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    await lapse(t, agent);
    const again = t.mustSucceed(await t.call('init', { key: agent.key }));
    t.need(again.get('status') === 'frozen' || undefined, 'an agent that is frozen');
    t.accepted(await reissue(t, agent), 'agent.frozen.open');
    t.accepted(await t.call('passport', { key: agent.key }), 'agent.frozen.open');
    const verify = await t.send(lookup('verify', agent.hash));
    t.shows('agent.frozen.open').field(verify, 'standing', 'frozen');
  },
};

const stalled: WrittenCheck = {
  id: 'dms/stalled',
  title: 'No agent is frozen while no anchors are issued',
  needs: ['clock', 'control'],
  controls: ['anchors/stall'],
  exclusive: true,
  async run(t) {
    const { intervalSec, degradedIntervals } = t.protocol.anchor;
    // From here on the age of the latest anchor is known to the millisecond.
    await t.sleep({ anchors: 1 });
    await latestAnchor(t);
    await whileAnchorsStall(t, async () => {
      // The first stall of a run lets anchors pass to show that it works, so the agent is registered after that.
      const { hash, key } = await t.root({ init: true });
      await t.sleep({ sec: degradedIntervals * intervalSec });
      await t.send(lookup('verify', hash));
      await t.sleep({ sec: 1 });
      await t.send(lookup('verify', hash));
      await t.sleep({ sec: 2 * t.protocol.dms.missedAnchorsMax * intervalSec });
      const still = t.mustSucceed(await t.call('init', { key }));
      t.shows('dms.stalled').field(still, 'status', 'active');
    });
  },
};

export const dmsChecks: readonly WrittenCheck[] = [
  afterHeartbeat,
  afterInit,
  otherCalls,
  unstarted,
  standings,
  open,
  stalled,
];
