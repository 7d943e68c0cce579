/** Checks of POST /agent/resync by receipt: what is owed, what comes of it, and who has nothing to resync. */

import type { Protocol } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { proofOf } from '../protocol/beats.js';
import { judgeLimit } from '../steps/limit.js';
import { beatsRequiredOnly } from '../steps/policies.js';
import {
  BEATS_MAX,
  capUnseen,
  comeBack,
  fewest,
  freezeLate,
  frozen,
  fullAt,
  lapse,
  momentNow,
  penalty,
  penaltyIs,
  resync,
  syncIs,
} from '../steps/resync-call.js';
import { untilFrozen, windowOf } from '../steps/waits.js';
import { ownChain, receiptFor, workDifficulty } from '../steps/work.js';
import type { Check } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import { REACH } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';

const base = { registers: 1, writes: true, needs: ['clock', 'beats'], waits: untilFrozen() } as const;

/** An agent that missed some anchors comes back for exactly the penalty. */
function penaltyCheck(
  id: string,
  title: string,
  clauses: readonly string[],
  missedOf: (protocol: Protocol) => number,
  waits?: Check['waits'],
  unsuitableFor?: Check['unsuitableFor'],
): Check {
  const { waits: _, ...common } = base;
  return {
    ...common,
    id,
    title,
    clauses,
    requests: 14,
    ...(waits === undefined ? {} : { waits }),
    ...(unsuitableFor === undefined ? {} : { unsuitableFor }),
    async run(t) {
      const started = await momentNow(t);
      const agent = await frozen(t, missedOf(t.protocol));
      const { missed } = agent;
      const beats = penalty(t, missed);
      const before = t.accepted(await t.call('init', { key: agent.key }));
      const reply = t.accepted(await comeBack(t, agent, beats), ...comesBack.filter((id) => clauses.includes(id)));
      const { receiptDifficultyMin: least } = t.protocol.work;
      t.alsoShows('receipt.difficulty-min').equal('the least difficulty that is taken', workDifficulty(t), least);
      penaltyIs(t, reply, { missed, field: 'required_beats', exact: 'resync.gap.receipt' });
      t.alsoShows('resync.gap.receipt').field(reply, 'gap_anchors', missed);
      t.shows('resync.receipt.reply').field(reply, 'agent_hash', agent.hash);
      const [owed, proven] = [reply.get('required_beats'), reply.get('beats_proven')];
      const enough = typeof owed === 'number' && typeof proven === 'number' && proven >= owed;
      t.shows('resync.transition.active').of(reply, 'beats_proven', enough, `at least ${owed}`, proven);
      t.shows('resync.receipt.reply').field(reply, 'beats_proven', beats);
      await syncIs(t, agent, started, reply);
      const after = t.accepted(await t.call('init', { key: agent.key }));
      t.shows('resync.transition.active').field(after, 'status', 'active');
      t.alsoShows('resync.reactivates', 'service.resync').field(after, 'status', 'active');
      // The chain goes on: it is not that of an agent that has yet to start.
      t.alsoShows('resync.reactivates').field(after, 'already_initialized', true);
      const chain = t.alsoShows('resync.receipt.chain');
      for (const field of ['total_beats', 'latest_hash']) chain.field(after, field, before.get(field));
    },
  };
}

/** Clauses for which an accepted receipt of enough beats is evidence. */
const comesBack: readonly string[] = [
  'resync.transition.active',
  'resync.reactivates',
  'resync.receipt.body',
  'service.resync',
  'service.beats.resync',
];

const penaltyClauses = [
  'resync.penalty',
  'constant.resync-penalty',
  'resync.receipt.reply',
  'resync.transition.active',
  'resync.transition.last-global-sync',
  'resync.gap.receipt',
];

/** An absence so long that the cap of the penalty has come and gone, or as long as a check can make up for. */
function longAbsence(protocol: Protocol): number {
  const { beatsPerMissedAnchor } = protocol.resync;
  const bearable = Math.floor(BEATS_MAX / Math.max(1, beatsPerMissedAnchor));
  const full = capUnseen(protocol) === undefined ? 5 * fullAt(protocol) + 23 : bearable;
  return Math.max(fewest({ protocol }), full);
}

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
      'receipt.difficulty-min',
      'service.resync',
      'service.beats.resync',
    ],
    (protocol) => fewest({ protocol }),
    untilFrozen(),
  ),
  penaltyCheck(
    'resync/penalty-cap',
    'An agent that missed 101 anchors comes back for 10,000 beats',
    [...penaltyClauses, 'resync.penalty.cap', 'constant.resync-penalty-cap'],
    (protocol) => Math.max(fewest({ protocol }), fullAt(protocol) + 1),
    (protocol) => ({ anchors: Math.max(fewest({ protocol }), fullAt(protocol) + 1) }),
    ({ protocol }) => capUnseen(protocol),
  ),
  penaltyCheck(
    'resync/penalty-long',
    'An agent that missed 523 anchors owes 10,000 beats and no more',
    [...penaltyClauses, 'resync.penalty.cap', 'constant.resync-penalty-cap'],
    longAbsence,
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
    'resync.penalty',
  ],
  unsuitableFor: beatsRequiredOnly,
  requests: 9,
  refusal: true,
  async run(t) {
    const agent = await frozen(t, fewest(t));
    const { missed } = agent;
    const beats = penalty(t, missed);
    const reply = await resync(t, agent);
    if (!isRequired(t, reply)) return;
    t.refused(reply, 'resync/RECEIPT_REQUIRED', 'resync.error.receipt-required', 'resync.receipt.required');
    if (reply.status < 400) return;
    const reported = {
      missed,
      field: 'required_beats',
      exact: 'resync.receipt.required.reply',
      through: 'D-35',
    };
    penaltyIs(t, reply, reported);
    t.shows('resync.receipt.required.reply').field(reply, 'gap_anchors', missed);
    t.accepted(await comeBack(t, agent, beats));
  },
};

/** Whether an empty body was refused, so that BEATS_REQUIRED is true: D-35 calls that the default, the text does not. */
function isRequired(t: Trial, reply: Reply): boolean {
  t.alsoShows('resync.beats-required.default').refuses(reply);
  if (reply.status >= 400 || t.session.target.statedPolicies?.includes('beats_required') === true) return true;
  const why = 'BEATS_REQUIRED is false here, so that nothing is owed';
  t.shows('resync.error.receipt-required', 'resync.penalty').unjudged(why);
  return false;
}

/** Absences that show the penalty: the shortest, and those about where its cap is reached, if that is in reach. */
function absences(protocol: Protocol): readonly number[] {
  const [least, full] = [fewest({ protocol }), fullAt(protocol)];
  const about = full < REACH.anchors / 2 ? [full - 1, full, full + 1] : [2 * least];
  return [least, ...about.filter((missed) => missed > least)];
}

const owed: Check = {
  ...base,
  id: 'resync/penalty-shown',
  title: 'The penalty owed is 6,100 beats at 61 missed anchors, 9,900 at 99, and 10,000 at 100 and 101',
  clauses: ['resync.error.receipt-required', 'resync.penalty', 'resync.penalty.cap', 'resync.receipt.required.reply'],
  needs: ['clock'],
  unsuitableFor: beatsRequiredOnly,
  requests: 14,
  waits: (protocol) => ({ anchors: absences(protocol).at(-1) ?? 0 }),
  async run(t) {
    const agent = await frozen(t, fewest(t));
    let { missed } = agent;
    for (const next of absences(t.protocol)) {
      if (next > missed) await t.sleep({ anchors: next - missed });
      missed = Math.max(missed, next);
      const reply = await resync(t, agent);
      if (!isRequired(t, reply)) return;
      t.refused(reply, 'resync/RECEIPT_REQUIRED', 'resync.error.receipt-required');
      penaltyIs(t, reply, { missed, field: 'required_beats', exact: 'resync.receipt.required.reply', through: 'D-35' });
      t.shows('resync.receipt.required.reply').field(reply, 'gap_anchors', missed);
    }
  },
};

const notFrozen: Check = {
  ...base,
  id: 'resync/not-frozen',
  title: 'An agent that is not frozen has nothing to resync, and stays as it is',
  clauses: ['resync.error.agent-wrong-state', 'resync.transition.not-frozen'],
  registers: 3,
  requests: 19,
  refusal: true,
  async run(t) {
    const fixed = await frozen(t, fewest(t));
    const agent = await t.root({ init: true });
    const beats = penalty(t, fixed.missed);
    const small = await receiptFor(t, proofOf(await ownChain(t, 3)));
    const clauses = ['resync.error.agent-wrong-state', 'resync.transition.not-frozen'];
    const before = t.accepted(await t.call('init', { key: agent.key }));
    t.refused(await resync(t, agent, small), 'resync/AGENT_WRONG_STATE', ...clauses);
    // Nor is an agent frozen whose chain did not start.
    const idle = await t.root();
    const other = await receiptFor(t, proofOf(await ownChain(t, 3)));
    t.refused(await resync(t, idle, other), 'resync/AGENT_WRONG_STATE', ...clauses);
    const after = t.accepted(await t.call('init', { key: agent.key }));
    const unchanged = t.shows('resync.transition.not-frozen');
    unchanged.field(after, 'status', 'active');
    for (const field of ['total_beats', 'latest_hash']) unchanged.field(after, field, before.get(field));
    t.accepted(await comeBack(t, fixed, beats));
  },
};

const SURPLUS = 7;

const restartsCount: Check = {
  ...base,
  id: 'resync/restarts-count',
  title:
    'After a resync the missed anchors count from it: the second freeze comes 61 later, and costs no more than the first',
  clauses: [
    'dms.count.resync',
    'dms.freeze',
    'lineage.hash.frozen',
    'resync.penalty',
    'constant.resync-penalty',
    'resync.gap.receipt',
    'resync.receipt.reply',
    'resync.transition.active',
    'resync.transition.last-global-sync',
  ],
  requests: 24,
  sleeps: 5,
  waits: ({ dms }) => ({ anchors: 2 * (dms.missedAnchorsMax + 1) }),
  async run(t) {
    const agent = await t.root({ init: true });
    const statusNow = async (): Promise<Reply> => t.accepted(await t.call('init', { key: agent.key }));
    const hashes = [await lineageHash(t, agent)];
    const first = await lapse(t, agent);
    hashes.push(await lineageHash(t, agent));
    t.accepted(await comeBack(t, agent, penalty(t, first)), 'resync.transition.active');
    hashes.push(await lineageHash(t, agent));
    if (hashes.includes(undefined)) t.shows('lineage.hash.frozen').notFollowed('D-21', 'no hash is told');
    else t.shows('lineage.hash.frozen').equal('distinct lineage hashes', new Set(hashes).size, hashes.length);
    const back = await momentNow(t);
    await t.sleep({ anchors: t.protocol.dms.missedAnchorsMax });
    t.shows('dms.count.resync').field(await statusNow(), 'status', 'active');
    await t.sleep({ anchors: 1 });
    t.shows('dms.count.resync').field(await statusNow(), 'status', 'frozen');
    const missed = fewest(t) + (await freezeLate(t, agent));
    t.shows('dms.freeze').field(await statusNow(), 'status', 'frozen');
    // The second freeze, and the way back from it.
    // More beats than are owed are no larger penalty.
    const more = penalty(t, missed) + SURPLUS;
    const reply = t.accepted(await comeBack(t, agent, more), 'resync.transition.active');
    penaltyIs(t, reply, { missed, field: 'required_beats', exact: 'resync.gap.receipt' });
    t.shows('resync.receipt.reply').field(reply, 'beats_proven', more);
    t.shows('dms.count.resync').field(reply, 'gap_anchors', missed);
    await syncIs(t, agent, back, reply);
    t.shows('resync.transition.active').field(await statusNow(), 'status', 'active');
  },
};

/** The lineage hash in an agent's beat-status (D-21); undefined where it shows none. */
async function lineageHash(t: Trial, { hash }: Agent): Promise<unknown> {
  const reply = await t.call('beat-status', { params: { hash }, mayMiss: true });
  return reply.get('heartbeat_epoch.lineage_chain_hash');
}

/** Calls of one form of resync that must not count in the limit of the other. */
export const OTHERS = 5;

const limit: Check = {
  ...base,
  id: 'resync/limit',
  title: 'An address makes 10 resync calls of the receipt form an hour, whoever the agent is',
  clauses: ['limit.resync.receipt', 'limit.error.rate-limited', 'limit.window', 'limit.per-ip.path'],
  needs: ['clock', 'client-ip'],
  registers: 2,
  requests: 27,
  refusal: true,
  waits: windowOf('resyncReceipt'),
  async run(t) {
    const [agent, other] = [await t.root({ init: true }), await t.root({ init: true })];
    const elsewhere = t.newAddress();
    const send = ({ key }: Agent, address?: string): Promise<Reply> =>
      t.call('resync', { key, body: { beats_receipt: 'none' }, mayLimit: true, address });
    // Calls of the other form have a limit of their own.
    for (let n = 0; n < Math.min(t.protocol.limits.resyncChallenge.count, OTHERS); n += 1)
      await t.call('resync', { key: agent.key, body: { action: 'challenge' }, mayLimit: true, mayBeOff: true });
    await judgeLimit(t, {
      limit: 'resyncReceipt',
      clause: 'limit.resync.receipt',
      send: () => send(agent),
      other: async () => {
        // Section 8 counts by address, section 5 by agent: which of them holds is D-34.
        t.shows('limit.per-ip.path').status(await send(other), 429);
        return send(other, elsewhere);
      },
    });
  },
};

export const resyncChecks: readonly Check[] = [...penalties, receiptRequired, owed, notFrozen, restartsCount, limit];
