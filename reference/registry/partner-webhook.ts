/**
 * The rules of PUT, GET and DELETE /partner/webhook (4.18): a partner's URL, events and secret. Deliveries are in
 * outbox.ts.
 */

import type { PartnerEvent } from '../../spec/vocabulary.js';
import type { Webhook } from './columns/records.js';
import { nextHex } from './columns/stream.js';
import { dropDeliveries } from './outbox.js';
import { type Refusal, refuse } from './refusal.js';
import type { Registry } from './state.js';
import { webhookUrlFault } from './webhook-address.js';

interface WebhookInput {
  readonly partner: number;
  readonly url: string;
  readonly events: readonly PartnerEvent[];
}

/**
 * 4.18: sets URL and events, and makes a new secret each time (D-54). Refuses a URL that is not allowed with
 * WEBHOOK_INVALID.
 */
export function setWebhook(
  registry: Registry,
  { partner, url, events }: WebhookInput,
): { readonly ok: true; readonly webhook: Webhook } | Refusal {
  const why = webhookUrlFault(url, registry.policy.allowLoopbackWebhooks ?? false);
  if (why !== null) return refuse('partner-webhook/WEBHOOK_INVALID', `url: ${why}`);
  const webhook = { url, events: [...events], secret: nextHex(registry.stream, registry.protocol.webhook.secretBytes) };
  known(registry, partner).webhook = webhook;
  return { ok: true, webhook };
}

/** 4.18: the partner's webhook, or null. */
export function webhookOf(registry: Registry, partner: number): Webhook | null {
  return known(registry, partner).webhook;
}

/** 4.18: removes the webhook and drops the deliveries that wait. Without a webhook it does nothing (D-54). */
export function removeWebhook(registry: Registry, partner: number): void {
  known(registry, partner).webhook = null;
  dropDeliveries(registry, partner);
}

function known(registry: Registry, partner: number) {
  const found = registry.partners[partner];
  if (found === undefined) throw new RangeError(`there is no partner ${partner}`);
  return found;
}
