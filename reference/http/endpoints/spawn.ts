/**
 * Handler of POST /agent/spawn (4.8): probe, preflight and finalize. The rule, which tells them apart, is in
 * registry/spawn.ts.
 */

import { spawn } from '../../../spec/endpoints/index.js';
import { spawn as spawnRule } from '../../registry/spawn.js';
import { hashOf, rowOf } from '../../registry/state.js';
import { reply, route } from '../request/route.js';

export const spawnRoute = route(spawn, ({ registry, agent, body, nowMs }) => {
  const { child_name: childName, beats_receipt: receipt, child_hash: childHash } = body;
  const child = childHash === undefined ? undefined : rowOf(registry, childHash.toLowerCase());
  const done = spawnRule(registry, { agent, childName, receipt, child }, nowMs);
  if (!done.ok) return done;
  if (done.kind === 'linked') return reply({ ok: true, eligible: true, child_hash: hashOf(registry, done.child) });
  return reply({
    ok: true,
    eligible: true,
    spawn_authorization: done.authorization,
    receipt_based: done.receiptBased,
    required_beats: done.requiredBeats,
  });
});
