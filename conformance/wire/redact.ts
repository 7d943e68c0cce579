import { type Exchange, SECRET_PLACEHOLDER } from '../../reports/conformance-result.js';
import type { RawExchange } from './wire.js';

/** Reply fields whose values are credentials, and the shell variable that stands for each in a transcript. */
const SECRET_FIELDS: Readonly<Record<string, string>> = {
  api_key: 'API_KEY',
  secret: 'AGENT_SECRET',
  token: 'REGISTRATION_TOKEN',
  webhook_secret: 'WEBHOOK_SECRET',
  key: 'ISSUED_KEY',
};

const SECRET_CHARS_MIN = 8;
const ALTERED_CHARS_MIN = 32;

/** The credentials that a reply hands out: the field of each, and its variable. */
export function secretsIn(
  reply: unknown,
): readonly { readonly field: string; readonly name: string; readonly value: string }[] {
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply)) return [];
  return Object.entries(SECRET_FIELDS).flatMap(([field, name]) => {
    const value = (reply as Record<string, unknown>)[field];
    return typeof value === 'string' ? [{ field, name, value }] : [];
  });
}

/** The ways in which a target may write a secret that it was sent. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const escaped = JSON.stringify(secret).slice(1, -1);
  const inJson = [escaped, escaped.replaceAll('/', '\\/'), JSON.stringify(escaped).slice(1, -1)];
  const inUrl = [encodeURIComponent(secret), encodeURI(secret)];
  const unpadded = bytes.toString('base64').replace(/=+$/, '');
  return [...new Set([secret, ...inJson, ...inUrl, unpadded, bytes.toString('base64url'), bytes.toString('hex')])];
}

function withoutForms(value: unknown, forms: readonly (readonly [form: string, placeholder: string])[]): unknown {
  if (typeof value === 'string')
    return forms.reduce((text, [form, placeholder]) => text.replaceAll(form, placeholder), value);
  if (Array.isArray(value)) return value.map((item) => withoutForms(item, forms));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutForms(item, forms)]));
}

/** One piece of a text: as it is, or a secret by the name of its variable. */
type Piece = { readonly plain: string } | { readonly secret: string };

/** Knows the secrets of a check by value, and keeps them out of everything that is printed. */
export class Redactor {
  readonly #names = new Map<string, string>();

  /** `known`: variable name to value, for the secrets of the target file. */
  constructor(known: Readonly<Record<string, string | undefined>> = {}) {
    for (const [name, value] of Object.entries(known)) this.add(name, value);
  }

  /**
   * Adds a secret under a variable name; shorter than 8 characters, it would redact half of every text. Throws `RangeError`
   * for a name that no reader of a transcript would take for a secret's.
   */
  add(name: string, value: string | undefined): void {
    if (`[${name}]`.replace(SECRET_PLACEHOLDER, '') !== '') throw new RangeError(`${name} is no name of a secret`);
    if (value !== undefined && value.length >= SECRET_CHARS_MIN && !this.#names.has(value)) {
      this.#names.set(value, name);
    }
  }

  /**
   * Adds a key that a check is about to send. What it has altered is no reply's word, and so near to the true one that it
   * must not be shown either; a short one is a check's own invention.
   */
  learnKey(key: string | undefined): void {
    if (key === undefined || key.length < ALTERED_CHARS_MIN || this.#names.has(key)) return;
    this.add(this.#numbered('ALTERED_KEY'), key);
  }

  /** Adds the credentials that a reply hands out. */
  learn(reply: unknown): void {
    for (const { name, value } of secretsIn(reply)) {
      if (this.#names.has(value)) continue;
      this.add(this.#numbered(name), value);
    }
  }

  #numbered(name: string): string {
    return `${name}_${[...this.#names.values()].filter((known) => known.startsWith(`${name}_`)).length + 1}`;
  }

  /** Cuts a text at its secrets. */
  #pieces(text: string): Piece[] {
    let pieces: Piece[] = [{ plain: text }];
    for (const [value, name] of this.#names) {
      if (!text.includes(value)) continue;
      pieces = pieces.flatMap((piece) => {
        if (!('plain' in piece)) return [piece];
        const parts = piece.plain.split(value);
        return parts.flatMap((part, index): Piece[] =>
          index === 0 ? [{ plain: part }] : [{ secret: name }, { plain: part }],
        );
      });
    }
    return pieces.filter((piece) => !('plain' in piece) || piece.plain !== '');
  }

  /** The text with every secret replaced by its placeholder, such as `[API_KEY_1]`. */
  redact(text: string): string {
    return this.#pieces(text)
      .map((piece) => ('plain' in piece ? piece.plain : `[${piece.secret}]`))
      .join('');
  }

  /** A value with every text in it redacted, whether a secret stands there as it is or escaped, encoded for a URL, or in base64 or hex. */
  everywhere<T>(value: T): T {
    const forms = [...this.#names].flatMap(([secret, name]) =>
      formsOf(secret).map((form) => [form, `[${name}]`] as const),
    );
    return forms.length === 0 ? value : (withoutForms(value, forms) as T);
  }

  /** The exchange as a report may show it. */
  exchange({ request, response, failure, at }: RawExchange): Exchange {
    return {
      request: {
        method: request.method,
        url: this.redact(request.url),
        headers: this.#headers(request.headers),
        ...(request.body === undefined ? {} : { body: this.redact(request.body) }),
      },
      ...(response === undefined
        ? {}
        : {
            response: {
              status: response.status,
              headers: this.#headers(response.headers),
              body: this.redact(response.body),
            },
          }),
      ...(failure === undefined ? {} : { failure: this.redact(failure) }),
      ...(at === undefined ? {} : { at }),
    };
  }

  #headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.redact(value)]));
  }
}
