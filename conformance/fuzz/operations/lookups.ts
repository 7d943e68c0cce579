/** The lookups that anybody may make (4.14, section 5 rule 1), an agent's passport, and the retired check-in (4.15). */

import * as fc from 'fast-check';
import { hashForms, nearHash } from '../../trial/looks.js';
import { address, anyOf, mostly, place, request } from '../operation.js';
import type { Player } from '../player.js';
import type { Request } from '../requests.js';

/** Forms of a hash: the right one, in capitals, and others that no agent has. */
const FORMS = {
  ...hashForms,
  unknown: (_: string, player: Player): string => player.unknownHash(),
} as const;

/** GET /status/:hash, /verify/:hash, /agent/beat-status/:hash */
export const lookup = request(
  'lookup',
  {
    agent: place,
    path: anyOf('status', 'verify', 'agent/beat-status'),
    form: mostly('right', 'capitals', 'near', 'unknown', 'short'),
  },
  (player, { agent, path, form }) => ({
    request: { method: 'GET', path: `/${path}/${FORMS[form](player.agent(agent).hash, player)}` },
  }),
);

/** GET /agent/passport: the latest passport. */
export const passport = request('passport', { agent: place }, (player, { agent }) => ({
  request: { method: 'GET', path: '/agent/passport', key: player.agent(agent).key },
}));

export const verifyBatch = request(
  'verify-batch',
  {
    agents: { usual: [0], arbitrary: fc.array(fc.option(place.arbitrary, { freq: 4 }), { maxLength: 6 }) },
    wrong: mostly('nothing', 'malformed', 'near', 'fifty', 'fifty-one', 'missing'),
    address: address(2),
  },
  (player, { agents, wrong, address: nth }) => {
    const drawn = agents.map((each) => (each === null ? player.unknownHash() : player.agent(each).hash));
    const { hashesMax } = player.target.protocol.verifyBatch;
    const size = { fifty: hashesMax, 'fifty-one': hashesMax + 1 }[wrong as string] ?? 0;
    while (drawn.length < size) drawn.push(player.unknownHash());
    const others = { malformed: ['0x12'], near: [nearHash(player.agent(0).hash)] }[wrong as string] ?? [];
    const hashes = wrong === 'missing' ? undefined : [...drawn, ...others];
    const from = nth === null ? player.address() : `10.252.0.${nth}`;
    return { request: { method: 'POST', path: '/verify/batch', address: from, body: { hashes } } };
  },
);

/** POST /agent/checkin, which is retired. */
export const checkin = request('checkin', { agent: place }, (player, { agent }) => ({
  request: { method: 'POST', path: '/agent/checkin', key: player.agent(agent).key, body: {} },
}));

/** Reads of the things that an accepted write could have touched. */
const LOOKS: readonly ((player: Player, agents: readonly number[], agent: number) => Request)[] = [
  (player, _, agent) => ({ method: 'GET', path: `/status/${player.agent(agent).hash}` }),
  (player, _, agent) => ({ method: 'GET', path: `/verify/${player.agent(agent).hash}` }),
  (player, _, agent) => ({ method: 'GET', path: `/agent/beat-status/${player.agent(agent).hash}` }),
  (player, _, agent) => ({ method: 'GET', path: '/agent/passport', key: player.agent(agent).key }),
  (player, agents) => {
    const hashes = agents.map((each) => player.agent(each).hash);
    return { method: 'POST', path: '/verify/batch', body: { hashes } };
  },
  () => ({ method: 'GET', path: '/fees/summary' }),
  (player, _, agent) => ({ method: 'GET', path: '/agent/sponsor', key: player.agent(agent).key }),
];

/** A way of looking after an action. */
export const look = fc.nat(2 * LOOKS.length - 1);

/** Looks twice at agents that an action may have touched: at the first of them in the drawn way, at another in the next. */
export async function lookAt(player: Player, agents: readonly number[], drawn: number): Promise<void> {
  for (const [nth, agent] of [agents[0], agents[drawn % agents.length]].entries()) {
    const way = LOOKS[(drawn + nth) % LOOKS.length];
    if (way !== undefined && agent !== undefined) await player.play({ request: way(player, agents, agent) });
  }
}
