import { z } from 'zod';
import { flushDeliveries } from '../request/dispatch.js';
import { accepted, controlCall, emptyBody } from './call.js';

const count = z.int().min(0);

/** 6: deliveries to partners. */
export const webhookCalls = [
  controlCall('POST webhooks/flush', {
    purpose: 'Attempts every delivery that is due by the clock, and answers when none is under way.',
    body: emptyBody,
    reply: z.strictObject({ delivered: count, failed: count, pending: count, dead: count }),
    // What became of the deliveries is recorded one by one.
    kind: 'query',
    run: async (host) => accepted(await flushDeliveries(host)),
  }),
];
