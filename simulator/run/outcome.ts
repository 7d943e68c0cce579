/** All results of a run except its samples. They are read from one world, or combined from several in parts.ts. */

import type { FeeBook } from '../../reference/registry/fee-book.js';
import type { Features } from '../world/features.js';
import type { World } from '../world/world.js';
import { type FreezeTimes, freezeTimes } from './first-freeze.js';

/** Counts of the optional parts of the model. */
export type FeatureCounts = Pick<
  Features,
  | 'eventCounts'
  | 'grandchildren'
  | 'censoredBirths'
  | 'censoredSec'
  | 'faultEffects'
  | 'interventionEffects'
  | 'floorEffects'
  | 'spawningEffects'
  | 'heldNumbers'
>;

/** The counts of a run as of a second. */
export interface Outcome
  extends Pick<World, 'scenario' | 'seed' | 'second' | 'epoch' | 'cells' | 'counts' | 'tallies' | 'checks'>,
    Pick<World, 'eventChains' | 'tierBeats' | 'topUpCount'> {
  readonly features: FeatureCounts | null;
  readonly feeBook: Pick<FeeBook, 'sums'>;
  /** How many agents have registered, and the most heartbeats that one of them sent. */
  readonly registered: number;
  readonly heartbeatsMost: number;
  readonly freezeTimes: FreezeTimes;
}

/** The outcome of a world so far. It shares the world's counts, which change as the world is played on. */
export function outcomeOf(world: World): Outcome {
  const { scenario, seed, second, epoch, cells, counts, tallies, checks, eventChains, tierBeats, topUpCount } = world;
  return {
    ...{ scenario, seed, second, epoch, cells, counts, tallies, checks, eventChains, tierBeats, topUpCount },
    features: world.features,
    feeBook: world.registry.feeBook,
    registered: world.registry.agents.rows,
    heartbeatsMost: heartbeatsMost(world),
    freezeTimes: freezeTimes(world),
  };
}

function heartbeatsMost({ registry: { agents } }: World): number {
  let most = 0;
  for (let row = 0; row < agents.rows; row += 1) most = Math.max(most, agents.line.totalHeartbeats(row));
  return most;
}
