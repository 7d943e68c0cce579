/** Handler of POST /agent/flag (4.16). The rule is in registry/flag.ts. */

import { flag } from '../../../spec/endpoints/index.js';
import { flag as flagRule } from '../../registry/flag.js';
import { rowOf } from '../../registry/state.js';
import { reply, route } from '../request/route.js';

export const flagRoute = route(flag, ({ registry, agent, body, nowMs }) => {
  const { asserted_class: assertedClass, reason } = body;
  const target = rowOf(registry, body.target_hash.toLowerCase());
  const done = flagRule(registry, { agent, target, assertedClass, reason }, nowMs);
  return done.ok ? reply({ flagged: true, flag_id: done.flag.id, status: done.flag.status }) : done;
});
