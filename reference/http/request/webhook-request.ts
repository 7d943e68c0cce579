import { createHmac } from 'node:crypto';
import { lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isNonPublicAddress } from '../../registry/webhook-address.js';

/** One attempt at a delivery. */
export interface WebhookRequest {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Also connect to private and loopback addresses. */
  readonly allowLoopback: boolean;
  /** Gives the attempt up, as a failure. */
  readonly signal: AbortSignal;
}

/**
 * 6, rule 2: the value of the signature header: HMAC-SHA256 of the body under the secret as it was told, the text of its
 * hex.
 */
export function webhookSignature(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * Posts once and says whether a 2xx came in time (D-37). Redirects are not followed. A name that resolves to a closed
 * address is refused when the connection is made, so that no change of its records gets around the check of the URL.
 */
export function postWebhook(attempt: WebhookRequest): Promise<boolean> {
  const { url, body, headers, timeoutMs, allowLoopback, signal } = attempt;
  const request = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    // A timer that is held here: a signal of AbortSignal.any may be collected as garbage, and its timeout with it.
    const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), timeoutMs);
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
        // The status is all that counts; a body that breaks off afterwards changes nothing.
        response.on('error', () => resolve(false));
        response.resume();
        resolve(status >= 200 && status < 300);
      },
    );
    sent.on('error', () => resolve(false));
    // Until then, so that an answer which never ends does not keep its connection.
    sent.on('close', () => clearTimeout(timer));
    sent.end(body);
  });
}

const openLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, options, (error, address, family) => {
    const found = Array.isArray(address) ? address.map((each) => each.address) : [address];
    const closed = error === null && found.some(isNonPublicAddress);
    callback(
      closed ? new Error(`${hostname} is at a private, loopback or link-local address`) : error,
      address,
      family,
    );
  });
};
