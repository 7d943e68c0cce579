/**
 * Values that can be used once, for a limited time: nonces, registration tokens, spawn authorizations. Each belongs to
 * one flow.
 */

import type { OneTime } from './columns/records.js';
import { nextHex } from './columns/stream.js';
import type { Registry } from './state.js';

/** The number of values that are kept; the oldest is dropped for another one, so that unanswered challenges take bounded memory. */
export const ONE_TIME_MAX = 100_000;

/** Issues a value of `bytes` bytes in hex that is valid once, for `ttlSec` seconds, in one flow. */
export function issueOneTime(
  registry: Registry,
  flow: string,
  bytes: number,
  ttlSec: number,
  nowMs: number,
  bound?: OneTime['bound'],
): string {
  const value = nextHex(registry.stream, bytes);
  const expiresAtMs = nowMs + ttlSec * 1_000;
  registry.oneTime.set(value, bound === undefined ? { flow, expiresAtMs } : { flow, expiresAtMs, bound });
  if (registry.oneTime.size > ONE_TIME_MAX) {
    const [oldest] = registry.oneTime.keys();
    registry.oneTime.delete(oldest as string);
  }
  return value;
}

/** The record of a value that is valid in this flow, through the last millisecond of its time. Does not use it up. */
export function peekOneTime(registry: Registry, value: string, flow: string, nowMs: number): OneTime | undefined {
  const found = registry.oneTime.get(value);
  return found !== undefined && found.flow === flow && nowMs <= found.expiresAtMs ? found : undefined;
}

/** Uses a value up. */
export function spendOneTime(registry: Registry, value: string): void {
  registry.oneTime.delete(value);
}

/** Forgets expired values, so that unanswered challenges take no memory. */
export function purgeOneTime(registry: Registry, nowMs: number): void {
  for (const [value, { expiresAtMs }] of registry.oneTime) if (expiresAtMs < nowMs) registry.oneTime.delete(value);
}
