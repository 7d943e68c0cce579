/** How often an agent has its passport reissued. Whether it may, and at which fee, is the registry's rule (4.7). */

import type { DurationDistribution } from './duration.js';

/** A policy of reissuing passports. */
export interface ReissuePolicy {
  /** The wait before the first reissue and after each. */
  readonly every: DurationDistribution;
}
