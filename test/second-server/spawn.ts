/** Spawning by section 4.8: the probe, the preflight with a receipt, and the link. */

import { receiptBeats, receiptName } from './beats.js';
import { DEPTH_MAX, doubleCost } from './published.js';
import { Refusal } from './refusal.js';
import type { Call, Reply } from './server.js';
import { find, type World } from './world.js';

/** The beats that a child of a parent at `depth` with `siblings` children costs. */
export function spawnCost(base: number, depth: number, siblings: number): number {
  // In whole numbers, since a float cannot hold 1.2^n.
  const depthCost = (BigInt(base) * 3n ** BigInt(depth)) / 2n ** BigInt(depth);
  return Number((depthCost * 6n ** BigInt(siblings)) / 5n ** BigInt(siblings));
}

/** POST /agent/spawn */
export function spawn(world: World, call: Call): Reply {
  const parent = world.agentOf(call.headers.authorization);
  world.limit('spawn', parent.hash);
  const { child_name: name, beats_receipt: receipt, child_hash: childHash } = call.body;
  const invalid = (what: string): Refusal => new Refusal(400, 'VALIDATION', what);
  const conflict = (what: string): Refusal => new Refusal(409, 'SPAWN_CONFLICT', what);
  if (typeof name !== 'string' || name.length === 0 || name.length > 200) throw invalid('child_name is a text.');
  if (receipt !== undefined && childHash !== undefined) throw invalid('Send beats_receipt or child_hash.');
  if (childHash !== undefined) {
    const child = find(world, childHash);
    if (child === undefined || child.parent !== parent) throw invalid('child_hash is not a child of this parent.');
    if (child.name !== name) throw invalid('child_name is not the name of that child.');
    if (parent.linked.has(child.hash)) throw conflict('The child is linked already.');
    parent.linked.add(child.hash);
    return { body: { ok: true, eligible: true, child_hash: child.hash } };
  }
  const siblings = parent.children.length;
  const { published } = world.settings;
  if (published && parent.depth >= DEPTH_MAX) throw invalid(`A lineage has at most ${DEPTH_MAX} generations.`);
  const required = published
    ? doubleCost(parent.depth, siblings)
    : spawnCost(world.numbers.spawn.baseBeats, parent.depth, siblings);
  if (parent.children.some((child) => child.name === name)) throw conflict('A child of that name is registered.');
  if (receipt === undefined) {
    const shown = { required_beats: required, depth: parent.depth, siblings };
    throw new Refusal(402, 'RECEIPT_REQUIRED', 'Prove the beats and send beats_receipt.', shown);
  }
  const beats = receiptBeats(world, receipt);
  if (beats === null) throw invalid('beats_receipt is no receipt that can be used.');
  if (beats < required)
    throw new Refusal(400, 'INSUFFICIENT_BEATS', `The receipt is for fewer than ${required} beats.`);
  world.receiptsUsed.add(receiptName(world, receipt));
  const authorization = `spawn-${world.random(24)}`;
  world.spawnAuthorizations.set(authorization, {
    parent,
    name,
    until: world.now + 1_000 * world.numbers.spawn.authorizationTtlSec,
    used: false,
  });
  return {
    body: {
      ok: true,
      eligible: true,
      spawn_authorization: authorization,
      receipt_based: true,
      required_beats: required,
    },
  };
}
