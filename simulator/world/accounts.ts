/** Which account of the ledger belongs to an agent. Accounts are opened in world.ts. */

import type { World } from './world.js';

/** The ledger account of an agent, and the number of its wallet: each agent opens one when it registers. */
export function accountOfAgent(
  { agents, serviceAccount }: Pick<World, 'agents' | 'serviceAccount'>,
  agent: number,
): number {
  return serviceAccount + 1 + agents.row(agent);
}
