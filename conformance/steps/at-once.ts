/** Requests at the same moment for something that can be used once. Simultaneous requests under a limit are in checks/limits.ts. */
import { clauseById } from '../../spec/clauses/index.js';
import type { Reply } from '../assertions/reply.js';
import { byLevel, type Trial } from '../trial/trial.js';

/** The numbers of requests that race for the same thing: first two, then a crowd. */
const CROWDS = [2, 25] as const;
/** A race is repeated at most this many times until its result is evidence. */
const ATTEMPTS = 3;

/** The n-th request, from 0, that uses one thing. */
export type Subject = (n: number) => Promise<Reply>;

/**
 * Sends simultaneous requests for a thing that can be used once, and asserts that only one is accepted. More than one is evidence against
 * `clauses`. If none is accepted, or the requests did not overlap, the race is repeated with another thing, and is not judged in the end: the
 * text does not say that one request must win. If all replies are successes, `wins` says whether a reply is that of the winner.
 */
export async function race(
  t: Trial,
  clauses: readonly string[],
  subject: () => Promise<Subject>,
  wins: (reply: Reply) => boolean = () => true,
): Promise<void> {
  for (const id of clauses) clauseById(id);
  for (const crowd of CROWDS) {
    let shown = false;
    for (let attempt = 0; attempt < ATTEMPTS && !shown; attempt += 1) {
      const send = await subject();
      const { replies, overlapped } = await together(t, crowd, send);
      const accepted = replies.filter((reply) => reply.status >= 200 && reply.status < 300 && wins(reply));
      const [first] = replies;
      if (first === undefined) throw new RangeError('a race has requests');
      if (accepted.length > 1 || (accepted.length === 1 && overlapped)) {
        const about = `${crowd} simultaneous requests for a single use`;
        for (const some of byLevel(clauses)) {
          t.shows(...some).that(about, accepted.length === 1, '1 accepted', `${accepted.length} accepted`, first);
        }
        shown = true;
      }
    }
    if (!shown) {
      const reason = `in each of ${ATTEMPTS} attempts, ${crowd} simultaneous requests were all refused, or did not overlap`;
      for (const some of byLevel(clauses)) t.shows(...some).unjudged(reason);
    }
  }
}

/** Sends requests at the same moment. They overlap if all are sent before the first reply arrives. */
async function together(
  t: Trial,
  crowd: number,
  send: Subject,
): Promise<{ readonly replies: readonly Reply[]; readonly overlapped: boolean }> {
  const left: number[] = [];
  const came: number[] = [];
  const replies = await Promise.all(
    Array.from({ length: crowd }, async (_, n) => {
      left.push(t.session.wallMs());
      const reply = await send(n);
      came.push(t.session.wallMs());
      return reply;
    }),
  );
  return { replies, overlapped: Math.max(...left) <= Math.min(...came) };
}
