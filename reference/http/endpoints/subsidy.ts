/** Handlers of POST and DELETE /admin/agent/subsidy (4.17). The rules are in registry/subsidy.ts. */

import { subsidyDelete, subsidyPost } from '../../../spec/endpoints/index.js';
import { isoOf } from '../../../spec/formats.js';
import { hashOf, rowOf } from '../../registry/state.js';
import { endSubsidy, grantSubsidy } from '../../registry/subsidy.js';
import { reply, route } from '../request/route.js';

/** POST /admin/agent/subsidy, 4.17. */
export const subsidyPostRoute = route(subsidyPost, ({ registry, body, nowMs }) => {
  const { fee_type: feeType, discount_bps: discountBps, reason, floor_lamports: floorLamports } = body;
  const agent = rowOf(registry, body.agent_hash.toLowerCase());
  const validUntilMs = body.valid_until === undefined ? null : Date.parse(body.valid_until);
  const done = grantSubsidy(registry, { agent, feeType, discountBps, reason, floorLamports, validUntilMs }, nowMs);
  if (!done.ok) return done;
  return reply({
    ok: true,
    subsidy: {
      agent_hash: hashOf(registry, agent),
      fee_type: feeType,
      discount_bps: discountBps,
      floor_lamports: done.subsidy.floorLamports,
      reason,
      valid_until: validUntilMs === null ? null : isoOf(validUntilMs),
    },
  });
});

/** DELETE /admin/agent/subsidy, 4.17. */
export const subsidyDeleteRoute = route(subsidyDelete, ({ registry, body, nowMs }) => {
  const { fee_type: feeType } = body;
  const agent = rowOf(registry, body.agent_hash.toLowerCase());
  const done = endSubsidy(registry, { agent, feeType }, nowMs);
  return done.ok ? reply({ ok: true, deleted: true, agent_hash: hashOf(registry, agent), fee_type: feeType }) : done;
});
