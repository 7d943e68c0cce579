/**
 * Integers of JSON that no double has, such as 64-bit ids: found in a text, kept digit by digit, and written again. JSON.parse would change them
 * without a word.
 */

/** An integer that no double has. */
export class LargeInteger {
  constructor(readonly digits: string) {}
}

/** The value of a JSON text, in which integers that no double has are LargeIntegers. Throws a SyntaxError for any other text. */
export function parseExactly(text: string): unknown {
  const tokens = inexactTokens(text);
  if (tokens.length === 0) return JSON.parse(text);
  const mark = markOutside(text);
  let marked = '';
  let at = 0;
  for (const { start, digits } of tokens) {
    marked += `${text.slice(at, start)}"${mark}${digits}"`;
    at = start + digits.length;
  }
  return JSON.parse(marked + text.slice(at), (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? new LargeInteger(value.slice(mark.length)) : value,
  );
}

/** The JSON text of a value, in which LargeIntegers have all their digits. */
export function exactJson(value: unknown): string {
  let found = false;
  const plain = JSON.stringify(value, (_key, each: unknown) => {
    if (!(each instanceof LargeInteger)) return each;
    found = true;
    return 0;
  });
  if (!found) return plain;
  const mark = markOutside(plain);
  const marked = JSON.stringify(value, (_key, each: unknown) =>
    each instanceof LargeInteger ? `${mark}${each.digits}` : each,
  );
  return marked.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}

/** A text that does not occur in another one. */
function markOutside(text: string): string {
  let mark = 'integer';
  while (text.includes(mark)) mark += '_';
  return `${mark}:`;
}

interface Token {
  readonly start: number;
  readonly digits: string;
}

/** The shortest integer that no double has, 9007199254740993, has 16 digits. */
const DIGITS_MIN = 16;

function inexactTokens(text: string): readonly Token[] {
  // Nearly every text: it is not read a second time.
  if (!/\d{16}/.test(text)) return [];
  const found: Token[] = [];
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x22) at = endOfString(text, at);
    else if (c === 0x2d || (c >= 0x30 && c <= 0x39)) {
      const start = at;
      while (at < text.length && /[-+.\deE]/.test(text.charAt(at))) at += 1;
      const digits = text.slice(start, at);
      if (isInexact(digits)) found.push({ start, digits });
      at -= 1;
    }
  }
  return found;
}

/** The place of the quotation mark that ends a string. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x22) return at;
    if (c === 0x5c) at += 1;
  }
  return text.length;
}

function isInexact(token: string): boolean {
  if (token.length < DIGITS_MIN || !/^-?\d+$/.test(token)) return false;
  const double = Number(token);
  return !Number.isFinite(double) || BigInt(double) !== BigInt(token);
}
