import { eventsOf } from '../../spec/parts.js';
import { type PartnerEvent, partnerEvents } from '../../spec/vocabulary.js';
import { instantMs, isInstant, isUuid } from '../assertions/field-tests.js';
import { at, type Reply } from '../assertions/reply.js';
import { Unjudged, unreachable } from '../assertions/unjudged.js';
import { makeWalletRoot, sigilFeeLamports, type WalletAgent } from '../trial/fixtures.js';
import { once } from '../trial/session.js';
import { byLevel, type Trial } from '../trial/trial.js';
import type { Delivered, Inbox } from '../wire/webhook-receiver.js';
import { freshPartner, type Partner } from './keys.js';
import { buy, purchase } from './paid.js';

/** Real time that a delivery may take on its way, in ms: it follows its event at once, and a machine may be busy. */
export const ARRIVAL_MS = 8_000;

/** A partner of the check's own, and where its deliveries arrive. */
export interface Subscription extends Partner {
  readonly inbox: Inbox;
  readonly secret: string;
}

/** Sets the partner's webhook to an inbox of the suite's receiver. */
async function subscribe(t: Trial, events: readonly PartnerEvent[]): Promise<Subscription> {
  const { receiver } = t.session;
  if (receiver === undefined) throw new Unjudged('not-tested', 'the suite has no receiver for webhooks');
  const partner = await freshPartner(t);
  const inbox = receiver.inbox(`aips-${t.hex(8)}`);
  const reply = await t.call('partner-webhook.put', { key: partner.key, body: { url: inbox.url, events } });
  if (reply.status >= 400) {
    const hint =
      '`aips serve --allow-loopback-webhooks` takes it; public_url may name an HTTPS address that leads here';
    throw new Unjudged('not-tested', `the target refuses webhooks at ${inbox.url}: ${reply.status}; ${hint}`);
  }
  return { ...partner, inbox, secret: reply.string('webhook_secret') };
}

/** Whether a delivery reaches the suite, found out with one delivery for the whole run; else why not. */
function undeliverable({ session }: Trial): Promise<string | undefined> {
  return once(session, 'webhook probe', async () => {
    const house = session.house();
    try {
      const { inbox, ref } = await subscribe(house, ['sigil.purchased']);
      await makeWalletRoot(house, { sigil: 'narrow_task', ref });
      if (await inbox.arrived(1, ARRIVAL_MS)) return undefined;
      return `no delivery reached ${inbox.url} within ${ARRIVAL_MS / 1_000} s of a purchase; webhooks.public_url says where the target finds it`;
    } catch (error) {
      if (error instanceof Unjudged) return error.reason;
      throw error;
    }
  });
}

/** As setup: a fresh partner that has subscribed to events. Not tested where no delivery reaches the suite. */
export async function subscribed(t: Trial, events: readonly PartnerEvent[]): Promise<Subscription> {
  const gone = events.find((event) => !eventsOf(t.protocol).includes(event));
  if (gone !== undefined) throw unreachable(`there is no event ${gone}`);
  const reason = await t.setup('a delivery that reaches the suite', () => undeliverable(t));
  if (reason !== undefined) throw new Unjudged('not-tested', reason);
  return t.setup('a webhook', () => subscribe(t, events));
}

/** A delivery that has come, with its body read. */
export interface Delivery extends Delivered {
  readonly body: unknown;
}

/**
 * The `n`-th delivery of one event to an inbox. One that does not come speaks against `clauses` where other deliveries about
 * the agent have come to this inbox, since then the way is open; else whether the agent is under the partner is not known.
 */
export async function deliveryOf(
  t: Trial,
  { inbox }: Subscription,
  event: PartnerEvent,
  clauses: readonly string[],
  n = 1,
): Promise<Delivery> {
  const own = (): readonly Delivered[] => inbox.got.filter(({ text }) => text.includes(event));
  while (own().length < n && (await inbox.arrived(inbox.got.length + 1, ARRIVAL_MS)));
  const got = own()[n - 1];
  for (const some of byLevel(clauses)) {
    if (got !== undefined || inbox.got.length > 0) {
      t.shows(...some).that(`deliveries of ${event}`, got !== undefined, 'one for each', `${own().length}`);
    } else t.shows(...some).unjudged(NO_DELIVERY);
  }
  const decision = inbox.got.length > 0 ? undefined : 'D-37';
  const { text, method, headers } = t.need(got, `delivery ${n} of ${event}`, decision);
  return { method, headers, text, body: jsonOf(text) };
}

const NO_DELIVERY = "no delivery came at all: that an agent is under a partner rests on D-37's ref";

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The event of a delivery, for `clauses`; the body of a delivery is not shown, so that the name of the event may stand
 * anywhere in it. What D-37 gives of the body is another assertion: all of its fields, and `data` with exactly these.
 */
export function eventIs(
  t: Trial,
  { text, body }: Delivery,
  event: PartnerEvent,
  agentHash: string,
  data: Readonly<Record<string, unknown>>,
  ...clauses: readonly string[]
): void {
  const others = partnerEvents.filter((other) => other !== event && text.includes(other));
  if (clauses.length > 0) {
    t.shows(...clauses).that('event of the delivery', text.includes(event) && others.length === 0, event, text);
  }
  const decided = t.alsoShows('delivery.body');
  decided.equal('event of the delivery', at(body, 'event'), event);
  decided.equal('agent_hash of the delivery', at(body, 'agent_hash'), agentHash);
  decided.equal('fields of the delivery', fieldsOf(body), ['agent_hash', 'data', 'event', 'id', 'occurred_at']);
  const id = String(at(body, 'id'));
  decided.that('id of the delivery', isUuid.holds(id), isUuid.words, id);
  const when = at(body, 'occurred_at');
  decided.that('occurred_at of the delivery', isInstant.holds(when), isInstant.words, String(when));
  if (t.session.offers.has('clock')) decided.equal('occurred_at of the delivery', instantMs(when), t.nowMs());
  decided.equal('fields of data', fieldsOf(at(body, 'data')), Object.keys(data).toSorted());
  for (const [name, value] of Object.entries(data)) decided.equal(`data.${name}`, at(body, `data.${name}`), value);
}

function fieldsOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value).toSorted() : [];
}

/** A purchase, and what its event should say. */
export interface Bought {
  readonly reply: Reply;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Buys the cheapest SIGIL for an agent; the event's data as D-37 has them. */
export async function bought(t: Trial, agent: WalletAgent): Promise<Bought> {
  const reply = t.accepted(await buy(t, agent, purchase(t)));
  const data = {
    sigil: reply.get('sigil.sigil') ?? reply.get('sigil'),
    identity_class: 'narrow_task',
    tier: 'ind',
    payment_tx: reply.get('fee.payment_tx'),
    fee_lamports: sigilFeeLamports(t.protocol, 'narrow_task'),
  };
  return { reply, data };
}

/**
 * Lets protocol time pass, and the target make the deliveries that are due then. What is under way ends first: its
 * retry counts from there.
 */
export async function passAndFlush(t: Trial, sec: number): Promise<void> {
  await t.control('POST webhooks/flush', {});
  await t.sleep({ sec });
  await t.control('POST webhooks/flush', {});
}
