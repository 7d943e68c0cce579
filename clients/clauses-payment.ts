/** The clauses for clients about payments, heartbeats and rate limits. */

import { after, type ClientClause, each, usedOnce, withoutRefusal } from './evidence.js';
import { accepted, callsOf, codeOf, type Exchange, heartbeatsOf, type WatchedRun } from './exchange.js';

const PAID = ['POST /agent/heartbeat', 'POST /sigil', 'POST /agent/reissue-proof'];
const paidCalls = (run: WatchedRun): readonly Exchange[] =>
  PAID.flatMap((call) => callsOf(run, call)).toSorted((a, b) => a.n - b.n);

export const paymentClauses: readonly ClientClause[] = [
  {
    id: 'client.payment.named',
    section: '4.5',
    text: 'A paid call names its payment.',
    look: (run) =>
      each(paidCalls(run), ({ body }) =>
        typeof body['payment_tx'] === 'string' && body['payment_tx'] !== '' ? undefined : 'there is no payment_tx',
      ),
  },
  {
    id: 'client.payment.exact',
    section: '4.5',
    text: 'A payment is exactly the fee, confirmed, to the payment address.',
    look: (run) =>
      each(paidCalls(run), (exchange) =>
        codeOf(exchange) === 'PAYMENT_INVALID' ? String(exchange.reply['error']) : undefined,
      ),
  },
  {
    id: 'client.payment.once',
    section: '7',
    text: 'A payment pays one fee.',
    look: (run) =>
      usedOnce(paidCalls(run), { valueIn: ({ body }) => body['payment_tx'], why: 'the payment has paid before' }),
  },
  {
    id: 'client.payment.sender',
    section: '4.5',
    text: "A payment comes from the agent's wallet or its sponsor's.",
    look: (run) => withoutRefusal(paidCalls(run), ['PAYMENT_SENDER_MISMATCH'], 'another wallet has paid'),
  },
  {
    id: 'client.payment.wallet',
    section: '5',
    text: 'An agent without a wallet links one before it calls a paid route.',
    look: (run) => withoutRefusal(paidCalls(run), ['WALLET_REQUIRED'], 'the agent has no wallet'),
  },
  {
    id: 'client.init.first',
    section: '3.1',
    text: 'A chain is started before its first heartbeat or proof.',
    look: (run) =>
      withoutRefusal(
        [...heartbeatsOf(run), ...callsOf(run, 'POST /agent/beats/submit')],
        ['AGENT_NOT_INITIALIZED'],
        'the chain is not started',
      ),
  },
  {
    id: 'client.heartbeat.sigil',
    section: '4.5',
    text: 'A root buys a SIGIL before its first heartbeat.',
    look: (run) => withoutRefusal(heartbeatsOf(run), ['SIGIL_REQUIRED'], 'it has none'),
  },
  {
    id: 'client.heartbeat.interval',
    section: '4.5',
    text: 'After HEARTBEAT_TOO_SOON the next heartbeat comes at next_eligible_beat, not before.',
    look: (run) =>
      after(
        run,
        heartbeatsOf(run).filter((each) => codeOf(each) === 'HEARTBEAT_TOO_SOON'),
        (later) => {
          if (!later.path.endsWith('/agent/heartbeat') || later.method !== 'POST') return undefined;
          return codeOf(later) === 'HEARTBEAT_TOO_SOON' ? 'it is too soon again' : 'over';
        },
      ),
  },
  {
    id: 'client.heartbeat.global-anchor',
    section: '4.5',
    text: 'global_anchor, if sent, is a whole number that is not negative.',
    look: (run) =>
      each(
        heartbeatsOf(run).filter(({ body }) => body['global_anchor'] !== undefined),
        ({ body: { global_anchor: given } }) =>
          Number.isInteger(given) && Number(given) >= 0 ? undefined : `it is ${String(given)}`,
      ),
  },
  {
    id: 'client.limit.retry-after',
    section: '8',
    text: 'After RATE_LIMITED the same call waits as long as Retry-After says.',
    look: (run) =>
      after(
        run,
        run.exchanges.filter(({ alteration }) => alteration === 'rate-limited'),
        (later, trigger) => {
          if (later.path !== trigger.path || later.method !== trigger.method) return undefined;
          const waited = later.cameMs - trigger.answeredMs;
          return waited < Number(trigger.reply['retry_after_ms'])
            ? `it came after ${Math.floor(waited / 100) / 10} s`
            : 'over';
        },
      ),
  },
  {
    id: 'client.refusal.no-repeat',
    section: '7',
    text: 'A refused request is not sent again as it was more than twice.',
    look: (run) => {
      const refused = run.exchanges.filter((each) => !accepted(each) && each.status !== 429);
      const counts = new Map<string, number>();
      return each(refused, ({ method, path, text, headers }) => {
        const request = JSON.stringify([method, path, text, headers['authorization']]);
        counts.set(request, (counts.get(request) ?? 0) + 1);
        return (counts.get(request) ?? 0) > 3 ? 'it was refused three times before' : undefined;
      });
    },
  },
];
