/** The clauses for clients about registration, credentials, identity and passports. */

import { immutableFields } from '../spec/endpoints/identity-schemas.js';
import { principalPattern } from '../spec/formats.js';
import { protocol } from '../spec/protocol.js';
import { after, type ClientClause, each, usedOnce, withoutRefusal } from './evidence.js';
import { callsOf, type Exchange, fieldsOf, type WatchedRun } from './exchange.js';

const registrations = (run: WatchedRun): readonly Exchange[] => callsOf(run, 'POST /register');
const children = (run: WatchedRun): readonly Exchange[] =>
  registrations(run).filter(({ body }) => body['parent'] !== undefined || body['spawn_authorization'] !== undefined);
const signed = (run: WatchedRun): readonly Exchange[] =>
  [...registrations(run), ...callsOf(run, 'POST /agent/wallet')].filter(
    ({ body }) => body['wallet_nonce'] !== undefined,
  );
const withBody = ({ exchanges }: WatchedRun): readonly Exchange[] => exchanges.filter(({ text }) => text !== '');
const withKey = ({ exchanges }: WatchedRun): readonly Exchange[] =>
  exchanges.filter(({ headers }) => headers['authorization'] !== undefined);

/** The secrets that registrations had issued before request `before`. */
function issuedBefore({ exchanges }: WatchedRun, field: 'secret' | 'api_key', before: number): readonly string[] {
  const registrations = exchanges.filter(({ n, path }) => n < before && path === '/api/v1/register');
  return registrations.map(({ reply }) => reply[field]).filter((value): value is string => typeof value === 'string');
}

/** The requests after the client got a key. */
const afterKey = (run: WatchedRun): readonly Exchange[] =>
  run.exchanges.filter(({ n }) => issuedBefore(run, 'api_key', n).length > 0);

/** Requests that prove a wallet, and those with a field that may be a private key. */
const withWallet = (run: WatchedRun): readonly Exchange[] =>
  withBody(run).filter(({ body }) =>
    Object.keys(body).some((field) => field === 'wallet_signature' || PRIVATE.test(field)),
  );

/** Names of fields that may be a private key. */
const PRIVATE = /priv(ate)?_?key|secret_?key|seed|mnemonic/i;

export const identityClauses: readonly ClientClause[] = [
  {
    id: 'client.body.json',
    section: '4',
    text: 'A request with a body has Content-Type application/json.',
    look: (run) =>
      each(withBody(run), ({ headers }) =>
        /^application\/json\b/i.test(headers['content-type'] ?? '')
          ? undefined
          : `Content-Type ${headers['content-type']}`,
      ),
  },
  {
    id: 'client.path.known',
    section: '4.1',
    text: 'A client calls paths and methods that there are.',
    look: (run) =>
      each(run.exchanges, ({ reply }) =>
        ['NOT_FOUND', 'METHOD_NOT_ALLOWED'].includes(String(reply['code'])) ? String(reply['error']) : undefined,
      ),
  },
  {
    id: 'client.path.retired',
    section: '4.15',
    text: 'A client does not call the retired check-in.',
    look: (run) =>
      each(
        run.exchanges.filter(({ path }) => /\/agent\/(checkin|heartbeat)$/.test(path)),
        ({ path }) => (path.endsWith('/agent/checkin') ? 'it calls the check-in' : undefined),
      ),
  },
  {
    id: 'client.register.name',
    section: '4.2',
    text: 'A registration has a name.',
    look: (run) =>
      each(
        registrations(run).filter(({ body }) => body['action'] === undefined),
        ({ body }) => (typeof body['name'] === 'string' && body['name'].trim() !== '' ? undefined : 'there is no name'),
      ),
  },
  {
    id: 'client.register.metadata',
    section: '2.2',
    text: 'Metadata is a JSON object of at most 4 KB.',
    look: (run) =>
      each(
        registrations(run).filter(({ body }) => body['metadata'] !== undefined),
        ({ body: { metadata } }) => {
          if (fieldsOf(metadata) !== metadata) return 'it is no object';
          const bytes = Buffer.byteLength(JSON.stringify(metadata));
          return bytes > protocol.registration.metadataBytesMax ? `it has ${bytes} bytes` : undefined;
        },
      ),
  },
  {
    id: 'client.register.token-once',
    section: '4.3',
    text: 'A registration token is used once.',
    look: (run) =>
      usedOnce(registrations(run), {
        valueIn: ({ headers }) => headers['x-registration-token'],
        why: 'the token was used before',
      }),
  },
  {
    id: 'client.wallet.nonce-once',
    section: '4.12',
    text: 'A nonce is used once.',
    look: (run) =>
      usedOnce(signed(run), { valueIn: ({ body }) => body['wallet_nonce'], why: 'the nonce was used before' }),
  },
  {
    id: 'client.wallet.signature',
    section: '4.2',
    text: 'The wallet signs the message of its mode, over nonce, address and name.',
    look: (run) => withoutRefusal(signed(run), ['SIGNATURE_INVALID'], 'the signature does not verify'),
  },
  {
    id: 'client.wallet.private-key',
    section: '4.2',
    text: 'A private key is never sent.',
    look: (run) =>
      each(withWallet(run), ({ body }) => {
        const name = Object.keys(body).find((field) => PRIVATE.test(field));
        return name === undefined ? undefined : `it sends ${name}`;
      }),
  },
  {
    id: 'client.secret.kept',
    section: '2.1',
    text: 'The secret of a registration is told to nobody.',
    look: (run) =>
      each(
        withBody(run).filter(({ n }) => issuedBefore(run, 'secret', n).length > 0),
        ({ text, n }) =>
          issuedBefore(run, 'secret', n).some((secret) => text.includes(secret)) ? 'it sends the secret' : undefined,
      ),
  },
  {
    id: 'client.key.header',
    section: '5',
    text: 'The agent key goes as a bearer token in the Authorization header, never in the path, the query or a body.',
    look: (run) =>
      each(afterKey(run), ({ n, path, query, text, headers }) => {
        if (issuedBefore(run, 'api_key', n).some((key) => `${path}?${query} ${text}`.includes(key)))
          return 'the key is outside the header';
        const sent = headers['authorization'];
        return sent === undefined || /^Bearer \S+$/.test(sent) ? undefined : 'it is no bearer token';
      }),
  },
  {
    id: 'client.key.sent',
    section: '5',
    text: 'Calls of an agent carry a valid key.',
    look: (run) =>
      withoutRefusal(
        run.exchanges.filter(({ path }) => /^\/api\/v1\/(agent\/|sigil)/.test(path) && !/status|checkin/.test(path)),
        ['AUTH_MISSING'],
        'the key is missing or not valid',
      ),
  },
  {
    id: 'client.key.registry-only',
    section: '4.8',
    text: 'The agent key is not sent to the beats service, which needs none.',
    look: (run) =>
      each(
        afterKey(run).filter(({ service }) => service === 'beats'),
        ({ headers }) => (headers['authorization'] === undefined ? undefined : 'it sends a key'),
      ),
  },
  {
    id: 'client.key.each-own',
    section: '5',
    text: 'A key is used by the agent that it was given to, with one form throughout.',
    look: (run) =>
      each(withKey(run), ({ headers, n }) => {
        const keys = issuedBefore(run, 'api_key', n);
        const sent = (headers['authorization'] ?? '').replace(/^Bearer /, '');
        return keys.length === 0 || keys.includes(sent) || !sent.startsWith('pvn_')
          ? undefined
          : 'no registration gave this key';
      }),
  },
  {
    id: 'client.child.authorization',
    section: '4.2',
    text: 'A child registers with a spawn authorization, once.',
    look: (run) => {
      const missing = each(children(run), ({ body }) =>
        typeof body['spawn_authorization'] === 'string' ? undefined : 'there is no spawn_authorization',
      );
      const again = usedOnce(children(run), {
        valueIn: ({ body }) => body['spawn_authorization'],
        why: 'the authorization was used',
      });
      return { seen: missing.seen, faults: [...missing.faults, ...again.faults] };
    },
  },
  {
    id: 'client.sigil.principal',
    section: '4.6',
    text: 'A principal is lower-case letters, digits and hyphens, 24 at most.',
    look: (run) =>
      each(callsOf(run, 'POST /sigil'), ({ body }) =>
        principalPattern(protocol).test(String(body['principal']))
          ? undefined
          : `principal ${String(body['principal'])}`,
      ),
  },
  {
    id: 'client.sigil.once',
    section: '3.3',
    text: 'An agent buys one SIGIL.',
    look: (run) => withoutRefusal(callsOf(run, 'POST /sigil'), ['SIGIL_ALREADY_EXISTS'], 'it has one'),
  },
  {
    id: 'client.metadata.mutable',
    section: '4.11',
    text: 'Only mutable fields are changed.',
    look: (run) =>
      each(callsOf(run, 'PATCH /agent/metadata'), ({ body }) => {
        const fixed = immutableFields.find((field) => body[field] !== undefined);
        return fixed === undefined ? undefined : `it changes ${fixed}`;
      }),
  },
  {
    id: 'client.metadata.vocabulary',
    section: '2.8',
    text: 'Mutable fields have values of their vocabularies.',
    look: (run) => withoutRefusal(callsOf(run, 'PATCH /agent/metadata'), ['VALIDATION'], 'a value is refused'),
  },
  {
    id: 'client.passport.altered',
    section: '2.6',
    text: 'A passport whose signature does not verify is refused: the client gets another before its next heartbeat.',
    look: (run) =>
      after(run, altered(run), ({ method, path }) => {
        if (path.endsWith('/agent/passport') || path.endsWith('/agent/reissue-proof')) return 'over';
        return method === 'POST' && path.endsWith('/agent/heartbeat')
          ? 'it goes on with the altered passport'
          : undefined;
      }),
  },
  {
    id: 'client.authority-key.pinned',
    section: '5',
    text: 'The authority key is pinned: it is not asked for again when a passport does not verify.',
    look: (run) =>
      after(
        run,
        altered(run).filter((trigger) => askedKey(run, trigger.n)),
        ({ path }) => (path.includes('/.well-known/') ? 'it asks for another authority key' : undefined),
      ),
  },
];

const altered = ({ exchanges }: WatchedRun): readonly Exchange[] =>
  exchanges.filter(({ alteration }) => alteration === 'altered-passport');

function askedKey({ exchanges }: WatchedRun, before: number): boolean {
  return exchanges.some(({ n, path }) => n < before && path.includes('/.well-known/'));
}
