/** POST /beat/work-proof (4.8). Invalid proofs are in proof.ts. */

import type { Move } from './move.js';

/** Sends a proof to the beats service, wrapped as in 4.8. */
export const proveWork = (work_proof: unknown): Move => ({ endpoint: 'work-proof.post', body: { work_proof } });
