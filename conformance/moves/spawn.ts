/** POST /agent/spawn (4.8): probe, preflight and finalize, depending on the fields of the body. */

import type { Move, Sender } from './move.js';

/** A spawn call with this body. */
export const spawn = ({ key }: Sender, body: unknown): Move => ({ endpoint: 'spawn', key, body });
