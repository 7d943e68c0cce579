/**
 * Hourly limits over three hours of steady calls: a window of any form admits at most as many calls as four hours do. Also limits under more
 * simultaneous requests than they admit. The checks of each endpoint judge the exact edges of a window (steps/limit.ts).
 */

import type { EndpointId } from '../../spec/endpoint-ids.js';
import type { LimitName } from '../../spec/protocol.js';
import { HOUR_MS, HOUR_SEC } from '../../spec/time.js';
import type { Reply } from '../assertions/reply.js';
import { countsRefused, needNewerNow } from '../steps/limit.js';
import type { WrittenCheck } from '../trial/check.js';
import { tried } from '../trial/presence.js';
import { isRateLimited } from '../trial/rate-limit.js';
import { REACH } from '../trial/reach.js';
import type { Trial } from '../trial/trial.js';

const HOURS = 3;
/** The number of steps, each with one call (four of init). They send more calls than four hours of any of these limits admit. */
const STEPS = 45;

interface Steady {
  readonly limit: LimitName;
  readonly clause: string;
  readonly title: string;
  /** Prepares once, and returns a function that sends requests which only the limit refuses. */
  readonly ready: (t: Trial) => Promise<() => Promise<Reply>>;
}

const steadies: readonly Steady[] = [
  {
    limit: 'register',
    clause: 'limit.register',
    title: 'An address registers no more than 40 agents in three hours of steady calls',
    ready: async (t) => {
      const secret = t.session.target.registrationSecret;
      const headers = secret === undefined ? {} : { 'x-registration-secret': secret };
      return () => t.call('register', { body: { name: t.word() }, headers, mayLimit: true });
    },
  },
  {
    limit: 'registerToken',
    clause: 'limit.register-token.ip',
    title: 'An address gets no more than 12 tokens in three hours of steady calls',
    ready: async (t) => () => t.call('register-token', { mayLimit: true }),
  },
  {
    limit: 'init',
    clause: 'limit.init',
    title: 'An agent starts its chain no more than 120 times in three hours of steady calls',
    ready: async (t) => {
      const { key } = await t.root({ init: true });
      return async () => {
        const replies = await Promise.all([1, 2, 3, 4].map(() => t.call('init', { key, mayLimit: true })));
        return replies.find(isRateLimited) ?? (replies[0] as Reply);
      };
    },
  },
];

const checks = steadies.map(
  ({ limit, clause, title, ready }): WrittenCheck => ({
    id: `limits/steady-${limit.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    title,
    needs: ['clock', 'client-ip'],
    async run(t) {
      const { count, windowSec } = t.protocol.limits[limit];
      const most = (HOURS + 1) * count * (HOUR_SEC / windowSec);
      const send = await ready(t);
      let admitted = 0;
      let last: Reply | undefined;
      const each = limit === 'init' ? 4 : 1;
      for (let step = 0; step < STEPS; step += 1) {
        last = await send();
        if (!isRateLimited(last)) admitted += each;
        await t.sleep({ ms: (HOURS * HOUR_MS) / STEPS });
      }
      if (admitted > most) await needNewerNow(limit, send);
      t.shows(clause).that(
        'calls admitted in three hours of steady calls',
        admitted <= most,
        `at most ${most}`,
        `${admitted}`,
        t.need(last, 'a reply'),
      );
    },
  }),
);

/** Limits of one subject, with a request that changes nothing. Limits by address get a new address. */
const crowded = [
  { limit: 'init', clause: 'limit.init', id: 'init' },
  { limit: 'heartbeat', clause: 'limit.heartbeat', id: 'heartbeat' },
  { limit: 'sigil', clause: 'limit.sigil', id: 'sigil' },
  { limit: 'reissueProof', clause: 'limit.reissue-proof', id: 'reissue-proof' },
  { limit: 'spawn', clause: 'limit.spawn', id: 'spawn' },
  { limit: 'beatsSubmit', clause: 'limit.beats-submit', id: 'beats-submit' },
  { limit: 'metadata', clause: 'limit.metadata', id: 'metadata' },
  { limit: 'sponsorPost', clause: 'limit.sponsor.post', id: 'sponsor.post' },
  { limit: 'sponsorDelete', clause: 'limit.sponsor.delete', id: 'sponsor.delete' },
  { limit: 'sponsorGet', clause: 'limit.sponsor.get', id: 'sponsor.get' },
  { limit: 'wallet', clause: 'limit.wallet', id: 'wallet' },
  { limit: 'verifyBatch', clause: 'limit.verify-batch', id: 'verify-batch' },
] as const satisfies readonly { readonly limit: LimitName; readonly clause: string; readonly id: EndpointId }[];

/** The number of requests beyond a limit that are sent at once. */
const TOO_MANY = 5;

const atOnce: WrittenCheck = {
  id: 'limits/at-once',
  title: 'A limit admits no more simultaneous requests than successive ones',
  needs: ['clock', 'client-ip'],
  async run(t) {
    const { key, hash } = await t.root({ init: true });
    for (const { limit, clause, id } of crowded) {
      const { count } = t.protocol.limits[limit];
      if (count > REACH.bucket) continue;
      const address = t.newAddress();
      // No time passes during these requests: a running check holds the clock.
      const body = id === 'sponsor.get' ? undefined : id === 'verify-batch' ? { hashes: [hash] } : {};
      const send = (): Promise<Reply> => t.call(id, { key, body, address, mayLimit: true, mayMiss: true });
      await tried(async () => {
        // If the endpoint is served, it answers the first request.
        const first = await send();
        const others = await Promise.all(Array.from({ length: count + TOO_MANY - 1 }, send));
        const admitted = [first, ...others].filter((reply) => !isRateLimited(reply));
        // The text does not say which requests count: if refused ones do not, these reach no limit.
        const mayCount = admitted.some(({ status }) => status < 400);
        if (admitted.length > count && !mayCount && !(await countsRefused(t))) {
          t.shows(clause).unjudged('the target does not count refused requests');
          return;
        }
        const about = `${count + TOO_MANY} requests at once`;
        t.shows(clause).that(about, admitted.length <= count, `at most ${count} admitted`, `${admitted.length}`, first);
      });
    }
  },
};

export const limitsChecks: readonly WrittenCheck[] = [...checks, atOnce];
