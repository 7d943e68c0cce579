/** PUT, GET and DELETE /partner/webhook (4.18). Deliveries are not judged here. */

import { partnerEventsOf } from '../../spec/parts.js';
import { at } from '../reading/values.js';
import type { Case, Operation, Refusal } from '../settle.js';
import type { Partner } from '../state.js';

interface Facts {
  readonly partner: Partner | undefined;
}

const factsOf = ({ state, call }: Case): Facts => ({ partner: state.partners.get(call.bearer ?? '') });

const common: readonly Refusal<Facts>[] = [
  {
    row: 'partner-webhook/AUTH_MISSING',
    clauses: ['partner-webhook.error.auth-missing'],
    when: (_, { call }) => !call.hasAuthorization,
  },
  {
    row: 'partner-webhook/AUTH_FORBIDDEN',
    clauses: ['partner-webhook.error.auth-forbidden'],
    when: ({ partner }, { call }) =>
      call.hasAuthorization && partner === undefined && (/^pv[pt]_/.test(call.bearer ?? 'pvp_') ? undefined : true),
  },
  {
    row: 'partner-webhook/AUTH_FORBIDDEN',
    clauses: ['partner-webhook.error.auth-forbidden.suspended'],
    when: ({ partner }) => partner?.suspended ?? false,
  },
  {
    row: 'partner-webhook/AUTH_FORBIDDEN',
    clauses: ['partner-webhook.error.auth-forbidden.expired'],
    when: ({ partner }) => partner?.expired ?? false,
  },
];

export const webhookPut: Operation<Facts> = {
  ids: ['partner-webhook.put'],
  facts: factsOf,
  refusals: [
    ...common,
    {
      row: 'partner-webhook/WEBHOOK_INVALID',
      clauses: ['partner-webhook.put.body.url', 'partner-webhook.error.webhook-invalid'],
      when: (_, { call }) => {
        const url = call.body?.['url'];
        if (typeof url !== 'string' || !URL.canParse(url)) return true;
        const { protocol, hostname, username } = new URL(url);
        if (protocol !== 'https:') return protocol === 'http:' && isLoopback(hostname) ? undefined : true;
        return /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(hostname) && username === '' ? false : undefined;
      },
    },
    {
      row: 'partner-webhook/WEBHOOK_INVALID',
      clauses: ['partner-webhook.put.body.events', 'partner-webhook.error.webhook-invalid.events'],
      when: (_, { call, state }) => {
        const events = call.body?.['events'];
        if (!Array.isArray(events)) return true;
        const known: readonly unknown[] = partnerEventsOf(state.settings.protocol);
        return events.some((event) => !known.includes(event)) ? true : events.length === 0 ? undefined : false;
      },
    },
  ],
  open: () => undefined,
  accepts: () => ['partner-webhook.put.reply'],
  accepted: ({ partner }, { call, judgement }) => {
    const { url, events } = call.body ?? {};
    judgement.equals(call.json, 'webhook_url', url, 'partner-webhook.put.reply');
    judgement.that(
      'events',
      sameItems(at(call.json, 'events'), events),
      events,
      at(call.json, 'events'),
      'partner-webhook.put.reply',
    );
    if (partner !== undefined) partner.webhook = { url, events };
  },
};

const isLoopback = (host: string): boolean => host === 'localhost' || host.startsWith('127.') || host === '[::1]';

const sameItems = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other) && [...new Set(one)].sort().join() === [...new Set(other)].sort().join();

export const webhookGet: Operation<Facts> = {
  ids: ['partner-webhook.get'],
  facts: factsOf,
  refusals: common,
  open: ({ partner }) =>
    partner?.webhook === null ? 'what is read where no webhook is configured is open' : undefined,
  accepts: () => ['partner-webhook.get.reply'],
  accepted: ({ partner }, { call, judgement }) => {
    const { json } = call;
    const secret = at(json, 'webhook_secret');
    judgement.that(
      'webhook_secret',
      secret === undefined,
      'nothing',
      'a secret',
      'partner-webhook.field.webhook-secret.when',
    );
    if (partner?.webhook == null) return;
    judgement.equals(json, 'configured', true, 'partner-webhook.get.reply');
    judgement.equals(json, 'webhook_url', partner.webhook.url, 'partner-webhook.get.reply');
    const events = at(json, 'events');
    judgement.that(
      'events',
      sameItems(events, partner.webhook.events),
      partner.webhook.events,
      events,
      'partner-webhook.get.reply',
    );
  },
};

export const webhookDelete: Operation<Facts> = {
  ids: ['partner-webhook.delete'],
  facts: factsOf,
  refusals: common,
  open: ({ partner }) => (partner?.webhook === null ? 'deleting where no webhook is configured is open' : undefined),
  accepts: () => ['partner-webhook.delete.reply'],
  accepted: ({ partner }, { call, judgement }) => {
    judgement.equals(call.json, 'ok', true, 'partner-webhook.delete.reply');
    if (partner !== undefined) partner.webhook = null;
  },
};
