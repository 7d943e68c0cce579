/** POST /agent/flag (4.16), and what the control API does: the review of a flag, the revocation of a key. */

import { protocol } from '../../../spec/protocol.js';
import { flag as flagMove, reasons } from '../../moves/flag.js';
import { namesOf, nearHash } from '../../moves/move.js';
import { address, anyOf, mostly, place, request, sequence } from '../operation.js';

/** POST /agent/flag. `reason`: by name, since the texts depend on the bounds. */
export const flag = request(
  'flag',
  {
    agent: place,
    target: place,
    unknown: mostly(false, true),
    asserted: mostly('orchestrator', 'narrow_task', 'autonomous', 'worker'),
    reason: mostly('some', ...namesOf(reasons(protocol))),
    address: address(2),
  },
  (player, { agent, target, unknown, asserted, reason: kind, address: nth }) => {
    const { hash } = player.agent(target);
    const { reasonCharsMin: least, reasonCharsMax: most } = player.target.protocol.flag;
    const some = 'r'.repeat(Math.min(Math.max(20, least), most));
    const body = {
      target_hash: unknown ? nearHash(hash) : hash,
      asserted_class: asserted,
      reason: { ...reasons(player.target.protocol), some }[kind],
    };
    return {
      ...flagMove(player.agent(agent), body),
      address: nth === null ? player.address() : `10.253.0.${nth}`,
    };
  },
);

/** Reviews the latest flag: sustains it, dismisses it, or resolves it after it was sustained. */
export const review = sequence(
  'review',
  { outcome: anyOf('sustain', 'sustain', 'dismiss') },
  async (player, { outcome }) => {
    const { flags, sustained } = player.state;
    const isSustained = (id: string): boolean => sustained.get(flags.get(id)?.target ?? '')?.has(id) ?? false;
    const last = flags.keys().findLast((id) => flags.get(id)?.status === 'pending' || isSustained(id));
    if (last === undefined || !player.calls.has('flags/:id/review')) return;
    const next = isSustained(last) ? 'resolve' : outcome;
    await player.control('POST', `flags/${last}/review`, { outcome: next });
  },
);

/** Revokes a key, which ends the sponsorships of its agent. */
export const revokeKey = sequence('revoke-key', { agent: place }, async (player, { agent }) => {
  // The first two agents keep their keys, since a run without active agents shows nothing.
  if (agent % player.agents.length < 2 || player.known(agent).revoked) return;
  if (!player.calls.has('agents/:hash/revoke-key')) return;
  await player.control('POST', `agents/${player.agent(agent).hash}/revoke-key`, {});
});
