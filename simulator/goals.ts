import type { ExpectationResult } from '../reports/simulation-result.js';
import type { GoalName } from '../scenarios/goals.js';
import { HEARTBEAT, outcomeOf, outcomesOf, RESYNC } from './operations.js';
import type { World } from './world.js';

/** Holds a goal of `sometimes` against a run: `measured` is how often it was reached. */
export function judgeGoal(world: World, goal: GoalName): ExpectationResult {
  const measured = timesReached(world, goal);
  return { text: `sometimes ${goal}`, measured, holds: measured > 0 };
}

/** How often what a goal names has happened. */
export function timesReached(world: World, goal: GoalName): number {
  const { cells, counts } = world;
  const sum = (column: Float64Array): number => column.reduce((total, count) => total + count, 0);
  const refused = (operation: number, code: string): number => outcomesOf(counts, operation, outcomeOf(code));
  switch (goal) {
    case 'freeze':
      return sum(cells.freezes);
    case 'resync':
      return sum(cells.resyncs);
    case 'resync-refused':
      return refused(RESYNC, 'INVALID_RECEIPT');
    case 'heartbeat-of-frozen':
      return refused(HEARTBEAT, 'AGENT_FROZEN');
    case 'heartbeat-too-soon':
      return refused(HEARTBEAT, 'HEARTBEAT_TOO_SOON');
    case 'volume-cap':
      return refused(HEARTBEAT, 'VOLUME_CAP_REACHED');
    case 'second-fee-tier':
      return world.tierBeats[1]!;
    case 'top-fee-tier':
      return world.tierBeats[2]!;
    case 'epoch-rollover':
      return world.epoch;
    case 'dry-wallet':
      return sum(cells.heartbeatsSkipped) + sum(cells.dry);
    case 'top-up':
      return world.topUps[0]!;
    default:
      return goal satisfies never;
  }
}
