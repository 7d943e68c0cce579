import { resynced } from '../../spec/endpoints/resync.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { proofOf } from '../protocol/beats.js';
import { latestAnchor } from '../steps/beat-clock.js';
import { judgeLimit } from '../steps/limit.js';
import { beatsRequiredOnly } from '../steps/policies.js';
import { comeBack, fewest, frozen, penalty, resync } from '../steps/resync-call.js';
import { untilFrozen, windowOf } from '../steps/waits.js';
import { ownChain, receiptFor } from '../steps/work.js';
import type { Check } from '../trial/check.js';

const base = { registers: 1, writes: true, needs: ['clock', 'beats'], waits: untilFrozen() } as const;

/** An agent that missed so many anchors comes back for exactly the penalty. */
function penaltyCheck(
  id: string,
  title: string,
  clauses: readonly string[],
  missedOf: (protocol: Protocol) => number,
): Check {
  return {
    ...base,
    id,
    title,
    clauses,
    requests: 10,
    waits: (protocol) => ({ anchors: missedOf(protocol) }),
    async run(t) {
      const missed = missedOf(t.protocol);
      const agent = await frozen(t, missed);
      const beats = penalty(t, missed);
      const before = t.accepted(await t.call('init', { key: agent.key }));
      const reply = t.accepted(await comeBack(t, agent, beats), resynced);
      t.about(['resync.penalty', 'resync.receipt.reply'], () =>
        t.equal('required_beats', reply.get('required_beats'), beats),
      );
      const { hash: agent_hash } = agent;
      t.fields(reply, '', { agent_hash, gap_anchors: missed, beats_proven: beats, receipt_based: true });
      t.equal('status', reply.get('status'), 'active');
      const { index } = await latestAnchor(t);
      t.decided('D-04', () => t.equal('last_global_sync', reply.get('last_global_sync'), index));
      const after = t.accepted(await t.call('init', { key: agent.key }));
      t.equal('status after resync', after.get('status'), 'active');
      t.decided('D-42', () => t.equal('total_beats', after.get('total_beats'), before.get('total_beats')));
      t.decided('D-42', () => t.equal('latest_hash', after.get('latest_hash'), before.get('latest_hash')));
    },
  };
}

const penaltyClauses = [
  'resync.penalty',
  'constant.resync-penalty',
  'resync.receipt.reply',
  'resync.transition.active',
  'resync.transition.last-global-sync',
];

const penalties: readonly Check[] = [
  penaltyCheck(
    'resync/penalty',
    'An agent that missed 61 anchors comes back for 6,100 beats',
    [
      ...penaltyClauses,
      'resync.route',
      'resync.reactivates',
      'resync.receipt.body',
      'resync.receipt.reply.status',
      'resync.receipt.reply.receipt-based',
      'resync.receipt.chain',
      'resync.gap.receipt',
      'receipt.difficulty-min',
      'service.resync',
      'service.beats.resync',
      'service.beats.proven',
      'service.beats-service',
      'work-proof.route',
    ],
    (protocol) => fewest({ protocol }),
  ),
  penaltyCheck(
    'resync/penalty-cap',
    'An agent that missed 101 anchors comes back for 10,000 beats',
    [...penaltyClauses, 'resync.penalty.cap', 'constant.resync-penalty-cap'],
    ({ resync: numbers }) => Math.floor(numbers.beatsMax / numbers.beatsPerMissedAnchor) + 1,
  ),
];

const receiptRequired: Check = {
  ...base,
  id: 'resync/receipt-required',
  title: 'A frozen agent without a receipt is told how many beats it owes, and comes back with them',
  clauses: [
    'resync.error.receipt-required',
    'resync.receipt.required',
    'resync.beats-required.default',
    'resync.receipt.required.reply',
  ],
  unfit: beatsRequiredOnly,
  requests: 9,
  refusal: true,
  async run(t) {
    const agent = await frozen(t, fewest(t));
    const beats = penalty(t, fewest(t));
    const refused = await resync(t, agent);
    const required = refused.status >= 400;
    t.decided('D-35', () => t.that('BEATS_REQUIRED', required, 'true, so 402', `${refused.status}`));
    if (!required) return;
    t.refused(refused, 'resync/RECEIPT_REQUIRED');
    t.shown(refused, 'required_beats', beats, 'D-35');
    t.shown(refused, 'gap_anchors', fewest(t), 'D-35');
    t.accepted(await comeBack(t, agent, beats), resynced);
  },
};

const owed: Check = {
  ...base,
  id: 'resync/penalty-shown',
  title: 'The penalty owed is 6,100 beats at 61 missed anchors, 9,900 at 99, and 10,000 at 100 and 101',
  clauses: ['resync.penalty', 'resync.penalty.cap', 'resync.receipt.required.reply'],
  needs: ['clock'],
  unfit: beatsRequiredOnly,
  requests: 14,
  refusal: true,
  waits: ({ resync }) => ({ anchors: Math.floor(resync.beatsMax / resync.beatsPerMissedAnchor) + 1 }),
  async run(t) {
    const { beatsMax, beatsPerMissedAnchor } = t.protocol.resync;
    const full = Math.floor(beatsMax / beatsPerMissedAnchor);
    const agent = await frozen(t, fewest(t));
    let missed = fewest(t);
    for (const next of [fewest(t), full - 1, full, full + 1]) {
      if (next > missed) await t.sleep({ anchors: next - missed });
      missed = next;
      const reply = await resync(t, agent);
      if (reply.status < 400) return t.decided('D-35', () => t.equal('BEATS_REQUIRED', false, true));
      t.refused(reply, 'resync/RECEIPT_REQUIRED');
      t.shown(reply, 'required_beats', penalty(t, missed), 'D-35');
      t.shown(reply, 'gap_anchors', missed, 'D-35');
    }
  },
};

const wrongState: Check = {
  ...base,
  id: 'resync/not-frozen',
  title: 'An agent that is not frozen has nothing to resync, and stays as it is',
  clauses: ['resync.error.agent-wrong-state', 'resync.transition.not-frozen'],
  registers: 2,
  requests: 16,
  refusal: true,
  async run(t) {
    const mended = await frozen(t, fewest(t));
    const agent = await t.root({ init: true });
    const beats = penalty(t, fewest(t));
    const small = await receiptFor(t, proofOf(await ownChain(t, 3)));
    t.refused(await resync(t, agent, small), 'resync/AGENT_WRONG_STATE');
    t.equal('status', t.accepted(await t.call('init', { key: agent.key })).get('status'), 'active');
    t.accepted(await comeBack(t, mended, beats), resynced);
  },
};

const counts: Check = {
  ...base,
  id: 'resync/restarts-count',
  title: 'After a resync the missed anchors count from it, and lineage records freeze and return',
  clauses: ['dms.count.resync', 'lineage.hash.frozen'],
  requests: 14,
  waits: ({ dms }) => ({ anchors: 2 * (dms.missedAnchorsMax + 1) }),
  async run(t) {
    const agent = await t.root({ init: true });
    const lineage = async (): Promise<unknown> =>
      (await t.call('beat-status', { params: { hash: agent.hash } })).get('heartbeat_epoch.lineage_chain_hash');
    const before = await lineage();
    await t.sleep({ anchors: fewest(t) });
    const whenFrozen = await lineage();
    t.accepted(await comeBack(t, agent, penalty(t, fewest(t))), resynced);
    const hashes = new Set([before, whenFrozen, await lineage()]);
    t.equal('distinct lineage hashes', hashes.size, 3);
    await t.sleep({ anchors: t.protocol.dms.missedAnchorsMax });
    t.equal('status 60 anchors after resync', (await t.call('init', { key: agent.key })).get('status'), 'active');
    await t.sleep({ anchors: 1 });
    t.equal('status 61 anchors after resync', (await t.call('init', { key: agent.key })).get('status'), 'frozen');
  },
};

const limit: Check = {
  ...base,
  id: 'resync/limit',
  title: 'An address makes 10 resync calls of the receipt form an hour, whoever the agent is',
  clauses: ['limit.resync.receipt', 'limit.error.rate-limited', 'limit.window', 'limit.per-ip.path'],
  needs: ['clock', 'client-ip'],
  registers: 2,
  requests: 20,
  refusal: true,
  waits: windowOf('resyncReceipt'),
  async run(t) {
    const agents = [await t.root({ init: true }), await t.root({ init: true })];
    const other = t.newAddress();
    const send = (n: number, address?: string): Promise<Reply> =>
      t.call('resync', { key: agents[n % 2]?.key, body: { beats_receipt: 'none' }, mayLimit: true, address });
    await judgeLimit(t, { limit: 'resyncReceipt', send: (n) => send(n), other: () => send(0, other) });
  },
};

export const resyncChecks: readonly Check[] = [...penalties, receiptRequired, owed, wrongState, counts, limit];
