/** Quotes a word for a shell. Whole commands are made by whoever knows them. */

/** One word for a POSIX shell, whatever it holds. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
