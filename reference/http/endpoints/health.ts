/** Handler of GET /api/health of the beats service (D-08), the only path outside /api/v1. */

import { health } from '../../../spec/endpoints/index.js';
import { reply, route } from '../request/route.js';

/** GET /api/health of the beats service, D-08. */
export const healthRoute = route(health, ({ service }) =>
  reply({ status: 'ok', anchor_index: service.anchors.latestIndex, stalled: service.stalled }),
);
