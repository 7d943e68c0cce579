/** The limits of the sponsor endpoint: each method has a bucket of its own for each agent. */
import { endSponsorship, listSponsorships } from '../moves/sponsor.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';

/** The most calls of other methods that an agent sends before its first POST of a sponsorship. */
const OTHER_CALLS = 10;

export const sponsorLimitChecks: readonly WrittenCheck[] = (
  [
    ['post', 'sponsorPost', 'The 11th POST of a sponsorship by an agent in an hour is refused'],
    ['delete', 'sponsorDelete', 'The 61st revocation of a sponsorship by an agent in a minute is refused'],
    ['get', 'sponsorGet', 'The 61st listing of sponsorships by an agent in a minute is refused'],
  ] as const
).map(
  ([word, limit, title]): WrittenCheck => ({
    id: `sponsor/limit-${word}`,
    title,
    needs: ['clock'],
    waits: windowOf(limit),
    async run(t) {
      const [agent, other] = [await t.root(), await t.root()];
      const body = word === 'get' ? {} : { body: { child_hash: `0x${t.hex(t.protocol.agent.hashBytes)}` } };
      const send = ({ key }: Agent) => t.call(`sponsor.${word}`, { key, mayLimit: true, mayMiss: true, ...body });
      // Section 8 has a row for the POST calls of an agent, in which its other calls do not count.
      if (word === 'post') {
        const { key } = agent;
        const { sponsorPost, sponsorGet } = t.protocol.limits;
        for (let n = 0; n < Math.min(sponsorPost.count, sponsorGet.count, OTHER_CALLS); n += 1)
          await t.send(listSponsorships({ key }), { mayLimit: true, mayMiss: true });
        await t.send(endSponsorship({ key }, other.hash), { mayLimit: true, mayMiss: true });
      }
      await judgeLimit(t, {
        limit,
        clause: `limit.sponsor.${word}`,
        send: () => send(agent),
        other: () => send(other),
      });
    },
  }),
);
