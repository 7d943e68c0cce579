/** Setting, reading and deleting partner webhooks, and the keys that may do so. Deliveries are in partner-webhook-delivery.ts. */

import { partnerEventsOf } from '../../spec/parts.js';
import { partnerEvents } from '../../spec/vocabulary.js';
import { deleteWebhook, getWebhook, putWebhook, WEBHOOK, webhookFaults } from '../moves/partner-webhook.js';
import { freshPartner, partnerKey } from '../steps/keys.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';

/** The partner may be that of the target file. It has one webhook, which checks that run at the same time would overwrite. */
const base = { needs: ['partner'], exclusive: true } as const;

const set: WrittenCheck = {
  ...base,
  id: 'partner-webhook/set',
  title:
    'Setting a webhook returns a new secret each time; a read shows the webhook without it, and a deletion removes it',
  async run(t) {
    const key = await partnerKey(t);
    const start = key.slice(0, 4);
    t.shows('key.partner').that('the partner key', /^pv[tp]_/.test(key), 'pvt_… or pvp_…', start);
    const prefix = t.session.target.network === 'mainnet' ? 'pvp_' : 'pvt_';
    t.shows('key.partner.prefix').equal('the prefix of the partner key', start, prefix);
    // The earlier setting is replaced.
    t.mustSucceed(await t.send(putWebhook(key, { url: 'https://older.example.com/', events: ['heartbeat.recorded'] })));
    t.mustSucceed(await t.send(putWebhook(key)));
    t.mustSucceed(await t.send(getWebhook(key), { mayMiss: true }));
    const there = partnerEventsOf(t.protocol);
    t.mustSucceed(await t.send(putWebhook(key, { events: there })));
    for (const gone of partnerEvents.filter((event) => !there.includes(event)))
      await t.send(putWebhook(key, { events: [...WEBHOOK.events, gone] }));
    t.mustSucceed(await t.send(deleteWebhook(key)));
    await t.send(getWebhook(key), { mayMiss: true });
    await t.send(deleteWebhook(key));
  },
};

const refused: WrittenCheck = {
  ...base,
  id: 'partner-webhook/refused',
  title: 'A webhook without a valid url or without known events is refused, and the existing one stays',
  async run(t) {
    const key = await partnerKey(t);
    t.mustSucceed(await t.send(putWebhook(key)));
    for (const more of Object.values(webhookFaults)) await t.send(putWebhook(key, more));
    t.mustSucceed(await t.send(getWebhook(key), { mayMiss: true }));
    t.mustSucceed(await t.send(deleteWebhook(key)));
    await t.send(putWebhook(key, { url: 'no url' }));
    t.mustSucceed(await t.send(putWebhook(key)));
  },
};

const closed: WrittenCheck = {
  ...base,
  id: 'partner-webhook/url-private',
  title: 'A webhook to a private, loopback or link-local address is refused',
  unsuitableFor: (target) =>
    target.webhooks === undefined
      ? undefined
      : 'a target that delivers to this machine may allow such addresses; only a run without deliveries judges this',
  async run(t) {
    const key = await partnerKey(t);
    for (const host of ['127.0.0.1', 'localhost', '10.1.2.3', '192.168.0.1', '169.254.1.1', '[::1]']) {
      const refused = await t.send(putWebhook(key, { url: `https://${host}/aips` }));
      t.refused(refused, 'partner-webhook/WEBHOOK_INVALID', 'partner-webhook.error.webhook-invalid.private');
    }
    t.mustSucceed(await t.send(putWebhook(key)));
  },
};

const calls = [putWebhook, getWebhook, deleteWebhook] as const;

const keys: WrittenCheck = {
  ...base,
  id: 'partner-webhook/key-refused',
  title: "Every webhook call without a partner key, with an unknown one, or with an agent's key is refused",
  async run(t) {
    const key = await partnerKey(t);
    const agent = await t.root();
    t.mustSucceed(await t.send(putWebhook(key)));
    for (const call of calls) {
      await t.send(call(undefined), { mayMiss: true });
      await t.send(call(agent.key), { mayMiss: true });
      const unknown = await t.send(call(`pvt_${t.hex(32)}`), { mayMiss: true });
      t.refused(unknown, 'partner-webhook/AUTH_FORBIDDEN', 'partner-webhook.error.auth-forbidden');
    }
    for (const call of calls) t.mustSucceed(await t.send(call(key), { mayMiss: true }));
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
    for (const { key } of partners) t.mustSucceed(await t.send(putWebhook(key)));
    await t.control(`POST partners/${encodeURIComponent(partners[0].ref)}/suspend`, {});
    await t.control('POST partner-keys/expire', { key: partners[1].key });
    for (const { key } of partners) await t.send(getWebhook(key), { mayMiss: true });
    // This partner has set no webhook before.
    const late = await freshPartner(t);
    await t.control(`POST partners/${encodeURIComponent(late.ref)}/suspend`, {});
    await t.send(putWebhook(late.key), { mayMiss: true });
  },
};

const apart: WrittenCheck = {
  ...own,
  id: 'partner-webhook/own',
  title: 'A partner reads and changes only its own webhook',
  async run(t) {
    const [{ key: one }, { key: other }] = [await freshPartner(t), await freshPartner(t)];
    t.mustSucceed(await t.send(putWebhook(one)));
    t.mustSucceed(await t.send(putWebhook(other, { url: 'https://other.example.com/' })));
    // Sends the requests one after the other, since the replies to two partners must not be confused.
    for (const key of [one, other]) t.mustSucceed(await t.send(getWebhook(key), { mayMiss: true }));
    t.mustSucceed(await t.send(deleteWebhook(other)));
    t.mustSucceed(await t.send(getWebhook(one), { mayMiss: true }));
  },
};

const limit: WrittenCheck = {
  ...own,
  id: 'partner-webhook/limit',
  title: 'The 11th webhook call of a partner in a minute, over all methods, is refused',
  needs: ['control', 'clock'],
  waits: windowOf('partnerWebhook'),
  async run(t) {
    const [partner, other] = [await freshPartner(t), await freshPartner(t)];
    // The row of section 8 is for the path, so all its methods fill one bucket.
    const turns = [
      (key: string) => t.send(putWebhook(key), { mayLimit: true }),
      (key: string) => t.send(getWebhook(key), { mayLimit: true }),
      (key: string) => t.send(deleteWebhook(key), { mayLimit: true }),
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
