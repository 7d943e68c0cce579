/** Checks of POST /agent/resync by receipt: the penalty, its effect, and agents that are not frozen. */

import { groups } from '../../spec/clauses/groups.js';
import { penaltyFormula } from '../../spec/formula/formulas.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { lookup } from '../moves/lookup.js';
import { resync, resyncChallenge } from '../moves/resync.js';
import { judgeLimit } from '../steps/limit.js';
import { beatsRequiredOnly } from '../steps/policies.js';
import { BEATS_MAX, capUnseen, comeBack, fewest, frozen, fullAt, penalty } from '../steps/resync-call.js';
import { untilFrozen, windowOf } from '../steps/waits.js';
import { workDifficulty } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import { REACH } from '../trial/reach.js';

const base = { needs: ['clock', 'beats'], waits: untilFrozen() } as const;

/** The check that an agent is reactivated with exactly the penalty of its missed anchors. */
function penaltyCheck(
  more: Pick<WrittenCheck, 'id' | 'title' | 'unsuitableFor'>,
  missedOf: (protocol: Protocol) => number,
  ...capped: readonly string[]
): WrittenCheck {
  return {
    ...base,
    ...more,
    waits: (protocol) => ({ anchors: missedOf(protocol) }),
    async run(t) {
      const agent = await frozen(t, missedOf(t.protocol));
      // An absence that does not reach the cap is no evidence about the cap.
      const shown = capUnseen(t.protocol) === undefined ? capped : [];
      t.accepted(await comeBack(t, agent, penalty(t, agent.missed)), ...groups.penalty, ...shown);
      const { receiptDifficultyMin: least, difficultyMin } = t.protocol.work;
      // The beats service signs no receipt of a lower difficulty.
      if (difficultyMin <= least)
        t.shows('receipt.difficulty-min').equal('the lowest accepted difficulty', workDifficulty(t), least);
      await t.call('init', { key: agent.key });
      await t.send(lookup('status', agent.hash));
    },
  };
}

/** An absence well past the cap of the penalty, or the longest one with a penalty that a check can compute. */
function longAbsence(protocol: Protocol): number {
  if (penaltyFormula(protocol) !== undefined) return fewest({ protocol });
  const { beatsPerMissedAnchor } = protocol.resync;
  const bearable = Math.floor(BEATS_MAX / Math.max(1, beatsPerMissedAnchor));
  const full = capUnseen(protocol) === undefined ? 5 * fullAt(protocol) + 23 : bearable;
  return Math.max(fewest({ protocol }), full);
}

const penalties: readonly WrittenCheck[] = [
  penaltyCheck(
    {
      id: 'resync/penalty',
      title: 'A resync after 61 missed anchors is accepted with 6,100 beats',
    },
    (protocol) => fewest({ protocol }),
  ),
  penaltyCheck(
    {
      id: 'resync/penalty-long',
      title: 'A resync after 523 missed anchors costs 10,000 beats',
    },
    longAbsence,
    ...groups.penaltyCap,
  ),
];

/** Absences that show the penalty, in missed anchors: the shortest, and those around the cap if a check can reach it. */
function absences(protocol: Protocol): readonly number[] {
  const [least, full] = [fewest({ protocol }), fullAt(protocol)];
  const about = full < REACH.anchors / 2 ? [full - 1, full, full + 1] : [2 * least];
  return [least, ...about.filter((missed) => missed > least)];
}

const owed: WrittenCheck = {
  ...base,
  id: 'resync/penalty-shown',
  title:
    'Resync without a receipt reports the beats owed: 6,100 at 61 missed anchors, 9,900 at 99, 10,000 at 100 and 101',
  needs: ['clock'],
  unsuitableFor: beatsRequiredOnly,
  waits: (protocol) => ({ anchors: absences(protocol).at(-1) ?? 0 }),
  async run(t) {
    const agent = await frozen(t, fewest(t));
    let { missed } = agent;
    for (const next of absences(t.protocol)) {
      if (next > missed) await t.sleep({ anchors: next - missed });
      missed = Math.max(missed, next);
      const reply = await t.send(resync(agent));
      t.refused(reply, '4xx', 'resync.beats-required.default');
      if (reply.status < 400) return;
      t.shows('resync.receipt.required.reply').field(reply, 'required_beats', penalty(t, missed));
    }
  },
};

/** Calls of one form of resync that must not count in the limit of the other. */
export const OTHERS = 5;

const limit: WrittenCheck = {
  ...base,
  id: 'resync/limit',
  title: 'The 11th resync call of the receipt form from an address in an hour, over all agents, is refused',
  needs: ['clock', 'client-ip'],
  waits: windowOf('resyncReceipt'),
  async run(t) {
    const [agent, other] = [await t.root({ init: true }), await t.root({ init: true })];
    const elsewhere = t.newAddress();
    const send = ({ key }: Agent, address?: string): Promise<Reply> =>
      t.send(resync({ key }, 'none'), { mayLimit: true, address });
    // Calls of the other form count in another limit.
    for (let n = 0; n < Math.min(t.protocol.limits.resyncChallenge.count, OTHERS); n += 1)
      await t.send(resyncChallenge(agent), { mayLimit: true, mayBeOff: true });
    await judgeLimit(t, {
      limit: 'resyncReceipt',
      clause: 'limit.resync.receipt',
      send: () => send(agent),
      other: async () => {
        // Section 8 counts by address, section 5 by agent; D-34 decides which applies.
        t.refused(await send(other), 429, 'limit.per-ip.path');
        return send(other, elsewhere);
      },
    });
  },
};

export const resyncChecks: readonly WrittenCheck[] = [...penalties, owed, limit];
