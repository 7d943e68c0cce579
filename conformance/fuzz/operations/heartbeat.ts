/** POST /agent/heartbeat (4.5), marches of heartbeats, and POST /agent/reissue-proof (4.7). */

import * as fc from 'fast-check';
import { feeNow } from '../../../model/facts/fees.js';
import { heartbeat as heartbeatMove } from '../../moves/heartbeat.js';
import { reissue as reissueMove } from '../../moves/reissue-proof.js';
import { anyOf, mostly, place, request, sequence, weighted } from '../operation.js';
import { paid, paying } from './paid.js';

export const heartbeat = request(
  'heartbeat',
  { agent: place, claim: weighted('none', 4, ['true', 'true', 'behind', 'behind', 'broken']), ...paying },
  async (player, action) => {
    const { state, anchorIndex } = player;
    const agent = player.known(action.agent);
    const fee = feeNow(state, agent, 'heartbeat');
    const claimed = { none: undefined, true: anchorIndex, behind: Math.max(0, anchorIndex - 1), broken: 0.5 };
    const payment = await paid(player, action.agent, fee, action);
    return heartbeatMove(player.agent(action.agent), payment, { global_anchor: claimed[action.claim] });
  },
);

const count = {
  usual: 1,
  arbitrary: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1, max: 5 }) },
    { weight: 1, arbitrary: fc.constant(102) },
  ),
};

/** Valid heartbeats, each at the earliest time; `early`: also one that is too soon. */
export const march = sequence(
  'march',
  { agent: place, count, payer: anyOf('own', 'own', 'parent'), early: mostly(false, true) },
  async (player, { agent, count: times, payer, early }) => {
    for (let nth = 0; nth < times; nth += 1) {
      const { lastBeat, frozen } = player.known(agent);
      const due = lastBeat == null ? 0 : lastBeat + player.target.protocol.heartbeat.intervalBeatsMin;
      if (due > player.anchorIndex) await player.advance({ anchors: due - player.anchorIndex });
      const answer = await heartbeat.run(player, { agent, payer });
      if (answer === undefined || answer.status >= 300 || frozen !== false) return;
    }
    if (early) await heartbeat.run(player, { agent, payer });
  },
);

export const reissue = request('reissue-proof', { agent: place, ...paying }, async (player, action) => {
  const fee = feeNow(player.state, player.known(action.agent), 'reissuance');
  return reissueMove(player.agent(action.agent), await paid(player, action.agent, fee, action));
});
