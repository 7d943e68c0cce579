/** Bodies of PUT /partner/webhook with one fault each. What is judged of them is in partner-webhook.ts. */
const url = ['partner-webhook.error.webhook-invalid', 'partner-webhook.put.body.url'];
const events = ['partner-webhook.error.webhook-invalid.events', 'partner-webhook.put.body.events'];

/** One fault in the body of a PUT. */
interface Fault {
  readonly word: string;
  readonly title: string;
  readonly clauses: readonly string[];
  readonly more: object;
}

/** Bodies of a PUT that are refused: what is changed of one that is taken. */
export const webhookFaults: readonly Fault[] = [
  { word: 'url-missing', title: 'A webhook without url is refused', clauses: url, more: { url: undefined } },
  { word: 'url-text', title: 'A webhook whose url is none is refused', clauses: url, more: { url: 'no url' } },
  {
    word: 'url-http',
    title: 'A webhook over plain HTTP is refused',
    clauses: [...url, 'partner-webhook.field.webhook-url'],
    more: { url: 'http://hooks.example.com/aips' },
  },
  {
    word: 'url-user',
    title: 'A webhook whose url carries a user and password is refused',
    clauses: ['partner-webhook.error.webhook-invalid.user'],
    more: { url: 'https://user:password@hooks.example.com/aips' },
  },
  {
    word: 'events-empty',
    title: 'A webhook for no event at all is refused',
    clauses: ['partner-webhook.error.webhook-invalid.events-empty'],
    more: { events: [] },
  },
  {
    word: 'events-missing',
    title: 'A webhook without events is refused',
    clauses: events,
    more: { events: undefined },
  },
  {
    word: 'events-text',
    title: 'A webhook whose events are no list is refused',
    clauses: events,
    more: { events: 'agent.frozen' },
  },
  {
    word: 'events-unknown',
    title: 'A webhook for an unknown event is refused',
    clauses: events,
    more: { events: ['agent.frozen', 'agent.promoted'] },
  },
];
