import type { Delivery } from '../../registry/columns/records.js';
import { dueDeliveries, laneOf, nextDueMs, settle } from '../../registry/outbox.js';
import type { Command } from '../../store/journal.js';
import { ATTEMPTS_AT_ONCE_MAX, type Courier } from './courier.js';
import { arrive } from './global-time.js';
import type { Host } from './host.js';
import { postWebhook, webhookSignature } from './webhook-request.js';

/** The name of the command that records what became of an attempt. */
export const SETTLE = 'webhook:settle';

/** Starts every delivery that is due. Returns at once: no request waits for a partner. */
export function dispatch(host: Host): void {
  const { courier, service, clock } = host;
  const { registry } = service;
  const { lanes, emitted } = registry.outbox;
  if (lanes.size === 0 || courier.stop.signal.aborted) return;
  const nowMs = clock.nowMs();
  if (emitted === courier.seen && nowMs < courier.nextDueMs) return;
  courier.seen = emitted;
  for (const delivery of dueDeliveries(registry, nowMs)) {
    if (courier.attempts.size >= ATTEMPTS_AT_ONCE_MAX) break;
    const lane = laneOf(delivery);
    if (!courier.attempts.has(lane)) courier.attempts.set(lane, carry(host, courier, lane, delivery));
  }
  courier.nextDueMs = nextDueMs(registry) ?? Number.POSITIVE_INFINITY;
}

async function carry(host: Host, courier: Courier, lane: string, delivery: Delivery): Promise<void> {
  const { registry } = host.service;
  const { webhookSignatureHeader } = registry.dialect;
  const webhook = registry.partners[delivery.partner]?.webhook;
  if (!webhook) throw new Error('deliveries without a webhook are dropped when it goes');
  const delivered = await postWebhook({
    url: webhook.url,
    body: delivery.body,
    headers: { [webhookSignatureHeader]: webhookSignature(webhook.secret, delivery.body) },
    timeoutMs: registry.protocol.webhook.timeoutSec * 1_000,
    allowLoopback: registry.policy.allowLoopbackWebhooks ?? false,
    signal: courier.stop.signal,
  });
  courier.attempts.delete(lane);
  if (courier.stop.signal.aborted) return;
  if (delivered) courier.delivered += 1;
  else courier.failed += 1;
  const nowMs = arrive(host);
  const body = { lane, id: delivery.id, delivered };
  if (settle(registry, body, nowMs)) host.record?.({ at: nowMs, name: SETTLE, agent: -1, body, given: {} });
  courier.nextDueMs = 0;
  dispatch(host);
}

/** Applies a recorded settlement again. */
export function replaySettle({ service }: Host, { body, at }: Command): void {
  const settled = settle(service.registry, body as Parameters<typeof settle>[1], at);
  if (!settled) throw new Error(`the delivery settled at ${at} is not there`);
}

/** Attempts everything that is due by the clock, waits until nothing is under way, and tells how it went. */
export async function flush(host: Host) {
  const { courier, service } = host;
  const before = { delivered: courier.delivered, failed: courier.failed };
  courier.nextDueMs = 0;
  dispatch(host);
  while (courier.attempts.size > 0) await Promise.all(courier.attempts.values());
  const { lanes, dead } = service.registry.outbox;
  return {
    delivered: courier.delivered - before.delivered,
    failed: courier.failed - before.failed,
    pending: [...lanes.values()].reduce((sum, waiting) => sum + waiting.length, 0),
    dead: dead.length,
  };
}
