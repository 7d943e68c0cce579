/** Deliveries of events: signatures, times and retries. The events themselves are in partner-webhook-events.ts. */

import { show } from '../../model/reading/compare.js';
import { at } from '../../model/reading/values.js';
import { groups } from '../../spec/clauses/groups.js';
import { jsonOf } from '../../spec/formats.js';
import { DAY_SEC } from '../../spec/time.js';
import { pause } from '../steps/beat-clock.js';
import { heartbeat } from '../steps/paid.js';
import {
  ARRIVAL_MS,
  bought,
  deliveryOf,
  eventIs,
  eventsIn,
  headerOf,
  isAbout,
  isSigned,
  noDeliveryOf,
  passAndFlush,
  type Subscription,
  subscribed,
} from '../steps/partner-webhook-call.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import type { Answer, Delivered } from '../wire/webhook-receiver.js';

const base = {
  needs: ['webhooks', 'control', 'payments'],
  controls: ['partners'],
} as const;
const retried = {
  ...base,
  needs: ['webhooks', 'control', 'payments', 'clock'],
  controls: ['partners', 'webhooks/flush'],
} as const;

/** An agent of a fresh partner buys a SIGIL; the receiver answers its deliveries as `answers` says. */
async function purchaseReported(t: Trial, answers: readonly Answer[]): Promise<Subscription> {
  const partner = await subscribed(t, ['sigil.purchased']);
  partner.inbox.answers.push(...answers);
  await bought(t, await t.walletRoot({ ref: partner.ref }));
  await arrived(t, partner);
  return partner;
}

/** Waits for the n-th delivery. Without it the check ends unjudged, since partner-webhook-events.ts judges that events are sent. */
async function arrived(t: Trial, { inbox }: Subscription, n = 1): Promise<Delivered> {
  await inbox.arrived(n, ARRIVAL_MS);
  return t.need(inbox.got[n - 1], `delivery ${n} (${inbox.got.length} came)`, 'D-37');
}

/** Asserts the number of attempts to deliver. */
function attempts(t: Trial, { inbox }: Subscription, when: string, expected: number, clause: string): void {
  const count = inbox.got.length;
  t.shows(clause).that(`delivery attempts ${when}`, count === expected, `${expected}`, `${count}`);
}

/** Asserts that a failed delivery is tried again, on any schedule. */
async function triedAgain(t: Trial, { inbox }: Subscription, ...clauses: readonly string[]): Promise<void> {
  const again = await inbox.arrived(2, ARRIVAL_MS);
  t.shows(...clauses).that('attempts after a failed one', again, 'another', 'none');
}

const onlySubscribed: WrittenCheck = {
  ...base,
  id: 'partner-webhook/delivery-subscribed',
  title: 'An event to which the partner is not subscribed, or no longer, is not delivered',
  async run(t) {
    const buyers = await subscribed(t, ['sigil.purchased']);
    t.mustSucceed(await heartbeat(t, await t.walletRoot({ ref: buyers.ref, sigil: 'narrow_task' })));
    // The heartbeat came before the second purchase.
    await t.walletRoot({ ref: buyers.ref, sigil: 'narrow_task' });
    await deliveryOf(t, buyers, 'sigil.purchased', [], 2);
    noDeliveryOf(t, buyers, 'heartbeat.recorded');
    const partner = await subscribed(t, ['heartbeat.recorded']);
    const agent = await t.walletRoot({ ref: partner.ref, sigil: 'narrow_task' });
    // The purchase came before the heartbeat, so its delivery would have come first.
    t.mustSucceed(await heartbeat(t, agent));
    await deliveryOf(t, partner, 'heartbeat.recorded', []);
    noDeliveryOf(t, partner, 'sigil.purchased');
    // A partner that sets its webhook again is subscribed to the events that it named last.
    const body = { url: buyers.inbox.url, events: ['heartbeat.recorded'] };
    const secret = t
      .mustSucceed(await t.call('partner-webhook.put', { key: buyers.key, body }))
      .string('webhook_secret');
    const before = buyers.inbox.got.length;
    const last = await t.walletRoot({ ref: buyers.ref, sigil: 'narrow_task' });
    t.mustSucceed(await heartbeat(t, last));
    await deliveryOf(t, { ...buyers, secret }, 'heartbeat.recorded', []);
    const since = buyers.inbox.got.slice(before).filter((made) => eventsIn(made).includes('sigil.purchased')).length;
    const anew = t.shows('delivery.subscribed');
    anew.that('deliveries of purchases after a subscription to another event', since === 0, 'none', `${since}`);
  },
};

const signature: WrittenCheck = {
  ...base,
  id: 'partner-webhook/delivery-signature',
  title: 'A delivery is signed with the HMAC-SHA256 of its body under the secret that the partner has got',
  async run(t) {
    const partner = await purchaseReported(t, []);
    const made = await arrived(t, partner);
    isSigned(t, made, partner.secret);
    t.shows('dialect.webhook-signature-header').that(
      'the signature header',
      headerOf(t, made) !== undefined,
      'there',
      'not there',
    );
  },
};

const rotated: WrittenCheck = {
  ...base,
  id: 'partner-webhook/delivery-rotated-secret',
  title: 'Deliveries are signed under the new secret after a webhook is set again',
  async run(t) {
    const partner = await purchaseReported(t, []);
    const { inbox, key } = partner;
    const body = { url: inbox.url, events: ['sigil.purchased'] };
    const secret = t.mustSucceed(await t.call('partner-webhook.put', { key, body })).string('webhook_secret');
    await bought(t, await t.walletRoot({ ref: partner.ref }));
    isSigned(t, await arrived(t, partner, 2), secret);
  },
};

const moved: WrittenCheck = {
  ...base,
  id: 'partner-webhook/delivery-new-url',
  title: 'Deliveries go to the new url after a webhook is set to another url',
  async run(t) {
    const partner = await purchaseReported(t, []);
    const { receiver } = t.session;
    // A delivery uses the whole url, unchanged.
    const inbox = t.need(receiver, 'a receiver for webhooks').inbox(`Aips-${t.hex(8)}?For=Partner&n=1`);
    const body = { url: inbox.url, events: ['sigil.purchased'] };
    t.mustSucceed(await t.call('partner-webhook.put', { key: partner.key, body }));
    await bought(t, await t.walletRoot({ ref: partner.ref }));
    const made = await inbox.arrived(1, ARRIVAL_MS);
    t.shows('delivery.post').that('deliveries to the new url', made, 'one', 'none');
    const old = partner.inbox.got.length;
    t.shows('delivery.post').that('deliveries to the previous url', old === 1, '1', `${old}`);
  },
};

const deleted: WrittenCheck = {
  ...base,
  id: 'partner-webhook/delivery-deleted',
  title: 'No event is delivered to a deleted webhook',
  async run(t) {
    const partner = await subscribed(t, ['sigil.purchased', 'heartbeat.recorded']);
    t.mustSucceed(await heartbeat(t, await t.walletRoot({ ref: partner.ref, sigil: 'narrow_task' })));
    for (const event of ['sigil.purchased', 'heartbeat.recorded'] as const) await deliveryOf(t, partner, event, []);
    t.mustSucceed(await t.call('partner-webhook.delete', { key: partner.key }));
    const agent = await t.walletRoot({ ref: partner.ref, sigil: 'narrow_task' });
    t.mustSucceed(await heartbeat(t, agent));
    // A later event of another partner has arrived, so an event of this one would have arrived, too.
    await purchaseReported(t, []);
    const strays = partner.inbox.got.filter((made) => isAbout(made, agent.hash)).length;
    const after = t.shows('delivery.post', 'delivery.subscribed');
    after.that('deliveries of events after the webhook was deleted', strays === 0, 'none', `${strays}`);
  },
};

const beside: WrittenCheck = {
  ...base,
  id: 'partner-webhook/delivery-beside-failing',
  title:
    'Failing deliveries about one agent hold up neither the deliveries to another partner nor those about other agents',
  async run(t) {
    const failing = await purchaseReported(
      t,
      Array.from({ length: 8 }, () => 500),
    );
    const other = await subscribed(t, ['sigil.purchased']);
    await bought(t, await t.walletRoot({ ref: failing.ref }));
    await bought(t, await t.walletRoot({ ref: other.ref }));
    const made = await other.inbox.arrived(1, ARRIVAL_MS);
    t.shows('delivery.post').that('deliveries to another partner while some fail', made, 'one', 'none');
    // A failed delivery does not block the queue: the event of another agent is attempted meanwhile.
    const next = await failing.inbox.arrived(2, ARRIVAL_MS);
    t.shows('delivery.post', 'delivery.dead-letter').that(
      'deliveries about another agent while some fail',
      next,
      'an attempt',
      'none',
    );
  },
};

/** The number of failing attempts, more than any schedule makes before the next event. */
const FAILING = 8;

const second: WrittenCheck = {
  ...retried,
  id: 'partner-webhook/delivery-of-second',
  title: 'A later event is delivered while an earlier event of the same kind waits for a retry',
  async run(t) {
    const partner = await subscribed(t, ['heartbeat.recorded']);
    // Attempts fail until the next heartbeat, on any schedule.
    partner.inbox.answers.push(...Array.from({ length: FAILING }, () => 500));
    const agent = await t.walletRoot({ ref: partner.ref, sigil: 'narrow_task' });
    t.mustSucceed(await heartbeat(t, agent));
    await arrived(t, partner);
    await pause(t);
    t.mustSucceed(await heartbeat(t, agent, 2));
    const seen = () => new Set(partner.inbox.got.map(({ text }) => at(jsonOf(text), 'id')));
    // A server may deliver the events of an agent in order, and attempt one delivery each time that the clock moves.
    for (let day = 0; day < FAILING && seen().size === 1; day += 1) await passAndFlush(t, DAY_SEC);
    const ids = seen();
    const told = t.shows('event.heartbeat-recorded');
    if (ids.has(undefined)) told.unjudged('D-37 is not followed: deliveries have no id');
    else told.that('events delivered while the first waits for a retry', ids.size > 1, 'one for each', `${ids.size}`);
  },
};

const success: WrittenCheck = {
  ...retried,
  id: 'partner-webhook/delivery-success',
  title: 'A delivery is complete after any 2xx, and is made again after a 3xx or 5xx',
  async run(t) {
    const answered: (readonly [number, Subscription])[] = [];
    for (const status of [200, 299, 302, 500]) answered.push([status, await purchaseReported(t, [status])]);
    // Long enough for a retry on any schedule, since section 6 names none.
    await passAndFlush(t, DAY_SEC);
    for (const [status, partner] of answered) {
      if (status === 500) await triedAgain(t, partner, 'delivery.dead-letter');
      else if (status === 302) await triedAgain(t, partner, 'delivery.success');
      else attempts(t, partner, 'after a reply of 2xx', 1, 'delivery.success');
    }
  },
};

const cut: WrittenCheck = {
  ...retried,
  id: 'partner-webhook/delivery-cut',
  title: 'A delivery whose connection is cut before a reply is made again',
  async run(t) {
    const partner = await purchaseReported(t, ['cut']);
    await passAndFlush(t, DAY_SEC);
    await triedAgain(t, partner, 'delivery.dead-letter');
  },
};

const schedule: WrittenCheck = {
  ...retried,
  id: 'partner-webhook/delivery-retry',
  title:
    'A failed delivery is tried again after 1 min, 5 min, 30 min, 2 h and 12 h, the same bytes each time, and then no more',
  async run(t) {
    const { retry1Sec, retry2Sec, retry3Sec, retry4Sec, retry5Sec } = t.protocol.webhook;
    const waits = [retry1Sec, retry2Sec, retry3Sec, retry4Sec, retry5Sec];
    const partner = await purchaseReported(t, [500, ...waits.map(() => 500)]);
    for (const [place, sec] of waits.entries()) {
      await passAndFlush(t, sec - 1);
      attempts(t, partner, 'a second before the next retry', place + 1, 'delivery.retry');
      await passAndFlush(t, 1);
      attempts(t, partner, 'at the time of the next retry', place + 2, 'delivery.retry');
    }
    await passAndFlush(t, 10 * retry5Sec);
    attempts(t, partner, 'long after the last retry', waits.length + 1, 'delivery.retry');
    const bodies = new Set(partner.inbox.got.map(({ text }) => text)).size;
    t.shows('delivery.retry').that('different bodies of one delivery', bodies === 1, '1', `${bodies}`);
  },
};

const retriedElsewhere: WrittenCheck = {
  ...retried,
  id: 'partner-webhook/delivery-retry-new-url',
  title: 'A failed delivery is tried again at the current url, not at the previous one',
  async run(t) {
    const partner = await purchaseReported(t, [503]);
    const { receiver } = t.session;
    const inbox = t.need(receiver, 'a receiver for webhooks').inbox(`aips-${t.hex(8)}`);
    const body = { url: inbox.url, events: ['sigil.purchased'] };
    t.mustSucceed(await t.call('partner-webhook.put', { key: partner.key, body }));
    await passAndFlush(t, DAY_SEC);
    attempts(t, partner, 'at the previous url', 1, 'delivery.post');
    const made = inbox.got.length;
    t.shows('delivery.dead-letter').that('delivery attempts at the current url', made > 0, 'one', `${made}`);
  },
};

/** The margin of real time by which an answer comes before or after the limit. */
const MARGIN_MS = 700;
/** The number of tries: a busy machine may delay one answer, but a target that waits too briefly fails all tries. */
const TRIES_MAX = 3;

const timeout: WrittenCheck = {
  ...retried,
  id: 'partner-webhook/delivery-timeout',
  title: 'A delivery is made again if its answer takes 3.7 s, and not if it takes 2.3 s',
  // A busy machine takes up to TRIES_MAX times the requests.
  requests: 16 * TRIES_MAX,
  walletRegisters: 4 * TRIES_MAX,
  lamports: ({ sigil }) => 2 * TRIES_MAX * sigil.narrowTaskFeeLamports,
  async run(t) {
    const timeoutMs = t.protocol.webhook.timeoutSec * 1_000;
    const after = (afterMs: number): Promise<Subscription> => purchaseReported(t, [{ status: 204, afterMs }]);
    const clauses = groups.webhookTimeout;
    let [late, inTime] = [await after(timeoutMs + MARGIN_MS), await after(timeoutMs - MARGIN_MS)];
    await passAndFlush(t, DAY_SEC);
    for (let tried = 1; tried < TRIES_MAX; tried += 1) {
      const [again, once] = [await late.inbox.arrived(2, ARRIVAL_MS), inTime.inbox.got.length === 1];
      if (again && once) break;
      if (!again) late = await after(timeoutMs + MARGIN_MS);
      if (!once) inTime = await after(timeoutMs - MARGIN_MS);
      await passAndFlush(t, DAY_SEC);
    }
    await triedAgain(t, late, ...clauses);
    const count = inTime.inbox.got.length;
    t.shows(...clauses).that('attempts of a delivery answered in time', count === 1, '1', `${count}`);
  },
};

const order: WrittenCheck = {
  ...retried,
  id: 'partner-webhook/delivery-after-failure',
  title: 'A retried delivery arrives signed and with all fields of its event',
  async run(t) {
    const partner = await subscribed(t, ['sigil.purchased']);
    partner.inbox.answers.push(503);
    const agent = await t.walletRoot({ ref: partner.ref });
    const { data } = await bought(t, agent);
    const first = await deliveryOf(t, partner, 'sigil.purchased', []);
    eventIs(t, first, 'sigil.purchased', agent.hash, data);
    await passAndFlush(t, DAY_SEC);
    await triedAgain(t, partner, 'delivery.dead-letter');
    const retry = partner.inbox.got[1];
    if (retry !== undefined) isSigned(t, retry, partner.secret);
    const named = retry === undefined ? '' : eventsIn(retry).join();
    t.shows('delivery.dead-letter').that(
      'the event of the retry',
      named === 'sigil.purchased',
      'sigil.purchased',
      named || show(retry?.text),
    );
    // D-37: every reply other than 2xx is a failure, not only a server's own error.
    const refusing = await purchaseReported(t, [404]);
    await passAndFlush(t, DAY_SEC);
    await triedAgain(t, refusing, 'delivery.retry');
  },
};

export const partnerWebhookDeliveryChecks: readonly WrittenCheck[] = [
  onlySubscribed,
  signature,
  rotated,
  moved,
  deleted,
  beside,
  second,
  success,
  cut,
  schedule,
  retriedElsewhere,
  timeout,
  order,
];
