/** A map of plain entries that can be forked: a fork reads its parent's entries, and copies each entry when it is first used. */

import { endUnknown, guarded } from './earlier.js';

/** How a table answers about entries from before the traffic. */
interface Earlier<T> {
  /** Whether an entry with this key may exist although the table does not hold it. */
  mayHold(key: string): boolean;
  /** Brings an entry up to date when it is read. */
  read?(entry: T): void;
}

/** An entry as text; equal entries have equal texts. */
export function inJson(entry: object | undefined): string {
  const sorted = (value: unknown): unknown => (value instanceof Set ? [...value].sort() : value);
  return JSON.stringify(entry, (_, value: unknown) => sorted(value)) ?? '';
}

export class Table<T extends object> {
  readonly #own = new Map<string, T>();

  constructor(
    readonly parent?: Table<T>,
    readonly earlier?: Earlier<T>,
  ) {}

  /** An entry, which the caller may change. Ends the question if there may be one from before the traffic. */
  get(key: string): T | undefined {
    if (this.isUnknown(key)) endUnknown();
    const entry = this.find(key);
    if (this.earlier === undefined || entry === undefined) return entry;
    this.earlier.read?.(entry);
    return 'isPartial' in entry ? guarded(entry) : entry;
  }

  /** An entry that the table holds, which the caller may change. */
  find(key: string): T | undefined {
    const own = this.#own.get(key);
    if (own !== undefined || this.parent === undefined) return own;
    const inherited = this.parent.find(key);
    if (inherited === undefined) return undefined;
    const copy = structuredClone(inherited);
    this.#own.set(key, copy);
    return copy;
  }

  /** An entry that the table holds, which the caller only reads: a fork does not copy it. */
  peek(key: string): Readonly<T> | undefined {
    return this.#own.get(key) ?? this.parent?.peek(key);
  }

  set(key: string, value: T): T {
    this.#own.set(key, value);
    return value;
  }

  /** Whether an entry exists. Ends the question if the answer is unknown. */
  has(key: string): boolean {
    return this.isUnknown(key) ? endUnknown() : this.holds(key);
  }

  /** Whether it is unknown if an entry exists: the table does not hold it, and it may be from before the traffic. */
  isUnknown(key: string): boolean {
    return this.earlier !== undefined && !this.holds(key) && this.earlier.mayHold(key);
  }

  /** Whether the table holds an entry. */
  holds(key: string): boolean {
    return this.#own.has(key) || (this.parent?.holds(key) ?? false);
  }

  keys(): readonly string[] {
    const inherited = this.parent?.keys().filter((key) => !this.#own.has(key)) ?? [];
    return [...inherited, ...this.#own.keys()];
  }

  /** All entries that the table holds, which the caller may change. */
  all(): readonly T[] {
    return this.keys().flatMap((key) => this.get(key) ?? []);
  }

  /** All entries that the table holds, which the caller only reads. */
  values(): readonly Readonly<T>[] {
    return this.earlier === undefined ? this.keys().flatMap((key) => this.peek(key) ?? []) : this.all();
  }

  delete(key: string): void {
    this.#own.delete(key);
  }

  /** The entries that differ from those of the table that this one was forked from, in one or more steps, as text by key. */
  changesSince(base: Table<T>, textOf: (entry: T | undefined) => string): ReadonlyMap<string, string> {
    const changes = new Map<string, string>();
    const same = new Set<string>();
    for (let table: Table<T> | undefined = this; table !== undefined && table !== base; table = table.parent)
      for (const [key, entry] of table.#own) {
        if (changes.has(key) || same.has(key)) continue;
        const text = textOf(entry);
        if (text === textOf(base.find(key))) same.add(key);
        else changes.set(key, text);
      }
    return changes;
  }

  fork(): Table<T> {
    return new Table(this, this.earlier);
  }

  /** Writes the entries of a fork into its parent. */
  commit(): void {
    for (const [key, value] of this.#own) this.parent?.set(key, value);
  }
}
