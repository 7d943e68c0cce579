/** Quotes a word for a shell. Whole commands are put together by the callers. */

import { HIDDEN } from '../../results/visible.js';

/** One word for a POSIX shell, whatever it holds. What would act on a terminal that shows the script is written by printf. */
export function shellWord(text: string): string {
  if (/^[\w./:@%+=,-]+$/u.test(text)) return text;
  const pieces = text.split(new RegExp(`((?:${HIDDEN.source})+)`, 'u'));
  return pieces.map((piece, at) => (at % 2 === 1 ? `"$(printf '${octal(piece)}')"` : quoted(piece))).join('');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** All bytes of characters that URIs have to escape, which these are. */
function octal(text: string): string {
  const bytes = encodeURIComponent(text).split('%').slice(1);
  return bytes.map((hex) => `\\${Number.parseInt(hex, 16).toString(8).padStart(3, '0')}`).join('');
}
