/**
 * Finds secrets in texts: whole or in part, escaped, encoded for a URL, in base64 or in hex. One pass over a text finds all
 * secrets. redact.ts replaces them.
 */

import { clauses } from '../../spec/clauses/index.js';
import { endpoints } from '../../spec/endpoints/index.js';
import { dumpsOfText, type Form, formsOfKey, formsOfText, type Layer, layersOf, lowerCase } from './secret-forms.js';

/** A part of a text with a secret, whole or in part. */
export interface SecretMatch {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly isPart: boolean;
}

/** Shorter secrets are not searched for, since they may be ordinary text. */
export const SECRET_CHARS_MIN = 8;
/** Only the first characters of a longer secret are searched for. */
const SECRET_CHARS_MAX = 4_096;
/** Candidate places of secrets are found by pieces of this length. */
const GRAM = 4;
/** The allowed steps of comparison for each character of a text. The search of a crafted text that needs more is given up. */
const STEPS_PER_CHAR = 50;
const STEPS_MIN = 2_000_000;
const FILTER_BITS = 20;

/** A form of a secret to search for. */
interface Needle extends Form {
  readonly name: string;
  readonly secret: number;
  /** The least length of a part; a shorter one may occur by chance. */
  readonly partMin: number;
}

/** A beginning or end of a secret in a text, too short to count alone. */
interface End {
  readonly needle: Needle;
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

/** A text could not be searched with reasonable effort, so it must not be shown. */
export class Unsearchable extends Error {
  constructor() {
    super('a text that cannot be searched for secrets');
    this.name = 'Unsearchable';
  }
}

/** An index of needles by pieces of four characters, with a bit filter before it. */
class Grams {
  #filter = new Uint32Array();
  readonly #places = new Map<number, (readonly [needle: Needle, at: number])[]>();

  add(needle: Needle): void {
    if (this.#places.size === 0) this.#filter = new Uint32Array(2 ** (FILTER_BITS - 5));
    const { text, partMin } = needle;
    const step = Math.max(1, partMin - GRAM + 1);
    const last = text.length - GRAM;
    const ats = new Set([last]);
    for (let at = 0; at < last; at += step) ats.add(at);
    for (const at of ats) {
      let gram = 0;
      for (let place = at; place < at + GRAM; place += 1) gram = (gram << 8) | (text.charCodeAt(place) & 0xff);
      const bit = bitOf(gram);
      this.#filter[bit >>> 5] = (this.#filter[bit >>> 5] ?? 0) | (1 << (bit & 31));
      const places = this.#places.get(gram);
      if (places === undefined) this.#places.set(gram, [[needle, at]]);
      else places.push([needle, at]);
    }
  }

  /** Calls `visit` for each candidate: the needle, the place in the needle, and the place in the text. */
  scan(text: string, visit: (needle: Needle, at: number, place: number) => void): void {
    if (this.#places.size === 0) return;
    let gram = 0;
    for (let place = 0; place < text.length; place += 1) {
      gram = (gram << 8) | (text.charCodeAt(place) & 0xff);
      const bit = bitOf(gram);
      if (((this.#filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0 || place < GRAM - 1) continue;
      for (const [needle, at] of this.#places.get(gram) ?? []) visit(needle, at, place - GRAM + 1);
    }
  }
}

function bitOf(gram: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> (32 - FILTER_BITS);
}

/** Knows secrets, and finds them in texts. */
export class SecretFinder {
  readonly #exact = new Grams();
  readonly #anyCase = new Grams();
  /** Secrets added since the last search; indexed on demand, since many finders never search. */
  readonly #pending: (() => void)[] = [];
  #secrets = 0;

  /**
   * Adds a text of 8 characters or more as a secret. `given`: the secret is from the user. Users give few secrets, so 8 characters identify one;
   * targets issue thousands, so longer parts are needed.
   */
  add(name: string, secret: string, given: boolean): void {
    const text = secret.slice(0, SECRET_CHARS_MAX);
    const partMin = given ? Math.max(8, Math.ceil(text.length / 4)) : Math.max(12, Math.ceil(text.length / 3));
    const forms = (): readonly Form[] => (given ? [...formsOfText(text), ...dumpsOfText(text)] : formsOfText(text));
    this.#pending.push(() => this.#add(name, forms(), text.length, partMin));
  }

  /** Adds the key of a wallet: the 64 numbers of its file. */
  addKey(name: string, numbers: readonly number[]): void {
    this.#pending.push(() => this.#add(name, formsOfKey(numbers), 1, 0.5));
  }

  /** Adds all forms of a secret. `length`, `partMin`: of the secret in any unit; they are scaled to the length of each form. */
  #add(name: string, forms: readonly Form[], length: number, partMin: number): void {
    this.#secrets += 1;
    for (const form of forms) {
      const needle = {
        ...form,
        name,
        secret: this.#secrets,
        partMin: Math.min(form.text.length, Math.ceil((form.text.length * partMin) / length)),
      };
      (form.anyCase ? this.#anyCase : this.#exact).add(needle);
    }
  }

  /**
   * Finds the secrets in texts that belong together, such as the fields of one reply. A secret split over two texts is found, too. Returns the places
   * in each text, in order and without overlaps. Throws `Unsearchable`.
   */
  find(texts: readonly string[]): readonly (readonly SecretMatch[])[] {
    if (texts.length === 0) return [];
    for (const add of this.#pending.splice(0)) add();
    if (this.#secrets === 0) return texts.map(() => []);
    const searched = texts.map((text) => this.#searched(text));
    const ends = searched.flatMap(({ ends: some }) => some);
    const split = ends.length === 0 ? new Set<number>() : splitAmong(ends);
    return searched.map(({ found, ends: own }) => {
      const parts = own.filter(({ needle }) => split.has(needle.secret));
      return apart([
        ...found,
        ...parts.map(({ needle: { name }, start, end }) => ({ start, end, name, isPart: true })),
      ]);
    });
  }

  #searched(text: string): { readonly found: SecretMatch[]; readonly ends: End[] } {
    const found: SecretMatch[] = [];
    const ends: End[] = [];
    const effort = { left: Math.max(STEPS_MIN, text.length * STEPS_PER_CHAR) };
    for (const layer of layersOf(text)) {
      this.#scan(this.#exact, layer, layer.text, effort, found, ends);
      this.#scan(this.#anyCase, layer, lowerCase(layer.text), effort, found, ends);
    }
    return { found, ends };
  }

  #scan(
    grams: Grams,
    { places }: Layer,
    text: string,
    effort: { left: number },
    found: SecretMatch[],
    ends: End[],
  ): void {
    const placed = (place: number): number => (places === undefined ? place : (places[place] ?? 0));
    const wholeUntil = new Map<Needle, number>();
    grams.scan(text, (needle, at, place) => {
      if (place < (wholeUntil.get(needle) ?? 0)) return;
      const before = alike(needle.text, text, at, place, -1);
      const after = alike(needle.text, text, at, place, 1);
      effort.left -= before + after + 1;
      if (effort.left < 0) throw new Unsearchable();
      const length = before + after;
      const [start, end] = [place - before, place + after];
      const isPart = length < needle.text.length;
      if (!isPart) wholeUntil.set(needle, end);
      const [from, to] = [at - before, at + after];
      const isEnd = isPart && (from === 0 || to === needle.text.length);
      if (length < GRAM || !(isEnd || length >= needle.partMin)) return;
      if (isPart && isKnownWord(text.slice(start, end))) return;
      if (isEnd) ends.push({ needle, from, to, start: placed(start), end: placed(end) });
      if (length < needle.partMin) return;
      const [first, last] = needle.blurred && !isPart ? withAdjacentBase64(text, start, end) : [start, end];
      found.push({ start: placed(first), end: placed(last), name: needle.name, isPart });
    });
  }
}

/** The number of equal characters from a place on, or before it. `way`: the direction. */
function alike(needle: string, text: string, at: number, place: number, way: 1 | -1): number {
  let same = 0;
  let one = way === 1 ? at : at - 1;
  let other = way === 1 ? place : place - 1;
  while (one >= 0 && one < needle.length && needle.charCodeAt(one) === text.charCodeAt(other)) {
    same += 1;
    one += way;
    other += way;
  }
  return same;
}

/** Extends a match in base64 by the adjacent characters with bits of the secret, and by the padding. */
function withAdjacentBase64(text: string, start: number, end: number): readonly [start: number, end: number] {
  const before = /[\w+/-]/.test(text.charAt(start - 1)) ? 1 : 0;
  const after = /^[\w+/-]?={0,2}/.exec(text.slice(end, end + 3))?.[0].length ?? 0;
  return [start - before, end + after];
}

/** The secrets with a found beginning and a found end that together make the whole. */
function splitAmong(ends: readonly End[]): ReadonlySet<number> {
  const longest = new Map<Needle, { head: number; tail: number }>();
  for (const { needle, from, to } of ends) {
    const known = longest.get(needle) ?? { head: 0, tail: needle.text.length };
    if (from === 0) known.head = Math.max(known.head, to);
    else known.tail = Math.min(known.tail, from);
    longest.set(needle, known);
  }
  return new Set([...longest].flatMap(([{ secret }, { head, tail }]) => (head >= tail ? [secret] : [])));
}

/**
 * Sorts matches, and removes overlaps: a whole secret wins over a part, and the longer match over the shorter one.
 */
function apart(found: readonly SecretMatch[]): readonly SecretMatch[] {
  if (found.length === 0) return found;
  const bySize = [...found].sort(
    (one, other) => Number(other.isPart) - Number(one.isPart) || one.end - one.start - (other.end - other.start),
  );
  const length = found.reduce((most, { end }) => Math.max(most, end), 0) + 1;
  const owner = new Int32Array(length);
  for (const [index, { start, end }] of bySize.entries()) owner.fill(index + 1, start, end);
  const kept: SecretMatch[] = [];
  for (let start = 0; start < owner.length; ) {
    const index = owner[start] ?? 0;
    let end = start + 1;
    while (end < owner.length && owner[end] === index) end += 1;
    const each = bySize[index - 1];
    if (each !== undefined)
      kept.push({ ...each, start, end, isPart: each.isPart || end - start < each.end - each.start });
    start = end;
  }
  return kept;
}

let vocabulary: { readonly text: string; readonly words: ReadonlySet<string> } | undefined;

/** Whether a part of a secret consists of words of the specification, so it reveals nothing. */
function isKnownWord(part: string): boolean {
  vocabulary ??= vocabularyOf(
    ...clauses.map(({ text }) => text),
    ...endpoints.map(({ path }) => path),
    'authorization: Bearer x-registration-secret x-registration-token x-forwarded-for content-type: application/json',
  );
  const { text, words } = vocabulary;
  const looked = part.toLowerCase().replaceAll(/^\W+|\W+$/g, '');
  if (!(looked.match(/\w+/g) ?? []).every((word) => words.has(word))) return false;
  for (let at = text.indexOf(looked); at >= 0; at = text.indexOf(looked, at + 1)) {
    if (!/\w/.test(text.charAt(at - 1) + text.charAt(at + looked.length))) return true;
  }
  return false;
}

function vocabularyOf(...texts: readonly string[]): NonNullable<typeof vocabulary> {
  const text = texts.join('\n').toLowerCase();
  return { text, words: new Set(text.match(/\w+/g)) };
}
