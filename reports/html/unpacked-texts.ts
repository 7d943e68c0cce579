/**
 * Reads texts that packed-texts.ts has written; a page does it in its reader's browser. Texts that differ in numbers, hashes and
 * names alone share a template with a mark for each of these, and the values stand apart: for each template those of its first
 * mark in all of its texts, then those of its second.
 */

/** The marks of a template: private characters of Unicode, one for each kind of value. */
export const MARKS = { hex: '\ue000', digits: '\ue001', word: '\ue002' } as const;

/** One mark. */
export const MARK = /[\ue000-\ue002]/gu;

/** Between these stands what is Base64url in the text; where nothing does, the first is meant itself. */
export const JSON_START = '\ue004';
export const JSON_END = '\ue005';

/** The JSON before the first zero byte; after it stand the bytes of all hexadecimal values. */
export interface PackedTexts {
  readonly templates: readonly string[];
  /** The template of each text, by its place. */
  readonly texts: readonly number[];
  /** Digits with commas between them; nothing where they are those of the text of this template before. */
  readonly digits: string;
  /** How many values of the kind back this one stood last, or 0: it is the next new one. */
  readonly hexSteps: readonly number[];
  readonly wordSteps: readonly number[];
  /** The new values: how many bytes each has, or the word. */
  readonly hexBytes: readonly number[];
  readonly words: readonly string[];
}

/** The texts, as they were packed. */
export function unpackTexts(bytes: Uint8Array): string[] {
  const end = bytes.indexOf(0);
  const packed = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as PackedTexts;
  const counts = packed.templates.map(() => 0);
  for (const template of packed.texts) counts[template] = (counts[template] ?? 0) + 1;
  const next = valueReaders(packed, bytes.subarray(end + 1));
  const columns = packed.templates.map((template, at) =>
    (template.match(MARK) ?? []).map((mark) => {
      let last = '';
      return Array.from({ length: counts[at] ?? 0 }, () => {
        last = next.get(mark)?.(last) ?? '';
        return last;
      });
    }),
  );
  const rows = packed.templates.map(() => 0);
  return packed.texts.map((at) => {
    const row = rows[at] ?? 0;
    rows[at] = row + 1;
    let slot = 0;
    return withBase64((packed.templates[at] ?? '').replace(MARK, () => columns[at]?.[slot++]?.[row] ?? ''));
  });
}

function withBase64(text: string): string {
  return text.replace(/\ue004([^\ue005]*)\ue005/gu, (_, plain: string) => {
    if (plain === '') return JSON_START;
    const letters = Array.from(new TextEncoder().encode(plain), (byte) => String.fromCharCode(byte));
    const base64 = btoa(letters.join(''));
    return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/u, '');
  });
}

/** For each mark a function that gives the next value of its kind; it takes the one before in the same place. */
function valueReaders(packed: PackedTexts, bytes: Uint8Array): ReadonlyMap<string, (last: string) => string> {
  const digits = packed.digits.split(',').values();
  let at = 0;
  const hexes = packed.hexBytes.map((length) => {
    at += length;
    return Array.from(bytes.subarray(at - length, at), (byte) => byte.toString(16).padStart(2, '0')).join('');
  });
  return new Map([
    [MARKS.hex, repeating(packed.hexSteps, hexes)],
    [MARKS.digits, (last: string): string => digits.next().value || last],
    [MARKS.word, repeating(packed.wordSteps, packed.words)],
  ]);
}

/** Values of which each is new or one of those that came before. */
function repeating(steps: readonly number[], values: readonly string[]): () => string {
  let at = 0;
  let known = 0;
  return () => {
    const step = steps[at++] ?? 0;
    return (step === 0 ? values[known++] : values[known - step]) ?? '';
  };
}
