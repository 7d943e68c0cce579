import type { Protocol } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { beatsAreAnchors, sleepNearEpochEnd } from '../steps/beat-clock.js';
import { heartbeat, heartbeatFee } from '../steps/paid.js';
import { betweenHeartbeats } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import type { WalletAgent } from '../trial/fixtures.js';
import { unlessByControl } from '../trial/needs.js';
import type { Trial } from '../trial/trial.js';

const base = { registers: 0, walletRegisters: 2, writes: true } as const;

const interval: Check = {
  ...base,
  id: 'heartbeat/too-soon',
  title: 'A heartbeat 9 beats after the last is refused, 10 beats after it is accepted',
  clauses: [
    'heartbeat.interval.min',
    'heartbeat.interval.reply',
    'heartbeat.interval.from-last',
    'heartbeat.error.heartbeat-too-soon',
    'constant.heartbeat-interval',
    'clock.interval',
  ],
  needs: ['payments', 'clock'],
  requests: 16,
  lamports: ({ sigil, heartbeat: { tier1FeeLamports } }) => sigil.narrowTaskFeeLamports + 4 * tier1FeeLamports,
  refusal: true,
  waits: betweenHeartbeats(),
  async run(t) {
    const agent = await t.walletRoot({ sigil: 'narrow_task' });
    const first = t.accepted(await heartbeat(t, agent));
    await beatsAreAnchors(t, first);
    const { intervalBeatsMin } = t.protocol.heartbeat;
    await t.sleep({ anchors: intervalBeatsMin - 1 });
    const early = t.refused(await heartbeat(t, agent, 2), 'heartbeat/HEARTBEAT_TOO_SOON');
    const next = early.number('next_eligible_beat');
    t.decided('D-50', () => t.equal('next_eligible_beat', next, first.number('current_beat') + intervalBeatsMin));
    await t.sleep({ anchors: 1 });
    t.accepted(await heartbeat(t, agent, 2));
  },
};

/** Sends the n-th heartbeat of the epoch with its payment, and checks its tier and count. */
async function step(t: Trial, agent: WalletAgent, n: number, payment_tx: string): Promise<Reply> {
  const reply = await t.call('heartbeat', { key: agent.key, body: { payment_tx } });
  if (reply.status !== 200 || reply.get('heartbeat_count_epoch') !== n) t.accepted(reply);
  t.equal(`heartbeat_count_epoch of heartbeat ${n}`, reply.get('heartbeat_count_epoch'), n);
  const { tier, lamports } = heartbeatFee(t.protocol, n);
  const ofTier = `fee.heartbeat.tier-${tier}`;
  t.about(['fee.field.tier', ofTier], () => t.equal(`fee.tier of heartbeat ${n}`, reply.get('fee.tier'), tier));
  t.about([ofTier], () => t.equal(`fee of heartbeat ${n} in lamports`, reply.get('fee.amount_lamports'), lamports));
  return reply;
}

/** The fee of another tier is refused for the n-th heartbeat: the boundary lies exactly there. */
async function otherFeeRefused(t: Trial, agent: WalletAgent, n: number, neighbour: number): Promise<void> {
  const wrong = await heartbeat(t, agent, neighbour);
  t.that(`heartbeat ${n} at the fee of heartbeat ${neighbour}`, wrong.status !== 200, 'a refusal', `${wrong.status}`);
  t.refused(wrong, 'heartbeat/PAYMENT_INVALID');
}

/** Heartbeats until the last tier and the first cap have shown. */
function marchLength({ heartbeat: { tier2HeartbeatsMax, narrowTaskCap } }: Protocol): number {
  return Math.max(tier2HeartbeatsMax, narrowTaskCap) + 1;
}

const march: Check = {
  ...base,
  id: 'heartbeat/tiers-and-caps',
  title: 'Heartbeats 100/101 and 1000/1001 of an epoch change tier, and a narrow_task agent is capped at 1000',
  clauses: [
    'fee.heartbeat.epoch',
    'fee.heartbeat.tier-1',
    'fee.heartbeat.tier-2',
    'fee.heartbeat.tier-3',
    'fee.field.tier',
    'heartbeat.cap.narrow-task',
    'heartbeat.cap.reached',
    'heartbeat.error.volume-cap-reached',
    'service.class.cap',
    'service.class.fee',
    'sigil.caps',
  ],
  needs: ['payments', 'clock'],
  unfit: unlessByControl('it pays two thousand times, each of which would have to be confirmed'),
  walletRegisters: 4,
  requests: 5_100,
  sleeps: 1_000,
  lamports: (protocol) => {
    const { sigil, heartbeat: beat } = protocol;
    const fees = Array.from({ length: marchLength(protocol) + 1 }, (_, n) => heartbeatFee(protocol, n + 1).lamports);
    const march = fees.reduce((sum, fee) => sum + fee, 2 * (beat.tier1FeeLamports + beat.tier2FeeLamports));
    return sigil.narrowTaskFeeLamports + sigil.autonomousFeeLamports + 2 * march;
  },
  refusal: true,
  async run(t) {
    const { tier1HeartbeatsMax, tier2HeartbeatsMax, narrowTaskCap, intervalBeatsMin } = t.protocol.heartbeat;
    const last = marchLength(t.protocol);
    const [narrow, autonomous] = [
      await t.walletRoot({ sigil: 'narrow_task' }),
      await t.walletRoot({ sigil: 'autonomous' }),
    ];
    const boundaries = new Set([tier1HeartbeatsMax, tier2HeartbeatsMax]);
    const pay = (agent: WalletAgent, n: number): Promise<string> =>
      t.pay({ from: agent.wallet, lamports: heartbeatFee(t.protocol, n).lamports });
    let [ofAutonomous, ofNarrow] = [await pay(autonomous, 1), await pay(narrow, 1)];
    let epoch: unknown;
    for (let n = 1; n <= last; n += 1) {
      if (boundaries.has(n)) await otherFeeRefused(t, autonomous, n, n + 1);
      if (boundaries.has(n - 1)) await otherFeeRefused(t, autonomous, n, n - 1);
      const capped = n > narrowTaskCap;
      // The next step is paid for while this one is under way: the march is long.
      const [reply, , nextOfAutonomous, nextOfNarrow] = await Promise.all([
        step(t, autonomous, n, ofAutonomous),
        capped ? undefined : step(t, narrow, n, ofNarrow),
        pay(autonomous, n + 1),
        pay(narrow, n + 1),
      ]);
      if (capped) {
        const over = await t.call('heartbeat', { key: narrow.key, body: { payment_tx: ofNarrow } });
        t.refused(over, 'heartbeat/VOLUME_CAP_REACHED');
      }
      [ofAutonomous, ofNarrow] = [nextOfAutonomous, nextOfNarrow];
      epoch ??= reply.get('billing_epoch');
      t.equal('billing_epoch during the march', reply.get('billing_epoch'), epoch);
      if (n === 1) await beatsAreAnchors(t, reply);
      if (n < last) await t.sleep({ anchors: intervalBeatsMin });
    }
  },
};

const epoch: Check = {
  ...base,
  id: 'heartbeat/epoch',
  title: 'A billing epoch has 100,000 beats: count and tier begin anew with the next',
  clauses: [
    'fee.heartbeat.epoch',
    'heartbeat.cap.next-epoch',
    'constant.billing-epoch',
    'clock.billing-epoch',
    'heartbeat.reply.heartbeat-count-epoch',
  ],
  exclusive: true,
  needs: ['payments', 'clock'],
  walletRegisters: 4,
  requests: 30,
  lamports: ({ sigil, heartbeat: { tier1FeeLamports } }) => 2 * sigil.narrowTaskFeeLamports + 5 * tier1FeeLamports,
  async run(t) {
    const { intervalBeatsMin } = t.protocol.heartbeat;
    const early = 2 * intervalBeatsMin;
    await sleepNearEpochEnd(t, early);
    const [agent, late] = [await t.walletRoot({ sigil: 'narrow_task' }), await t.walletRoot({ sigil: 'narrow_task' })];
    const counts = (reply: Reply, inEpoch: number, total: number): void => {
      t.equal('heartbeat_count_epoch', reply.get('heartbeat_count_epoch'), inEpoch);
      t.equal('total_heartbeats', reply.get('total_heartbeats'), total);
    };
    await t.sleep({ anchors: early - intervalBeatsMin });
    const first = t.accepted(await heartbeat(t, agent));
    await beatsAreAnchors(t, first);
    counts(first, 1, 1);
    await t.sleep({ anchors: intervalBeatsMin - 1 });
    const last = t.accepted(await heartbeat(t, late));
    t.equal('billing_epoch at the last beat of an epoch', last.get('billing_epoch'), first.get('billing_epoch'));
    await t.sleep({ anchors: 1 });
    const next = t.accepted(await heartbeat(t, agent));
    t.equal('billing_epoch at the next beat', next.get('billing_epoch'), first.number('billing_epoch') + 1);
    counts(next, 1, 2);
  },
};

export const heartbeatMarchChecks: readonly Check[] = [interval, march];
/** The turn of an epoch, for which months pass. */
export const heartbeatEpochChecks: readonly Check[] = [epoch];
