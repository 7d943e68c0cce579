/** Handler of POST /agent/heartbeat (4.5). The rule is in registry/heartbeat.ts. */

import { heartbeat } from '../../../spec/endpoints/index.js';
import { heartbeat as heartbeatRule } from '../../registry/heartbeat.js';
import { hashOf } from '../../registry/state.js';
import { reply, route } from '../request/route.js';
import { feeView, passportReply } from './reply-parts.js';

export const heartbeatRoute = route(heartbeat, ({ service, registry, agent, body, nowMs, payment }) => {
  const done = heartbeatRule(registry, { agent, payment: payment(body.payment_tx) }, nowMs);
  if (!done.ok) return done;
  return reply({
    ok: true,
    agent_hash: hashOf(registry, agent),
    ...passportReply(service, agent, nowMs),
    total_heartbeats: done.totalHeartbeats,
    heartbeat_count_epoch: done.epochHeartbeats,
    billing_epoch: done.billingEpoch,
    current_beat: done.beat,
    fee: { ...feeView(done.feeLamports, body.payment_tx), tier: done.tier },
  });
});
