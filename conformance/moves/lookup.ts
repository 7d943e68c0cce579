/** The lookups of an agent by its hash (section 5, rule 1). */

import type { EndpointId } from '../../spec/endpoint-ids.js';
import type { Move } from './move.js';

/** Looks up an agent. `hash`: any text. */
export const lookup = (endpoint: Extract<EndpointId, 'status' | 'verify' | 'beat-status'>, hash: string): Move => ({
  endpoint,
  params: { hash },
});
