/** Handler of POST /agent/heartbeat/batch (D-57). The rule is in registry/heartbeat-batch.ts. */

import { heartbeatBatch } from '../../../spec/endpoints/client-calls.js';
import { heartbeatBatch as heartbeatBatchRule } from '../../registry/heartbeat-batch.js';
import { rowOf } from '../../registry/state.js';
import { reply, route } from '../request/route.js';

export const heartbeatBatchRoute = route(heartbeatBatch, ({ registry, agent, body, nowMs, payment }) => {
  const hashes = body.children.map((hash) => hash.toLowerCase());
  const children = hashes.map((hash) => rowOf(registry, hash));
  const done = heartbeatBatchRule(registry, { agent, children, payment: payment(body.payment_tx) }, nowMs);
  if (!done.ok) return done;
  const results = done.outcomes.map((outcome, i) => {
    const agent_hash = hashes[i] as string;
    if (outcome.ok) return { agent_hash, ok: true, heartbeat_count_epoch: outcome.epochHeartbeats };
    return { agent_hash, ok: false, error: outcome.detail ?? outcome.row.cause, code: outcome.row.code };
  });
  const succeeded = results.filter(({ ok }) => ok).length;
  const summary = { total: results.length, succeeded, failed: results.length - succeeded };
  return reply({ ok: succeeded > 0, summary, results });
});
