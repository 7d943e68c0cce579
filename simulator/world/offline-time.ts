/**
 * Counts the time that agents are offline but neither frozen nor departed. Callers bring the count up to date before each event on
 * which it depends: a freeze, a resync, a departure, the next outage. Whether an agent is offline now is in agents/schedule.ts.
 */

import { hasDeparted } from './features.js';
import type { World } from './world.js';

/**
 * Counts an agent's time offline up to `untilSec`. Since the last count it has had one outage of its own at most, and no fault has begun
 * to cut it off.
 */
export function countOfflineUntil({ agents, cells, features }: World, agent: number, untilSec: number): void {
  const fromSec = agents.offlineCountedSec[agent]!;
  if (untilSec <= fromSec) return;
  agents.offlineCountedSec[agent] = untilSec;
  if (agents.frozen(agent)) return;
  if (hasDeparted(features, agent)) return;
  const cutOffUntil =
    features === null ? fromSec : Math.min(Math.max(features.cutOffUntilSec[agent]!, fromSec), untilSec);
  const downFrom = Math.max(agents.downFrom(agent), cutOffUntil);
  const down = Math.max(0, Math.min(agents.downUntil(agent), untilSec) - downFrom);
  cells.offlineSec[agents.cell(agent)]! += cutOffUntil - fromSec + down;
}
