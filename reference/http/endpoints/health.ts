/** Handler of GET /api/health of the beats service (D-08), the only path outside /api/v1. */

import { health } from '../../../spec/endpoints/index.js';
import { latestAnchor } from '../../beats/anchor.js';
import type { Service } from '../../service.js';
import { type HandlerResult, reply, route } from '../request/route.js';

export const healthRoute = route(health, ({ service, nowMs }) =>
  service.registry.dialect.health === 'graded'
    ? graded(service, nowMs)
    : reply({ status: 'ok', anchor_index: service.anchors.latestIndex, stalled: service.stalled }),
);

/** D-57: by the age of the latest anchor; without one the service cannot do its work. */
function graded({ anchors, registry: { protocol } }: Service, nowMs: number): HandlerResult {
  const latest = latestAnchor(anchors);
  if (latest === undefined) return { ok: true, status: 503, body: { status: 'error', error: 'there is no anchor' } };
  const ageMs = nowMs - latest.utcMs;
  const staleMs = protocol.anchor.degradedIntervals * protocol.anchor.intervalSec * 1_000;
  const anchor = { beat_index: latest.index, hash: latest.hash, utc: latest.utcMs, age_ms: ageMs };
  return reply({ status: ageMs > staleMs ? 'degraded' : 'ok', anchor });
}
