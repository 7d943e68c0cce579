/**
 * The limits that section 8 takes over from an older page, in addition to the newer ones. By D-34 the newer hold. The text does not say so: a
 * service may keep the older ones.
 */

import type { LimitName, RateLimit } from './protocol.js';
import { MINUTE_SEC } from './time.js';

const FIVE_A_MINUTE: RateLimit = { count: 5, windowSec: MINUTE_SEC };

/** By the limit that took their place; each is per IP. */
export const olderLimits: Readonly<Partial<Record<LimitName, RateLimit>>> = {
  register: FIVE_A_MINUTE,
  registerWalletFlow: FIVE_A_MINUTE,
  spawn: FIVE_A_MINUTE,
};
