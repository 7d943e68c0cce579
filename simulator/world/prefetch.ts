/**
 * Reads the cache lines that the next events need, all at once, so that their cache misses overlap. It changes
 * nothing.
 */

import { streamKeyAt } from './agents.js';
import { agentOf } from './event-wheel.js';
import type { World } from './world.js';

/**
 * Reads the lines of the first `count` due agents. Agents that are due together lie far apart, so the first read of each line is
 * a cache miss. These reads do not depend on each other, so the misses overlap; an event would wait for each of its own.
 */
export function prefetchEvents(world: World, count: number): void {
  const { dueEntries, agents, registry, serviceAccount } = world;
  let read = 0;
  const { line } = registry.agents;
  const { lamports } = world.ledger;
  for (let i = 0; i < count; i += 1) {
    const agent = agentOf(dueEntries[i]!);
    const at = agents.row(agent);
    if (at < 0) continue;
    // Both ends of each line: it may begin in the middle of a cache line, and commonly begins 16 bytes into one.
    read += agents.words[streamKeyAt(agent)]! + line.status(at) + line.epoch(at) + lamports[serviceAccount + 1 + at]!;
  }
  world.prefetchSum = read;
}

/** The same for the agents of some registry rows; the registry's own lines are read in order anyway. */
export function prefetchRows(world: World, from: number, until: number): void {
  const { agents, agentOfRow } = world;
  let read = 0;
  for (let row = from; row < until; row += 1) {
    const agent = agentOfRow[row]!;
    read += agents.words[streamKeyAt(agent)]! + agents.row(agent);
  }
  world.prefetchSum = read;
}
