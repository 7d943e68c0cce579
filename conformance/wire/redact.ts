/**
 * Replaces secrets in the output of a run by placeholders. secret-finder.ts finds secrets by value. For recordings, conformance/tape replaces
 * them by words of the same form.
 */

import type { Exchange } from '../../results/conformance-result.js';
import { SECRET_FIELDS, SECRET_PLACEHOLDER } from '../../results/secret-placeholder.js';
import { isObject } from '../../spec/formats.js';
import { SECRET_CHARS_MIN, SecretFinder, type SecretMatch, Unsearchable } from './secret-finder.js';
import type { RawExchange } from './wire.js';

const ALTERED_CHARS_MIN = 32;
/** Reports show only this beginning of a long reply. Usual replies have some kilobytes. */
const SHOWN_CHARS_MAX = 65_536;
/**
 * Limits the shown characters of all long replies together, beyond the first SHORT_CHARS of each, so that long replies do not fill the memory.
 */
const LONG_REPLIES_CHARS_MAX = 33_554_432;
const SHORT_CHARS = 1_000;
const NONE: ReadonlySet<string> = new Set();
const UNSEARCHABLE = '[a text that cannot be searched for secrets]';

/** The credentials in a reply: each with its field and variable. */
export function secretsIn(
  reply: unknown,
): readonly { readonly field: string; readonly name: string; readonly value: string }[] {
  if (!isObject(reply)) return [];
  return Object.entries(SECRET_FIELDS).flatMap(([field, name]) => {
    const value = reply[field];
    return typeof value === 'string' ? [{ field, name, value }] : [];
  });
}

/** A secret of the target file that is too short to tell it from other text. */
interface Short {
  readonly name: string;
  readonly value: string;
  /** Matches the secret as a whole quoted text, escaped or not, but not as the name of a field. */
  readonly quoted: RegExp;
}

/** Knows the secrets of a check by value, and removes them from all output. */
export class Redactor {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #finder = new SecretFinder();
  readonly #short: Short[] = [];
  /** Texts that `everywhere` has redacted; cached, since names of headers, places and addresses occur many times in a result. */
  readonly #redacted = new Map<string, string>();
  readonly #others: boolean;
  /** The characters left of LONG_REPLIES_CHARS_MAX. */
  #charsLeft = LONG_REPLIES_CHARS_MAX;

  /**
   * `known`: the secrets of the target file by variable name: a text, or the 64 numbers of a key file. `others`: secrets in replies belong to many
   * checks, and get names that say so.
   */
  constructor(
    known: Readonly<Record<string, string | readonly number[] | undefined>> = {},
    { others = false }: { readonly others?: boolean } = {},
  ) {
    this.#others = others;
    for (const [name, value] of Object.entries(known)) {
      if (value === undefined) continue;
      if (typeof value !== 'string') this.addKey(name, value);
      else if (value.length < SECRET_CHARS_MIN) this.#addShort(name, value);
      else this.add(name, value, { given: true });
    }
  }

  /**
   * Adds a secret of at least 8 characters under a variable name; a shorter one is ignored. `given`: the secret is from the user. Throws `RangeError`
   * if the name does not have the form of a placeholder.
   */
  add(name: string, value: string | undefined, { given = false }: { readonly given?: boolean } = {}): void {
    requireName(name);
    if (value === undefined || value.length < SECRET_CHARS_MIN || this.#names.has(value)) return;
    this.#names.set(value, name);
    this.#redacted.clear();
    this.#finder.add(name, value, given);
  }

  /** Adds the key of a paying wallet: the 64 numbers of its file. */
  addKey(name: string, numbers: readonly number[]): void {
    requireName(name);
    const text = numbers.join(',');
    if (this.#names.has(text)) return;
    this.#names.set(text, name);
    this.#redacted.clear();
    this.#finder.addKey(name, numbers);
  }

  #addShort(name: string, value: string): void {
    requireName(name);
    if (value === '') return;
    const written = JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    this.#short.push({ name, value, quoted: new RegExp(`(\\\\*")${written}\\1(?!\\s*:)`, 'g') });
  }

  /**
   * Adds a key before a check sends it. An altered key is too close to the true one to be shown; a short key is an invention of the check, and is
   * not added.
   */
  learnKey(key: string | undefined): void {
    if (key === undefined || key.length < ALTERED_CHARS_MIN || this.#names.has(key)) return;
    this.add(this.#numbered('ALTERED_KEY'), key);
  }

  /** Adds the credentials in a reply. */
  learn(reply: unknown): void {
    for (const { name, value } of secretsIn(reply)) {
      if (value.length < SECRET_CHARS_MIN || this.#names.has(value)) continue;
      this.add(this.#numbered(name), value);
    }
  }

  #numbered(name: string): string {
    const kind = this.#others ? `OTHER_${name}` : name;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return `${kind}_${count}`;
  }

  /** Replaces every secret in a text by its placeholder, such as `[API_KEY_1]`. */
  redact(text: string): string {
    return this.together([text])[0] ?? '';
  }

  /** Redacts texts together, so that a secret split over two of them is found, too. */
  together(texts: readonly string[]): readonly string[] {
    try {
      const found = this.#finder.find(texts);
      return texts.map((text, index) => this.#withoutShort(replaced(text, found[index] ?? [])));
    } catch (error) {
      if (!(error instanceof Unsearchable)) throw error;
      return texts.map(() => UNSEARCHABLE);
    }
  }

  #withoutShort(text: string): string {
    let rest = text;
    for (const { name, value, quoted } of this.#short) {
      if (rest === value || rest === `Bearer ${value}`) return rest.replace(value, () => `[${name}]`);
      rest = rest.replaceAll(quoted, (_, quote: string) => `${quote}[${name}]${quote}`);
    }
    return rest;
  }

  /** Redacts every text in a value, except under the names `ownWords`, which hold words of the suite. */
  everywhere<T>(value: T, ownWords: ReadonlySet<string> = NONE): T {
    const redacted = (text: string): string => {
      const before = this.#redacted.get(text);
      if (before !== undefined) return before;
      const shown = this.redact(text);
      this.#redacted.set(text, shown);
      return shown;
    };
    const within = (each: unknown): unknown => {
      if (typeof each === 'string') return redacted(each);
      if (Array.isArray(each)) return each.map(within);
      if (typeof each !== 'object' || each === null) return each;
      return Object.fromEntries(
        Object.entries(each).map(([key, item]) => [key, ownWords.has(key) && isText(item) ? item : within(item)]),
      );
    };
    return within(value) as T;
  }

  /** The exchange in the form of reports. `run`: the redactor of the whole run. */
  exchange({ request, response, failure, at, signed, asked, left_out }: RawExchange, run: Redactor = this): Exchange {
    return {
      request: {
        method: request.method,
        url: this.redact(request.url),
        headers: this.#headers(request.headers),
        ...(request.body === undefined ? {} : { body: this.redact(request.body) }),
      },
      ...(response === undefined ? {} : { response: this.#response(response, run) }),
      ...(failure === undefined ? {} : { failure: this.redact(failure) }),
      ...(at === undefined ? {} : { at }),
      ...(signed === undefined ? {} : { signed: signed.map((one) => ({ ...one, text: this.redact(one.text) })) }),
      ...(asked === undefined ? {} : { asked: asked.map((one) => ({ ...one, url: this.redact(one.url) })) }),
      ...(left_out === undefined ? {} : { left_out }),
    };
  }

  #response(
    { status, headers, body }: NonNullable<RawExchange['response']>,
    run: Redactor,
  ): NonNullable<Exchange['response']> {
    const [whole = '', ...fields] = this.together([body, ...Object.entries(headers).flat()]);
    const chars = run.#shown(body.length);
    const text = chars < body.length ? `${copied(whole.slice(0, chars))}… (cut after ${chars} characters)` : whole;
    const shown = Object.keys(headers).map((_, index) => [fields[2 * index], fields[2 * index + 1]]);
    return { status, headers: Object.fromEntries(shown), body: text };
  }

  /** The number of characters of a reply to show, taken from the remaining total. */
  #shown(chars: number): number {
    const beyond = Math.min(Math.max(0, Math.min(chars, SHOWN_CHARS_MAX) - SHORT_CHARS), this.#charsLeft);
    this.#charsLeft -= beyond;
    return Math.min(chars, SHORT_CHARS) + beyond;
  }

  #headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.redact(value)]));
  }
}

/** Copies a text, since a part of a string would keep the whole string in memory. */
function copied(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

function isText(value: unknown): boolean {
  return Array.isArray(value) ? value.every((item) => typeof item === 'string') : typeof value === 'string';
}

function requireName(name: string): void {
  if (`[${name}]`.replace(SECRET_PLACEHOLDER, '') !== '')
    throw new RangeError(`${name} is not a valid name of a secret`);
}

/** Replaces the found secrets in a text by placeholders. */
function replaced(text: string, found: readonly SecretMatch[]): string {
  let shown = '';
  let done = 0;
  for (const { start, end, name, isPart } of found) {
    shown += `${text.slice(done, start)}[${isPart ? 'part of ' : ''}${name}]`;
    done = end;
  }
  return shown + text.slice(done);
}
