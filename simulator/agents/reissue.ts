/** Gets an agent a new passport from time to time (4.7, D-12). Passports that come with SIGILs and heartbeats are in calls.ts. */

import { reissueFee } from '../../reference/registry/fee-resolution.js';
import { PURPOSES } from '../chance/counter-random.js';
import { DUE_REISSUE } from '../world/due-kinds.js';
import { populationOf, type World } from '../world/world.js';
import { callPassport, callReissue } from './calls.js';
import { canPay } from './funds.js';
import { addToAgendaAfter } from './lifecycle.js';

/**
 * Reissues the passport of an agent that can pay, frozen or not (D-49), or reads it without a fee, and plans the next time. A root
 * without a SIGIL and an agent without money let this time pass.
 */
export function reissuePassport(world: World, agent: number): void {
  const policy = populationOf(world, agent).reissue;
  // The agent has taken an option without reissues.
  if (policy === null) return;
  const { agents, registry, nowMs } = world;
  const row = agents.row(agent);
  const { line } = registry.agents;
  const entitled = line.identityClass(row) !== 0 || line.depth(row) > registry.protocol.agent.rootDepth;
  const feeLamports = policy.free ? 0 : reissueFee(registry, row, nowMs);
  if (entitled && policy.free) callPassport(world, agent);
  else if (entitled && canPay(world, agent, feeLamports)) callReissue(world, agent, feeLamports);
  addToAgendaAfter(world, agent, DUE_REISSUE, policy.every, PURPOSES.reissue);
}
