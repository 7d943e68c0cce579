/** Spawning, step by step and as a whole (3.6, 4.8). */

import { spawnCost } from '../../../model/facts/spawn-cost.js';
import { near, nearHash } from '../../moves/move.js';
import { registerChild as registerMove } from '../../moves/register.js';
import { spawn as spawnMove } from '../../moves/spawn.js';
import { anyOf, mostly, place, request, sequence } from '../operation.js';
import { init } from './init.js';

/** POST /agent/spawn: the probe, or the preflight with a receipt. */
export const spawn = request(
  'spawn',
  {
    agent: place,
    shortBy: mostly(0, 1, 500),
    receipt: mostly('none', 'made', 'last', 'altered', 'near'),
    name: mostly('word', 'missing'),
  },
  async (player, action) => {
    const needed = spawnCost(player.target, player.known(action.agent));
    const name = action.name === 'word' ? player.draws.word() : undefined;
    const made = action.receipt === 'made' ? await player.receipt(needed - action.shortBy) : player.receipts.at(-1);
    const changed = (change: (text: string) => string): unknown => (typeof made === 'string' ? change(made) : made);
    const altered = changed((text) => [...text].reverse().join(''));
    const receipt = { made, last: made, altered, near: changed(near), none: undefined }[action.receipt];
    return spawnMove(player.agent(action.agent), { child_name: name, beats_receipt: receipt });
  },
);

/** POST /register of a child, with the latest authorization. */
export const registerChild = request(
  'register-child',
  {
    parent: mostly('right', 'stranger', 'no-key', 'other-field', 'near'),
    authorization: mostly('last', 'none', 'invented', 'near'),
    name: mostly('right', 'right', 'right', 'other'),
  },
  (player, { parent, authorization, name: named }) => {
    const known = player.ticket('authorization');
    const own = player.agents.find(({ hash }) => hash === known?.of);
    const stranger = player.agents.find(({ hash }) => hash !== known?.of);
    if (known === undefined || own === undefined || stranger === undefined) return undefined;
    const invented = player.draws.hex(32);
    const token = { last: known.id, none: undefined, invented, near: near(known.id) }[authorization];
    const { hash } = parent === 'stranger' || parent === 'other-field' ? stranger : own;
    const name = `${known.name}${named === 'right' ? '' : 'x'}`;
    const by = parent === 'no-key' ? {} : parent === 'stranger' ? stranger : own;
    const body = { name, parent: parent === 'near' ? nearHash(hash) : hash, spawn_authorization: token };
    return {
      ...registerMove(by, body),
      address: player.address(),
      note: (answer) => player.adopt(answer, name),
    };
  },
);

/** POST /agent/spawn: the link of an agent as a child. */
export const linkChild = request('spawn-link', { agent: place, child: place }, (player, { agent, child }) => {
  const { hash, name } = player.agent(child);
  return spawnMove(player.agent(agent), { child_name: name, child_hash: hash });
});

/** Makes a child: receipt, preflight, registration and link. */
export const spawnWhole = sequence(
  'spawn-child',
  { agent: place, starts: anyOf(false, true) },
  async (player, { agent, starts }) => {
    const { started, frozen, revoked } = player.known(agent);
    if (!started || frozen !== false || revoked) return;
    const parent = agent % player.agents.length;
    const child = player.agents.length;
    await spawn.run(player, { agent, receipt: 'made' });
    if (player.ticket('authorization')?.used !== false) return;
    await registerChild.run(player, {});
    if (player.agents.length === child) return;
    await linkChild.run(player, { agent: parent, child });
    if (starts) await init.run(player, { agent: child });
  },
);
