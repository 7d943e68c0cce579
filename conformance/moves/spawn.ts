/** POST /agent/spawn (4.8): the probe, the preflight and the link of a child, by which fields there are. */

import type { Move, Sender } from './move.js';

/** A spawn call with this body. */
export const spawn = ({ key }: Sender, body: unknown): Move => ({ endpoint: 'spawn', key, body });
