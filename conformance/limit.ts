import type { LimitName } from '../spec/protocol.js';
import { isRateLimited } from './caller.js';
import type { Reply } from './reply.js';
import type { Trial } from './trial.js';

/** One row of section 8 as a check fills it. */
export interface LimitCase {
  readonly limit: LimitName;
  /** Sends the n-th request of the bucket, from 1, with `mayLimit`. How it is answered does not matter. */
  readonly send: (n: number) => Promise<Reply>;
  /** A request of another subject, which has a bucket of its own. */
  readonly other?: () => Promise<Reply>;
}

const OFF_THE_HOUR_MS = 1_001;

/**
 * Fills a bucket while no time passes: as many requests as it holds are admitted, the next is refused, another subject
 * is not. Once a whole window has passed it admits again. That the window is fixed, that refused requests count, and
 * what Retry-After says rest on D-34.
 */
export async function judgeLimit(t: Trial, { limit, send, other }: LimitCase): Promise<void> {
  const { count, windowSec } = t.protocol.limits[limit];
  // A window that starts at the full minute or hour would look like one that starts with the first request there.
  if (t.nowMs() % (windowSec * 1_000) === 0) await t.sleep({ ms: OFF_THE_HOUR_MS });
  const first = await Promise.all(Array.from({ length: count }, (_, index) => send(index + 1)));
  for (const [index, reply] of first.entries()) admitted(t, reply, `request ${index + 1} of ${count}`);
  const refused = await send(count + 1);
  t.refused(refused, 'any/RATE_LIMITED');
  tellsWhen(t, refused, windowSec * 1_000);
  if (other !== undefined) admitted(t, await other(), 'a request of another subject');
  await t.sleep({ ms: windowSec * 1_000 - 1 });
  const early = await send(count + 2);
  t.decided('D-34', () => t.refused(early, 'any/RATE_LIMITED'));
  tellsWhen(t, early, 1);
  await t.sleep({ ms: 1 });
  admitted(t, await send(count + 3), `a request ${windowSec} s after the first`);
}

function admitted(t: Trial, reply: Reply, which: string): void {
  t.that(`${reply.name}: ${which}`, !isRateLimited(reply), 'not rate limited', `${reply.status} ${reply.excerpt()}`);
}

function tellsWhen(t: Trial, reply: Reply, ms: number): void {
  t.decided('D-34', () => {
    t.equal(`${reply.name}: Retry-After`, reply.headers['retry-after'], String(Math.ceil(ms / 1_000)));
    t.equal(`${reply.name}: retry_after_ms`, reply.get('retry_after_ms'), ms);
  });
}
