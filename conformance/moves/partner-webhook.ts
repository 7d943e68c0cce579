/** PUT, GET and DELETE /partner/webhook (4.18). */

import type { Move } from './move.js';

/** A valid webhook. */
export const WEBHOOK = {
  url: 'https://hooks.example.com:8443/Aips/in?key=a%20b&x=1',
  events: ['agent.frozen', 'sigil.purchased'],
} as const;

/** Sets the webhook of a partner. */
export const putWebhook = (key: string | undefined, more: object = {}): Move => ({
  endpoint: 'partner-webhook.put',
  key,
  body: { ...WEBHOOK, ...more },
});

export const getWebhook = (key: string | undefined): Move => ({ endpoint: 'partner-webhook.get', key });

export const deleteWebhook = (key: string | undefined): Move => ({ endpoint: 'partner-webhook.delete', key });

/** Changes that make a webhook invalid, by name. */
export const webhookFaults = {
  'no-url': { url: undefined },
  'url-of-words': { url: 'no url' },
  'plain-url': { url: 'http://hooks.example.com/aips' },
  'url-with-password': { url: 'https://user:password@hooks.example.com/aips' },
  'empty-events': { events: [] },
  'no-events': { events: undefined },
  'events-as-text': { events: 'agent.frozen' },
  'unknown-event': { url: 'https://other.example.com/', events: ['agent.frozen', 'agent.promoted'] },
} as const satisfies Readonly<Record<string, object>>;
