/** The pattern of an agent's own outages. Outages that a fault causes are in ../disturbance.ts. */

import type { DurationDistribution } from './duration.js';

/** An agent is up for a random time, then down for a random time, and so on. It begins up. */
export interface OutagePattern {
  readonly up: DurationDistribution;
  readonly down: DurationDistribution;
}
