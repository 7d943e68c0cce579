/** PUT, GET and DELETE /partner/webhook as data. */

import { z } from 'zod';
import type { Endpoint, Facts } from '../endpoint.js';
import { partnerEventsOf } from '../parts.js';
import { partnerEvents } from '../vocabulary.js';
import { hexOf } from './shared.js';

const call = {
  stem: 'partner-webhook',
  service: 'registry',
  path: '/api/v1/partner/webhook',
  section: '4.18',
  auth: 'partner',
  buckets: [{ limit: 'partnerWebhook', by: 'partner' }],
} as const;

const event = z.enum(partnerEvents);
/** D-37: an empty list counts as missing; a duplicate counts once. */
const events = z.array(event).min(1);
/** The events of a deployment: those of section 6, without those that it does not have. */
function eventsIn({ protocol }: Facts) {
  const gone = partnerEvents.filter((name) => !partnerEventsOf(protocol).includes(name));
  return gone.length === 0
    ? { event, events }
    : { event: event.exclude(gone), events: z.array(event.exclude(gone)).min(1) };
}
/** 2.13: HTTPS. Which hosts are allowed is the server's to say (D-37). */
const webhookUrl = ({ loopbackWebhooks }: Facts) => z.url({ protocol: loopbackWebhooks ? /^https?$/ : /^https$/ });

/** 4.18: sets url and events, and makes a secret. */
export const partnerWebhookPut = {
  ...call,
  id: 'partner-webhook.put',
  method: 'PUT',
  purpose: 'Says where to deliver which events.',
  body: (facts: Facts) => z.object({ url: webhookUrl(facts), events: eventsIn(facts).events }),
  invalid: 'partner-webhook/WEBHOOK_INVALID',
  replies: (facts: Facts) => ({
    200: z.strictObject({
      webhook_url: webhookUrl(facts),
      webhook_secret: hexOf(facts.protocol.webhook.secretBytes),
      events: eventsIn(facts).events,
    }),
  }),
  refuses: ['WEBHOOK_INVALID', 'AUTH_MISSING', 'AUTH_FORBIDDEN'],
} as const satisfies Endpoint;

/** 4.18; with nothing configured, D-54. */
export const partnerWebhookGet = {
  ...call,
  id: 'partner-webhook.get',
  method: 'GET',
  purpose: 'Tells what is configured, without the secret.',
  body: null,
  invalid: null,
  replies: (facts: Facts) => ({
    200: z.discriminatedUnion('configured', [
      z.strictObject({ webhook_url: webhookUrl(facts), events: eventsIn(facts).events, configured: z.literal(true) }),
      z.strictObject({
        webhook_url: z.null(),
        events: z.array(eventsIn(facts).event).max(0),
        configured: z.literal(false),
      }),
    ]),
  }),
  refuses: ['AUTH_MISSING', 'AUTH_FORBIDDEN'],
} as const satisfies Endpoint;

/** 4.18. */
export const partnerWebhookDelete = {
  ...call,
  id: 'partner-webhook.delete',
  method: 'DELETE',
  purpose: 'Ends deliveries.',
  body: null,
  invalid: null,
  replies: () => ({ 200: z.strictObject({ ok: z.literal(true) }) }),
  refuses: ['AUTH_MISSING', 'AUTH_FORBIDDEN'],
} as const satisfies Endpoint;
