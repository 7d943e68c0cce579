/**
 * The forms of a secret in a text (base64, hex, …), and the decoded forms of a text with escapes. The search is in secret-finder.ts.
 */

import { base58 } from '@scure/base';

/** A form of a secret. */
export interface Form {
  readonly text: string;
  /** The form is in lower case, and matches in either case. */
  readonly anyCase: boolean;
  /** The form is base64 among other bytes: the characters before and after it may have bits of the secret. */
  readonly blurred: boolean;
}

const inAnyCase = (text: string): Form => ({ text: lowerCase(text), anyCase: true, blurred: false });

/** The forms of a secret text: unchanged, with `+` for spaces, and its bytes in base64 and hex. */
export function formsOfText(secret: string): readonly Form[] {
  const bytes = Buffer.from(secret, 'utf8');
  const spaced = secret.includes(' ') ? [inAnyCase(secret.replaceAll(' ', '+'))] : [];
  return [inAnyCase(secret), ...spaced, ...base64Forms(bytes), hexForm(bytes)];
}

/**
 * The bytes of a secret as in memory dumps: as numbers, and as hex with separators (`<Buffer 51 78 37>`, `51:78:37`, `0x51, 0x78`, `=51=78`).
 */
export function dumpsOfText(secret: string): readonly Form[] {
  const bytes = [...Buffer.from(secret, 'utf8')];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
  return [bytes.join(','), ...[' ', ':', ',0x', '='].map((between) => hex.join(between))].map(inAnyCase);
}

/** The forms of a key file (64 numbers, the first 32 of them secret): the numbers, and base58, base64 and hex. */
export function formsOfKey(numbers: readonly number[]): readonly Form[] {
  const secret = Buffer.from(numbers.slice(0, 32));
  // Wallets export all 64 bytes in base58, which does not begin with the base58 of the first half.
  const texts = [secret.toString('hex'), base58.encode(secret), base58.encode(Uint8Array.from(numbers))];
  return [inAnyCase([...secret].join(',')), ...base64Forms(secret), ...texts.flatMap(formsOfText)];
}

function hexForm(bytes: Buffer): Form {
  return inAnyCase(bytes.toString('hex'));
}

/** A text with ASCII letters in lower case, so that its length does not change. */
export function lowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The base64 of bytes at any offset in the encoded data, in either alphabet: only the characters that encode these bytes alone. */
function base64Forms(bytes: Buffer): readonly Form[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const text = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [...new Set(forms)].map((text) => ({ text, anyCase: false, blurred: true }));
}

/** A decoded text, with the original places of its characters and of its end. */
export interface Layer {
  readonly text: string;
  /** Absent if all places are unchanged. */
  readonly places?: Int32Array;
}

/** Nested escapes are decoded to this depth. */
const LAYERS_MAX = 4;
const ESCAPE =
  /\\u[0-9a-f]{4}|\\u\{[0-9a-f]{1,6}\}|\\x[0-9a-f]{2}|\\[0-3][0-7]{2}|\\["'\\/bfnrt]|(?:%[0-9a-f]{2})+|&(?:#x[0-9a-f]{1,6};?|#\d{1,7};?|(?:amp|lt|gt|quot|apos);)|,\s+(?=\d)/gi;
const MAY_ESCAPE = /[\\%&]|,\s/;

/** A text, followed by its decoded forms: the escapes of JSON, URLs and HTML are decoded repeatedly. */
export function layersOf(text: string): readonly Layer[] {
  const layers: Layer[] = [{ text }];
  for (let last: Layer | undefined = layers[0]; last !== undefined && layers.length < LAYERS_MAX; ) {
    last = MAY_ESCAPE.test(last.text) ? unescaped(last) : undefined;
    if (last !== undefined) layers.push(last);
  }
  return layers;
}

function unescaped({ text, places }: Layer): Layer | undefined {
  const pieces: string[] = [];
  const at: number[] = [];
  let done = 0;
  const copy = (until: number): void => {
    pieces.push(text.slice(done, until));
    for (let place = done; place < until; place += 1) at.push(place);
  };
  for (const { 0: escaped, index } of text.matchAll(ESCAPE)) {
    copy(index);
    for (const [read, offset] of readAs(escaped)) {
      pieces.push(read);
      for (let unit = 0; unit < read.length; unit += 1) at.push(index + offset);
    }
    done = index + escaped.length;
  }
  if (done === 0) return undefined;
  copy(text.length);
  at.push(text.length);
  return {
    text: pieces.join(''),
    places: Int32Array.from(at, (place) => (places === undefined ? place : (places[place] ?? 0))),
  };
}

const SHORT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const CODE_POINT_MAX = 0x10ffff;

/** The decoded characters of an escape, each with its offset in the escape. */
function readAs(escaped: string): readonly (readonly [read: string, offset: number])[] {
  const [first = '', second = ''] = escaped;
  if (first === ',') return [[',', 0]];
  if (first === '%') return percentRead(escaped);
  if (first === '&') return [[entityRead(escaped.slice(1).replace(';', '').toLowerCase()), 0]];
  if (escaped.length > 2 && /\d/.test(second)) return [[String.fromCharCode(Number.parseInt(escaped.slice(1), 8)), 0]];
  if (escaped.length > 2) return [[codePoint(Number.parseInt(escaped.replaceAll(/[^0-9a-f]/gi, ''), 16)), 0]];
  return [[SHORT[second] ?? second, 0]];
}

function entityRead(name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name] ?? '';
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return codePoint(code);
}

function codePoint(code: number): string {
  return code <= CODE_POINT_MAX ? String.fromCodePoint(code) : '';
}

/** The decoded characters of bytes such as `%41%42`. */
function percentRead(escaped: string): readonly (readonly [read: string, offset: number])[] {
  const bytes = Buffer.from(escaped.replaceAll('%', ''), 'hex');
  const text = bytes.toString('utf8');
  const isUtf8 = Buffer.from(text, 'utf8').equals(bytes);
  let offset = 0;
  return Array.from(isUtf8 ? text : bytes.toString('latin1'), (char) => {
    const place = offset;
    offset += 3 * (isUtf8 ? Buffer.byteLength(char) : 1);
    return [char, place] as const;
  });
}
