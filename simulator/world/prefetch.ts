import { streamKeyAt } from './agents.js';
import { agentOf } from './event-wheel.js';
import type { World } from './world.js';

/**
 * Reads the rows that the events of this second are about to use, and changes nothing. Agents that are due together lie
 * anywhere in the columns, so that every first read of a row is a cache miss; an event waits for each of its own in turn.
 * Read here for all of them, one after the other and independently, the misses overlap.
 */
export function prefetchEvents(world: World, count: number): void {
  const { dueEntries, agents, registry, serviceAccount } = world;
  let read = 0;
  const { line } = registry.agents;
  const { lamports } = world.ledger;
  for (let i = 0; i < count; i++) {
    const agent = agentOf(dueEntries[i]!);
    const at = agents.row(agent);
    if (at < 0) continue;
    // Both ends of each line: it need not begin where a line of the cache does, and commonly begins 16 bytes later.
    read += agents.words[streamKeyAt(agent)]! + line.status(at) + line.epoch(at) + lamports[serviceAccount + 1 + at]!;
  }
  world.prefetchSum = read;
}

/** The same for the agents of some rows of the registry, which is read in its own order anyway. */
export function prefetchRows(world: World, from: number, until: number): void {
  const { agents, agentOfRow } = world;
  let read = 0;
  for (let row = from; row < until; row++) {
    const agent = agentOfRow[row]!;
    read += agents.words[streamKeyAt(agent)]! + agents.row(agent);
  }
  world.prefetchSum = read;
}
