/** The control call that delivers due webhooks at once. The deliveries are made by request/dispatch.ts. */

import { z } from 'zod';
import { flushDeliveries } from '../request/dispatch.js';
import { accepted, controlCall, emptyBody } from './call.js';

const count = z.int().min(0);

/** 6: calls about webhook deliveries. */
export const webhookCalls = [
  controlCall('POST webhooks/flush', {
    purpose: 'Attempts every delivery that is due by the clock, and answers when none is under way.',
    body: emptyBody,
    reply: z.strictObject({ delivered: count, failed: count, pending: count, dead: count }),
    // The journal records the result of each delivery, not this call.
    kind: 'query',
    run: async (host) => accepted(await flushDeliveries(host)),
  }),
];
