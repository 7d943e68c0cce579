import { createHmac, randomBytes } from 'node:crypto';

/** A word as a credential can be one: a text is searched for them word by word, since a run hands out thousands. */
const WORD = /[A-Za-z0-9_~+/=.-]{8,}/g;
const WHOLE_WORD = new RegExp(`^${WORD.source}$`);
const CHARS_MIN = 8;
/** Bytes of one draw: one for each character. */
const BLOCK_CHARS = 32;

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();

/**
 * Puts another word in place of every secret, the same one each time and of the same form, so that a recording can be
 * judged as the exchanges were. Which word it is follows from a key that is drawn for each recording and never written.
 */
export class Pseudonyms {
  readonly #key = randomBytes(32);
  readonly #words = new Map<string, string>();
  /** Secrets that are more than a word: searched for one by one. */
  readonly #texts = new Map<string, string>();

  /** Adds a secret. One of less than 8 characters would be found everywhere. */
  add(secret: string | undefined): void {
    if (secret === undefined || secret.length < CHARS_MIN) return;
    if (WHOLE_WORD.test(secret)) this.#words.set(secret, this.#other(secret));
    else {
      const other = this.#other(secret);
      this.#texts.set(secret, other).set(inJson(secret), inJson(other));
    }
  }

  /** What stands for a secret; the text itself for what is none. */
  of(text: string): string {
    return this.#words.get(text) ?? this.#texts.get(text) ?? text;
  }

  /** A text with every secret replaced. */
  in(text: string): string {
    let replaced = text.replaceAll(WORD, (word) => this.#words.get(word) ?? word);
    for (const [secret, other] of this.#texts) replaced = replaced.replaceAll(secret, other);
    return replaced;
  }

  /**
   * A word of the same form: its prefix, such as `pvn_`, and its dots stay, letters become letters, digits digits and hex hex.
   * What stands before the signature of a signed key says whose it is, and is no secret without the signature: it stays.
   */
  #other(secret: string): string {
    const prefix = /^[a-z]{2,6}_/.exec(secret)?.[0] ?? '';
    const parts = secret.slice(prefix.length).split('.');
    const signed = prefix !== '' && parts.length > 1 && /^[0-9a-f]{32,}$/.test(parts.at(-1) ?? '');
    const others = parts.map((part, index) => {
      return signed && index < parts.length - 1 ? part : this.#otherPart(part, `${secret}#${index}`);
    });
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

/** A text as it stands between the quotes of a JSON string. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function otherChar(char: string, draw: number, hex: boolean): string {
  if (hex) return draw.toString(16).padStart(2, '0').charAt(1);
  const letters = [DIGITS, UPPER].find((alphabet) => alphabet.includes(char)) ?? LOWER;
  // Signs give a word its form and, among letters, nothing away.
  return /[\x20-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/.test(char) ? char : letters.charAt(draw % letters.length);
}
