/**
 * The secrets in watched traffic. They are found by their place (headers, cookies, queries, fields), by the form of keys, and by value in whatever
 * else is written. Reports have placeholders for them, and files of exchanges stand-ins of the same form.
 */

import { Pseudonyms } from '../../conformance/tape/pseudonyms.js';
import { Redactor } from '../../conformance/wire/redact.js';
import { SECRET_CHARS_MIN } from '../../conformance/wire/secret-finder.js';
import { SECRET_FIELDS } from '../../results/secret-placeholder.js';
import type { ExcerptExchange } from '../../results/watch-result.js';
import { jsonOf } from '../../spec/formats.js';
import type { Observed } from '../../watch/exchange.js';
import type { ExchangesHead } from '../../watch/ndjson.js';

/** Secrets by the shell variable that a report writes in place of each. */
export type Hidden = Readonly<Record<string, string | readonly number[] | undefined>>;

/** Names of headers, query parameters and fields whose values are secrets. */
const SECRET_WORDS = 'api[_-]?key|secret|token|password|passwd|mnemonic|private[_-]?key|access[_-]?key|session';
const SECRET_NAME = new RegExp(`(?:^|[_-])(?:${SECRET_WORDS})$`, 'i');
/** A field of a JSON text whose name ends with such a word. Most texts have no such field. */
const HAS_SECRET = new RegExp(`(?:${SECRET_WORDS})"\\s*:`, 'i');
const COOKIE = /cookie/i;
const SECRET_HEADER = /auth|token|secret|key|cookie|session|password/i;
/** Agent keys, admin keys and keys of partners. */
const KEY = /\bpv[a-z]_[A-Za-z0-9_-]{6,}(?:\.[0-9a-f]{8,})?/g;
const FIELD = /"([\w-]{1,40})"\s*:\s*"((?:[^"\\]|\\.)+)"/g;
/** Older secrets are found by place and form alone. */
const LEARNED_MAX = 5_000;

/** A secret, and the name of its variable without a number. */
type Named = readonly [value: string, name: string];

/** Finds, remembers and replaces the secrets of traffic. `hidden`: those of the target file. */
export class TrafficSecrets {
  readonly #learned = new Map<string, string>();
  /** Absent where no file is written. */
  #pseudonyms: Pseudonyms | undefined;
  readonly #key = Pseudonyms.newKey();

  constructor(
    readonly hidden: Hidden,
    isWritten: boolean,
  ) {
    if (isWritten) this.#pseudonyms = this.#newPseudonyms();
  }

  #newPseudonyms(): Pseudonyms {
    const names = new Pseudonyms(this.#key);
    for (const secret of Object.values(this.hidden)) if (typeof secret === 'string') names.add(secret, { given: true });
    return names;
  }

  /** Remembers the secrets of an exchange. */
  learn(observed: Observed): void {
    for (const [value, name] of secretsOf(observed)) {
      if (this.#learned.has(value)) continue;
      if (this.#learned.size >= LEARNED_MAX) {
        this.#learned.clear();
        if (this.#pseudonyms !== undefined) this.#pseudonyms = this.#newPseudonyms();
      }
      this.#learned.set(value, name);
      this.#pseudonyms?.add(value, { given: value.length < SECRET_CHARS_MIN });
    }
  }

  /** An exchange that was learned just now, with stand-ins for its secrets. */
  disguised(observed: Observed): Observed {
    const names = this.#pseudonyms ?? this.#newPseudonyms();
    const inHeaders = (headers: Observed['request']['headers']) =>
      Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) => {
          if (COOKIE.test(name)) return [];
          const { scheme, token } = tokenOf(value);
          return [[name, SECRET_HEADER.test(name) ? scheme + names.of(names.in(token)) : names.in(value)]];
        }),
      );
    const { request, reply } = observed;
    const { body } = request;
    return {
      ...observed,
      request: {
        ...request,
        url: names.in(withoutQuerySecrets(request.url)),
        headers: inHeaders(request.headers),
        ...(body === undefined ? {} : { body: names.in(body) }),
      },
      reply: reply && { ...reply, headers: inHeaders(reply.headers), body: names.in(reply.body) },
    };
  }

  /** The stand-in of a secret of the target file. */
  standIn(name: 'REGISTRATION_SECRET' | 'ADMIN_KEY' | 'PARTNER_KEY'): string | undefined {
    const secret = this.hidden[name];
    return typeof secret === 'string' ? this.#pseudonyms?.of(secret) : undefined;
  }

  /** Replaces all secrets in what a report shows: texts of breaks, and the exchanges of excerpts. */
  redactor(shown: readonly Observed[]): {
    readonly texts: <T>(value: T) => T;
    readonly exchange: (observed: Observed) => ExcerptExchange;
  } {
    const counts = new Map<string, number>();
    const found = [...new Map([...shown.flatMap(secretsOf), ...this.#learned])].map(([value, name]): Named => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return [value, `${name}_${counts.get(name)}`];
    });
    // A short secret is replaced where it is a whole value.
    const isShort = ([value]: Named): boolean => value.length < SECRET_CHARS_MIN;
    const shorts = found.filter(isShort).map(([value, name]) => [name, value]);
    const redactor = new Redactor({ ...this.hidden, ...Object.fromEntries(shorts) });
    for (const [value, name] of found) redactor.add(name, value);
    const headersOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(
        Object.entries(headers).filter(
          ([name, value]) => !SECRET_HEADER.test(name) || value.length >= SECRET_CHARS_MIN,
        ),
      );
    return {
      texts: (value) => redactor.everywhere(value),
      exchange: ({ request, reply, source, beganMs }) => ({
        source,
        ...(beganMs === undefined ? {} : { began: new Date(beganMs).toISOString() }),
        exchange: redactor.exchange({
          request: { ...request, url: withoutQuerySecrets(request.url), headers: headersOf(request.headers) },
          ...(reply === undefined
            ? { failure: 'no reply' }
            : { response: { ...reply, headers: headersOf(reply.headers) } }),
        }),
      }),
    };
  }
}

/** The secrets of an exchange by their places and forms. */
function secretsOf({ request, reply }: Observed): readonly Named[] {
  return [
    ...inHeaders(request.headers),
    ...inQuery(request.url),
    ...inText(request.body ?? ''),
    ...(reply === undefined ? [] : [...inHeaders(reply.headers), ...inText(reply.body)]),
  ];
}

const nameOfHeader = (name: string): string => `HEADER_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

function inHeaders(headers: Readonly<Record<string, string>>): readonly Named[] {
  return Object.entries(headers).flatMap(([name, value]): readonly Named[] => {
    if (!SECRET_HEADER.test(name) || value === '') return [];
    const variable = nameOfHeader(name);
    if (COOKIE.test(name)) return value.split(/[;,]\s*/).map((each) => [each.slice(each.indexOf('=') + 1), variable]);
    const { scheme, token } = tokenOf(value);
    const known: Named = [token, token.startsWith('pvn_') ? 'API_KEY' : variable];
    if (!/^basic /i.test(scheme)) return [known];
    const plain = Buffer.from(token, 'base64').toString('utf8');
    return [known, [plain.slice(plain.indexOf(':') + 1), variable]];
  });
}

/** The scheme of a credential, such as `Bearer `, and the rest. */
function tokenOf(value: string): { readonly scheme: string; readonly token: string } {
  const [, scheme = '', token = value] = /^(\w[\w-]* +)(.+)$/.exec(value) ?? [];
  return { scheme, token };
}

const isSecretParameter = (name: string): boolean =>
  SECRET_NAME.test(name) || /^(?:key|auth|sig|signature)$/i.test(name);

function inQuery(url: string): readonly Named[] {
  const at = url.indexOf('?');
  if (at === -1) return [];
  return [...new URLSearchParams(url.slice(at))].flatMap(([name, value]): readonly Named[] =>
    isSecretParameter(name) ? [[value, nameOfHeader(name)]] : [],
  );
}

/** A URL without the values of parameters that are secrets. */
function withoutQuerySecrets(url: string): string {
  return url.replace(/([?&]([^=&#]+)=)[^&#]*/g, (all, begin: string, name: string) =>
    isSecretParameter(name) ? `${begin}hidden` : all,
  );
}

const knownNames = new Map<string, boolean>();

/** Whether a field of this name is a secret. The names of fields are few. */
function isSecretName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isSecret = SECRET_NAME.test(name);
  if (knownNames.size < 10_000) knownNames.set(name, isSecret);
  return isSecret;
}

function inText(text: string): readonly Named[] {
  const keys = (text.match(KEY) ?? []).map((key): Named => [key, 'API_KEY']);
  if (!HAS_SECRET.test(text)) return keys;
  const fields = [...text.matchAll(FIELD)].flatMap(([, name = '', written = '']): readonly Named[] => {
    if (!isSecretName(name)) return [];
    const value = written.includes('\\') ? String(jsonOf(`"${written}"`) ?? written) : written;
    return [[value, SECRET_FIELDS[name] ?? nameOfHeader(name)]];
  });
  return [...keys, ...fields];
}

/** The first line of a file of exchanges. */
export function headOf(
  addresses: Pick<ExchangesHead, 'base_url' | 'beats_url' | 'control_url'>,
  secrets: TrafficSecrets,
): ExchangesHead {
  return {
    schema: 'aips-lab/exchanges/1',
    ...addresses,
    registration_secret: secrets.standIn('REGISTRATION_SECRET'),
    admin_key: secrets.standIn('ADMIN_KEY'),
    partner_key: secrets.standIn('PARTNER_KEY'),
  };
}
