/**
 * Sends a JSON request for a command and reads the JSON that comes back. The suite and the simulator have clients of their own, over
 * the same transport.
 */

import { httpTransport, TransportFailure, type WireReply } from '../../conformance/wire/transport.js';
import { jsonDeeperAt, jsonOf, withoutByteOrderMark } from '../../spec/formats.js';
import { Failure } from './failure.js';

const TIMEOUT_MS = 10_000;
/** No reply of a beats service is as long, or nests as deep. */
const REPLY_BYTES_MAX = 1_048_576;
const DEPTH_MAX = 64;

/** GETs a URL that answers JSON. No answer, or one that is not JSON, is a Failure. */
export function getJson(url: string): Promise<unknown> {
  return exchange(url, { method: 'GET', headers: {} });
}

/** POSTs JSON and reads the JSON reply, whatever its status. */
export function postJson(url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return exchange(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function exchange(url: string, asked: HttpRequest): Promise<unknown> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Failure(`${url} is not a URL of http or https. For example: http://127.0.0.1:8788`);
  }
  const { status, headers, body, cut } = await replyOf(url, asked);
  // Redirects are not followed: the request is for the named service only, and the user must name another one.
  if (status >= 300 && status < 400 && headers['location'] !== undefined) {
    throw new Failure(`${url}: leads to ${headers['location']}. Give the URL of the service itself.`);
  }
  if (cut === true) throw new Failure(`${url}: the answer is longer than ${REPLY_BYTES_MAX} bytes.`);
  const value = jsonDeeperAt(body, DEPTH_MAX) !== undefined ? undefined : jsonOf(withoutByteOrderMark(body));
  if (value === undefined) throw new Failure(`${url}: the answer is not JSON.`);
  return value;
}

async function replyOf(url: string, asked: HttpRequest): Promise<WireReply> {
  const { send, close } = httpTransport();
  try {
    return await send({ url, ...asked, timeoutMs: TIMEOUT_MS, replyBytesMax: REPLY_BYTES_MAX });
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    throw new Failure(`${url}: no answer (${error.message}). Is the server running?`);
  } finally {
    await close();
  }
}
