/** Suggests the known name that a mistyped one is nearest to. Which names are known is the caller's. */

/**
 * `; did you mean NAME?` where a known name is a slip or two of the finger away from the written one, has the same words in another order, or
 * is the shortest that begins with all of its words; else nothing.
 */
export function didYouMean(written: unknown, known: readonly string[]): string {
  const name = typeof written === 'string' ? nearestName(written, known) : undefined;
  return name === undefined ? '' : `; did you mean ${name}?`;
}

/** That name alone; undefined for none. */
export function nearestName(written: string, known: readonly string[]): string | undefined {
  if (written.length > LENGTH_MAX) return undefined;
  const plain = plainOf(written);
  const [nearest] = known
    .map((name) => ({ name, slips: slipsBetween(plain, plainOf(name)) }))
    .filter(({ slips }) => slips < plain.length && slips <= Math.max(1, Math.floor(plain.length / 4)))
    .toSorted((a, b) => a.slips - b.slips);
  return nearest?.name ?? sameWords(written, known);
}

/** The known name of the same words, else the shortest one that begins with them; single words that are short say too little. */
function sameWords(written: string, known: readonly string[]): string | undefined {
  const wanted = wordsOf(written);
  if (plainOf(written).length < WORDS_LENGTH_MIN) return undefined;
  const begins = (name: string): boolean => wanted.every((word, i) => wordsOf(name)[i] === word);
  const isSame = (name: string): boolean => wordsOf(name).toSorted().join(' ') === wanted.toSorted().join(' ');
  return known.find(isSame) ?? known.filter(begins).toSorted((a, b) => a.length - b.length)[0];
}

/** Shorter texts begin too many names. */
const WORDS_LENGTH_MIN = 4;

function wordsOf(name: string): readonly string[] {
  return name.toLowerCase().split(/[\s_-]+/);
}

/** No misspelt name is this long, and comparing longer texts takes long. */
const LENGTH_MAX = 64;

/** Names that differ only in case and separators are equal. */
function plainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** The fewest letters that were added, left out, replaced or exchanged with their neighbour (optimal string alignment). */
function slipsBetween(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const exchanged =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? (beforeLast[j - 2] as number) + 1
          : Number.POSITIVE_INFINITY;
      row.push(Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, replaced, exchanged));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] as number;
}
