/** Reviews of flags by the control API, and heartbeats under a sustained complaint. */
import type { Protocol } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { pause } from '../steps/beat-clock.js';
import { complaint, type Flags, flagging } from '../steps/flagging.js';
import { buy, heartbeat, heartbeatFee, purchase, stillGood } from '../steps/paid.js';
import { comeBack, lapse, penalty } from '../steps/resync-call.js';
import { makeChild } from '../steps/spawn-call.js';
import { family, sponsored, sponsoredHeartbeat } from '../steps/sponsor-call.js';
import { foundInBatch } from '../steps/verify-batch-call.js';
import { betweenHeartbeats, untilFrozen } from '../steps/waits.js';
import { linkWith } from '../steps/wallet-call.js';
import type { Check } from '../trial/check.js';
import type { WalletAgent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { look } from './lookup.js';

const base = {
  needs: ['payments', 'control'],
  controls: ['flags/:id/review'],
  registers: 0,
  walletRegisters: 4,
  requests: 30,
  lamports: ({ sigil, heartbeat: { tier1FeeLamports } }: Protocol): number =>
    3 * sigil.narrowTaskFeeLamports + 4 * tier1FeeLamports,
  writes: true,
} as const;

/** As setup: makes an agent ready to send heartbeats. It starts late, so that waiting for a rate limit froze nobody. */
function startLate(t: Trial, agent: WalletAgent): Promise<void> {
  return t.setup('a started agent with a SIGIL', async () => {
    t.accepted(await t.call('init', { key: agent.key }));
    t.accepted(await buy(t, agent, purchase(t)));
  });
}

/** A pending complaint about an agent that can send heartbeats, and who filed it. */
async function complainedAbout(
  t: Trial,
  flags: Flags,
): Promise<{ reporter: WalletAgent; target: WalletAgent; flag: Reply }> {
  const reporter = await t.walletRoot({ sigil: 'narrow_task' });
  const target = await t.walletRoot();
  const flag = t.accepted(await flags.file(reporter, complaint(target)));
  await startLate(t, target);
  return { reporter, target, flag };
}

const sustained: Check = {
  ...base,
  id: 'flag/sustained',
  title: 'A sustained complaint has the heartbeats of its target refused until it is resolved',
  clauses: [
    'flag.transition.sustained',
    'flag.rule.one-pending',
    'heartbeat.error.heartbeat-refused',
    'heartbeat.error.payment-already-used',
    'flag.review.sustain',
    'flag.review.resolve',
    'status.reply.status.refused',
    'verify-batch.reply.found',
  ],
  refusal: true,
  run: (t) =>
    flagging(t, async (flags) => {
      const { reporter, target, flag } = await complainedAbout(t, flags);
      await flags.review(flag, 'sustain');
      const clauses = ['flag.transition.sustained', 'heartbeat.error.heartbeat-refused', 'flag.review.sustain'];
      const payment_tx = await t.pay({ from: target.wallet, lamports: heartbeatFee(t.protocol, 1).lamports });
      const send = () => t.call('heartbeat', { key: target.key, body: { payment_tx } });
      t.refused(await send(), 'heartbeat/HEARTBEAT_REFUSED', ...clauses);
      const refused = await look(t, 'status', target.hash);
      t.shows('status.reply.status.refused').field(refused, 'status', 'refused');
      t.shows('status.reply.status.refused').field(refused, 'heartbeat_refused', true);
      await foundInBatch(t, target.hash);
      await flags.review(flag, 'resolve');
      const taken = await stillGood(t, await send(), () => heartbeat(t, target));
      t.accepted(taken, 'flag.transition.sustained', 'flag.review.resolve');
      // 4.16: one pending flag for a pair, and this one is pending no more.
      t.accepted(await flags.file(reporter, complaint(target)), 'flag.rule.one-pending');
    }),
};

const childSpared: Check = {
  ...base,
  id: 'flag/sustained-spares-child',
  title: 'A sustained complaint about a parent refuses no heartbeat of its child',
  clauses: ['spawn.child.heartbeat', 'flag.transition.sustained'],
  needs: ['payments', 'control', 'beats'],
  registers: 1,
  requests: 42,
  refusal: true,
  run: (t) =>
    flagging(t, async (flags) => {
      const { target, flag } = await complainedAbout(t, flags);
      const young = await makeChild(t, target, { init: true });
      const wallet = t.wallet();
      await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, young, wallet)));
      await t.fund(wallet, heartbeatFee(t.protocol, 1).lamports);
      await flags.review(flag, 'sustain');
      t.refusedWith(await heartbeat(t, target), '4xx', 'flag.transition.sustained');
      t.accepted(await heartbeat(t, { ...young, wallet }), 'spawn.child.heartbeat');
    }),
};

const childRefused: Check = {
  ...base,
  id: 'flag/sustained-sponsored',
  title: 'A sustained complaint about a child without a wallet refuses what its sponsor pays, until it is resolved',
  clauses: ['flag.transition.sustained', 'heartbeat.error.heartbeat-refused'],
  needs: ['payments', 'control', 'beats'],
  registers: 1,
  requests: 42,
  lamports: ({ sigil, heartbeat: { tier1FeeLamports } }) => sigil.narrowTaskFeeLamports + 2 * tier1FeeLamports,
  refusal: true,
  run: (t) =>
    flagging(t, async (flags) => {
      const reporter = await t.walletRoot({ sigil: 'narrow_task' });
      const { parent, child } = await family(t);
      await sponsored(t, parent, child);
      const flag = t.accepted(await flags.file(reporter, complaint(child)));
      await flags.review(flag, 'sustain');
      const refused = await sponsoredHeartbeat(t, child, parent);
      t.refused(refused, 'heartbeat/HEARTBEAT_REFUSED', 'heartbeat.error.heartbeat-refused');
      t.refusedWith(refused, '4xx', 'flag.transition.sustained');
      await flags.review(flag, 'resolve');
      const taken = t.accepted(await sponsoredHeartbeat(t, child, parent), 'flag.transition.sustained');
      t.alsoShows('heartbeat.reply.total-heartbeats').field(taken, 'total_heartbeats', 1);
    }),
};

const twice: Check = {
  ...base,
  id: 'flag/sustained-twice',
  title: 'Of two sustained complaints either has heartbeats refused, whatever becomes of a third',
  clauses: ['flag.transition.sustained', 'flag.rule.one-pending', 'flag.refused.any', 'flag.review.resolve'],
  walletRegisters: 6,
  requests: 46,
  refusal: true,
  run: (t) =>
    flagging(t, async (flags) => {
      const reporters = [
        await t.walletRoot({ sigil: 'narrow_task' }),
        await t.walletRoot({ sigil: 'narrow_task' }),
      ] as const;
      const target = await t.walletRoot();
      const first = t.accepted(await flags.file(reporters[0], complaint(target)));
      const second = t.accepted(await flags.file(reporters[1], complaint(target)), 'flag.rule.one-pending');
      await startLate(t, target);
      for (const flag of [first, second]) await flags.review(flag, 'sustain');
      const clauses = ['flag.transition.sustained', 'flag.refused.any'];
      const underBoth = await heartbeat(t, target);
      t.refused(underBoth, 'heartbeat/HEARTBEAT_REFUSED', ...clauses);
      if (underBoth.status < 400) return;
      await flags.review(first, 'resolve');
      t.refused(await heartbeat(t, target), 'heartbeat/HEARTBEAT_REFUSED', ...clauses);
      // The outcome of another complaint does not resolve this one either.
      const third = t.accepted(await flags.file(reporters[0], complaint(target)), 'flag.rule.one-pending');
      await flags.review(third, 'dismiss');
      t.refused(await heartbeat(t, target), 'heartbeat/HEARTBEAT_REFUSED', ...clauses);
      await flags.review(second, 'resolve');
      t.accepted(await heartbeat(t, target), 'flag.review.resolve');
    }),
};

const harmless: Check = {
  ...base,
  id: 'flag/dismissed',
  title: 'A complaint that is pending or was dismissed refuses no heartbeat, and one that is sustained after it does',
  clauses: ['flag.transition.sustained', 'flag.rule.one-pending', 'flag.review.dismiss'],
  refusal: true,
  needs: ['payments', 'control', 'clock'],
  waits: betweenHeartbeats(2),
  run: (t) =>
    flagging(t, async (flags) => {
      const { reporter, target, flag } = await complainedAbout(t, flags);
      t.accepted(await heartbeat(t, target), 'flag.transition.sustained');
      await flags.review(flag, 'dismiss');
      await pause(t);
      t.accepted(await heartbeat(t, target, 2), 'flag.transition.sustained', 'flag.review.dismiss');
      const other = t.accepted(await flags.file(reporter, complaint(target)), 'flag.rule.one-pending');
      await flags.review(other, 'sustain');
      await pause(t);
      t.refusedWith(await heartbeat(t, target, 3), '4xx', 'flag.transition.sustained');
    }),
};

const frozen: Check = {
  ...base,
  id: 'flag/refused-and-frozen',
  title: 'An agent that is both refused and frozen stands as refused, and is flagged again',
  clauses: ['agent.standing.refused', 'agent.standing.values', 'flag.rule.target-exists'],
  needs: ['payments', 'control', 'clock'],
  registers: 1,
  lamports: ({ sigil }) => 2 * sigil.narrowTaskFeeLamports,
  waits: untilFrozen(),
  run: (t) =>
    flagging(t, async (flags) => {
      const reporter = await t.walletRoot({ sigil: 'narrow_task' });
      const target = await t.root();
      const flag = t.accepted(await flags.file(reporter, complaint(target)));
      await t.setup('a started agent', async () => void t.accepted(await t.call('init', { key: target.key })));
      await flags.review(flag, 'sustain');
      await lapse(t, target);
      const found = t.accepted(await look(t, 'status', target.hash));
      t.need(found.get('beat_state.status') === 'frozen' || undefined, 'a frozen agent in the status lookup', 'D-19');
      t.shows('agent.standing.refused', 'agent.standing.values').field(found, 'status', 'refused');
      // 4.16: a target is one that exists, whatever its status.
      const late = await t.walletRoot({ sigil: 'narrow_task' });
      t.accepted(await flags.file(late, complaint(target)), 'flag.rule.target-exists');
    }),
};

const throughFreeze: Check = {
  ...base,
  id: 'flag/sustained-through-freeze',
  title: 'A sustained complaint against a child without a SIGIL is not forgotten by a freeze and the resync after it',
  clauses: ['flag.transition.sustained', 'heartbeat.error.heartbeat-refused'],
  needs: ['payments', 'control', 'clock', 'beats'],
  registers: 1,
  requests: 36,
  lamports: ({ sigil, heartbeat: { tier1FeeLamports } }) => sigil.narrowTaskFeeLamports + 2 * tier1FeeLamports,
  waits: untilFrozen(),
  refusal: true,
  run: (t) =>
    flagging(t, async (flags) => {
      const reporter = await t.walletRoot({ sigil: 'narrow_task' });
      const [young, wallet] = [await makeChild(t, await t.walletRoot({ init: true })), t.wallet()];
      await t.setup('a linked wallet', async () => t.accepted(await linkWith(t, young, wallet)));
      await t.fund(wallet, 4 * heartbeatFee(t.protocol, 1).lamports);
      const target = { ...young, wallet };
      const flag = t.accepted(await flags.file(reporter, complaint(target)));
      await t.setup('a started child', async () => t.accepted(await t.call('init', { key: target.key })));
      await flags.review(flag, 'sustain');
      const missed = await lapse(t, target);
      await t.setup('a resync', async () => t.accepted(await comeBack(t, target, penalty(t, missed))));
      const clauses = ['flag.transition.sustained', 'heartbeat.error.heartbeat-refused'];
      t.refused(await heartbeat(t, target), 'heartbeat/HEARTBEAT_REFUSED', ...clauses);
      await flags.review(flag, 'resolve');
      t.accepted(await heartbeat(t, target), 'flag.transition.sustained');
    }),
};

export const flagReviewChecks: readonly Check[] = [
  sustained,
  childSpared,
  childRefused,
  twice,
  harmless,
  frozen,
  throughFreeze,
];
