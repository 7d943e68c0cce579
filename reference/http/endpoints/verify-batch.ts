/** Handler of POST /verify/batch (4.14). The results are built in registry/verify-batch.ts. */

import { verifyBatch } from '../../../spec/endpoints/index.js';
import { verifyBatch as verifyBatchRule } from '../../registry/verify-batch.js';
import { reply, route } from '../request/route.js';

export const verifyBatchRoute = route(verifyBatch, ({ registry, body, nowMs }) => {
  const done = verifyBatchRule(registry, body.hashes, nowMs);
  return done.ok ? reply({ results: done.results, summary: done.summary }) : done;
});
