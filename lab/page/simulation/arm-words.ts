/** Words about arms: names made of their changes, the seed that is shown, and whether results are those of the texts. */

/** A name made of the changes of an arm, in at most as many characters; the first change alone may be longer. */
export function nameOfChanges(changes: readonly string[], max: number): string {
  const whole = changes.join(', ');
  const [first = '', ...more] = changes;
  if (whole.length <= max || more.length === 0) return whole;
  const rest = ` and ${more.length} more`;
  return first.slice(0, max - rest.length) + rest;
}

/** The seed of which results are shown; empty where there is one alone. */
export function seedWords({ seed, seeds }: { readonly seed: number; readonly seeds: number }): string {
  return seeds > 1 ? `seed ${seed} of ${seed} to ${seed + seeds - 1}` : '';
}

type Texts = Readonly<Record<string, string | null | undefined>>;

/** The change since arms were played, in words, given their texts then and now; undefined without one. */
export function staleWords(played: Texts, now: Texts): string | undefined {
  const names = Object.keys(played);
  if (names.some((name) => Object.hasOwn(now, name) && now[name] !== played[name]))
    return 'These results are of the text as it was when it was played; it has been changed since.';
  const added = Object.keys(now).filter((name) => !Object.hasOwn(played, name));
  if (names.some((name) => !Object.hasOwn(now, name))) return 'The arms have changed since these results were played.';
  if (added.length === 0) return undefined;
  return added.length === 1 ? 'The new arm has not been played.' : 'The new arms have not been played.';
}
