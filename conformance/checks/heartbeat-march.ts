/** Heartbeats over time: their interval, tiers, caps and epochs. One heartbeat is judged in heartbeat.ts. */

import { groups } from '../../spec/clauses/groups.js';
import { type Protocol, protocol } from '../../spec/protocol.js';
import { Unjudged, unreachable, unreachableReason } from '../assertions/unjudged.js';
import { heartbeat as heartbeatMove } from '../moves/heartbeat.js';
import { sponsor } from '../moves/sponsor.js';
import { beatsAreAnchors, latestAnchor, pause, pauseWithin, sleepNearEpochEnd } from '../steps/beat-clock.js';
import { buy, feesOf, heartbeat, heartbeatFee, purchase, reissue } from '../steps/paid.js';
import { capUnseen, comeBack } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { family, heartbeatPaidBy } from '../steps/sponsor-call.js';
import { betweenHeartbeats } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import { sigilPriceLamports, type WalletAgent } from '../trial/fixtures.js';
import { unlessByControl } from '../trial/needs.js';
import { REACH } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';

/** Protocol time from an anchor to a moment before the next one. */
const BETWEEN_ANCHORS_MS = 20_000;

const interval: WrittenCheck = {
  id: 'heartbeat/too-soon',
  title: 'A heartbeat 9 beats after the last is refused, 10 beats after it is accepted, and its passport shows it',
  needs: ['payments', 'clock'],
  waits: betweenHeartbeats(2),
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    let last = t.mustSucceed(await heartbeat(t, agent));
    await beatsAreAnchors(t, last);
    // The interval applies between any two heartbeats, not only between the first two.
    for (const n of [2, 3]) {
      await pause(t, 1);
      const payment_tx = await t.pay({ from: agent.wallet, lamports: heartbeatFee(t.protocol, n).lamports });
      const send = () => t.send(heartbeatMove(agent, payment_tx));
      const early = t.refused(await send(), 'heartbeat/HEARTBEAT_TOO_SOON', ...groups.heartbeatInterval);
      // The model accepts a longer interval as configuration of the server; this check expects the stated one.
      const next = last.number('current_beat') + t.protocol.heartbeat.intervalBeatsMin;
      if (early.status === 429) t.shows('heartbeat.interval.from-last').field(early, 'next_eligible_beat', next);
      await t.sleep({ anchors: 1 });
      // Sends the heartbeat between two anchors: a passport has the time of its request, not that of an anchor.
      await t.sleep({ ms: BETWEEN_ANCHORS_MS });
      last = t.mustSucceed(await send());
    }
  },
};

/** Sends the n-th heartbeat with the fee of the neighbouring tier, which must be refused: the boundary is exact. */
async function sendOtherFee(t: Trial, agent: WalletAgent, n: number, neighbour: number): Promise<void> {
  // Where two tiers cost the same, no payment has the fee of the wrong tier.
  if (heartbeatFee(t.protocol, n).lamports !== heartbeatFee(t.protocol, neighbour).lamports)
    await heartbeat(t, agent, neighbour);
}

/** The most heartbeats of a march. */
const MARCH_MAX = 3_000;

/**
 * The number of heartbeats of a march: enough to reach the last tier and the first cap, or those of them that fit into an epoch and a march. 0 if
 * none fits. One more heartbeat follows in the next epoch.
 */
function marchLength({ heartbeat: numbers }: Protocol): number {
  const { tier1HeartbeatsMax, tier2HeartbeatsMax, narrowTaskCap, intervalBeatsMin, epochBeats } = numbers;
  const most = Math.min(MARCH_MAX, Math.floor((epochBeats - 1) / Math.max(1, intervalBeatsMin)));
  const shown = [tier1HeartbeatsMax, tier2HeartbeatsMax, narrowTaskCap].map((count) => count + 1);
  return Math.max(0, ...shown.filter((length) => length <= most));
}

/** The fees of the two agents of the march, and of the heartbeats that are refused at each boundary. */
function marchLamports(protocol: Protocol): number {
  const { sigil, deposit, heartbeat: beat } = protocol;
  const each = feesOf(protocol, marchLength(protocol) + 1) + 3 * beat.tier1FeeLamports + 2 * beat.tier2FeeLamports;
  return sigil.narrowTaskFeeLamports + sigil.autonomousFeeLamports + 2 * (each + deposit.lamports);
}

/** The agent that reaches the first cap, and its sponsor, if it has one. */
interface Narrow {
  readonly agent: WalletAgent;
  readonly sponsor?: WalletAgent;
}

/**
 * A child of class narrow_task with a wallet and a sponsor, if the target serves what that needs. Tier and cap follow from its own heartbeats,
 * whichever of the two pays.
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
        t.mustSucceed(await buy(t, agent, what, 'narrow_task'));
        return { agent, sponsor: parent };
      }
    } catch (error) {
      if (!(error instanceof Unjudged)) throw error;
    }
  }
  return { agent: await t.walletRoot({ sigil: 'narrow_task' }) };
}

/** The agent that goes past the first cap, and the number of heartbeats after which it buys its SIGIL; 0 if it has one already. */
interface Marcher {
  readonly agent: WalletAgent;
  readonly buysAfter: number;
}

/** A child, if the target serves what that needs: tiers and caps apply to children as to roots. It buys its SIGIL in tier 2, before it could reach any cap. */
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
    'Heartbeats 101 and 1001 of an epoch cost the fee of the next tier, and the 1001st of a narrow_task agent is refused',
  needs: ['payments', 'clock'],
  unsuitableFor: unlessByControl('it makes two thousand payments, and each would have to be confirmed'),
  exclusive: true,
  async run(t) {
    const { tier1HeartbeatsMax, tier2HeartbeatsMax, narrowTaskCap, intervalBeatsMin } = t.protocol.heartbeat;
    const last = marchLength(t.protocol);
    if (last === 0)
      throw unreachable(`${tier1HeartbeatsMax + 1} heartbeats do not fit into an epoch, or take too long for a run`);
    const { missedAnchorsMax } = t.protocol.dms;
    const between = pauseWithin(t, missedAnchorsMax);
    /** True if an agent that stopped at its cap is still active when the n-th heartbeat is due. */
    const lives = (n: number): boolean => (n - Math.min(last, narrowTaskCap)) * between <= missedAnchorsMax;
    // Begins so late that the last heartbeat falls into the last beats of the epoch, and one more into the next epoch.
    const beats = last * intervalBeatsMin - Math.ceil(intervalBeatsMin / 2);
    const turns = beats < t.protocol.heartbeat.epochBeats;
    if (turns) await sleepNearEpochEnd(t, beats);
    const { agent: narrow, sponsor } = await narrowTask(t);
    const { agent: autonomous, buysAfter } = await marcher(t, last);
    const boundaries = new Set([tier1HeartbeatsMax, tier2HeartbeatsMax]);
    const feeOf = (n: number): number => heartbeatFee(t.protocol, n).lamports;
    const payForAutonomous = await t.payAhead(autonomous.wallet, feeOf, last + 1);
    const payFromNarrow = await t.payAhead(narrow.wallet, feeOf, last + 1);
    // 4.5: the tier is that of the agent's heartbeats in the epoch, whichever agent has paid for them.
    const sponsoredAt = tier1HeartbeatsMax + 2;
    const payForNarrow = (n: number): Promise<string> =>
      n === sponsoredAt && sponsor !== undefined
        ? t.pay({ from: sponsor.wallet, lamports: feeOf(n) })
        : payFromNarrow(n);
    const send = async ({ key }: WalletAgent, payment_tx: string): Promise<void> => {
      t.mustSucceed(await t.send(heartbeatMove({ key }, payment_tx)));
    };
    let [ofAutonomous, ofNarrow] = [await payForAutonomous(1), await payForNarrow(1)];
    const firstOfNarrow = ofNarrow;
    for (let n = 1; n <= last; n += 1) {
      // Reads the agent that has a class by now, so that the class is judged, too.
      const classed = n <= buysAfter ? narrow : autonomous;
      if (boundaries.has(n)) await sendOtherFee(t, classed, n, n + 1);
      if (boundaries.has(n - 1)) await sendOtherFee(t, classed, n, n - 1);
      const capped = n > narrowTaskCap;
      // Pays for the next step during this one, since the march is long.
      const [, , nextOfAutonomous, nextOfNarrow] = await Promise.all([
        send(autonomous, ofAutonomous),
        capped ? undefined : send(narrow, ofNarrow),
        payForAutonomous(n + 1),
        payForNarrow(n + 1),
      ]);
      if (capped && lives(n)) {
        await t.send(heartbeatMove(narrow, ofNarrow));
        if (n === narrowTaskCap + 1) {
          // 4.5: after the cap heartbeats are refused, whichever agent pays.
          if (sponsor !== undefined) await heartbeatPaidBy(t, narrow, sponsor, n);
          // 2.6: a refused heartbeat is not counted in the passport.
          await reissue(t, narrow);
        }
      }
      [ofAutonomous, ofNarrow] = [nextOfAutonomous, nextOfNarrow];
      if (n === buysAfter)
        t.mustSucceed(await buy(t, autonomous, purchase(t, { identity_class: 'autonomous' }), 'autonomous'));
      if (n < last) await t.sleep({ anchors: between });
    }
    if (!turns) return;
    await t.sleep({ anchors: between });
    // In the next epoch the count starts at 0: no cap applies, and the first heartbeat costs the fee of tier 1.
    if (lives(last + 1)) {
      await t.send(heartbeatMove(narrow, firstOfNarrow));
      await heartbeat(t, narrow);
    }
    await heartbeat(t, autonomous);
  },
};

/** A class with a cap that is too high for the march, or cannot be reached. */
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

/** Heartbeats that a check may send, except in the profile exhaustive. */
const HEARTBEATS_MAX = 1_500;
/** Requests of one heartbeat: its payment, the heartbeat, and a move of the clock. */
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
        ? unlessByControl(`it makes ${heartbeats} payments, and each would have to be confirmed`)(target)
        : unreachableReason(
            `${heartbeats} heartbeats, ${numbers.intervalBeatsMin} beats apart, do not fit into an epoch of ${epochBeats} beats`,
          );
    },
    // Under other numbers an unreachable cap can be reached with few heartbeats.
    requests: REQUESTS * (reachable(protocol) ? capOf(protocol) : HEARTBEATS_MAX) + 20,
    sleeps: (reachable(protocol) ? capOf(protocol) : HEARTBEATS_MAX) + 1,
    lamports: (numbers) => feesOf(numbers, capOf(numbers) + 1) + sigilPriceLamports(numbers, identityClass),
    async run(t) {
      const { epochBeats } = t.protocol.heartbeat;
      const { beatsPerAnchor } = t.protocol.anchor;
      const cap = capOf(t.protocol);
      const { index } = await latestAnchor(t);
      const left = epochBeats - ((index * beatsPerAnchor) % epochBeats);
      if (left <= beatsOf(t.protocol)) await t.sleep({ anchors: Math.ceil(left / beatsPerAnchor) });
      const agent = await t.walletRoot({ sigil: identityClass });
      for (let n = 1; n <= cap; n += 1) {
        const reply = t.mustSucceed(await heartbeat(t, agent, n));
        if (n === 1) await beatsAreAnchors(t, reply);
        await pause(t);
      }
      await heartbeat(t, agent, cap + 1);
    },
  };
});

const epoch: WrittenCheck = {
  id: 'heartbeat/epoch',
  title: 'After 100,000 beats the count and tier of heartbeats start again',
  exclusive: true,
  needs: ['payments', 'clock'],
  async run(t) {
    const { missedAnchorsMax } = t.protocol.dms;
    const between = pauseWithin(t, missedAnchorsMax);
    if (between < 1)
      throw unreachable('heartbeats have no minimum interval, and this check needs one to find the end of an epoch');
    // Leaves time to make the agents, too short to freeze one. The first heartbeat of `late` comes an anchor before the epoch ends.
    const spare = Math.min(between, missedAnchorsMax - (between - 1));
    await sleepNearEpochEnd(t, (spare + between) * t.protocol.anchor.beatsPerAnchor);
    const [agent, late] = [await t.walletRoot({ sigil: 'narrow_task' }), await t.walletRoot({ sigil: 'narrow_task' })];
    await t.sleep({ anchors: spare });
    await beatsAreAnchors(t, t.mustSucceed(await heartbeat(t, agent)));
    await t.sleep({ anchors: between - 1 });
    t.mustSucceed(await heartbeat(t, late));
    await t.sleep({ anchors: 1 });
    t.mustSucceed(await heartbeat(t, agent));
    // 4.5: the interval is counted in beats, whichever epoch they are in.
    if (between > 1) await heartbeat(t, late);
    // Replies show the current epoch until its last beats, and the next epoch after them.
    await t.part(async () => {
      await sleepNearEpochEnd(t, between * t.protocol.anchor.beatsPerAnchor);
      const next = await t.walletRoot({ sigil: 'narrow_task' });
      t.mustSucceed(await heartbeat(t, next));
      await pause(t);
      await heartbeat(t, next);
    });
    // The count of an agent that was frozen for more than an epoch begins again when it is reactivated.
    if (capUnseen(t.protocol) !== undefined || !t.session.offers.has('beats')) return;
    t.mustSucceed(await comeBack(t, late, t.protocol.resync.beatsMax));
    await heartbeat(t, late);
  },
};

export const heartbeatMarchChecks: readonly WrittenCheck[] = [interval];
/** Caps, tiers and the end of an epoch, for which the clock moves by months. */
export const heartbeatEpochChecks: readonly WrittenCheck[] = [march, epoch, ...capped];
