/**
 * Decides which requests the lab answers at all, by their request line and headers alone. The lab is for one browser on this
 * machine: everything that another site, another name or a proxy could send is refused before anything reads it.
 */

import type { IncomingMessage } from 'node:http';

/** A refusal: its status, a code, and what to do. */
export interface LabRefusal {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

/** A refusal of this status and code. */
export function refusal(status: number, code: string, detail: string): LabRefusal {
  return { status, code, detail };
}

/** The parts of a request that the guard reads. */
type Arrival = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>;

/** Headers that decide whether a request is answered; with two of one kind, two readers could choose differently. */
const SINGLE = ['host', 'origin', 'authorization', 'content-type', 'content-length', 'sec-fetch-site'];

/** The only values with which a browser may come: a page of this server, or an address that the user entered. */
const FETCH_SITES = ['same-origin', 'none'];

/** The refusal of a request that no page of this server and no user of this machine would send; undefined for any other. */
export function guard({ method = '', url = '', headers, rawHeaders }: Arrival, port: number): LabRefusal | undefined {
  const authority = `127.0.0.1:${port}`;
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const repeated = SINGLE.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (repeated !== undefined) return refusal(400, 'HEADER_REPEATED', `send ${repeated} once`);
  if (headers.host !== authority) return refusal(403, 'HOST_REFUSED', `call this server as http://${authority}`);
  if (headers.origin !== undefined && headers.origin !== `http://${authority}`)
    return refusal(403, 'ORIGIN_REFUSED', 'pages of other origins may not call this server');
  const site = headers['sec-fetch-site'];
  if (site !== undefined && !FETCH_SITES.includes(String(site)))
    return refusal(403, 'SITE_REFUSED', `open http://${authority}/ by its address, not by a link of another site`);
  if (method !== 'GET' && method !== 'POST') return refusal(405, 'METHOD_NOT_ALLOWED', 'use GET or POST');
  if (!url.startsWith('/') || url.startsWith('//') || /[?#%\\]/.test(url))
    return refusal(404, 'NOT_FOUND', 'paths of this server have no query and no escapes');
  if (method === 'GET' && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0))
    return refusal(400, 'BODY_REFUSED', 'GET takes no body');
  if (method === 'POST' && headers['content-type'] !== 'application/json')
    return refusal(415, 'CONTENT_TYPE_REQUIRED', 'send Content-Type: application/json, without parameters');
  return undefined;
}
