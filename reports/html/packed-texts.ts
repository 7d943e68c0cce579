/**
 * Packs texts that are much alike and full of hashes, so that a compressor is left with little: what repeats stands once, and
 * hexadecimal as bytes. The form is that of unpacked-texts.ts. It neither compresses nor knows what the texts say.
 */

import { JSON_END, JSON_START, MARKS, type PackedTexts } from './unpacked-texts.js';

/** The values that have a mark in their place: hexadecimal, long words, Base64, words with digits in them, numbers; and the marks themselves. */
const VALUE =
  /(?<![0-9a-f])(?:[0-9a-f]{2}){8,}(?![0-9a-f])|[\w-]{100,}|(?<![\w+/])[A-Za-z0-9+/]{40,}={1,2}|(?<![A-Za-z0-9])(?!0x)(?=[A-Za-z]+\d|\d+[A-Za-z])[A-Za-z0-9]{6,}|\d+|[\ue000-\ue002]/gu;

type Mark = (typeof MARKS)[keyof typeof MARKS];

/** The texts as bytes, which `unpackTexts` reads again. The same texts give the same bytes. */
export function packTexts(texts: readonly string[]): Buffer {
  const templates = new Map<string, { readonly at: number; readonly rows: string[][] }>();
  const places = texts.map(withPlainJson).map((text) => {
    const values: string[] = [];
    const template = text.replace(VALUE, (value) => {
      values.push(value);
      return markOf(value);
    });
    const known = templates.get(template) ?? { at: templates.size, rows: [] };
    templates.set(template, known);
    known.rows.push(values);
    return known.at;
  });
  const hex = new Repetitions();
  const words = new Repetitions();
  const digits: string[] = [];
  for (const { rows } of templates.values()) {
    for (const slot of rows[0]?.keys() ?? []) {
      let last = '';
      for (const row of rows) {
        const value = row[slot] ?? '';
        const mark = markOf(value);
        if (mark === MARKS.digits) digits.push(value === last ? '' : value);
        else (mark === MARKS.hex ? hex : words).add(value);
        last = value;
      }
    }
  }
  const packed: PackedTexts = {
    templates: [...templates.keys()],
    texts: places,
    digits: digits.join(','),
    hexSteps: hex.steps,
    wordSteps: words.steps,
    hexBytes: hex.values.map((value) => value.length / 2),
    words: words.values,
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(packed)}\0`), Buffer.from(hex.values.join(''), 'hex')]);
}

/** JSON in Base64url as it reads before, between two letters; a first of these letters that was there is both of them. */
function withPlainJson(text: string): string {
  return text.replaceAll(JSON_START, `${JSON_START}${JSON_END}`).replace(/\beyJ[\w-]{40,}/gu, (word) => {
    const plain = Buffer.from(word, 'base64url').toString();
    const isWhole = Buffer.from(plain).toString('base64url') === word;
    return isWhole && !plain.includes(JSON_END) ? `${JSON_START}${plain}${JSON_END}` : word;
  });
}

function markOf(value: string): Mark {
  if (/^\d+$/u.test(value)) return MARKS.digits;
  return /^(?:[0-9a-f]{2}){8,}$/u.test(value) ? MARKS.hex : MARKS.word;
}

/** Values in the order in which they come first, and for each that comes how far back it is known. */
class Repetitions {
  readonly steps: number[] = [];
  readonly #places = new Map<string, number>();

  add(value: string): void {
    const place = this.#places.get(value);
    this.steps.push(place === undefined ? 0 : this.#places.size - place);
    if (place === undefined) this.#places.set(value, this.#places.size);
  }

  get values(): string[] {
    return [...this.#places.keys()];
  }
}
