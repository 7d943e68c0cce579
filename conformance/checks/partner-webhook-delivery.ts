import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Protocol } from '../../spec/protocol.js';
import { heartbeat, heartbeatFee } from '../steps/paid.js';
import {
  bought,
  delivery,
  eventIs,
  passAndFlush,
  type Subscription,
  subscribed,
} from '../steps/partner-webhook-call.js';
import type { Check } from '../trial/check.js';
import { sigilFeeLamports } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import type { Answer } from '../wire/webhook-receiver.js';

const base = {
  needs: ['webhooks', 'control', 'payments'],
  controls: ['partners'],
  registers: 0,
  walletRegisters: 2,
  requests: 16,
  writes: true,
} as const;
const retried = {
  ...base,
  needs: ['webhooks', 'control', 'payments', 'clock'],
  controls: ['partners', 'webhooks/flush'],
} as const;

const sigilFee = (protocol: Protocol): number => sigilFeeLamports(protocol, 'narrow_task');

/** An agent of a fresh partner buys a SIGIL; the deliveries of that are answered as given. */
async function purchaseTold(t: Trial, answers: readonly Answer[]): Promise<Subscription> {
  const partner = await subscribed(t, ['sigil.purchased']);
  partner.inbox.answers.push(...answers);
  await bought(t, await t.walletRoot({ ref: partner.ref }));
  await delivery(t, partner);
  return partner;
}

/** How many deliveries have been attempted. */
function attempts(t: Trial, { inbox }: Subscription, when: string, expected: number): void {
  t.equal(`attempts at the delivery ${when}`, inbox.got.length, expected);
}

const onlySubscribed: Check = {
  ...base,
  id: 'partner-webhook/delivery-subscribed',
  title: 'An event that the partner has not subscribed to is not delivered',
  clauses: ['delivery.subscribed'],
  lamports: (protocol) => sigilFee(protocol) + heartbeatFee(protocol, 1).lamports,
  async run(t) {
    const partner = await subscribed(t, ['heartbeat.recorded']);
    const agent = await t.walletRoot({ ref: partner.ref, sigil: 'narrow_task' });
    // The purchase came before the heartbeat: had it been for delivery, it would have been made first.
    t.accepted(await heartbeat(t, agent));
    const { body } = await delivery(t, partner);
    t.equal('event of the first delivery', (body as { event?: unknown } | undefined)?.event, 'heartbeat.recorded');
    attempts(t, partner, 'of a purchase and a heartbeat', 1);
  },
};

const signature: Check = {
  ...base,
  id: 'partner-webhook/delivery-signature',
  title: 'A delivery is signed: HMAC-SHA256 of its body under the secret that the partner was given',
  clauses: ['delivery.signature.header', 'delivery.signature.value', 'dialect.webhook-signature-header'],
  lamports: sigilFee,
  async run(t) {
    const partner = await purchaseTold(t, []);
    const { headers, text } = await delivery(t, partner);
    const name = t.facts.dialect.webhookSignatureHeader;
    const mac = bytesToHex(hmac(sha256, utf8ToBytes(partner.secret), utf8ToBytes(text)));
    t.equal(`${name} of the delivery`, headers[name.toLowerCase()], `sha256=${mac}`);
  },
};

const success: Check = {
  ...retried,
  id: 'partner-webhook/delivery-success',
  title: 'A delivery that any 2xx answers is made, one that a 3xx or 5xx answers is made again',
  clauses: ['delivery.success', 'delivery.dead-letter'],
  walletRegisters: 8,
  requests: 50,
  lamports: (protocol) => 4 * sigilFee(protocol),
  async run(t) {
    const told: (readonly [number, Subscription])[] = [];
    for (const status of [200, 299, 302, 500]) told.push([status, await purchaseTold(t, [status])]);
    // Long enough for a retry on any schedule that 6 allows, which names none.
    await passAndFlush(t, 86_400);
    for (const [status, partner] of told) {
      if (status >= 300) await delivery(t, partner, 2);
      else t.decided('D-37', () => attempts(t, partner, `answered with ${status}`, 1));
    }
  },
};

const schedule: Check = {
  ...retried,
  id: 'partner-webhook/delivery-retry',
  title:
    'A failed delivery is tried again after 1 min, 5 min, 30 min, 2 h and 12 h, the same bytes each time, and then no more',
  clauses: ['delivery.retry'],
  requests: 40,
  lamports: sigilFee,
  async run(t) {
    const { retry1Sec, retry2Sec, retry3Sec, retry4Sec, retry5Sec } = t.protocol.webhook;
    const waits = [retry1Sec, retry2Sec, retry3Sec, retry4Sec, retry5Sec];
    const partner = await purchaseTold(t, [500, ...waits.map(() => 500)]);
    for (const [place, sec] of waits.entries()) {
      await passAndFlush(t, sec - 1);
      attempts(t, partner, `a second before ${sec} s after attempt ${place + 1}`, place + 1);
      await passAndFlush(t, 1);
      attempts(t, partner, `${sec} s after attempt ${place + 1}`, place + 2);
    }
    await passAndFlush(t, 10 * retry5Sec);
    attempts(t, partner, 'long after the last', waits.length + 1);
    t.equal('different bodies', new Set(partner.inbox.got.map(({ text }) => text)).size, 1);
  },
};

/** Real time by which an answer is late or in time. */
const MARGIN_MS = 700;
/** A busy machine may be late with an answer; a target that does not wait for it gives up each time. */
const TRIES_MAX = 3;

const timeout: Check = {
  ...retried,
  id: 'partner-webhook/delivery-timeout',
  title: 'A delivery that is answered 3.7 s later has failed, one that is answered 2.3 s later is made',
  clauses: ['delivery.timeout', 'constant.webhook-timeout'],
  walletRegisters: 2 * (TRIES_MAX + 1),
  requests: 40,
  lamports: (protocol) => (TRIES_MAX + 1) * sigilFee(protocol),
  async run(t) {
    const timeoutMs = t.protocol.webhook.timeoutSec * 1_000;
    const late = await purchaseTold(t, [{ status: 204, afterMs: timeoutMs + MARGIN_MS }]);
    for (let tried = 1; ; tried += 1) {
      const inTime = await purchaseTold(t, [{ status: 204, afterMs: timeoutMs - MARGIN_MS }]);
      await passAndFlush(t, 86_400);
      if (tried === 1) await delivery(t, late, 2);
      const once = inTime.inbox.got.length === 1;
      if (once || tried === TRIES_MAX) return attempts(t, inTime, 'that was answered in time', 1);
    }
  },
};

const order: Check = {
  ...retried,
  id: 'partner-webhook/delivery-after-failure',
  title: 'What failed is delivered in the end, with everything that its event says',
  clauses: ['delivery.dead-letter', 'delivery.body'],
  lamports: sigilFee,
  async run(t) {
    const partner = await subscribed(t, ['sigil.purchased']);
    partner.inbox.answers.push(503);
    const agent = await t.walletRoot({ ref: partner.ref });
    const { data } = await bought(t, agent);
    const first = await delivery(t, partner);
    eventIs(t, first, 'sigil.purchased', agent.hash, data);
    await passAndFlush(t, 86_400);
    t.equal('event of the retry', (await delivery(t, partner, 2)).text, first.text);
  },
};

export const partnerWebhookDeliveryChecks: readonly Check[] = [
  onlySubscribed,
  signature,
  success,
  schedule,
  timeout,
  order,
];
