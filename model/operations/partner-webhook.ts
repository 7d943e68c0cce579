/** PUT, GET and DELETE /partner/webhook (4.18). Deliveries are not judged here. */

import { partnerEventsOf } from '../../spec/parts.js';
import type { Case, Operation, Refusal } from '../case.js';
import type { Partner } from '../facts/state.js';
import { at } from '../reading/values.js';

interface Facts {
  readonly partner: Partner | undefined;
}

const factsOf = ({ state, call }: Case): Facts => ({ partner: state.partners.get(call.bearer ?? '') });

const common: readonly Refusal<Facts>[] = [
  {
    row: 'partner-webhook/AUTH_MISSING',
    also: ['partner-webhook.auth'],
    when: (_, { call }) => !call.hasAuthorization,
  },
  {
    row: 'partner-webhook/AUTH_FORBIDDEN',
    also: ['partner-webhook.auth', 'key.partner'],
    when: ({ partner }, { call: { bearer, hasAuthorization }, state }) =>
      hasAuthorization &&
      partner === undefined &&
      (![undefined, state.settings.partnerKey].includes(bearer) || undefined),
  },
  {
    row: 'partner-webhook/AUTH_FORBIDDEN',
    cause: 'suspended',
    when: ({ partner }) => partner?.suspended ?? false,
  },
  {
    row: 'partner-webhook/AUTH_FORBIDDEN',
    cause: 'expired',
    when: ({ partner }) => partner?.expired ?? false,
  },
];

export const webhookPut: Operation<Facts> = {
  ids: ['partner-webhook.put'],
  facts: factsOf,
  refusals: [
    ...common,
    // A refusal that no valid body may get, and the clauses that it breaks.
    {
      row: 'partner-webhook/WEBHOOK_INVALID',
      clauses: ['partner-webhook.put.body.url', 'partner-webhook.put.body.events'],
      when: () => false,
    },
    {
      row: 'partner-webhook/WEBHOOK_INVALID',
      cause: 'user',
      when: (_, { call }) =>
        URL.canParse(String(call.body?.['url'])) && new URL(String(call.body?.['url'])).username !== '',
    },
    {
      row: 'partner-webhook/WEBHOOK_INVALID',
      cause: 'events-empty',
      when: (_, { call }) => Array.isArray(call.body?.['events']) && call.body['events'].length === 0,
    },
    {
      row: 'partner-webhook/WEBHOOK_INVALID',
      also: ['partner-webhook.put.body.url'],
      when: (_, { call }) => {
        const url = call.body?.['url'];
        if (typeof url !== 'string' || !URL.canParse(url)) return true;
        const { protocol, hostname } = new URL(url);
        if (protocol !== 'https:') return protocol === 'http:' && isLoopback(hostname) ? undefined : true;
        return /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(hostname) ? false : undefined;
      },
    },
    {
      row: 'partner-webhook/WEBHOOK_INVALID',
      cause: 'events',
      also: ['partner-webhook.put.body.events'],
      when: (_, { call, state }) => {
        const events = call.body?.['events'];
        if (!Array.isArray(events)) return true;
        const known: readonly unknown[] = partnerEventsOf(state.settings.protocol);
        return events.some((event) => !known.includes(event));
      },
    },
  ],
  accepts: () => [
    'partner-webhook.put.reply',
    'partner-webhook.put.body.url',
    'partner-webhook.put.body.events',
    ...AUTH,
  ],
  accepted: ({ partner }, { state, call, judgement }) => {
    const { url, events } = call.body ?? {};
    judgement.equals('webhook_url', url, 'partner-webhook.put.reply', 'partner-webhook.field.webhook-url');
    const taken = ['partner-webhook.put.reply', 'partner-webhook.field.events', 'partner-webhook.put.body.events'];
    judgement.that('events', sameItems(at(call.json, 'events'), events), events, at(call.json, 'events'), ...taken);
    const secret = at(call.json, 'webhook_secret');
    const others = state.partners.values().filter((one) => one !== partner);
    const isOwn = others.every((other) => other.secret !== secret);
    const isThere = secret !== undefined;
    judgement.that('webhook_secret', isThere, 'a secret', secret, 'partner-webhook.put.reply');
    if (isThere) judgement.that('webhook_secret', isOwn, 'its own', 'that of another', 'delivery.secret.generated');
    if (isThere && partner?.secret !== undefined) {
      const isNew = secret !== partner.secret;
      judgement.that('webhook_secret', isNew, 'another', 'the one before', 'partner-webhook.put.new-secret');
    }
    // The partner of an unknown key may be the one of the target file.
    const own =
      partner ?? state.partners.set(call.bearer ?? '', { ref: '', suspended: false, expired: false, webhook: null });
    own.webhook = { url, events };
    own.secret = secret;
  },
};

/** The clauses that an accepted partner key is evidence for. */
const AUTH = ['partner-webhook.auth', 'key.partner'];

/** A part of a secret of this length does not occur by chance. */
const PART = 8;

/** A reply must show no part of the secret. */
function keepsSecret({ call, judgement }: Case, partner: Partner | undefined, ...clauses: readonly string[]): void {
  const secret = String(partner?.secret ?? '');
  const text = JSON.stringify(call.json) ?? '';
  const parts = Array.from({ length: Math.max(0, secret.length - PART + 1) }, (_, at) => secret.slice(at, at + PART));
  const isKept = !parts.some((part) => text.includes(part)) && at(call.json, 'webhook_secret') === undefined;
  judgement.that('webhook_secret', isKept, 'nothing of the secret', 'a part of it', ...clauses);
}

const isLoopback = (host: string): boolean => host === 'localhost' || host.startsWith('127.') || host === '[::1]';

const sameItems = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other) && [...new Set(one)].sort().join() === [...new Set(other)].sort().join();

export const webhookGet: Operation<Facts> = {
  ids: ['partner-webhook.get'],
  facts: factsOf,
  refusals: common,
  open: ({ partner }) =>
    partner?.webhook === null ? 'the text does not say what a read returns without a configured webhook' : undefined,
  accepts: () => ['partner-webhook.get.reply', ...AUTH],
  accepted: ({ partner }, given) => {
    const { state, call, judgement } = given;
    const { json } = call;
    const ofSecret = ['partner-webhook.get.no-secret', 'partner-webhook.field.webhook-secret.when'];
    keepsSecret(given, partner, ...ofSecret, 'delivery.secret.only-put');
    const [shown, events] = [at(json, 'webhook_url'), at(json, 'events')];
    if (partner?.webhook === null) {
      const isGone = at(json, 'configured') !== true;
      judgement.that('a webhook that is not there', isGone, 'none', shown, 'partner-webhook.delete.reply');
      const unconfigured = 'partner-webhook.get.unconfigured';
      judgement.equals('configured', false, unconfigured);
      judgement.equals('webhook_url', null, unconfigured);
      judgement.that('events', Array.isArray(events) && events.length === 0, [], events, unconfigured);
    }
    if (partner?.webhook == null) return;
    const { webhook } = partner;
    judgement.equals('configured', true, 'partner-webhook.get.reply', 'partner-webhook.field.configured');
    const isOthers = state.partners.values().some((other) => other !== partner && other.webhook?.url === shown);
    const whose = isOthers ? ['key.partner'] : [];
    judgement.equals('webhook_url', webhook.url, 'partner-webhook.get.reply', ...whose);
    judgement.that('events', sameItems(events, webhook.events), webhook.events, events, 'partner-webhook.get.reply');
  },
};

export const webhookDelete: Operation<Facts> = {
  ids: ['partner-webhook.delete'],
  facts: factsOf,
  refusals: common,
  open: ({ partner }) =>
    partner?.webhook === null
      ? 'the text does not say whether a webhook can be deleted where none is configured'
      : undefined,
  accepts: ({ partner }) => [
    'partner-webhook.delete.reply',
    ...AUTH,
    ...(partner?.webhook === null ? ['partner-webhook.delete.unconfigured'] : []),
  ],
  accepted: ({ partner }, given) => {
    keepsSecret(given, partner, 'delivery.secret.only-put');
    if (partner !== undefined) partner.webhook = null;
  },
};
