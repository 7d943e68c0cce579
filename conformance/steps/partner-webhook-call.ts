/**
 * Steps that subscribe a partner to events and wait for deliveries. Receiving them over HTTP is in
 * wire/webhook-receiver.ts.
 */

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { show } from '../../model/reading/compare.js';
import { instantMs, isInstant, isUuid } from '../../model/reading/field-tests.js';
import { at } from '../../model/reading/values.js';
import type { Reason } from '../../results/conformance-result.js';
import { jsonOf } from '../../spec/formats.js';
import { partnerEventsOf } from '../../spec/parts.js';
import { type PartnerEvent, partnerEvents } from '../../spec/vocabulary.js';
import type { Reply } from '../assertions/reply.js';
import { lacking, notFollowed, Unjudged, unreachable } from '../assertions/unjudged.js';
import { makeWalletRoot, sigilFeeLamports, type WalletAgent } from '../trial/fixtures.js';
import { once } from '../trial/session.js';
import { byLevel, type Trial } from '../trial/trial.js';
import type { Delivered, Inbox } from '../wire/webhook-receiver.js';
import { firstPartner, freshPartner, type Partner } from './keys.js';
import { buy, heartbeat, purchase } from './paid.js';

/** Real time that a delivery may take, in ms; it follows its event at once, but a machine may be busy. */
export const ARRIVAL_MS = 8_000;

/** A partner, and the inbox at which its deliveries arrive. */
export interface Subscription extends Partner {
  readonly inbox: Inbox;
  readonly secret: string;
}

/** Every string of a JSON value, except those in lists, since a list of event names is a subscription. */
function strings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value);
  return (Array.isArray(value) ? inside.filter((entry) => typeof entry !== 'string') : inside).flatMap(strings);
}

/** The letters of a text in one case, without separators, so that all spellings of a name are equal. */
const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');

/**
 * The events that a delivery reports. Section 6 does not show the body, so a name may be any string of the JSON or of a header,
 * a part of one if no whole string is a name, and in another spelling (HEARTBEAT_RECORDED).
 */
export function eventsIn({ text, headers }: Delivered): readonly PartnerEvent[] {
  const json = jsonOf(text);
  const values = [...(json === undefined ? [text] : strings(json)), ...strings(headers)];
  const named = partnerEvents.filter((event) => values.includes(event));
  if (named.length > 0) return named;
  const within = partnerEvents.filter((event) => values.some((value) => value.includes(event)));
  if (within.length > 0) return within;
  const letters = values.map(lettersOf);
  return partnerEvents.filter((event) => letters.some((value) => value.includes(lettersOf(event))));
}

/** Whether the body of a delivery has the hash of an agent: in hex of either case, with or without 0x. */
export function isAbout({ text }: Delivered, agentHash: string): boolean {
  const plain = JSON.stringify(jsonOf(text)) ?? text;
  return plain.toLowerCase().includes(agentHash.slice(2).toLowerCase());
}

/** Sets the partner's webhook to an inbox of the suite's receiver. */
async function subscribe(t: Trial, events: readonly PartnerEvent[], given?: Partner): Promise<Subscription> {
  const { receiver } = t.session;
  if (receiver === undefined)
    throw new Unjudged('not-tested', lacking('webhooks', 'the suite has no receiver for webhooks'));
  const partner = given ?? (await freshPartner(t));
  const inbox = receiver.inbox(`aips-${t.hex(8)}`);
  const reply = await t.call('partner-webhook.put', { key: partner.key, body: { url: inbox.url, events } });
  if (reply.status >= 400) {
    const hint =
      'use a test mode of the target that allows it (`aips serve --allow-loopback-webhooks`), or set public_url to an HTTPS address of the suite';
    const reason = `the target refuses webhooks at ${inbox.url}: ${reply.status}; ${hint}`;
    throw new Unjudged('not-tested', lacking('webhooks', reason));
  }
  return { ...partner, inbox, secret: reply.string('webhook_secret') };
}

/** The events that an agent of the probe causes at once, and those with its later freeze. */
const CAUSED = ['sigil.purchased', 'heartbeat.recorded'] as const;
const PROBED = [...CAUSED, 'agent.frozen'] as const;

/** A partner with deliveries that reach the suite, and the events that were not delivered to the first partner of the run. */
interface Probed {
  readonly partner: Subscription;
  readonly missed: readonly PartnerEvent[];
}

/**
 * Finds a partner with deliveries that reach the suite, once per run, or the reason why none do. An agent of the first partner of the run causes
 * two events; if none is delivered, a second partner shows whether deliveries reach the suite at all.
 */
function probe({ session }: Trial): Promise<Probed | Reason> {
  return once(session, 'webhook probe', async () => {
    const runTrial = session.runTrial();
    try {
      const there = partnerEventsOf(session.facts.protocol);
      const known = (some: readonly PartnerEvent[]): readonly PartnerEvent[] =>
        some.filter((event) => there.includes(event));
      const first = await subscribe(runTrial, known(PROBED), await firstPartner(runTrial));
      await eventsOf(runTrial, first);
      const missed = await missing(first, known(CAUSED));
      if (first.inbox.got.length > 0) return { partner: first, missed };
      const partner = await subscribe(runTrial, known(PROBED));
      await eventsOf(runTrial, partner);
      if (await partner.inbox.arrived(1, ARRIVAL_MS)) return { partner, missed };
      const late = `no delivery reached ${partner.inbox.url} within ${ARRIVAL_MS / 1_000} s of a purchase`;
      return lacking(
        'webhooks',
        `${late}; set webhooks.public_url to an address at which the target reaches the suite`,
      );
    } catch (error) {
      if (error instanceof Unjudged) return error.because;
      throw error;
    }
  });
}

/** The events of a list that no delivery to a partner reports; empty if the deliveries cannot be distinguished. */
async function missing({ inbox }: Subscription, events: readonly PartnerEvent[]): Promise<readonly PartnerEvent[]> {
  const undelivered = (): readonly PartnerEvent[] =>
    events.filter((event) => !inbox.got.some((made) => eventsIn(made).includes(event)));
  while (undelivered().length > 0 && (await inbox.arrived(inbox.got.length + 1, ARRIVAL_MS)));
  return inbox.got.some((made) => eventsIn(made).length === 0) ? [] : undelivered();
}

/** An agent of a partner causes two kinds of event, since one kind may be missing. */
async function eventsOf(t: Trial, { ref }: Subscription): Promise<void> {
  await heartbeat(t, await makeWalletRoot(t, { sigil: 'narrow_task', ref }));
}

/** Whether deliveries to the probe's partner still arrive; used when those to another partner do not. */
function stillReached(t: Trial): Promise<boolean> {
  const { session } = t;
  return once(session, 'webhook probe again', async () => {
    const reached = await probe(t);
    if ('reason' in reached) return false;
    const { partner } = reached;
    const before = partner.inbox.got.length;
    await eventsOf(session.runTrial(), partner);
    return partner.inbox.arrived(before + 1, ARRIVAL_MS);
  });
}

/** Subscribes a fresh partner, or the given one, to events. The check is not tested if no delivery reaches the suite. */
export async function subscribed(t: Trial, events: readonly PartnerEvent[], given?: Partner): Promise<Subscription> {
  const gone = events.find((event) => !partnerEventsOf(t.protocol).includes(event));
  if (gone !== undefined) throw unreachable(`there is no event ${gone}`);
  const reached = await probe(t);
  const strays = t.session.receiver?.strays ?? [];
  // 6: deliveries go to the configured url. One to another path of the receiver still shows that deliveries reach the suite.
  if ('reason' in reached && strays.length > 0) {
    t.shows('delivery.post').that('the path of a delivery', false, 'that of the configured url', strays[0]);
  }
  if ('reason' in reached) throw new Unjudged('not-tested', reached);
  // Deliveries reach the suite, and the first partner must get them like any other.
  for (const event of reached.missed) {
    const heard = t.shows(`event.${event.replace('.', '-')}`);
    heard.that(`deliveries of ${event} to the first partner`, false, 'one for each', 'none');
  }
  return subscribe(t, events, given);
}

/** Asserts that the partner of the probe also gets an event that its agent has caused since then. */
export async function assertProbeDelivered(
  t: Trial,
  event: PartnerEvent,
  ...clauses: readonly string[]
): Promise<void> {
  const reached = await probe(t);
  if ('reason' in reached) return;
  const [undelivered] = await missing(reached.partner, [event]);
  t.shows(...clauses).that(`deliveries of ${event} to the first partner`, undelivered === undefined, 'one', 'none');
}

/** The signature header of a delivery, if it has one. */
export function headerOf(t: Trial, { headers }: Delivered): string | undefined {
  const header = headers[t.facts.dialect.webhookSignatureHeader.toLowerCase()];
  return typeof header === 'string' ? header : undefined;
}

/** Asserts that the signature header is sha256= and the HMAC, in hex of either case, of exactly the received bytes (6). */
export function isSigned(t: Trial, delivered: Delivered, secret: string): void {
  // Only PUT shows the secret; otherwise a reader of one delivery could sign another.
  const told = [delivered.text, ...Object.values(delivered.headers)].some((text) => String(text).includes(secret));
  t.shows('delivery.secret.only-put').that('a delivery', !told, 'without webhook_secret', 'with webhook_secret');
  const header = headerOf(t, delivered);
  const form = /^sha256=[0-9a-f]{64}$/i.test(header ?? '');
  t.shows('delivery.signature.header').that(
    'the signature header',
    form,
    'sha256= and 64 hex characters',
    show(header),
  );
  const isKeyedWith = (key: Uint8Array): boolean =>
    header?.toLowerCase() === `sha256=${bytesToHex(hmac(sha256, key, utf8ToBytes(delivered.text)))}`;
  const isByText = isKeyedWith(utf8ToBytes(secret));
  const isByBytes = /^([0-9a-f]{2})+$/i.test(secret) && isKeyedWith(hexToBytes(secret));
  t.shows('delivery.signature.value').that(
    'the signature of a delivery',
    isByText || isByBytes,
    'HMAC-SHA256 under webhook_secret',
    show(header),
  );
  if (isByText || isByBytes)
    t.shows('delivery.signature.key').that(
      'the key of the signature',
      isByText,
      'the text of webhook_secret',
      'the bytes that it stands for',
    );
}

/** A received delivery with a verified signature and a parsed body. */
interface Delivery extends Delivered {
  readonly body: unknown;
}

/**
 * The `n`-th delivery of one event to an inbox. A missing one is evidence against `clauses` if other deliveries arrive at this inbox or at another,
 * which shows that deliveries reach the suite and that `ref` assigns agents to partners.
 */
export async function deliveryOf(
  t: Trial,
  { inbox, secret }: Subscription,
  event: PartnerEvent,
  clauses: readonly string[],
  n = 1,
): Promise<Delivery> {
  const own = (): readonly Delivered[] => inbox.got.filter((made) => eventsIn(made).includes(event));
  while (own().length < n && (await inbox.arrived(inbox.got.length + 1, ARRIVAL_MS)));
  const got = own()[n - 1];
  const open = got !== undefined || inbox.got.length > 0 || (clauses.length > 0 && (await stillReached(t)));
  for (const some of byLevel(clauses)) {
    if (open) {
      t.shows(...some).that(`deliveries of ${event}`, got !== undefined, 'one for each', `${own().length}`);
    } else t.shows(...some).unjudged(NO_DELIVERY);
  }
  const decision = inbox.got.length > 0 ? undefined : 'D-37';
  const { text, method, headers } = t.need(got, `delivery ${n} of ${event}`, decision);
  isSigned(t, { text, method, headers }, secret);
  return { method, headers, text, body: jsonOf(text) };
}

/**
 * The number of events of one kind that deliveries report. D-37: a repeated delivery with the same body, such as one that was answered too late, is
 * the same event. Bodies without an id may be equal; then each counts.
 */
function countEvents(made: readonly Delivered[], event: PartnerEvent, expected: number): number {
  const texts = made.filter((one) => eventsIn(one).includes(event)).map(({ text }) => text);
  const different = new Set(texts).size;
  return texts.length >= expected && different <= expected ? expected : different;
}

/** Waits until `count` different matching deliveries have arrived, or no more arrive. */
export async function allArrived(
  inbox: Inbox,
  count: number,
  own = (): readonly Delivered[] => inbox.got,
): Promise<void> {
  const different = (): number => new Set(own().map(({ text }) => text)).size;
  while (different() < count && (await inbox.arrived(inbox.got.length + 1, ARRIVAL_MS)));
}

/** Asserts that a partner without a subscription to an event has got no delivery of it. Call it when a later delivery has arrived. */
export function noDeliveryOf(t: Trial, { inbox }: Subscription, event: PartnerEvent): void {
  const count = inbox.got.filter((made) => eventsIn(made).includes(event)).length;
  t.shows('delivery.subscribed').that(`deliveries of ${event} without a subscription`, count === 0, 'none', `${count}`);
}

const NO_DELIVERY = "no delivery came at all: that an agent is under a partner rests on D-37's ref";

/**
 * Asserts the event of a delivery, for `clauses`. The text does not show the body, so the name of the event may be anywhere in it. A second
 * assertion is about the body of D-37: all of its fields, and `data` with exactly these.
 */
export function eventIs(
  t: Trial,
  delivery: Delivery,
  event: PartnerEvent,
  agentHash: string,
  data: Readonly<Record<string, unknown>>,
  ...clauses: readonly string[]
): void {
  const { body } = delivery;
  if (clauses.length > 0) {
    const named = eventsIn(delivery);
    t.shows(...clauses).that('event of the delivery', named.join() === event, event, named.join() || delivery.text);
  }
  const decided = t.shows('delivery.body');
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

/** A purchase, and the expected data of its event. */
interface Bought {
  readonly reply: Reply;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Buys the cheapest SIGIL for an agent. Returns the purchase and the data of its event by D-37. */
export async function bought(t: Trial, agent: WalletAgent): Promise<Bought> {
  const reply = t.mustSucceed(await buy(t, agent, purchase(t)));
  const data = {
    sigil: reply.get('sigil.sigil') ?? reply.get('sigil'),
    identity_class: 'narrow_task',
    tier: 'ind',
    payment_tx: reply.get('fee.payment_tx'),
    fee_lamports: sigilFeeLamports(t.protocol, 'narrow_task'),
  };
  return { reply, data };
}

/** Lets protocol time pass, and makes the target send the deliveries that are due. Open deliveries end first, since their retries count from their end. */
export async function passAndFlush(t: Trial, sec: number): Promise<void> {
  await t.control('POST webhooks/flush', {});
  await t.sleep({ sec });
  await t.control('POST webhooks/flush', {});
}

/** The events that an agent causes, with the number of each and its clauses. */
export const causing = (heartbeats: number) =>
  [
    ['sigil.purchased', 1, ['sigil.transition.event', 'event.sigil-purchased']],
    ['heartbeat.recorded', heartbeats, ['event.heartbeat-recorded']],
    ['agent.frozen', 1, ['dms.freeze.event', 'event.agent-frozen']],
    ['agent.unfrozen', 1, ['resync.transition.event', 'event.agent-unfrozen']],
  ] as const;

/** Asserts that each event of an agent was delivered to its partner; `whose`: a word for the agent. */
export function assertAllDelivered(
  t: Trial,
  { inbox }: Subscription,
  { hash }: { readonly hash: string },
  whose: string,
  caused: ReturnType<typeof causing>,
): void {
  const got = inbox.got.filter((made) => isAbout(made, hash));
  const reported = got.length > 0;
  t.shows('event.ref.descendants').that(`deliveries about ${whose}`, reported, 'one for each event', 'none');
  for (const [event, count, clauses] of caused) {
    const came = countEvents(got, event, count);
    // Only D-37 says that a descendant belongs to the partner. If any event of it is delivered, the target agrees.
    if (reported) t.shows(...clauses).that(`deliveries of ${event} of ${whose}`, came === count, `${count}`, `${came}`);
    else t.shows(...clauses).unjudged(notFollowed('D-37', 'no event of the agent is delivered'));
  }
}
