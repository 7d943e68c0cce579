/** Handlers of PUT, GET and DELETE /partner/webhook (4.18). Deliveries are made in request/dispatch.ts. */

import { partnerWebhookDelete, partnerWebhookGet, partnerWebhookPut } from '../../../spec/endpoints/index.js';
import { removeWebhook, setWebhook, webhookOf } from '../../registry/partner-webhook.js';
import { reply, route } from '../request/route.js';

/** PUT /partner/webhook, 4.18. */
export const partnerWebhookPutRoute = route(partnerWebhookPut, ({ registry, partner, body }) => {
  const done = setWebhook(registry, { partner, url: body.url, events: body.events });
  if (!done.ok) return done;
  const { url, secret, events } = done.webhook;
  return reply({ webhook_url: url, webhook_secret: secret, events });
});

/** GET /partner/webhook, 4.18; with nothing configured, D-54. */
export const partnerWebhookGetRoute = route(partnerWebhookGet, ({ registry, partner }) => {
  const webhook = webhookOf(registry, partner);
  if (webhook === null) return reply({ webhook_url: null, events: [], configured: false });
  return reply({ webhook_url: webhook.url, events: webhook.events, configured: true });
});

/** DELETE /partner/webhook, 4.18. */
export const partnerWebhookDeleteRoute = route(partnerWebhookDelete, ({ registry, partner }) => {
  removeWebhook(registry, partner);
  return reply({ ok: true });
});
