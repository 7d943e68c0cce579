/**
 * The moves of a small world. Each calls a shipped rule, and says by which actions of random sequences a script plays it on a server. A
 * call with a revoked key is a move of its own.
 */

import { beatsSubmit } from '../reference/registry/beats-submit.js';
import { flag } from '../reference/registry/flag.js';
import { init } from '../reference/registry/init.js';
import { authenticate, revokeKey } from '../reference/registry/keys.js';
import { setMetadata } from '../reference/registry/metadata.js';
import { passport } from '../reference/registry/passport.js';
import { linkWallet } from '../reference/registry/register.js';
import { spawn } from '../reference/registry/spawn.js';
import { sponsor } from '../reference/registry/sponsor.js';
import { finalizeWallet, refuseLinked } from '../reference/registry/wallet.js';
import { provenBeats, resyncMoves, SUBMITTED_BEATS, submit } from './beat-moves.js';
import { childMoves, registration } from './family-moves.js';
import * as F from './fields.js';
import { flagMoves } from './flag-moves.js';
import { COMPLAINT, FURTHER, type Move, OK, own, script } from './move.js';
import { paidMoves } from './paid-moves.js';
import { HASH, type World } from './world.js';

/** All moves of a world, in a fixed order. */
export function movesOf(world: World): readonly Move[] {
  const { agents } = world.fields;
  const all = Array.from({ length: agents }, (_, agent) => agent);
  const pairs = all.flatMap((one) => all.filter((other) => other !== one).map((other) => [one, other] as const));
  const children = all.slice(1);
  return [
    registration(world),
    ...all.flatMap((agent) => ownMoves(world, agent)),
    ...children.flatMap((child) => childMoves(world, child)),
    ...pairs.flatMap(([by, of]) => flagMoves(world, by, of)),
    time(world),
  ];
}

/** The revocation of a key by an administrator. */
function revocation(world: World, agent: number): Move {
  const { fields, registry } = world;
  return {
    name: `${F.nameOf(agent)}: revoke-key`,
    op: 'revoke-key',
    ...FURTHER,
    actor: -1,
    uses: [],
    isPossible: (values) => fields.exists(values, agent) && values[fields.agent(agent) + F.REVOKED] === 0,
    play: () => {
      revokeKey(registry, agent, world.nowMs);
      return OK;
    },
    actions: () => [{ op: 'revoke-key', agent: script(agent) }],
  };
}

/** A call with a revoked key. */
function revokedMove(world: World, agent: number): Move {
  const { registry, fields, keys } = world;
  return {
    name: `${F.nameOf(agent)}: a call with a revoked key`,
    op: 'init',
    actor: agent,
    uses: [],
    isPossible: (values) => values[fields.agent(agent) + F.REVOKED] === 1,
    play: () => {
      const known = authenticate(registry, keys[agent]);
      return known.ok ? init(registry, { agent }, world.nowMs) : known;
    },
    actions: () => [{ op: 'init', agent: script(agent) }],
  };
}

/** The other moves of an agent. */
function ownMoves(world: World, agent: number): Move[] {
  const { registry } = world;
  return [
    own(world, agent, 'init', '', () => init(registry, { agent }, world.nowMs), {}),
    ...paidMoves(world, agent),
    own(
      ...([world, agent, 'wallet', 'by an unknown nonce'] as const),
      () => {
        const proof = { form: 'link-wallet', nonce: 'unknown', address: HASH.slice(2), signature: '' } as const;
        return finalizeWallet(registry, { agent, ...proof }, world.nowMs);
      },
      { wrong: 'nonce' },
    ),
    own(world, agent, 'passport', '', () => passport(registry, { agent }), {}),
    own(
      ...([world, agent, 'beats-submit', 'from another beat'] as const),
      () => beatsSubmit(registry, { agent, ...provenBeats(world, agent, SUBMITTED_BEATS, 1) }),
      { wrong: 'start' },
    ),
    own(
      ...([world, agent, 'flag', 'an unknown agent'] as const),
      () => flag(registry, { agent, target: -1, ...COMPLAINT }, world.nowMs),
      { target: script(agent), unknown: true },
    ),
    own(
      ...([world, agent, 'sponsor', 'an unknown agent'] as const),
      () => sponsor(registry, { agent, child: -1 }, world.nowMs),
      { child: script(agent), unknown: 'unknown' },
      { uses: ['sponsor'] },
    ),
    own(
      ...([world, agent, 'wallet', ''] as const),
      () => {
        const linked = refuseLinked(registry, agent);
        if (linked !== null) return linked;
        linkWallet(registry, agent, { wallet: agent, model: 'self-custody', chain: 'solana' }, world.nowMs);
        return OK;
      },
      {},
      { uses: ['wallet'] },
    ),
    own(world, agent, 'metadata', '', () => setMetadata(registry, { agent, fields: { capability: 'analyst' } }), {
      change: 0,
    }),
    own(world, agent, 'beats-submit', '', () => submit(world, agent), {}, { uses: ['beats'] }),
    ...resyncMoves(world, agent),
    own(world, agent, 'spawn', 'without a receipt', () => spawn(registry, { agent, childName: 'probe' }, world.nowMs), {
      receipt: 'none',
    }),
    own(
      ...([world, agent, 'flag', 'itself'] as const),
      () => flag(registry, { agent, target: agent, ...COMPLAINT }, world.nowMs),
      { target: script(agent) },
    ),
    own(
      world,
      agent,
      'sponsor',
      'itself',
      () => sponsor(registry, { agent, child: agent }, world.nowMs),
      {
        child: script(agent),
      },
      { uses: ['sponsor'] },
    ),
    revokedMove(world, agent),
    revocation(world, agent),
  ];
}
function time(world: World): Move {
  return {
    name: 'time passes',
    op: 'time',
    actor: -1,
    uses: [],
    isPossible: () => true,
    play: (cost, values) => {
      const anchors = world.fields.untilChange(values);
      cost.anchors += anchors;
      world.pass(anchors);
      return OK;
    },
    actions: (anchors) => [{ op: 'wait', by: { anchors } }],
  };
}
