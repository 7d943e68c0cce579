/** Quotes a word for a shell. Whole commands are put together by the callers. */

import { HIDDEN } from './visible.js';

/** One word for a POSIX shell, whatever it holds. What would act on a terminal that shows the script is written by printf. */
export function shellWord(text: string): string {
  if (/^[\w./:@%+=,-]+$/u.test(text)) return text;
  const pieces = text.split(new RegExp(`((?:${HIDDEN.source})+)`, 'u'));
  return pieces.map((piece, at) => (at % 2 === 1 ? `"$(printf '${octal(piece)}')"` : quoted(piece))).join('');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function octal(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
