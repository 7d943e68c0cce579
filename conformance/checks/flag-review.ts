/** Reviews of flags by the control API, and heartbeats under a sustained complaint. */

import type { Reply } from '../assertions/reply.js';
import { complaint } from '../moves/flag.js';
import { heartbeat as heartbeatMove } from '../moves/heartbeat.js';
import { sponsor } from '../moves/sponsor.js';
import { verifyBatch } from '../moves/verify-batch.js';
import { pause } from '../steps/beat-clock.js';
import { type Flags, flagging } from '../steps/flagging.js';
import { buy, heartbeat, heartbeatFee, purchase } from '../steps/paid.js';
import { comeBack, lapse, penalty } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { family, sponsoredHeartbeat } from '../steps/sponsor-call.js';

import { betweenHeartbeats, untilFrozen } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Agent, WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { look } from './lookup.js';

const base = {
  needs: ['payments', 'control'],
  controls: ['flags/:id/review'],
} as const;

/** Makes an agent ready to send heartbeats. It starts late, so that a wait for a rate limit does not freeze it. */
async function startLate(t: Trial, agent: WalletAgent): Promise<void> {
  await t.call('init', { key: agent.key });
  await buy(t, agent, purchase(t));
}

/** A pending complaint about an agent that can send heartbeats, and its reporter. */
async function complainedAbout(
  t: Trial,
  flags: Flags,
): Promise<{ reporter: WalletAgent; target: WalletAgent; flag: Reply }> {
  const reporter = await t.walletRoot({ sigil: 'narrow_task' });
  const target = await t.walletRoot();
  const flag = await flags.file(reporter, complaint(target));
  await startLate(t, target);
  return { reporter, target, flag };
}

/** Links a wallet with lamports for some heartbeats to a child. */
async function withWallet(t: Trial, young: Agent): Promise<WalletAgent> {
  const wallet = t.wallet();
  await linkWith(t, young, wallet);
  await t.fund(wallet, 4 * heartbeatFee(t.protocol, 1).lamports);
  return { ...young, wallet };
}

const sustained: WrittenCheck = {
  ...base,
  id: 'flag/sustained',
  title: 'Heartbeats of an agent under a sustained complaint are refused until it is resolved',
  run: (t) =>
    flagging(t, async (flags) => {
      const { reporter, target, flag } = await complainedAbout(t, flags);
      await flags.review(flag, 'sustain');
      const payment_tx = await t.pay({ from: target.wallet, lamports: heartbeatFee(t.protocol, 1).lamports });
      const beat = () => t.send(heartbeatMove(target, payment_tx));
      await beat();
      await look(t, 'status', target.hash);
      await t.send(verifyBatch([target.hash]));
      await flags.review(flag, 'resolve');
      // Its payment is still unused, since it was refused.
      await beat();
      // 4.16: a pair has at most one pending flag, and this one is no longer pending.
      await flags.file(reporter, complaint(target));
    }),
};

const childSpared: WrittenCheck = {
  ...base,
  id: 'flag/sustained-spares-child',
  title: 'Heartbeats of a child are accepted while a complaint about its parent is sustained',
  needs: ['payments', 'control', 'beats'],
  run: (t) =>
    flagging(t, async (flags) => {
      const { target, flag } = await complainedAbout(t, flags);
      const young = await withWallet(t, await makeChild(t, target, { init: true }));
      await flags.review(flag, 'sustain');
      for (const agent of [target, young]) await heartbeat(t, agent);
    }),
};

const childRefused: WrittenCheck = {
  ...base,
  id: 'flag/sustained-sponsored',
  title: 'Sponsored heartbeats of a child under a sustained complaint are refused until it is resolved',
  needs: ['payments', 'control', 'beats'],
  run: (t) =>
    flagging(t, async (flags) => {
      const reporter = await t.walletRoot({ sigil: 'narrow_task' });
      const { parent, child } = await family(t);
      await t.send(sponsor(parent, child.hash));
      const flag = await flags.file(reporter, complaint(child));
      for (const outcome of ['sustain', 'resolve'] as const) {
        await flags.review(flag, outcome);
        await sponsoredHeartbeat(t, child, parent);
      }
    }),
};

const twice: WrittenCheck = {
  ...base,
  id: 'flag/sustained-twice',
  title:
    'Heartbeats are refused until both of two sustained complaints are resolved, whatever the review of a third says',
  run: (t) =>
    flagging(t, async (flags) => {
      const { reporter, target, flag: first } = await complainedAbout(t, flags);
      const second = await flags.file(await t.walletRoot({ sigil: 'narrow_task' }), complaint(target));
      for (const flag of [first, second]) await flags.review(flag, 'sustain');
      await heartbeat(t, target);
      await flags.review(first, 'resolve');
      await heartbeat(t, target);
      // Neither does the outcome of another complaint resolve this one.
      await flags.review(await flags.file(reporter, complaint(target)), 'dismiss');
      await heartbeat(t, target);
      await flags.review(second, 'resolve');
      await heartbeat(t, target);
    }),
};

const harmless: WrittenCheck = {
  ...base,
  id: 'flag/dismissed',
  title: 'Heartbeats are accepted under a pending or dismissed complaint, and refused once a later one is sustained',
  needs: ['payments', 'control', 'clock'],
  waits: betweenHeartbeats(2),
  run: (t) =>
    flagging(t, async (flags) => {
      const { reporter, target, flag } = await complainedAbout(t, flags);
      await heartbeat(t, target);
      await flags.review(flag, 'dismiss');
      await pause(t);
      await heartbeat(t, target, 2);
      await flags.review(await flags.file(reporter, complaint(target)), 'sustain');
      await pause(t);
      await heartbeat(t, target, 3);
    }),
};

const frozen: WrittenCheck = {
  ...base,
  id: 'flag/refused-and-frozen',
  title: 'A frozen agent under a sustained complaint gets the refusal for the complaint, and may be flagged again',
  needs: ['payments', 'control', 'clock'],
  waits: untilFrozen(),
  run: (t) =>
    flagging(t, async (flags) => {
      const reporter = await t.walletRoot({ sigil: 'narrow_task' });
      const target = await t.root();
      const flag = await flags.file(reporter, complaint(target));
      await t.call('init', { key: target.key });
      await flags.review(flag, 'sustain');
      await lapse(t, target);
      for (const lookup of ['status', 'verify'] as const) await look(t, lookup, target.hash);
      // 4.16: any existing agent may be flagged, whatever its status.
      await flags.file(await t.walletRoot({ sigil: 'narrow_task' }), complaint(target));
    }),
};

const throughFreeze: WrittenCheck = {
  ...base,
  id: 'flag/sustained-through-freeze',
  title: 'Heartbeats of a child under a sustained complaint are still refused after a freeze and a resync',
  needs: ['payments', 'control', 'clock', 'beats'],
  waits: untilFrozen(),
  run: (t) =>
    flagging(t, async (flags) => {
      const reporter = await t.walletRoot({ sigil: 'narrow_task' });
      const target = await withWallet(t, await makeChild(t, await t.walletRoot({ init: true })));
      const flag = await flags.file(reporter, complaint(target));
      await t.call('init', { key: target.key });
      await flags.review(flag, 'sustain');
      const missed = await lapse(t, target);
      await comeBack(t, target, penalty(t, missed));
      await heartbeat(t, target);
      await flags.review(flag, 'resolve');
      await heartbeat(t, target);
    }),
};

export const flagReviewChecks: readonly WrittenCheck[] = [
  sustained,
  childSpared,
  childRefused,
  twice,
  harmless,
  frozen,
  throughFreeze,
];
