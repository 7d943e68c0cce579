/** Numbers for texts, so that columns can hold wallet addresses as integers. */

/** A numbering of texts: equal texts have the same number. A number without a text takes no memory. */
export interface Interner {
  readonly numbers: Map<string, number>;
  readonly texts: Map<number, string>;
  count: number;
}

/** Makes an interner without texts. */
export function createInterner(): Interner {
  return { numbers: new Map(), texts: new Map(), count: 0 };
}

/** The number of a text, which gets one if it is new. */
export function intern(interner: Interner, text: string): number {
  const known = interner.numbers.get(text);
  if (known !== undefined) return known;
  const number = interner.count;
  interner.count += 1;
  interner.numbers.set(text, number);
  interner.texts.set(number, text);
  return number;
}

/** The number of a text, or -1. */
export function numberOf(interner: Interner, text: string): number {
  return interner.numbers.get(text) ?? -1;
}

/** A new number without a text. */
export function internAnonymous(interner: Interner): number {
  interner.count += 1;
  return interner.count - 1;
}

/** The text of a number; for a number without one, `#` and its digits. */
export function textOf(interner: Interner, number: number): string {
  return interner.texts.get(number) ?? `#${number}`;
}
