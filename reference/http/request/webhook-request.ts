/**
 * One HTTP POST of a webhook delivery, signed, and never to a private address (section 6, D-37). Retries are not its
 * concern.
 */

import { createHmac } from 'node:crypto';
import { lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isNonPublicAddress, webhookUrlFault } from '../../registry/webhook-address.js';

/** One attempt at a delivery. */
interface WebhookRequest {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Whether private and loopback addresses are allowed. */
  readonly allowLoopback: boolean;
  /** Aborts the attempt, which then counts as failed. */
  readonly signal: AbortSignal;
}

/**
 * 6, rule 2: the value of the signature header: HMAC-SHA256 of the body in hex. D-58: the key is the text of the secret,
 * which is hex itself.
 */
export function webhookSignature(key: string | Buffer, body: string): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}

/**
 * Posts once, and resolves with true for a 2xx in time (D-37). Redirects are not followed. The URL is checked again, and so is
 * the address to which its name resolves: it may be a private one later.
 */
export function postWebhook(attempt: WebhookRequest): Promise<boolean> {
  const { url, body, headers, timeoutMs, allowLoopback, signal } = attempt;
  // Node looks up no address, and the server may have allowed this one when it was configured.
  if (webhookUrlFault(url, allowLoopback) !== null) return Promise.resolve(false);
  const request = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    // A timer that this function holds: the signal of AbortSignal.any can be garbage-collected, and its timeout with
    // it.
    const stop = afterWaiting(timeoutMs, () => sent.destroy(new Error('no answer in time')));
    const sent = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        signal,
        ...(allowLoopback ? {} : { lookup: openLookup }),
      },
      (response) => {
        const status = response.statusCode ?? 0;
        // Only the status counts; a body that breaks off afterwards changes nothing.
        response.on('error', () => resolve(false));
        response.resume();
        resolve(status >= 200 && status < 300);
      },
    );
    sent.on('error', () => resolve(false));
    // The timer runs until the connection closes, so that a reply without end does not keep it open.
    sent.on('close', stop);
    sent.end(body);
  });
}

/** The longest step, in ms of real time, in which an answer that has come is surely read. */
const STEP_MS = 500;

/**
 * Calls back once this process has waited for `timeoutMs` of real time, unless stopped before. A moment in which it could read no answer,
 * since it was busy with something else, counts for one step at most.
 */
function afterWaiting(timeoutMs: number, act: () => void): () => void {
  let [leftMs, sinceMs] = [timeoutMs, performance.now()];
  const next = (): NodeJS.Timeout => setTimeout(waited, Math.min(STEP_MS, leftMs));
  const waited = (): void => {
    const nowMs = performance.now();
    leftMs -= Math.min(nowMs - sinceMs, STEP_MS * 2);
    sinceMs = nowMs;
    if (leftMs > 0) timer = next();
    else act();
  };
  let timer = next();
  return () => clearTimeout(timer);
}

const openLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, options, (error, address, family) => {
    const found = Array.isArray(address) ? address.map((each) => each.address) : [address];
    const closed = error === null && found.some(isNonPublicAddress);
    callback(
      closed ? new Error(`${hostname} is at an address that the public internet does not reach`) : error,
      address,
      family,
    );
  });
};
