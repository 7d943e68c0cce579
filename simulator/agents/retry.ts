/**
 * Schedules agents again that have stopped for lack of money and can pay now, because a fee fell or a subsidy was granted.
 * Waiting for a top-up that has been scheduled is in funds.ts.
 */

import { depositWithSigil } from '../../reference/registry/deposit.js';
import { heartbeatFee, sigilFee } from '../../reference/registry/fee-resolution.js';
import { heartbeatTier } from '../../reference/registry/fees.js';
import { accountOfAgent } from '../world/accounts.js';
import { DUE_SIGIL } from '../world/due-kinds.js';
import { hasDeparted } from '../world/features.js';
import { populationOf, type World } from '../world/world.js';
import { scheduleAt, scheduleFirstHeartbeat } from './schedule.js';
import { sponsorsOf } from './sponsors.js';

/** Schedules every waiting agent that can pay now. */
export function retryAllWaiting(world: World): void {
  for (let agent = 0; agent < world.agents.size; agent += 1) retryWaiting(world, agent);
}

/** Schedules an agent if it waits for money and can pay now. Its next heartbeat is scheduled like the first one of a new agent. */
export function retryWaiting(world: World, agent: number): void {
  const { agents, features } = world;
  const kind = agents.waitingKind[agent]!;
  if (kind === 0 || !canPayNow(world, agent, kind)) return;
  if (hasDeparted(features, agent)) return;
  agents.waitingKind[agent] = 0;
  if (kind === DUE_SIGIL) scheduleAt(world, agent, world.second + 1, kind);
  else scheduleFirstHeartbeat(world, agent);
}

function canPayNow(world: World, agent: number, kind: number): boolean {
  const { features, ledger } = world;
  // A sponsor pays heartbeats alone.
  const sponsored = features !== null && kind !== DUE_SIGIL && populationOf(world, agent).sponsored;
  const payers = sponsored ? sponsorsOf(world, features, agent) : [agent];
  const fee = feeLamports(world, agent, kind);
  return payers.some((payer) => ledger.lamports[accountOfAgent(world, payer)]! >= fee);
}

function feeLamports({ agents, cells, registry, nowMs }: World, agent: number, kind: number): number {
  const row = agents.row(agent);
  if (kind === DUE_SIGIL)
    return sigilFee(registry, row, cells.classes[agents.cell(agent)]!, nowMs) + depositWithSigil(registry, row);
  return heartbeatFee(registry, row, heartbeatTier(registry.protocol, agents.epochBeats(agent) + 1), nowMs);
}
