/** /agent/sponsor (4.13): makes, changes, ends and lists sponsorships. */

import { protocol } from '../../../spec/protocol.js';
import { namesOf, nearHash } from '../../moves/move.js';
import { caps, endSponsorship, expiries, listSponsorships, sponsor as sponsorMove } from '../../moves/sponsor.js';
import { anyOf, mostly, place, request } from '../operation.js';
import type { Player } from '../player.js';

type Hours = keyof ReturnType<typeof expiries> | 48 | undefined;

const unknown = mostly('known', 'unknown', 'near', 'malformed');

function hashOf(
  player: Player,
  { child, unknown: how }: { readonly child: number; readonly unknown: typeof unknown.usual },
): string {
  const { hash } = player.agent(child);
  return { known: hash, unknown: player.unknownHash(), near: nearHash(hash), malformed: hash.slice(0, -1) }[how];
}

/** POST. `max` and `hours`: by name, since the numbers depend on the bounds. */
export const sponsor = request(
  'sponsor',
  {
    agent: place,
    child: place,
    unknown,
    max: anyOf(undefined, undefined, 'two', ...namesOf(caps(protocol))),
    hours: anyOf<Hours>(undefined, undefined, 48, ...namesOf(expiries(protocol))),
  },
  (player, { agent, max, hours, ...child }) => {
    const { protocol: numbers } = player.target;
    const terms = {
      max_heartbeats_epoch: max && { ...caps(numbers), two: 2 }[max],
      expires_in_hours: typeof hours === 'string' ? expiries(numbers)[hours] : hours,
    };
    return sponsorMove(player.agent(agent), hashOf(player, child), terms);
  },
);

export const sponsorDelete = request('sponsor-delete', { agent: place, child: place, unknown }, (player, action) =>
  endSponsorship(player.agent(action.agent), hashOf(player, action)),
);

export const sponsorList = request('sponsor-list', { agent: place }, (player, { agent }) =>
  listSponsorships(player.agent(agent)),
);
