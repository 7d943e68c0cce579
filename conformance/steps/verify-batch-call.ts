/** The step that verifies agents in a batch. */
import type { Reply } from '../assertions/reply.js';
import type { Trial } from '../trial/trial.js';

/** POST /verify/batch for any values in place of hashes. */
export const send = (t: Trial, hashes: unknown): Promise<Reply> => t.call('verify-batch', { body: { hashes } });
