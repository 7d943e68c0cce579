/** Whether an agent can pay, top-ups of its wallet, and waiting for them. Payments themselves are in calls.ts. */

import { asksForTopUp } from '../../scenarios/behaviours/top-up.js';
import { accountOfAgent } from '../world/accounts.js';
import { NEVER } from '../world/agents.js';
import { DUE_SIGIL } from '../world/due-kinds.js';
import { hasDeparted } from '../world/features.js';
import { mintLamports } from '../world/mint.js';
import { ACCEPTED, SKIP, TOP_UP } from '../world/operations.js';
import { populationOf, type World } from '../world/world.js';
import { recordEvent } from './calls.js';
import { scheduleAt } from './schedule.js';

/**
 * Whether an agent can pay now, after any top-up that is due. Requests a top-up if the wallet is low; not for an agent that has departed, even if
 * its wallet still pays as a sponsor.
 */
export function canPay(world: World, agent: number, lamports: number): boolean {
  const { agents, ledger } = world;
  const { topUp } = populationOf(world, agent).budget;
  const account = accountOfAgent(world, agent);
  if (topUp !== null) {
    collectTopUp(world, agent, topUp.amountLamports);
    const balance = ledger.lamports[account]!;
    const asks = !hasDeparted(world.features, agent) && asksForTopUp(topUp, balance, lamports, agents.topUps(agent));
    if (asks && agents.topUpDue(agent) === NEVER) {
      agents.setTopUpDue(agent, world.second + topUp.afterSec);
      agents.setTopUps(agent, agents.topUps(agent) + 1);
      collectTopUp(world, agent, topUp.amountLamports);
    } else if (!asks && topUp.timesMax !== null && asksForTopUp(topUp, balance, lamports, 0)) {
      world.cells.topUpsOmitted[agents.cell(agent)]! += 1;
    }
  }
  const enough = ledger.lamports[account]! >= lamports;
  if (enough && agents.dry(agent)) {
    agents.setDry(agent, false);
    world.cells.dry[agents.cell(agent)]! -= 1;
  }
  return enough;
}

function collectTopUp(world: World, agent: number, lamports: number): void {
  const { agents, cells } = world;
  const due = agents.topUpDue(agent);
  if (due === NEVER || due > world.second) return;
  mintLamports(world, agent, accountOfAgent(world, agent), lamports);
  agents.setTopUpDue(agent, NEVER);
  recordEvent(world, agent, TOP_UP, ACCEPTED, lamports);
  cells.topUpsLamports[agents.cell(agent)]! += lamports;
  world.topUpCount[0]! += 1;
}

/**
 * An agent cannot pay, so it sends nothing and waits: for the top-up that is on its way, or until retry.ts finds that it can
 * pay. `payer`: the agent whose wallet is short.
 */
export function waitForMoney(world: World, agent: number, kind: number, payer: number): void {
  const { agents, cells } = world;
  recordEvent(world, agent, SKIP, ACCEPTED, 0);
  if (kind !== DUE_SIGIL) cells.heartbeatsSkipped[agents.cell(agent)]! += 1;
  if (!agents.dry(payer)) {
    agents.setDry(payer, true);
    cells.dry[agents.cell(payer)]! += 1;
  }
  const due = agents.topUpDue(payer);
  if (due !== NEVER) scheduleAt(world, agent, Math.max(due, world.second + 1), kind);
  else agents.waitingKind[agent] = kind;
}
