/** Partner webhooks as they are set, read and deleted, and by whom. Deliveries are in partner-webhook-delivery.ts. */

import { partnerEventsOf } from '../../spec/parts.js';
import { partnerEvents } from '../../spec/vocabulary.js';
import type { Reply } from '../assertions/reply.js';
import { freshPartner, partnerKey } from '../steps/keys.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

/** The partner may be the target file's, whose one configuration these checks would change under each other. */
const base = { needs: ['partner'], exclusive: true } as const;

const GOOD = {
  url: 'https://hooks.example.com:8443/Aips/in?key=a%20b&x=1',
  events: ['agent.frozen', 'sigil.purchased'],
};

const put = (t: Trial, key: string | undefined, more: object = {}): Promise<Reply> =>
  t.call('partner-webhook.put', { key, body: { ...GOOD, ...more } });
const get = (t: Trial, key: string | undefined): Promise<Reply> =>
  t.call('partner-webhook.get', { key, mayMiss: true });
const remove = (t: Trial, key: string | undefined): Promise<Reply> => t.call('partner-webhook.delete', { key });

const set: WrittenCheck = {
  ...base,
  id: 'partner-webhook/set',
  title:
    'A partner sets a webhook, and is given a new secret each time; it reads it without the secret, and deletes it',
  async run(t) {
    const key = await partnerKey(t);
    const start = key.slice(0, 4);
    t.shows('key.partner').that('the partner key', /^pv[tp]_/.test(key), 'pvt_… or pvp_…', start);
    const prefix = t.session.target.network === 'mainnet' ? 'pvp_' : 'pvt_';
    t.shows('key.partner.prefix').equal('the prefix of the partner key', start, prefix);
    // The earlier setting is replaced.
    t.accepted(await put(t, key, { url: 'https://older.example.com/', events: ['heartbeat.recorded'] }));
    t.accepted(await put(t, key));
    t.accepted(await get(t, key));
    const there = partnerEventsOf(t.protocol);
    t.accepted(await put(t, key, { events: there }));
    for (const gone of partnerEvents.filter((event) => !there.includes(event)))
      await put(t, key, { events: [...GOOD.events, gone] });
    t.accepted(await remove(t, key));
    await get(t, key);
    await remove(t, key);
  },
};

/** Faults: the changes of a good body. */
const faults: readonly object[] = [
  { url: undefined },
  { url: 'no url' },
  { url: 'http://hooks.example.com/aips' },
  { url: 'https://user:password@hooks.example.com/aips' },
  { events: [] },
  { events: undefined },
  { events: 'agent.frozen' },
  { url: 'https://other.example.com/', events: ['agent.frozen', 'agent.promoted'] },
];

const refused: WrittenCheck = {
  ...base,
  id: 'partner-webhook/refused',
  title: 'A webhook without a valid url or without known events is refused, and the existing one stays',
  async run(t) {
    const key = await partnerKey(t);
    t.accepted(await put(t, key));
    for (const more of faults) await put(t, key, more);
    t.accepted(await get(t, key));
    t.accepted(await remove(t, key));
    await put(t, key, { url: 'no url' });
    t.accepted(await put(t, key));
  },
};

const closed: WrittenCheck = {
  ...base,
  id: 'partner-webhook/url-private',
  title: 'A webhook to a private, loopback or link-local address is refused',
  unsuitableFor: (target) =>
    target.webhooks === undefined
      ? undefined
      : 'a target that delivers to this machine may allow such addresses: a run without deliveries judges it',
  async run(t) {
    const key = await partnerKey(t);
    for (const host of ['127.0.0.1', 'localhost', '10.1.2.3', '192.168.0.1', '169.254.1.1', '[::1]']) {
      const refused = await put(t, key, { url: `https://${host}/aips` });
      t.refused(refused, 'partner-webhook/WEBHOOK_INVALID', 'partner-webhook.error.webhook-invalid.private');
    }
    t.accepted(await put(t, key));
  },
};

const calls = [put, get, remove] as const;

const keys: WrittenCheck = {
  ...base,
  id: 'partner-webhook/key-refused',
  title: "Every webhook call without a partner key, with an unknown one, or with an agent's key is refused",
  async run(t) {
    const key = await partnerKey(t);
    const agent = await t.root();
    t.accepted(await put(t, key));
    for (const call of calls) {
      await call(t, undefined);
      await call(t, agent.key);
      const unknown = await call(t, `pvt_${t.hex(32)}`);
      t.refused(unknown, 'partner-webhook/AUTH_FORBIDDEN', 'partner-webhook.error.auth-forbidden');
    }
    for (const call of calls) t.accepted(await call(t, key));
  },
};

const own = { ...base, needs: ['control'], controls: ['partners'], exclusive: false } as const;

const shut: WrittenCheck = {
  ...own,
  id: 'partner-webhook/key-shut',
  title: 'A suspended partner and an expired partner key are refused, and others are not',
  controls: ['partners', 'partners/:ref/suspend', 'partner-keys/expire'],
  async run(t) {
    const partners = [await freshPartner(t), await freshPartner(t), await freshPartner(t)] as const;
    for (const { key } of partners) t.accepted(await put(t, key));
    await t.control(`POST partners/${encodeURIComponent(partners[0].ref)}/suspend`, {});
    await t.control('POST partner-keys/expire', { key: partners[1].key });
    for (const { key } of partners) await get(t, key);
  },
};

const apart: WrittenCheck = {
  ...own,
  id: 'partner-webhook/own',
  title: 'A partner sees and changes its own webhook alone',
  async run(t) {
    const [{ key: one }, { key: other }] = [await freshPartner(t), await freshPartner(t)];
    t.accepted(await put(t, one));
    t.accepted(await put(t, other, { url: 'https://other.example.com/' }));
    // In turn: what one has been shown is not what the next is.
    for (const key of [one, other]) t.accepted(await get(t, key));
    t.accepted(await remove(t, other));
    t.accepted(await get(t, one));
  },
};

const limit: WrittenCheck = {
  ...own,
  id: 'partner-webhook/limit',
  title: 'A partner makes 10 webhook calls a minute over all methods',
  needs: ['control', 'clock'],
  waits: windowOf('partnerWebhook'),
  async run(t) {
    const [partner, other] = [await freshPartner(t), await freshPartner(t)];
    // The row is of the path, so its methods fill one bucket in turn.
    const turns = [
      (key: string) => t.call('partner-webhook.put', { key, body: GOOD, mayLimit: true }),
      (key: string) => t.call('partner-webhook.get', { key, mayLimit: true }),
      (key: string) => t.call('partner-webhook.delete', { key, mayLimit: true }),
    ] as const;
    const send = (n: number, key: string) => (turns[n % turns.length] ?? turns[0])(key);
    await judgeLimit(t, {
      limit: 'partnerWebhook',
      clause: 'limit.partner-webhook',
      send: (n) => send(n, partner.key),
      other: () => send(0, other.key),
      alsoOver: turns.map((turn) => () => turn(partner.key)),
    });
  },
};

export const partnerWebhookChecks: readonly WrittenCheck[] = [set, refused, closed, keys, shut, apart, limit];
