/**
 * Finds in a recording what no run of the suite writes: it was made by hand, or edited and sealed again. A whole run that is made up, with signatures
 * that fit, is not noticed.
 */

import type { RecordedExchange, Recording } from '../../conformance/tape/read-recording.js';
import type { Problem } from '../../spec/document.js';

/** A reply is late by its time limit at most, so dates of replies go back by no more. */
const BACK_MS_MAX = 120_000;
/** A clock of a server may be wrong, or in another zone. */
const SKEW_MS_MAX = 86_400_000;
/** A server and the proxies before it. */
const SERVERS_MAX = 3;
/** The run itself, besides its checks. */
const RUN_OWNERS = ['suite', 'house', 'control'];
/** The entries of a recording begin in its second line. */
const FIRST_LINE = 2;
const PROBLEMS_MAX = 5;

/** Everything implausible in a recording, at most five lines of it. */
export function implausible(recording: Recording, file: string): readonly Problem[] {
  const problems: Problem[] = [];
  const test = testOf(recording);
  for (const [place, entry] of recording.entries.entries()) {
    if (!('sent' in entry)) continue;
    for (const [key, message] of test(entry, place)) problems.push({ file, line: place + FIRST_LINE, key, message });
    if (problems.length >= PROBLEMS_MAX) break;
  }
  return problems.slice(0, PROBLEMS_MAX);
}

type Sign = readonly [key: string, message: string];

function testOf({ manifest, target }: Recording): (exchange: RecordedExchange, place: number) => readonly Sign[] {
  const urls = [target.baseUrl, target.beatsUrl, target.control?.url].flatMap((url) => url ?? []);
  const origins = new Set(urls.map((url) => new URL(url).origin));
  const owners = new Set([...manifest.checks, ...RUN_OWNERS]);
  const sent = new Set<number>();
  const servers = new Map<string, Set<string>>();
  let latestMs = Number.NEGATIVE_INFINITY;
  return (exchange, place) => {
    const signs: Sign[] = [];
    const expect = (holds: boolean, key: string, message: string): void => {
      if (!holds) signs.push([key, message]);
    };
    const { origin } = new URL(exchange.url);
    expect(origins.has(origin), 'url', `is of ${origin}, which the target does not name`);
    expect(owners.has(exchange.owner), 'owner', `${exchange.owner} is no check of the run`);
    expect(!sent.has(exchange.sent), 'sent', `another request is number ${exchange.sent}, too`);
    expect(
      exchange.after <= place,
      'after',
      `was sent after ${exchange.after} entries, and only ${place} come before it`,
    );
    sent.add(exchange.sent);
    const { reply } = exchange;
    if (reply === undefined) return signs;
    const { headers } = reply;
    const ownLength = Buffer.byteLength(reply.body);
    expect(
      Number(headers['content-length'] ?? ownLength) === ownLength || !hasWholeBody(exchange),
      'reply.headers.content-length',
      `is ${headers['content-length']}, and the body has ${ownLength} bytes`,
    );
    const seen = servers.get(origin) ?? new Set();
    servers.set(origin, seen.add(headers['server'] ?? ''));
    expect(seen.size <= SERVERS_MAX, 'reply.headers.server', `is the ${seen.size}th name of the server at ${origin}`);
    const atMs = Date.parse(headers['date'] ?? '');
    if (Number.isNaN(atMs)) return signs;
    expect(
      atMs >= latestMs - BACK_MS_MAX,
      'reply.headers.date',
      `is ${(latestMs - atMs) / 1000} s before that of an earlier reply`,
    );
    // A server whose clock the suite moves may date its replies by it.
    expect(
      target.control !== undefined || Math.abs(atMs - manifest.started_ms) <= SKEW_MS_MAX,
      'reply.headers.date',
      `is more than a day from ${new Date(manifest.started_ms).toISOString()}, when the run began`,
    );
    latestMs = Math.max(latestMs, atMs);
    return signs;
  };
}

/** Whether the body of a reply is all that the server sent, uncompressed. */
function hasWholeBody({ method, reply }: RecordedExchange): boolean {
  return (
    reply !== undefined && reply.cut !== true && method !== 'HEAD' && reply.headers['content-encoding'] === undefined
  );
}
