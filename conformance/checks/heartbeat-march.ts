/** Heartbeats over time: their interval, tiers, caps and epochs. One heartbeat is judged in heartbeat.ts. */

import { groups } from '../../spec/clauses/groups.js';
import { type Protocol, protocol } from '../../spec/protocol.js';
import { Unjudged, unreachable, unreachableReason } from '../assertions/unjudged.js';
import { sponsor } from '../moves/sponsor.js';
import { beatsAreAnchors, latestAnchor, pause, pauseWithin, sleepNearEpochEnd } from '../steps/beat-clock.js';
import { buy, feesOf, heartbeat, heartbeatFee, purchase, reissue } from '../steps/paid.js';
import { capUnseen, comeBack } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { family, heartbeatPaidBy } from '../steps/sponsor-call.js';
import { betweenHeartbeats } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import { sigilFeeLamports, type WalletAgent } from '../trial/fixtures.js';
import { unlessByControl } from '../trial/needs.js';
import { REACH } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';

/** Protocol time after an anchor, short of the next. */
const BETWEEN_ANCHORS_MS = 20_000;

const interval: WrittenCheck = {
  id: 'heartbeat/too-soon',
  title: 'A heartbeat 9 beats after the last is refused, 10 beats after it is accepted, and its passport shows it',
  needs: ['payments', 'clock'],
  waits: betweenHeartbeats(2),
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    let last = t.accepted(await heartbeat(t, agent));
    await beatsAreAnchors(t, last);
    // The interval is one between any two, not between the first two.
    for (const n of [2, 3]) {
      await pause(t, 1);
      const payment_tx = await t.pay({ from: agent.wallet, lamports: heartbeatFee(t.protocol, n).lamports });
      const send = () => t.call('heartbeat', { key: agent.key, body: { payment_tx } });
      const early = t.refused(await send(), 'heartbeat/HEARTBEAT_TOO_SOON', ...groups.heartbeatInterval);
      // The model takes a longer interval for one that the server configures; here it is another than the one that is stated.
      const next = last.number('current_beat') + t.protocol.heartbeat.intervalBeatsMin;
      if (early.status === 429) t.shows('heartbeat.interval.from-last').field(early, 'next_eligible_beat', next);
      await t.sleep({ anchors: 1 });
      // A moment that is not that of an anchor: a passport is issued when it is asked for.
      await t.sleep({ ms: BETWEEN_ANCHORS_MS });
      last = t.accepted(await send());
    }
  },
};

/** The fee of another tier is refused for the n-th heartbeat: the boundary lies exactly there. */
async function sendOtherFee(t: Trial, agent: WalletAgent, n: number, neighbour: number): Promise<void> {
  // Where two tiers cost the same, nobody can pay the fee of the wrong one.
  if (heartbeatFee(t.protocol, n).lamports !== heartbeatFee(t.protocol, neighbour).lamports)
    await heartbeat(t, agent, neighbour);
}

/** Heartbeats that a march takes at most. */
const MARCH_MAX = 3_000;

/**
 * Heartbeats until the last tier and the first cap have shown, as far as they do within an epoch and a bearable time, and the
 * next one comes in another epoch; 0 where none of them does.
 */
function marchLength({ heartbeat: numbers }: Protocol): number {
  const { tier1HeartbeatsMax, tier2HeartbeatsMax, narrowTaskCap, intervalBeatsMin, epochBeats } = numbers;
  const most = Math.min(MARCH_MAX, Math.floor((epochBeats - 1) / Math.max(1, intervalBeatsMin)));
  const shown = [tier1HeartbeatsMax, tier2HeartbeatsMax, narrowTaskCap].map((count) => count + 1);
  return Math.max(0, ...shown.filter((length) => length <= most));
}

/** The fees of the two agents of the march, and of the heartbeats that are refused at each boundary. */
function marchLamports(protocol: Protocol): number {
  const { sigil, heartbeat: beat } = protocol;
  const each = feesOf(protocol, marchLength(protocol) + 1) + 3 * beat.tier1FeeLamports + 2 * beat.tier2FeeLamports;
  return sigil.narrowTaskFeeLamports + sigil.autonomousFeeLamports + 2 * each;
}

/** The agent that comes to the first cap, and who sponsors it, if anybody does. */
interface Narrow {
  readonly agent: WalletAgent;
  readonly sponsor?: WalletAgent;
}

/**
 * Where the target serves what it takes, this is a child of class narrow_task that has a wallet of its own and a sponsor:
 * its tiers and its cap are those of its own heartbeats, whichever of them pays.
 */
async function narrowTask(t: Trial): Promise<Narrow> {
  if (t.session.offers.has('beats')) {
    try {
      const { parent, child } = await family(t, {});
      await t.send(sponsor(parent, child.hash));
      const wallet = t.wallet();
      const linked = await linkWith(t, child, wallet);
      await t.fund(wallet, 2 * marchLamports(t.protocol));
      const agent = { ...child, wallet };
      const what = purchase(t, { identity_class: 'narrow_task' });
      if (linked.status < 300) {
        await t.setup('a SIGIL', async () => t.accepted(await buy(t, agent, what, 'narrow_task')));
        return { agent, sponsor: parent };
      }
    } catch (error) {
      if (!(error instanceof Unjudged)) throw error;
    }
  }
  return { agent: await t.walletRoot({ sigil: 'narrow_task' }) };
}

/** The agent that goes past the first cap, and the heartbeats after which it buys its SIGIL; 0 where it has it. */
interface Marcher {
  readonly agent: WalletAgent;
  readonly buysAfter: number;
}

/**
 * Where the target serves what it takes, this is a child: its tiers are those of a root, with and without a SIGIL, and the
 * cap of the class that it buys is, too. It buys it when tier 2 has shown, and before any cap can have.
 */
async function marcher(t: Trial, last: number): Promise<Marcher> {
  const { tier1HeartbeatsMax, narrowTaskCap } = t.protocol.heartbeat;
  const buysAfter = Math.min(tier1HeartbeatsMax + 1, narrowTaskCap - 1, last - 1);
  let child: WalletAgent | undefined;
  if (buysAfter > 0 && t.session.offers.has('beats')) {
    try {
      const young = await makeChild(t, await t.root({ init: true }), { init: true });
      const wallet = t.wallet();
      const linked = await linkWith(t, young, wallet);
      await t.fund(wallet, 2 * marchLamports(t.protocol));
      if (linked.status < 300) child = { ...young, wallet };
    } catch (error) {
      if (!(error instanceof Unjudged)) throw error;
    }
  }
  if (child !== undefined) return { agent: child, buysAfter };
  return { agent: await t.walletRoot({ sigil: 'autonomous' }), buysAfter: 0 };
}

const march: WrittenCheck = {
  id: 'heartbeat/tiers-and-caps',
  title:
    'Heartbeats 100/101 and 1000/1001 of an epoch change tier, and a narrow_task agent is capped at 1000 until the next',
  needs: ['payments', 'clock'],
  unsuitableFor: unlessByControl('it pays two thousand times, each of which would have to be confirmed'),
  exclusive: true,
  async run(t) {
    const { tier1HeartbeatsMax, tier2HeartbeatsMax, narrowTaskCap, intervalBeatsMin } = t.protocol.heartbeat;
    const last = marchLength(t.protocol);
    if (last === 0)
      throw unreachable(`an epoch has no room, or a run no time, for ${tier1HeartbeatsMax + 1} heartbeats`);
    const { missedAnchorsMax } = t.protocol.dms;
    const between = pauseWithin(t, missedAnchorsMax);
    /** Whether an agent that its cap keeps from sending heartbeats is not frozen yet when the n-th would be due. */
    const lives = (n: number): boolean => (n - Math.min(last, narrowTaskCap)) * between <= missedAnchorsMax;
    // So that the beat of the last heartbeat is one of the last of its epoch, and that of one more is in the next.
    const beats = last * intervalBeatsMin - Math.ceil(intervalBeatsMin / 2);
    const turns = beats < t.protocol.heartbeat.epochBeats;
    if (turns) await sleepNearEpochEnd(t, beats);
    const { agent: narrow, sponsor } = await narrowTask(t);
    const { agent: autonomous, buysAfter } = await marcher(t, last);
    const boundaries = new Set([tier1HeartbeatsMax, tier2HeartbeatsMax]);
    const pay = (agent: WalletAgent, n: number): Promise<string> =>
      t.pay({ from: agent.wallet, lamports: heartbeatFee(t.protocol, n).lamports });
    // 4.5: the tier is that of the agent's heartbeats in the epoch, whichever agent has paid for them.
    const sponsoredAt = tier1HeartbeatsMax + 2;
    const payForNarrow = (n: number): Promise<string> => pay(n === sponsoredAt ? (sponsor ?? narrow) : narrow, n);
    const send = async ({ key }: WalletAgent, payment_tx: string): Promise<void> => {
      t.accepted(await t.call('heartbeat', { key, body: { payment_tx } }));
    };
    let [ofAutonomous, ofNarrow] = [await pay(autonomous, 1), await payForNarrow(1)];
    const firstOfNarrow = ofNarrow;
    for (let n = 1; n <= last; n += 1) {
      // Asked of an agent that has a class, since that is judged, too.
      const classed = n <= buysAfter ? narrow : autonomous;
      if (boundaries.has(n)) await sendOtherFee(t, classed, n, n + 1);
      if (boundaries.has(n - 1)) await sendOtherFee(t, classed, n, n - 1);
      const capped = n > narrowTaskCap;
      // The next step is paid for while this one is under way: the march is long.
      const [, , nextOfAutonomous, nextOfNarrow] = await Promise.all([
        send(autonomous, ofAutonomous),
        capped ? undefined : send(narrow, ofNarrow),
        pay(autonomous, n + 1),
        payForNarrow(n + 1),
      ]);
      if (capped && lives(n)) {
        await t.call('heartbeat', { key: narrow.key, body: { payment_tx: ofNarrow } });
        if (n === narrowTaskCap + 1) {
          // 4.5: after the cap heartbeats are refused, whichever agent pays.
          if (sponsor !== undefined) await heartbeatPaidBy(t, narrow, sponsor, n);
          // 2.6: what was refused is no heartbeat.
          await reissue(t, narrow);
        }
      }
      [ofAutonomous, ofNarrow] = [nextOfAutonomous, nextOfNarrow];
      if (n === buysAfter)
        t.accepted(await buy(t, autonomous, purchase(t, { identity_class: 'autonomous' }), 'autonomous'));
      if (n < last) await t.sleep({ anchors: between });
    }
    if (!turns) return;
    await t.sleep({ anchors: between });
    // In the next epoch an agent is under no cap, and its first heartbeat costs what the first one of an epoch does.
    if (lives(last + 1)) {
      await t.call('heartbeat', { key: narrow.key, body: { payment_tx: firstOfNarrow } });
      await heartbeat(t, narrow);
    }
    await heartbeat(t, autonomous);
  },
};

/** A class whose cap takes longer to reach than a run should last, or is never reached. */
interface Cap {
  readonly identityClass: 'autonomous' | 'orchestrator';
  readonly clause: string;
  readonly capOf: (protocol: Protocol) => number;
}

const caps: readonly Cap[] = [
  {
    identityClass: 'autonomous',
    clause: 'heartbeat.cap.autonomous',
    capOf: ({ heartbeat: numbers }) => numbers.autonomousCap,
  },
  {
    identityClass: 'orchestrator',
    clause: 'heartbeat.cap.orchestrator',
    capOf: ({ heartbeat: numbers }) => numbers.orchestratorCap,
  },
];

/** Heartbeats that a check may send in a run that is not to be exhaustive. */
const HEARTBEATS_MAX = 1_500;
/** Requests of a heartbeat: its payment, itself, and the clock that moves on. */
const REQUESTS = 3;

/** An agent of a class sends as many heartbeats as its cap allows in one epoch, and one more. */
const capped = caps.map(({ identityClass, clause, capOf }): WrittenCheck => {
  const beatsOf = (numbers: Protocol): number => capOf(numbers) * numbers.heartbeat.intervalBeatsMin;
  const reachable = (numbers: Protocol): boolean => beatsOf(numbers) < numbers.heartbeat.epochBeats;
  return {
    id: `heartbeat/cap-${identityClass}`,
    title: `Heartbeats of class ${identityClass} are accepted up to the cap of the epoch, and the next is refused`,
    clauses: [clause, 'heartbeat.cap.reached', 'heartbeat.error.volume-cap-reached', 'service.class.cap', 'sigil.caps'],
    registers: 0,
    walletRegisters: 2,
    writes: true,
    needs: ['payments', 'clock'],
    exclusive: true,
    exhaustive: (numbers) => capOf(numbers) > HEARTBEATS_MAX,
    unsuitableFor: (target) => {
      const { heartbeat: numbers } = target.protocol;
      const [heartbeats, epochBeats] = [capOf(target.protocol), numbers.epochBeats].map((one) =>
        one.toLocaleString('en'),
      );
      if (reachable(target.protocol) && capOf(target.protocol) > REACH.requests / REQUESTS) {
        return unreachableReason(`a check does not send ${heartbeats} heartbeats`);
      }
      return reachable(target.protocol)
        ? unlessByControl(`it pays ${heartbeats} times, each of which would have to be confirmed`)(target)
        : unreachableReason(
            `${heartbeats} heartbeats, ${numbers.intervalBeatsMin} beats apart, do not fit into an epoch of ${epochBeats} beats`,
          );
    },
    // An unreachable one is reached where other numbers hold, and soon there.
    requests: REQUESTS * (reachable(protocol) ? capOf(protocol) : HEARTBEATS_MAX) + 20,
    sleeps: (reachable(protocol) ? capOf(protocol) : HEARTBEATS_MAX) + 1,
    lamports: (numbers) => feesOf(numbers, capOf(numbers) + 1) + sigilFeeLamports(numbers, identityClass),
    async run(t) {
      const { epochBeats } = t.protocol.heartbeat;
      const { beatsPerAnchor } = t.protocol.anchor;
      const cap = capOf(t.protocol);
      const { index } = await latestAnchor(t);
      const left = epochBeats - ((index * beatsPerAnchor) % epochBeats);
      if (left <= beatsOf(t.protocol)) await t.sleep({ anchors: Math.ceil(left / beatsPerAnchor) });
      const agent = await t.walletRoot({ sigil: identityClass });
      for (let n = 1; n <= cap; n += 1) {
        const reply = t.accepted(await heartbeat(t, agent, n));
        if (n === 1) await beatsAreAnchors(t, reply);
        await pause(t);
      }
      await heartbeat(t, agent, cap + 1);
    },
  };
});

const epoch: WrittenCheck = {
  id: 'heartbeat/epoch',
  title: 'A billing epoch has 100,000 beats: count and tier begin again with the next',
  exclusive: true,
  needs: ['payments', 'clock'],
  async run(t) {
    const { missedAnchorsMax } = t.protocol.dms;
    const between = pauseWithin(t, missedAnchorsMax);
    if (between < 1) throw unreachable('heartbeats may come at any time, and the last beat of an epoch is told by one');
    // Time to make the agents, which nobody is frozen in: the later of their first heartbeats comes an anchor before the turn.
    const spare = Math.min(between, missedAnchorsMax - (between - 1));
    await sleepNearEpochEnd(t, (spare + between) * t.protocol.anchor.beatsPerAnchor);
    const [agent, late] = [await t.walletRoot({ sigil: 'narrow_task' }), await t.walletRoot({ sigil: 'narrow_task' })];
    await t.sleep({ anchors: spare });
    await beatsAreAnchors(t, t.accepted(await heartbeat(t, agent)));
    await t.sleep({ anchors: between - 1 });
    t.accepted(await heartbeat(t, late));
    await t.sleep({ anchors: 1 });
    t.accepted(await heartbeat(t, agent));
    // 4.5: the interval is counted in beats, whichever epoch they are in.
    if (between > 1) await heartbeat(t, late);
    // The epoch that has just begun is shown until its last beats, and the one after it then.
    await t.part(async () => {
      await sleepNearEpochEnd(t, between * t.protocol.anchor.beatsPerAnchor);
      const next = await t.walletRoot({ sigil: 'narrow_task' });
      t.accepted(await heartbeat(t, next));
      await pause(t);
      await heartbeat(t, next);
    });
    // An agent that was frozen for more than an epoch, and is back: its count begins again, whichever epoch it is.
    if (capUnseen(t.protocol) !== undefined || !t.session.offers.has('beats')) return;
    t.accepted(await comeBack(t, late, t.protocol.resync.beatsMax));
    await heartbeat(t, late);
  },
};

export const heartbeatMarchChecks: readonly WrittenCheck[] = [interval];
/** Caps, tiers and the turn of an epoch, for which months pass. */
export const heartbeatEpochChecks: readonly WrittenCheck[] = [march, epoch, ...capped];
