import type { PartnerEvent } from '../../spec/vocabulary.js';
import { at, type Reply } from '../assertions/reply.js';
import { Unjudged } from '../assertions/unjudged.js';
import { makeWalletRoot, sigilFeeLamports, type WalletAgent } from '../trial/fixtures.js';
import { once } from '../trial/session.js';
import type { Trial } from '../trial/trial.js';
import type { Delivered, Inbox } from '../wire/webhook-receiver.js';
import { freshPartner, type Partner } from './keys.js';
import { buy, purchase } from './paid.js';

/** Real time that a delivery may take on its way, in ms: it follows its event at once, and a machine may be busy. */
const ARRIVAL_MS = 8_000;

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
function unreachable({ session }: Trial): Promise<string | undefined> {
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
  const reason = await t.setup('a delivery that reaches the suite', () => unreachable(t));
  if (reason !== undefined) throw new Unjudged('not-tested', reason);
  return t.setup('a webhook', () => subscribe(t, events));
}

/** A delivery that has come, with its body read. */
export interface Delivery extends Delivered {
  readonly body: unknown;
}

/** The `n`-th delivery of an inbox, counted from 1; a finding if it does not come. */
export async function delivery(t: Trial, { inbox }: Subscription, n = 1): Promise<Delivery> {
  await inbox.arrived(n, ARRIVAL_MS);
  const got = inbox.got[n - 1];
  t.that(`deliveries to ${inbox.url}`, got !== undefined, `${n}`, `${inbox.got.length}`);
  const { text = '', method = '', headers = {} } = got ?? {};
  return { method, headers, text, body: jsonOf(text) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What the body of a delivery says about its event (D-37): all of its fields, and `data` with exactly these. */
export function eventIs(
  t: Trial,
  { body }: Delivery,
  event: PartnerEvent,
  agentHash: string,
  data: Readonly<Record<string, unknown>>,
): void {
  t.equal('event of the delivery', at(body, 'event'), event);
  t.decided('D-37', () => {
    t.equal('agent_hash of the delivery', at(body, 'agent_hash'), agentHash);
    t.equal('fields of the delivery', fieldsOf(body), ['agent_hash', 'data', 'event', 'id', 'occurred_at']);
    const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    const id = String(at(body, 'id'));
    t.that('id of the delivery', uuid.test(id), 'a UUID', id);
    const when = String(at(body, 'occurred_at'));
    t.that('occurred_at of the delivery', isIso(when), 'an ISO 8601 time', when);
    if (t.session.offers.has('clock')) t.equal('occurred_at of the delivery', Date.parse(when), t.nowMs());
    t.equal('fields of data', fieldsOf(at(body, 'data')), Object.keys(data).toSorted());
    for (const [name, value] of Object.entries(data)) t.equal(`data.${name}`, at(body, `data.${name}`), value);
  });
}

function fieldsOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value).toSorted() : [];
}

function isIso(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
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
