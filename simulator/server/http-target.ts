import type { SigningKey } from '../../reference/beats/signing.js';
import type { Protocol } from '../../spec/protocol.js';

/** A request to the target, and its reply: the caller has the network. */
export type Send = (request: HttpRequest) => Promise<HttpReply>;

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; absent: no body. */
  readonly body?: unknown;
}

export interface HttpReply {
  readonly status: number;
  /** The body as it was read; a map of nothing for one that is none. */
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

/** What came of a call: `accepted`, or the code of the refusal. */
export type HttpOutcome = string;

/** The server cannot be driven, or does not do what its control API says. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
}

/** An agent as the driver knows it. */
export interface ServerAgent {
  readonly key: SigningKey;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly hash: string;
  /** A transaction whose call was refused: it is unused, and pays the next call of the same fee (D-27). */
  unspent: { readonly signature: string; readonly lamports: number; readonly payer: number } | null;
  receipts: number;
}

/** What came of a call, by its reply. */
export function outcomeOfReply({ status, body }: HttpReply): HttpOutcome {
  if (status >= 200 && status < 300) return 'accepted';
  return typeof body['code'] === 'string' ? body['code'] : `status ${status}`;
}
