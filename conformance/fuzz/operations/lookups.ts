/** The lookups without a credential (4.14, section 5 rule 1), an agent's passport, and the retired check-in (4.15). */

import * as fc from 'fast-check';
import { protocol } from '../../../spec/protocol.js';
import { lookup as lookupMove } from '../../moves/lookup.js';
import { hashForms, type Move, namesOf, nearHash } from '../../moves/move.js';
import { listSponsorships } from '../../moves/sponsor.js';
import { badHashes, verifyBatch as batch, noBatches, sizes } from '../../moves/verify-batch.js';
import { address, anyOf, mostly, place, request } from '../operation.js';
import type { Player } from '../player.js';

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
  (player, { agent, path, form }) =>
    lookupMove(path === 'agent/beat-status' ? 'beat-status' : path, FORMS[form](player.agent(agent).hash, player)),
);

const passportOf = (player: Player, agent: number): Move => ({ endpoint: 'passport', key: player.agent(agent).key });

/** GET /agent/passport: the latest passport. */
export const passport = request('passport', { agent: place }, (player, { agent }) => passportOf(player, agent));

const BAD: Readonly<Record<string, (hash: string) => unknown>> = { ...badHashes, near: nearHash };

export const verifyBatch = request(
  'verify-batch',
  {
    agents: { usual: [0], arbitrary: fc.array(fc.option(place.arbitrary, { freq: 4 }), { maxLength: 6 }) },
    wrong: mostly<string>('nothing', ...namesOf(BAD), ...namesOf(noBatches), ...namesOf(sizes(protocol))),
    address: address(2),
  },
  (player, { agents, wrong, address: nth }) => {
    const drawn: unknown[] = agents.map((each) => (each === null ? player.unknownHash() : player.agent(each).hash));
    const size = new Map(Object.entries(sizes(player.target.protocol))).get(wrong) ?? 0;
    while (drawn.length < size) drawn.push(player.unknownHash());
    const { hash } = player.agent(0);
    const bad = BAD[wrong];
    const hashes = bad === undefined ? drawn : [...drawn, bad(hash)];
    const from = nth === null ? player.address() : `10.252.0.${nth}`;
    return { ...batch(wrong in noBatches ? noBatches[wrong as keyof typeof noBatches](hash) : hashes), address: from };
  },
);

/** POST /agent/checkin, which is retired. */
export const checkin = request('checkin', { agent: place }, (player, { agent }) => ({
  endpoint: 'checkin',
  key: player.agent(agent).key,
  body: {},
}));

/** Reads of the things that an accepted write could have changed. */
const LOOKS: readonly ((player: Player, agents: readonly number[], agent: number) => Move)[] = [
  (player, _, agent) => lookupMove('status', player.agent(agent).hash),
  (player, _, agent) => lookupMove('verify', player.agent(agent).hash),
  (player, _, agent) => lookupMove('beat-status', player.agent(agent).hash),
  (player, _, agent) => passportOf(player, agent),
  (player, agents) => batch(agents.map((each) => player.agent(each).hash)),
  () => ({ endpoint: 'fees-summary' }),
  (player, _, agent) => listSponsorships(player.agent(agent)),
];

/** The lookup after an action. */
export const look = fc.nat(2 * LOOKS.length - 1);

/** Reads two agents that an action may have changed: the first by the drawn lookup, another by the next one. */
export async function lookAt(player: Player, agents: readonly number[], drawn: number): Promise<void> {
  for (const [nth, agent] of [agents[0], agents[drawn % agents.length]].entries()) {
    const way = LOOKS[(drawn + nth) % LOOKS.length];
    if (way !== undefined && agent !== undefined) await player.send(way(player, agents, agent));
  }
}
