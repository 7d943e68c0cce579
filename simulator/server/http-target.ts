/**
 * The types of the server side of `aips simulate against`: target, requests, replies, clients. The network itself is the
 * caller's.
 */

import type { SigningKey } from '../../reference/beats/signing.js';
import type { Protocol } from '../../spec/protocol.js';

/** Sends a request to the target. */
export type Send = (request: HttpRequest) => Promise<HttpReply>;

interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; absent: no body. */
  readonly body?: unknown;
}

export interface HttpReply {
  readonly status: number;
  /** The parsed body; empty if there was none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A server whose clock and money the control API moves, and which takes a client's address from X-Forwarded-For. */
export interface HttpTarget {
  readonly baseUrl: string;
  readonly beatsUrl: string;
  readonly control: { readonly url: string; readonly token: string };
  /** The prefix of signed messages (D-01). */
  readonly messagePrefix: string;
  readonly protocol: Protocol;
  readonly send: Send;
}

/** `accepted`, or the code of a refusal. */
export type HttpOutcome = string;

/** The server cannot be driven, or its control API does not do what it says. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
}

/** An agent on the server: its credentials and what the driver keeps for it. */
export interface ServerAgent {
  readonly key: SigningKey;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly hash: string;
  /** The unused transaction of a refused call, which pays the next call of the same fee (D-27). */
  unspent: { readonly signature: string; readonly lamports: number; readonly payer: number } | null;
  receipts: number;
}

/** The outcome of a call, by its reply. */
export function outcomeOfReply({ status, body }: HttpReply): HttpOutcome {
  if (status >= 200 && status < 300) return 'accepted';
  return typeof body['code'] === 'string' ? body['code'] : `status ${status}`;
}

/** The text of a field of a reply, or its number as text; empty where it holds neither. */
export function textOf(body: HttpReply['body'], field: string): string {
  const value = body[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
