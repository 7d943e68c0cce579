/** Replaces the credentials in a recording by stable stand-ins, and back. Redaction of reports is in wire/redact.ts. */
import { createHmac, randomBytes } from 'node:crypto';
import { SECRET_CHARS_MIN, SecretFinder } from '../wire/secret-finder.js';
import { layersOf } from '../wire/secret-forms.js';

/** Bytes of one draw: one for each character. */
const BLOCK_CHARS = 32;

const PREFIX = /^[a-z]{2,6}_/;
const SIGNED = /^([a-z]{2,6}_.*\.)([0-9a-f]{32,})$/;

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();

/**
 * Replaces every secret by a word of the same form, the same one each time, so that a recording can be judged like the original exchanges. The
 * word follows from a key that is drawn for each recording and never written.
 */
export class Pseudonyms {
  readonly #key: Buffer;
  readonly #others = new Map<string, string>();
  readonly #finder = new SecretFinder();
  /** Short secrets, which are found only as a whole text or a whole quoted text. */
  readonly #short = new Set<string>();

  /** `key`: two with the same key have the same stand-ins. */
  constructor(key = Pseudonyms.newKey()) {
    this.#key = key;
  }

  /** Draws a key. */
  static newKey(): Buffer {
    return randomBytes(32);
  }

  /** Adds a secret. `given`: by the user. One of fewer than 8 characters would be found everywhere, so it counts only as a whole value. */
  add(secret: string | undefined, { given = false }: { readonly given?: boolean } = {}): void {
    if (secret === undefined || secret === '' || this.#others.has(secret)) return;
    if (secret.length < SECRET_CHARS_MIN) {
      if (!given) return;
      this.#short.add(secret);
    } else {
      const { kept, hidden } = partsOf(secret);
      if (kept !== '') this.#others.set(hidden, this.#otherPart(hidden, `${secret}#`));
      this.#finder.add(hidden, hidden, given);
    }
    this.#others.set(secret, this.#other(secret));
  }

  /** The stand-in of a secret; the text itself for anything else. */
  of(text: string): string {
    return this.#others.get(text) ?? text;
  }

  /**
   * The value of a header: words that are secrets are replaced, even short ones, and so is the end of what looks like a key, since the suite makes
   * wrong keys of right ones.
   */
  inHeader(value: string): string {
    const words = value.split(' ').map((word) => {
      const [, kept = '', rest = ''] = /^([a-z]{2,6}_[^.]*\.)(.+)$/.exec(word) ?? [];
      return this.#others.get(word) ?? (rest === '' ? word : kept + this.#otherPart(rest, `${word}#`));
    });
    return this.in(words.join(' '));
  }

  /** A text with every secret replaced, however it is written. Throws `Unsearchable`. */
  in(text: string): string {
    let replaced = '';
    let done = 0;
    for (const { start, end, name } of this.#finder.find([text])[0] ?? []) {
      replaced += text.slice(done, start) + this.#written(text.slice(start, end), name);
      done = end;
    }
    replaced += text.slice(done);
    for (const secret of this.#short) {
      if (replaced === secret) return this.of(secret);
      replaced = replaced.replaceAll(`"${inJson(secret)}"`, () => `"${inJson(this.of(secret))}"`);
    }
    return replaced;
  }

  /** The stand-in of a secret as it is written in a text: in full, in part, escaped or encoded. */
  #written(raw: string, secret: string): string {
    if (raw === secret) return this.of(secret);
    if (raw === inJson(secret)) return inJson(this.of(secret));
    const layers = layersOf(raw);
    // Punctuation stays, since it may belong to the surrounding text.
    if (layers.length === 1) return this.#otherPart(raw, `${raw}#`);
    const read = layers.at(-1)?.text ?? raw;
    return this.#otherPart(read, `${read}#`).replaceAll(/[^A-Za-z0-9]/g, 'x');
  }

  /**
   * A word of the same form: its prefix, such as `pvn_`, and its dots stay, letters become letters, digits digits and hex hex. The part of a signed
   * key before its signature stays: it names the agent, and is not secret without the signature.
   */
  #other(secret: string): string {
    const { kept, hidden } = partsOf(secret);
    if (kept !== '') return kept + this.#otherPart(hidden, `${secret}#`);
    const prefix = PREFIX.exec(secret)?.[0] ?? '';
    const others = secret
      .slice(prefix.length)
      .split('.')
      .map((part, index) => this.#otherPart(part, `${secret}#${index}`));
    return prefix + others.join('.');
  }

  #otherPart(part: string, name: string): string {
    const hex = /^[0-9a-f]+$/.test(part);
    const blocks = Array.from({ length: Math.ceil(part.length / BLOCK_CHARS) }, (_, block) =>
      createHmac('sha256', this.#key).update(`${name}:${block}`).digest(),
    );
    const draws = Buffer.concat(blocks);
    return Array.from({ length: part.length }, (_, at) => otherChar(part.charAt(at), draws[at] ?? 0, hex)).join('');
  }
}

/** The signature of a signed key, and the part before it; all of any other secret. */
function partsOf(secret: string): { readonly kept: string; readonly hidden: string } {
  const [, kept = '', hidden = secret] = SIGNED.exec(secret) ?? [];
  return { kept, hidden };
}

/** A text as it is between the quotes of a JSON string. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function otherChar(char: string, draw: number, hex: boolean): string {
  if (hex) return draw.toString(16).padStart(2, '0').charAt(1);
  const letters = [DIGITS, UPPER].find((alphabet) => alphabet.includes(char)) ?? LOWER;
  // Punctuation keeps the form of a word, and reveals nothing among letters.
  return /[\x20-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/.test(char) ? char : letters.charAt(draw % letters.length);
}
