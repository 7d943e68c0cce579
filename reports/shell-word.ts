/** Quotes a word for a shell. Whole commands are put together by the callers. */

/** One word for a POSIX shell, whatever it holds. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
