/** Lays out a JSON text for reading and changes no other character. To write a value as JSON see json-text.ts. */

import { isJson } from '../../spec/formats.js';

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gu;

/**
 * JSON with its white space laid out for a reader and every other character as it came: numbers keep their digits and repeated
 * keys stay, which parsing and writing again would lose. Text that is not a JSON object or list comes back as it is.
 */
export function prettyJson(text: string): string {
  if (!/^\s*[[{]/u.test(text) || !isJson(text)) return text;
  const pieces: string[] = [];
  let depth = 0;
  let previous = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const opened = previous === '{' || previous === '[';
    if (token === '}' || token === ']') depth -= 1;
    const closesEmpty = opened && (token === '}' || token === ']');
    const startsLine = opened || previous === ',' || token === '}' || token === ']';
    if (startsLine && !closesEmpty) pieces.push(`\n${'  '.repeat(depth)}`);
    pieces.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth += 1;
    previous = token;
  }
  return pieces.join('');
}
