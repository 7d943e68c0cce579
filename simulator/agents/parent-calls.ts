/** A parent's calls of registry rules: spawning and sponsoring children. When it makes them is in spawning.ts. */

import { linkWallet } from '../../reference/registry/register.js';
import { registerChild } from '../../reference/registry/register-child.js';
import { spawn } from '../../reference/registry/spawn.js';
import { sponsor, unsponsor } from '../../reference/registry/sponsor.js';
import type { SpawnView, SponsorPolicy } from '../../scenarios/behaviours/spawn-policy.js';
import { hasWallet } from '../../scenarios/scenario.js';
import { checkChild } from '../invariants/check-calls.js';
import { accountOfAgent } from '../world/accounts.js';
import type { Features } from '../world/features.js';
import { mintLamports } from '../world/mint.js';
import { ACCEPTED, outcomeOf, REGISTER, SPAWN, SPONSOR, UNSPONSOR, WALLET } from '../world/operations.js';
import { walletLamportsOf } from '../world/traits.js';
import { openWallet, populationOf, type World } from '../world/world.js';
import { callInit, recordCall, recordRefusal } from './calls.js';

/** The name of a parent's next child. */
export function childName(agent: number, siblings: number): string {
  return `child-${agent}-${siblings}`;
}

/** Asks for the price of the next child (4.8, child_name alone); null if the parent is refused for another reason. */
export function callSpawnProbe(world: World, agent: number): SpawnView | null {
  const { agents, registry, nowMs } = world;
  const row = agents.row(agent);
  const children = registry.agents.columns.children[row]!;
  const reply = spawn(registry, { agent: row, childName: childName(agent, children) }, nowMs);
  const probed = { depth: registry.agents.line.depth(row), children };
  // Agents here submit no beats, so one that is accepted has a child at no cost: its price has fallen to 0.
  if (reply.ok) return { requiredBeats: 0, ...probed };
  recordRefusal(world, agent, SPAWN, outcomeOf(reply.row.code));
  const requiredBeats = reply.fields?.['required_beats'];
  if (typeof requiredBeats !== 'number') return null;
  return { requiredBeats, ...probed };
}

/**
 * Steps 5 to 7 of 3.6 (preflight with work, registration, finalize), then the child's init and wallet. False if the parent is
 * refused; its work is lost then.
 */
export function callSpawn(world: World, features: Features, parent: number, child: number, beats: number): boolean {
  const { agents, registry, ledger, nowMs, cells } = world;
  const row = agents.row(parent);
  const name = childName(parent, registry.agents.columns.children[row]!);
  const preflight = spawn(registry, { agent: row, childName: name, simulatedBeats: beats }, nowMs);
  if (!preflight.ok) {
    recordRefusal(world, parent, SPAWN, outcomeOf(preflight.row.code));
    return false;
  }
  if (preflight.kind !== 'authorized') throw new Error(`a preflight of agent ${parent} finalized a child`);
  recordCall(world, parent, SPAWN, ACCEPTED, 0);
  checkChild(world, parent, features.childrenAuthorized[parent]!, beats);
  features.childrenAuthorized[parent]! += 1;
  const walletLamports = walletLamportsOf(world, child);
  const funded = hasWallet(populationOf(world, child));
  const account = openWallet(registry, ledger);
  const made = registerChild(registry, { agent: row, name, authorization: preflight.authorization }, nowMs);
  if (!made.ok)
    throw new Error(`agent ${parent} was refused a child that it had an authorization for: ${made.row.code}`);
  agents.setRow(child, made.agent);
  if (accountOfAgent(world, child) !== account) throw new Error(`agent ${child} has another account than its own`);
  world.agentOfRow[made.agent] = child;
  features.parent[child] = parent;
  recordCall(world, child, REGISTER, ACCEPTED, funded ? walletLamports : 0);
  const linked = spawn(registry, { agent: row, childName: name, child: made.agent }, nowMs);
  if (!linked.ok) throw new Error(`agent ${parent} could not finalize its child: ${linked.row.code}`);
  recordCall(world, parent, SPAWN, ACCEPTED, 0);
  callInit(world, child);
  if (funded) {
    mintLamports(world, child, account, walletLamports);
    linkWallet(registry, made.agent, { wallet: account, model: 'self-custody', chain: 'solana' }, nowMs);
    recordCall(world, child, WALLET, ACCEPTED, 0);
  }
  cells.spawns[agents.cell(parent)]! += 1;
  return true;
}

/** Sponsors a child, or renews its sponsorship (4.13). */
export function callSponsor(world: World, parent: number, child: number, policy: SponsorPolicy): void {
  const { agents, registry, nowMs } = world;
  const reply = sponsor(
    registry,
    {
      agent: agents.row(parent),
      child: agents.row(child),
      heartbeatsEpochMax: policy.heartbeatsEpochMax,
      expiresInHours: policy.expiresInHours ?? undefined,
    },
    nowMs,
  );
  world.subject = child;
  if (reply.ok) recordCall(world, parent, SPONSOR, ACCEPTED, 0);
  else recordRefusal(world, parent, SPONSOR, outcomeOf(reply.row.code));
}

/** Ends the sponsorship of a child that is active (4.13). */
export function callUnsponsor(world: World, parent: number, child: number): void {
  const { agents, registry, nowMs } = world;
  const reply = unsponsor(registry, { agent: agents.row(parent), child: agents.row(child) }, nowMs);
  world.subject = child;
  if (reply.ok) recordCall(world, parent, UNSPONSOR, ACCEPTED, 0);
  else recordRefusal(world, parent, UNSPONSOR, outcomeOf(reply.row.code));
}
