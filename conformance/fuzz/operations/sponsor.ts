/** /agent/sponsor (4.13): made and changed, ended, listed. */

import { nearHash } from '../../trial/looks.js';
import { anyOf, mostly, place, request } from '../operation.js';
import type { Player } from '../player.js';

const unknown = mostly('known', 'unknown', 'near', 'malformed');

type Unknown = typeof unknown.usual;

function hashOf(
  player: Player,
  { child, unknown: how }: { readonly child: number; readonly unknown: Unknown },
): string {
  const { hash } = player.agent(child);
  return { known: hash, unknown: player.unknownHash(), near: nearHash(hash), malformed: hash.slice(0, -1) }[how];
}

/** POST. `max`: in words, since under changed bounds they are other numbers. */
export const sponsor = request(
  'sponsor',
  {
    agent: place,
    child: place,
    unknown,
    max: anyOf(undefined, undefined, 'least', 'two', 'most', 'too-low', 'too-high', 'broken'),
    hours: anyOf(undefined, undefined, 1, 48, 0, 0.5),
  },
  (player, action) => {
    const { heartbeatsEpochMin: least, heartbeatsEpochMax: most } = player.target.protocol.sponsor;
    const words = { least, two: 2, most, 'too-low': least - 1, 'too-high': most + 1, broken: least + 0.5 };
    const body = {
      child_hash: hashOf(player, action),
      max_heartbeats_epoch: action.max && words[action.max],
      expires_in_hours: action.hours,
    };
    return { request: { method: 'POST', path: '/agent/sponsor', key: player.agent(action.agent).key, body } };
  },
);

export const sponsorDelete = request('sponsor-delete', { agent: place, child: place, unknown }, (player, action) => {
  const body = { child_hash: hashOf(player, action) };
  return { request: { method: 'DELETE', path: '/agent/sponsor', key: player.agent(action.agent).key, body } };
});

export const sponsorList = request('sponsor-list', { agent: place }, (player, { agent }) => ({
  request: { method: 'GET', path: '/agent/sponsor', key: player.agent(agent).key },
}));
