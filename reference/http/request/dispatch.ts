/**
 * Delivers webhooks: takes due deliveries from the registry's outbox, posts them and records the results (section 6,
 * D-37). When a failed one is due again is decided in registry/outbox.ts.
 */

import type { Delivery } from '../../registry/columns/records.js';
import { dueDeliveries, laneOf, nextDueMs, settleDelivery } from '../../registry/outbox.js';
import type { Command } from '../../store/command.js';
import { ATTEMPTS_AT_ONCE_MAX, type DeliveryAttempts } from './delivery-attempts.js';
import { advanceToNow } from './global-time.js';
import type { Host } from './host.js';
import { isDurable } from './keeper.js';
import { postWebhook, webhookSignature } from './webhook-request.js';

/** The journal's name for the result of an attempt. */
export const SETTLE = 'webhook:settle';

/** Starts every delivery that is due, and returns at once: no request waits for a partner. */
export function dispatchDeliveries(host: Host): void {
  const { deliveries, service, clock } = host;
  const { registry } = service;
  const { lanes, emitted } = registry.outbox;
  if (lanes.size === 0 || deliveries.stop.signal.aborted) return;
  const nowMs = clock.nowMs();
  if (emitted === deliveries.seen && nowMs < deliveries.nextDueMs) return;
  deliveries.seen = emitted;
  for (const delivery of dueDeliveries(registry, nowMs)) {
    if (deliveries.attempts.size >= ATTEMPTS_AT_ONCE_MAX) break;
    const lane = laneOf(delivery);
    if (!deliveries.attempts.has(lane)) deliveries.attempts.set(lane, attempt(host, deliveries, lane, delivery));
  }
  deliveries.nextDueMs = nextDueMs(registry) ?? Number.POSITIVE_INFINITY;
}

/** D-58: the key of the HMAC of a delivery. */
const keyOf = ({ signsWithBytes }: Host, secret: string): string | Buffer =>
  signsWithBytes ? Buffer.from(secret, 'hex') : secret;

async function attempt(host: Host, deliveries: DeliveryAttempts, lane: string, delivery: Delivery): Promise<void> {
  const { registry } = host.service;
  const { webhookSignatureHeader } = registry.dialect;
  const webhook = registry.partners[delivery.partner]?.webhook;
  if (!webhook) throw new Error('deliveries without a webhook are dropped when it goes');
  // The command that caused the event may not be on the disk yet.
  if (!(await isDurable(host))) return;
  const delivered = await postWebhook({
    url: webhook.url,
    body: delivery.body,
    headers: { [webhookSignatureHeader]: webhookSignature(keyOf(host, webhook.secret), delivery.body) },
    timeoutMs: registry.protocol.webhook.timeoutSec * 1_000,
    allowLoopback: registry.policy.allowLoopbackWebhooks ?? false,
    signal: deliveries.stop.signal,
  });
  deliveries.attempts.delete(lane);
  if (deliveries.stop.signal.aborted) return;
  if (delivered) deliveries.delivered += 1;
  else deliveries.failed += 1;
  const nowMs = advanceToNow(host);
  const body = { lane, id: delivery.id, delivered };
  if (settleDelivery(registry, body, nowMs))
    host.keeper?.record({ at: nowMs, name: SETTLE, agent: -1, body, given: {} });
  deliveries.nextDueMs = 0;
  dispatchDeliveries(host);
}

/** Applies the recorded result of an attempt again. */
export function replaySettle({ service }: Host, { body, at }: Command): void {
  const settled = settleDelivery(service.registry, body as Parameters<typeof settleDelivery>[1], at);
  if (!settled) throw new Error(`the delivery settled at ${at} is not there`);
}

/** Attempts every delivery that is due, waits until all attempts have ended, and returns the counts. */
export async function flushDeliveries(host: Host) {
  const { deliveries, service } = host;
  const before = { delivered: deliveries.delivered, failed: deliveries.failed };
  deliveries.nextDueMs = 0;
  dispatchDeliveries(host);
  while (deliveries.attempts.size > 0) await Promise.all(deliveries.attempts.values());
  const { lanes, dead } = service.registry.outbox;
  return {
    delivered: deliveries.delivered - before.delivered,
    failed: deliveries.failed - before.failed,
    pending: [...lanes.values()].reduce((sum, waiting) => sum + waiting.length, 0),
    dead: dead.length,
  };
}
