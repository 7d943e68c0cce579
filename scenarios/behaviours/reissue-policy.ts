/** How often an agent gets a new passport without a heartbeat. Whether it may, and at which fee, is the registry's rule (4.7, D-12). */

import type { DurationDistribution } from './duration.js';

/** A policy of getting passports. */
export interface ReissuePolicy {
  /** The wait before the first passport and after each. */
  readonly every: DurationDistribution;
  /** Whether it is read without a fee (GET /agent/passport, D-12) in place of a paid reissue (4.7). */
  readonly free: boolean;
}
