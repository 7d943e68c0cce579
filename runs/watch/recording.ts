/** Watches a recording of `conform --record`: its exchanges, in the order in which they overlapped. No request is made. */

import { headersOf, type Observed } from '../../watch/exchange.js';
import type { readRecording } from '../suite/record.js';

/** The exchanges of a recording, in the order of their ends. Their times give the order alone: an exchange begins after those that ended before it was sent. */
export function* exchangesOfRecording(
  { entries }: ReturnType<typeof readRecording>,
  file: string,
): Generator<Observed> {
  for (const [place, entry] of entries.entries()) {
    if ('path' in entry) continue;
    const { method, url, headers, body, owner, sent, after, reply } = entry;
    yield {
      request: { method, url, headers: headersOf(Object.entries(headers)), ...(body === undefined ? {} : { body }) },
      reply,
      beganMs: after + (sent + 1) / (entries.length + 2),
      endedMs: place + 1,
      isOrderOnly: true,
      client: 'the suite',
      source: `${file}, request ${sent + 1} of ${owner}`,
      ...(reply === undefined || reply.cut === true ? { unread: 'aborted' } : {}),
    };
  }
}
