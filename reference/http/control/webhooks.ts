import { z } from 'zod';
import { flush } from '../request/dispatch.js';
import { call, done, nothing } from './call.js';

const count = z.int().min(0);

/** 6: deliveries to partners. */
export const webhookCalls = [
  call('POST webhooks/flush', {
    purpose: 'Attempts every delivery that is due by the clock, and answers when none is under way.',
    body: nothing,
    reply: z.strictObject({ delivered: count, failed: count, pending: count, dead: count }),
    // What became of the deliveries is recorded one by one.
    kind: 'question',
    run: async (host) => done(await flush(host)),
  }),
];
