import { resync } from '../../spec/endpoints/index.js';
import { refuse } from '../registry/refusal.js';
import { resync as reactivate } from '../registry/resync.js';
import { hashOf } from '../registry/state.js';
import { reply, route } from './route.js';

/** POST /agent/resync, 4.10. */
export const resyncRoute = route(resync, ({ registry, agent, body, nowMs }) => {
  if (body.action !== undefined) return refuse('resync/VALIDATION', 'this server does not take the challenge form yet');
  const done = reactivate(registry, { agent, receipt: body.beats_receipt }, nowMs);
  if (!done.ok) return done;
  return reply({
    ok: true,
    agent_hash: hashOf(registry, agent),
    status: 'active',
    last_global_sync: registry.agents.columns.lastSyncAnchor[agent]!,
    gap_anchors: done.gapAnchors,
    required_beats: done.requiredBeats,
    beats_proven: done.beatsProven,
    receipt_based: done.receiptBased,
  });
});
