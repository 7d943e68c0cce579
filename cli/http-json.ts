/**
 * Sends a JSON request for a command and reads the JSON that comes back. The suite and the simulator have transports of
 * their own.
 */

import { jsonOf } from '../spec/formats.js';
import { Failure } from './failure.js';

const TIMEOUT_MS = 10_000;

/** GETs a URL that answers JSON. No answer, or one that is not JSON, is a Failure. */
export function getJson(url: string): Promise<unknown> {
  return exchange(url, { method: 'GET' });
}

/** POSTs JSON and reads the JSON reply, whatever its status. */
export function postJson(url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return exchange(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function exchange(url: string, request: RequestInit): Promise<unknown> {
  if (!URL.canParse(url)) throw new Failure(`${url} is not a URL. For example: http://127.0.0.1:8788`);
  let text: string;
  try {
    const reply = await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
    text = await reply.text();
  } catch (error) {
    // fetch says TypeError when there is no connection, and DOMException when the time is over.
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    throw new Failure(`${url}: no answer (${error.message}). Is the server running?`);
  }
  const value = jsonOf(text);
  if (value === undefined) throw new Failure(`${url}: the answer is not JSON.`);
  return value;
}
