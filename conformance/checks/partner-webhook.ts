/** Partner webhooks as they are set, read and deleted, and by whom. Deliveries are in partner-webhook-delivery.ts. */

import { identical, show } from '../../model/reading/compare.js';
import { isFilled } from '../../model/reading/field-tests.js';
import type { ErrorKey } from '../../spec/errors.js';
import { partnerEventsOf } from '../../spec/parts.js';
import { partnerEvents } from '../../spec/vocabulary.js';
import type { Reply } from '../assertions/reply.js';
import { freshPartner, type Partner, partnerKey } from '../steps/keys.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';
import { webhookFaults } from './partner-webhook-faults.js';

/** The partner may be the target file's, whose one configuration these checks would change under each other. */
const base = { needs: ['partner'], registers: 0, requests: 6, writes: true, exclusive: true } as const;

const GOOD = {
  url: 'https://hooks.example.com:8443/Aips/in?key=a%20b&x=1',
  events: ['agent.frozen', 'sigil.purchased'],
};

const put = (t: Trial, key: string | undefined, body: object): Promise<Reply> =>
  t.call('partner-webhook.put', { key, body });
const get = (t: Trial, key: string | undefined): Promise<Reply> => t.call('partner-webhook.get', { key });
const remove = (t: Trial, key: string | undefined): Promise<Reply> => t.call('partner-webhook.delete', { key });

/** As setup: a partner's webhook as GOOD says, and nothing configured. */
const configured = (t: Trial, key: string): Promise<void> =>
  t.setup('a webhook', async () => void t.accepted(await put(t, key, GOOD)));
const cleared = (t: Trial, key: string): Promise<void> =>
  t.setup('no webhook', async () => void t.accepted(await remove(t, key)));

const set: Check = {
  ...base,
  id: 'partner-webhook/set',
  title: 'A partner sets a webhook, and is given its secret',
  clauses: [
    'partner-webhook.route.put',
    'partner-webhook.auth',
    'partner-webhook.put.body.url',
    'partner-webhook.put.body.events',
    'partner-webhook.put.reply',
    'partner-webhook.field.webhook-url',
    'partner-webhook.field.events',
    'partner-webhook.field.webhook-secret',
    'delivery.secret.generated',
    'key.partner',
    'key.partner.prefix',
  ],
  async run(t) {
    const key = await partnerKey(t);
    t.shows('key.partner', 'partner-webhook.auth').that(
      'the partner key',
      /^pv[tp]_/.test(key),
      'pvt_… or pvp_…',
      key.slice(0, 4),
    );
    const prefix = t.session.target.network === 'mainnet' ? 'pvp_' : 'pvt_';
    t.shows('key.partner.prefix').equal('the prefix of the partner key', key.slice(0, prefix.length), prefix);
    const there = partnerEventsOf(t.protocol);
    for (const events of [GOOD.events, there]) {
      const sent = await put(t, key, { ...GOOD, events });
      const reply = t.accepted(sent, 'key.partner', 'partner-webhook.put.body.url', 'partner-webhook.put.body.events');
      t.shows('partner-webhook.put.reply').fieldIs(reply, 'webhook_secret', isFilled);
      t.shows('partner-webhook.field.webhook-url', 'partner-webhook.put.reply').exactField(
        reply,
        'webhook_url',
        GOOD.url,
      );
      t.shows('partner-webhook.field.events', 'partner-webhook.put.reply', 'partner-webhook.put.body.events').of(
        reply,
        'events',
        sameSet(reply.get('events'), events),
        show(events),
        reply.get('events'),
      );
    }
    for (const gone of partnerEvents.filter((event) => !there.includes(event))) {
      const refused = await put(t, key, { ...GOOD, events: [...GOOD.events, gone] });
      t.refused(refused, 'partner-webhook/WEBHOOK_INVALID', 'partner-webhook.put.body.events');
    }
  },
};

/** The order of events is not given. */
function sameSet(actual: unknown, expected: readonly string[]): boolean {
  return Array.isArray(actual) && identical(actual.toSorted(), expected.toSorted());
}

const read: Check = {
  ...base,
  id: 'partner-webhook/read',
  title: 'A partner reads its webhook as it was last set, without the secret',
  requests: 9,
  clauses: [
    'partner-webhook.route.get',
    'partner-webhook.get.reply',
    'partner-webhook.get.no-secret',
    'partner-webhook.field.configured',
    'partner-webhook.field.webhook-secret.when',
    'delivery.secret.only-put',
  ],
  async run(t) {
    const key = await partnerKey(t);
    // The earlier setting is replaced.
    const older = { url: 'https://older.example.com/', events: ['heartbeat.recorded'] };
    await t.setup('an older webhook', async () => t.accepted(await put(t, key, older)));
    const secret = await t.setup('a webhook', async () => t.accepted(await put(t, key, GOOD)).string('webhook_secret'));
    const reply = t.accepted(await get(t, key));
    const asSet = (shown: Reply): void => {
      t.shows('partner-webhook.get.reply').exactField(shown, 'webhook_url', GOOD.url);
      const events = shown.get('events');
      const same = sameSet(events, GOOD.events);
      t.shows('partner-webhook.get.reply').of(shown, 'events', same, show(GOOD.events), events);
      t.shows('partner-webhook.get.reply', 'partner-webhook.field.configured').field(shown, 'configured', true);
    };
    asSet(reply);
    const kept = t.shows(
      'partner-webhook.get.no-secret',
      'partner-webhook.field.webhook-secret.when',
      'delivery.secret.only-put',
    );
    kept.of(reply, 'webhook_secret', !showsPart(reply, secret), 'nothing of the secret', 'the secret, or a part of it');
    kept.field(reply, 'webhook_secret', undefined);
    // A call that is refused sets nothing.
    const other = 'https://other.example.com/';
    for (const bad of [
      { ...GOOD, url: 'no url' },
      { url: other, events: [...GOOD.events, 'agent.promoted'] },
    ]) {
      if ((await put(t, key, bad)).status < 400) return;
    }
    asSet(t.accepted(await get(t, key)));
  },
};

/** This many characters of a secret in a row do not occur by chance. */
const PART = 8;

function showsPart({ text }: Reply, secret: string): boolean {
  const starts = Array.from({ length: Math.max(1, secret.length - PART + 1) }, (_, start) => start);
  return starts.some((start) => text.includes(secret.slice(start, start + PART)));
}

const again: Check = {
  ...base,
  id: 'partner-webhook/new-secret',
  title: 'Each time that a webhook is set it gets another secret',
  clauses: ['partner-webhook.put.new-secret'],
  async run(t) {
    const key = await partnerKey(t);
    const secrets = new Set<string>();
    for (let set = 0; set < 3; set += 1) secrets.add(t.accepted(await put(t, key, GOOD)).string('webhook_secret'));
    t.shows('partner-webhook.put.new-secret').that(
      'secrets of three PUTs',
      secrets.size === 3,
      'three',
      `${secrets.size}`,
    );
  },
};

const deleted: Check = {
  ...base,
  id: 'partner-webhook/deleted',
  title: 'A partner deletes its webhook, and none is configured then',
  clauses: [
    'partner-webhook.route.delete',
    'partner-webhook.delete.reply',
    'partner-webhook.get.unconfigured',
    'delivery.secret.only-put',
  ],
  async run(t) {
    const key = await partnerKey(t);
    const secret = await t.setup('a webhook', async () => t.accepted(await put(t, key, GOOD)).string('webhook_secret'));
    const removed = t.accepted(await remove(t, key), 'partner-webhook.delete.reply');
    t.shows('delivery.secret.only-put').of(
      removed,
      'webhook_secret',
      !showsPart(removed, secret),
      'nothing of the secret',
      'the secret, or a part of it',
    );
    const after = await t.call('partner-webhook.get', { key, mayMiss: true });
    const gone = after.get('configured') !== true && !after.text.includes(GOOD.url);
    t.shows('partner-webhook.delete.reply').of(
      after,
      'a webhook that was deleted',
      gone,
      'no configuration',
      after.excerpt(),
    );
    const decided = t.shows('partner-webhook.get.unconfigured');
    decided.status(after, 200);
    decided.field(after, 'configured', false);
    decided.field(after, 'webhook_url', null);
    decided.field(after, 'events', []);
  },
};

const nothing: Check = {
  ...base,
  id: 'partner-webhook/delete-nothing',
  title: 'Deleting a webhook where none is configured is no fault',
  clauses: ['partner-webhook.delete.unconfigured'],
  async run(t) {
    const key = await partnerKey(t);
    await cleared(t, key);
    const reply = t.accepted(await remove(t, key), 'partner-webhook.delete.unconfigured');
    t.shows('partner-webhook.delete.unconfigured').field(reply, 'ok', true);
  },
};

const faulty = webhookFaults.map(
  ({ word, title, clauses, more }): Check => ({
    ...base,
    id: `partner-webhook/${word}`,
    title,
    clauses,
    refusal: true,
    async run(t) {
      const key = await partnerKey(t);
      const refused = async (): Promise<Reply> =>
        t.refused(await put(t, key, { ...GOOD, ...more }), 'partner-webhook/WEBHOOK_INVALID', ...clauses);
      await refused();
      t.accepted(await put(t, key, GOOD));
      // In place of one that there is, too, and that stays.
      if ((await refused()).status < 400) return;
      const kept = t.accepted(await get(t, key));
      t.alsoShows('partner-webhook.get.reply').field(kept, 'webhook_url', GOOD.url);
    },
  }),
);

const closed: Check = {
  ...base,
  id: 'partner-webhook/url-private',
  title: 'A webhook to a private, loopback or link-local address is refused',
  clauses: ['partner-webhook.error.webhook-invalid.private'],
  requests: 10,
  refusal: true,
  unsuitableFor: (target) =>
    target.webhooks === undefined
      ? undefined
      : 'a target that delivers to this machine may allow such addresses: a run without deliveries judges it',
  async run(t) {
    const key = await partnerKey(t);
    for (const host of ['127.0.0.1', 'localhost', '10.1.2.3', '192.168.0.1', '169.254.1.1', '[::1]']) {
      const refused = await put(t, key, { ...GOOD, url: `https://${host}/aips` });
      t.refused(refused, 'partner-webhook/WEBHOOK_INVALID', 'partner-webhook.error.webhook-invalid.private');
    }
    t.accepted(await put(t, key, GOOD));
  },
};

const calls = { put: (t: Trial, key?: string) => put(t, key, GOOD), get, delete: remove } as const;

const keys = (Object.keys(calls) as (keyof typeof calls)[]).flatMap((method) =>
  (
    [
      ['missing', 'without a key', 'partner-webhook.error.auth-missing', 'partner-webhook/AUTH_MISSING'],
      [
        'unknown',
        'with the key of no partner',
        'partner-webhook.error.auth-forbidden',
        'partner-webhook/AUTH_FORBIDDEN',
      ],
    ] as const
  ).map(
    ([word, how, clause, row]): Check => ({
      ...base,
      id: `partner-webhook/key-${word}-${method}`,
      title: `${method.toUpperCase()} of a webhook is refused ${how}`,
      clauses: [`partner-webhook.route.${method}`, 'partner-webhook.auth', clause],
      refusal: true,
      async run(t) {
        const key = await partnerKey(t);
        await configured(t, key);
        const bad = word === 'missing' ? undefined : `pvt_${t.hex(32)}`;
        t.refused(await calls[method](t, bad), row as ErrorKey, 'partner-webhook.auth', clause);
        t.accepted(await calls[method](t, key), 'partner-webhook.auth');
      },
    }),
  ),
);

const own = { ...base, needs: ['control'], controls: ['partners'], exclusive: false } as const;

const suspended: Check = {
  ...own,
  id: 'partner-webhook/suspended',
  title: 'A suspended partner is refused, and others are not',
  clauses: ['partner-webhook.error.auth-forbidden.suspended'],
  controls: ['partners', 'partners/:ref/suspend'],
  requests: 7,
  refusal: true,
  async run(t) {
    const [partner, other] = [await freshPartner(t), await freshPartner(t)];
    await configured(t, partner.key);
    await configured(t, other.key);
    await t.control(`POST partners/${encodeURIComponent(partner.ref)}/suspend`, {});
    const clause = 'partner-webhook.error.auth-forbidden.suspended';
    t.refused(await get(t, partner.key), 'partner-webhook/AUTH_FORBIDDEN', clause);
    t.accepted(await get(t, other.key));
  },
};

const expired: Check = {
  ...own,
  id: 'partner-webhook/key-expired',
  title: 'A partner key that has expired is refused, and others are not',
  clauses: ['partner-webhook.error.auth-forbidden.expired'],
  controls: ['partners', 'partner-keys/expire'],
  requests: 7,
  refusal: true,
  async run(t) {
    const [partner, other] = [await freshPartner(t), await freshPartner(t)];
    await configured(t, partner.key);
    await configured(t, other.key);
    await t.control('POST partner-keys/expire', { key: partner.key });
    const clause = 'partner-webhook.error.auth-forbidden.expired';
    t.refused(await get(t, partner.key), 'partner-webhook/AUTH_FORBIDDEN', clause);
    t.accepted(await get(t, other.key));
  },
};

const apart: Check = {
  ...own,
  id: 'partner-webhook/own',
  title: 'A partner sees and changes its own webhook alone',
  clauses: ['partner-webhook.get.reply', 'key.partner', 'delivery.secret.generated'],
  requests: 10,
  async run(t) {
    const [partner, other] = [await freshPartner(t), await freshPartner(t)];
    const secret = await t.setup('a webhook', async () =>
      t.accepted(await put(t, partner.key, GOOD)).string('webhook_secret'),
    );
    const others = { ...GOOD, url: 'https://other.example.com/' };
    await t.setup('another webhook', async () => {
      const set = t.accepted(await put(t, other.key, others));
      const differs = set.get('webhook_secret') !== secret;
      t.shows('delivery.secret.generated').of(set, 'the secrets of two partners', differs, 'two', 'one and the same');
    });
    const sees = async ({ key }: Partner, url: string): Promise<void> => {
      const reply = t.accepted(await get(t, key));
      t.shows('partner-webhook.get.reply', 'key.partner').exactField(reply, 'webhook_url', url);
    };
    // In turn: what one has been shown is not what the next is.
    await sees(partner, GOOD.url);
    await sees(other, others.url);
    await t.setup('a webhook less', async () => void t.accepted(await remove(t, other.key)));
    await sees(partner, GOOD.url);
  },
};

const ofAgent: Check = {
  ...base,
  id: 'partner-webhook/key-of-agent',
  title: "An agent's key is no partner key, for whatever method",
  clauses: ['partner-webhook.auth', 'key.partner'],
  registers: 1,
  requests: 8,
  refusal: true,
  async run(t) {
    const key = await partnerKey(t);
    await configured(t, key);
    const agent = await t.root();
    for (const call of Object.values(calls)) {
      t.refusedWith(await call(t, agent.key), '4xx', 'partner-webhook.auth', 'key.partner');
    }
    t.accepted(await get(t, key), 'partner-webhook.auth');
  },
};

const limit: Check = {
  ...own,
  id: 'partner-webhook/limit',
  title: 'A partner makes 10 webhook calls a minute, whichever they are',
  clauses: ['limit.partner-webhook', 'limit.error.rate-limited', 'limit.window', 'limit.refused-count'],
  needs: ['control', 'clock'],
  requests: 20,
  refusal: true,
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

export const partnerWebhookChecks: readonly Check[] = [
  set,
  read,
  again,
  deleted,
  nothing,
  ...faulty,
  closed,
  ...keys,
  suspended,
  expired,
  apart,
  ofAgent,
  limit,
];
