/**
 * Checks of the effect of subsidies on fees: the amount, the agents, the time, and the order of precedence. Granting and
 * ending subsidies is in subsidy.ts.
 */

import type { Protocol } from '../../spec/protocol.js';
import { HOUR_MS } from '../../spec/time.js';
import type { FeeType } from '../../spec/vocabulary.js';
import type { Reply } from '../assertions/reply.js';
import { unreachable } from '../assertions/unjudged.js';
import { sponsor } from '../moves/sponsor.js';
import { endSubsidy, grant, terms } from '../moves/subsidy.js';
import { beatsAreAnchors, latestAnchor, pause } from '../steps/beat-clock.js';
import { adminKey } from '../steps/keys.js';
import { heartbeat, heartbeatFee, purchase } from '../steps/paid.js';
import { family, sponsoredHeartbeat } from '../steps/sponsor-call.js';
import { withCleanup } from '../steps/with-cleanup.js';
import type { WrittenCheck } from '../trial/check.js';
import type { WalletAgent, WalletRootOptions } from '../trial/fixtures.js';
import { unlessByControl } from '../trial/needs.js';
import { needReachableCount } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';

const base = {
  needs: ['admin', 'payments'],
} as const;

/** A paid route, and the subsidy that lowers its fee. */
interface PaidRoute {
  readonly id: 'heartbeat' | 'sigil' | 'reissue-proof';
  /** The discount that the check of this type grants. */
  readonly discountBps: number;
  readonly options: WalletRootOptions;
  readonly feeLamports: (protocol: Protocol) => number;
}

const withSigil = { sigil: 'narrow_task' } as const;

/** The routes, by the type of their fee. */
const routes: Readonly<Record<FeeType, PaidRoute>> = {
  heartbeat: {
    id: 'heartbeat',
    // 1 - 0.9 is less than 0.1 in floating point, which makes the fee a lamport too low.
    discountBps: 9_000,
    options: withSigil,
    feeLamports: (protocol) => heartbeatFee(protocol, 1).lamports,
  },
  sigil: {
    id: 'sigil',
    discountBps: 1_250,
    options: { init: true },
    feeLamports: ({ sigil }) => sigil.autonomousFeeLamports,
  },
  reissuance: {
    id: 'reissue-proof',
    discountBps: 2_515,
    options: withSigil,
    feeLamports: ({ reissue }) => reissue.feeLamports,
  },
};

/** Pays an amount for a type of fee, and the deposit where a change asks for one, and sends the request that it pays for; a SIGIL is of the class `autonomous`. */
async function pay(t: Trial, agent: WalletAgent, type: FeeType, lamports: number): Promise<Reply> {
  const { id } = routes[type];
  const deposit = id === 'sigil' ? t.protocol.deposit.lamports : 0;
  const payment_tx = await t.pay({ from: agent.wallet, lamports: lamports + deposit });
  const what = id === 'sigil' ? purchase(t, { identity_class: 'autonomous' }) : {};
  return t.call(id, { key: agent.key, body: { ...what, payment_tx } });
}

/** Asserts the fee of a request: sends it with the wrong fee `not`, if given, and then with the right one. */
async function costs(t: Trial, agent: WalletAgent, type: FeeType, lamports: number, not?: number): Promise<Reply> {
  if (not !== undefined) await pay(t, agent, type, not);
  return t.mustSucceed(await pay(t, agent, type, lamports));
}

/** A fee less a discount, and never below the floor of the default, nor above what it was (D-38). */
function subsidised({ protocol: { subsidy } }: Trial, feeLamports: number, discountBps: number): number {
  const lowered = Math.floor((feeLamports * (10_000 - discountBps)) / 10_000);
  return Math.min(feeLamports, Math.max(lowered, subsidy.floorLamportsDefault));
}

/** Grants a subsidy on reissues. */
async function subsidise(t: Trial, key: string, agent: WalletAgent, more: object = {}): Promise<void> {
  t.mustSucceed(await t.send(grant(key, terms(agent, { fee_type: 'reissuance', ...more }))));
}

const types = (Object.keys(routes) as FeeType[]).map(
  (type): WrittenCheck => ({
    ...base,
    id: `subsidy/fee-${type}`,
    title: `A subsidy of ${routes[type].discountBps} bps lowers the fee by that share: ${type}`,
    async run(t) {
      const [agent, key] = [await t.walletRoot(routes[type].options), await adminKey(t)];
      const full = routes[type].feeLamports(t.protocol);
      const { discountBps: discount_bps } = routes[type];
      t.mustSucceed(await t.send(grant(key, terms(agent, { fee_type: type, discount_bps }))));
      await costs(t, agent, type, subsidised(t, full, discount_bps), full);
    },
  }),
);

const sponsorPays: WrittenCheck = {
  ...base,
  id: 'subsidy/sponsored',
  title: 'The fee that a sponsor pays for a child is lowered by the subsidy of the child, not by that of the sponsor',
  needs: ['admin', 'payments', 'beats'],
  async run(t) {
    const { parent, child } = await family(t);
    const key = await adminKey(t);
    await t.send(sponsor(parent, child.hash));
    const fee = heartbeatFee(t.protocol, 1).lamports;
    t.mustSucceed(await t.send(grant(key, terms(parent))));
    const paid = (lamports: number): Promise<string> => t.pay({ from: parent.wallet, lamports });
    await sponsoredHeartbeat(t, child, parent, { paid: await paid(subsidised(t, fee, 5_000)) });
    t.mustSucceed(await t.send(grant(key, terms(child, { discount_bps: 2_500 }))));
    await sponsoredHeartbeat(t, child, parent, { paid: await paid(subsidised(t, fee, 2_500)) });
  },
};

const scope: WrittenCheck = {
  ...base,
  id: 'subsidy/scope',
  title: 'A subsidy does not lower other fees, nor the fees of other agents, even with the same wallet',
  async run(t) {
    const key = await adminKey(t);
    const [agent, other] = [await t.walletRoot({ init: true }), await t.walletRoot({ init: true })];
    const beat = heartbeatFee(t.protocol, 1).lamports;
    const class2 = t.protocol.sigil.autonomousFeeLamports;
    const half = (fee: number): number => subsidised(t, fee, 5_000);
    for (const fee_type of ['reissuance', 'sigil']) t.mustSucceed(await t.send(grant(key, terms(agent, { fee_type }))));
    await costs(t, other, 'sigil', class2, half(class2));
    await costs(t, agent, 'sigil', half(class2));
    await t.part(async () => {
      const beside = await t.walletRoot({ wallet: agent.wallet, init: true });
      await costs(t, beside, 'sigil', class2, half(class2));
    });
    t.mustSucceed(await t.send(endSubsidy(key, agent, 'reissuance')));
    t.mustSucceed(await t.send(grant(key, terms(agent))));
    const reissue = t.protocol.reissue.feeLamports;
    await costs(t, agent, 'reissuance', reissue, half(reissue));
    await costs(t, other, 'heartbeat', beat, half(beat));
    await costs(t, agent, 'heartbeat', half(beat));
  },
};

const floors: WrittenCheck = {
  ...base,
  id: 'subsidy/floor',
  title: 'A discount does not lower a fee below the floor, which is 5,000 lamports by default',
  async run(t) {
    const [agent, key] = [await t.walletRoot(withSigil), await adminKey(t)];
    const { floorLamportsDefault, discountBpsMax } = t.protocol.subsidy;
    const fee = t.protocol.reissue.feeLamports;
    await subsidise(t, key, agent, { discount_bps: discountBpsMax });
    const least = floorLamportsDefault;
    await costs(t, agent, 'reissuance', least, least - 1);
    await subsidise(t, key, agent, { discount_bps: discountBpsMax, floor_lamports: 60_000 });
    await costs(t, agent, 'reissuance', 60_000, least);
    await subsidise(t, key, agent, { discount_bps: discountBpsMax, floor_lamports: 2 * fee });
    // D-38: a subsidy never raises a fee, and never lowers it to 0.
    await pay(t, agent, 'reissuance', fee);
  },
};

const upsert: WrittenCheck = {
  ...base,
  id: 'subsidy/upsert',
  title: 'A second subsidy on a fee replaces the first',
  async run(t) {
    const [agent, key] = [await t.walletRoot(withSigil), await adminKey(t)];
    const fee = t.protocol.reissue.feeLamports;
    await subsidise(t, key, agent, { discount_bps: 5_000 });
    await costs(t, agent, 'reissuance', subsidised(t, fee, 5_000));
    t.mustSucceed(await t.send(grant(key, terms(agent, { fee_type: 'reissuance', discount_bps: 2_500 }))));
    await costs(t, agent, 'reissuance', subsidised(t, fee, 2_500), subsidised(t, fee, 5_000));
  },
};

const VALID_MS = 1_800_000;

const expired: WrittenCheck = {
  ...base,
  id: 'subsidy/expired',
  title: 'A subsidy lowers the fee until valid_until, and not after it',
  paysOnTime: true,
  needs: ['admin', 'payments', 'clock'],
  async run(t) {
    const [agent, key] = [await t.walletRoot(withSigil), await adminKey(t)];
    const fee = t.protocol.reissue.feeLamports;
    // In whole seconds: the text does not say whether a server keeps fractions.
    const untilMs = Math.ceil((t.nowMs() + VALID_MS) / 1_000) * 1_000;
    await subsidise(t, key, agent, { valid_until: new Date(untilMs).toISOString() });
    await t.sleepUntil(untilMs - 1);
    await costs(t, agent, 'reissuance', subsidised(t, fee, 5_000));
    await t.sleepUntil(untilMs + 1);
    await costs(t, agent, 'reissuance', fee, subsidised(t, fee, 5_000));
    // The same moment with an offset of half a day. A server may refuse this form.
    const nextMs = untilMs + VALID_MS;
    const offset = `${new Date(nextMs + EAST_MS).toISOString().slice(0, -1)}+14:00`;
    const taken = await t.send(grant(key, terms(agent, { fee_type: 'reissuance', valid_until: offset })));
    if (taken.status >= 400) return;
    await t.sleepUntil(nextMs + 1);
    await costs(t, agent, 'reissuance', fee, subsidised(t, fee, 5_000));
  },
};

/** The largest offset from UTC in use, in ms. */
const EAST_MS = 14 * HOUR_MS;

const table: WrittenCheck = {
  ...base,
  id: 'subsidy/resolution',
  title: 'A fee and the schedule follow the subsidy first, then the fee table, then the built-in fee',
  needs: ['admin', 'payments', 'control'],
  controls: ['fees'],
  exclusive: true,
  async run(t) {
    const [agent, key] = [await t.walletRoot(withSigil), await adminKey(t)];
    const buyer = await t.walletRoot({ init: true });
    const fee = t.protocol.reissue.feeLamports;
    const { heartbeat, sigil } = t.protocol;
    const once = heartbeat.epochFeeLamports;
    const [beat, class2] = [heartbeat.tier1FeeLamports + 100_000, sigil.autonomousFeeLamports + 1_000_000];
    await t.control('PUT fees', {
      reissuance: fee + 100_000,
      heartbeat_tier1: beat,
      sigil_autonomous: class2,
    });
    await withCleanup(
      async () => {
        const set = fee + 100_000;
        // 4.1: the schedule is the current one.
        t.mustSucceed(await t.call('fees-summary'));
        await costs(t, agent, 'reissuance', set, fee);
        await costs(t, buyer, 'sigil', class2, sigil.autonomousFeeLamports);
        t.mustSucceed(await t.send(grant(key, terms(agent))));
        const half = subsidised(t, beat + once, 5_000);
        await costs(t, agent, 'heartbeat', half, subsidised(t, heartbeat.tier1FeeLamports + once, 5_000));
        await subsidise(t, key, agent);
        await costs(t, agent, 'reissuance', subsidised(t, set, 5_000), subsidised(t, fee, 5_000));
        t.mustSucceed(await t.send(endSubsidy(key, agent, 'reissuance')));
      },
      async () => {
        await t.control('PUT fees', {});
      },
    );
    await pay(t, agent, 'reissuance', fee + 100_000);
    t.mustSucceed(await pay(t, agent, 'reissuance', fee));
  },
};

/** The largest number of heartbeats that a check sends to reach the second tier. */
const TIER_REACH = 300;

const secondTier: WrittenCheck = {
  ...base,
  id: 'subsidy/second-tier',
  title: 'A subsidy lowers the fee of a heartbeat in tier 2',
  needs: ['admin', 'payments', 'clock'],
  unsuitableFor: unlessByControl('it makes a hundred payments, and each would have to be confirmed'),
  async run(t) {
    const { tier1HeartbeatsMax, narrowTaskCap, epochBeats, intervalBeatsMin, tier2FeeLamports } = t.protocol.heartbeat;
    needReachableCount(tier1HeartbeatsMax, TIER_REACH, 'heartbeats are of tier 1');
    if (narrowTaskCap <= tier1HeartbeatsMax) throw unreachable('the cap of an epoch ends before its second tier');
    const { index } = await latestAnchor(t);
    const left = epochBeats - ((index * t.protocol.anchor.beatsPerAnchor) % epochBeats);
    const long = left > (tier1HeartbeatsMax + 3) * intervalBeatsMin || undefined;
    t.need(long, 'a billing epoch long enough to reach its second tier');
    const [agent, key] = [await t.walletRoot(withSigil), await adminKey(t)];
    for (let n = 1; n <= tier1HeartbeatsMax; n += 1) {
      const reply = t.mustSucceed(await heartbeat(t, agent, n));
      if (n === 1) await beatsAreAnchors(t, reply);
      await pause(t);
    }
    t.mustSucceed(await t.send(grant(key, terms(agent))));
    await costs(t, agent, 'heartbeat', subsidised(t, tier2FeeLamports, 5_000), tier2FeeLamports);
  },
};

export const subsidyFeeChecks: readonly WrittenCheck[] = [
  ...types,
  secondTier,
  sponsorPays,
  scope,
  floors,
  upsert,
  expired,
  table,
];
