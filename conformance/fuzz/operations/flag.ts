/** POST /agent/flag (4.16), and what the control API does: the review of a flag, the revocation of a key. */

import * as fc from 'fast-check';
import { protocol } from '../../../spec/protocol.js';
import { flag as flagMove, reasons } from '../../moves/flag.js';
import { namesOf, nearHash } from '../../moves/move.js';
import { address, anyOf, type Field, mostly, place, request, sequence } from '../operation.js';

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

type Outcome = 'sustain' | 'dismiss' | 'resolve';

/** Any agent: random sequences name none, scripts may. */
const anyAgent: Field<number | null> = { usual: null, arbitrary: fc.constant(null) };

/** Reviews the latest open flag, or that of an agent `by` on an agent `of`: sustains it, dismisses it, or resolves it after it was sustained. */
export const review = sequence(
  'review',
  { outcome: anyOf<Outcome>('sustain', 'sustain', 'dismiss'), by: anyAgent, of: anyAgent },
  async (player, { outcome, by, of }) => {
    const { flags, sustained } = player.state;
    const isSustained = (id: string): boolean => sustained.get(flags.get(id)?.target ?? '')?.has(id) ?? false;
    const isMeant = (id: string): boolean =>
      (by === null || flags.get(id)?.reporter === player.agent(by).hash) &&
      (of === null || flags.get(id)?.target === player.agent(of).hash) &&
      (outcome !== 'resolve' || isSustained(id)) &&
      (by === null || outcome === 'resolve' || !isSustained(id));
    const isOpen = (id: string): boolean => flags.get(id)?.status === 'pending' || isSustained(id);
    const last = flags.keys().findLast((id) => isMeant(id) && isOpen(id));
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
