/** A map of plain entries that can be forked: a fork reads its parent's entries, and copies each entry when it is first used. */
export class Table<T extends object> {
  readonly #own = new Map<string, T>();

  constructor(readonly parent?: Table<T>) {}

  /** An entry, which the caller may change. */
  get(key: string): T | undefined {
    const own = this.#own.get(key);
    if (own !== undefined || this.parent === undefined) return own;
    const inherited = this.parent.get(key);
    if (inherited === undefined) return undefined;
    const copy = structuredClone(inherited);
    this.#own.set(key, copy);
    return copy;
  }

  set(key: string, value: T): T {
    this.#own.set(key, value);
    return value;
  }

  has(key: string): boolean {
    return this.#own.has(key) || (this.parent?.has(key) ?? false);
  }

  keys(): readonly string[] {
    const inherited = this.parent?.keys().filter((key) => !this.#own.has(key)) ?? [];
    return [...inherited, ...this.#own.keys()];
  }

  /** All entries, which the caller may change. */
  all(): readonly T[] {
    return this.keys().flatMap((key) => this.get(key) ?? []);
  }

  fork(): Table<T> {
    return new Table(this);
  }

  /** Writes the entries of a fork into its parent. */
  commit(): void {
    for (const [key, value] of this.#own) this.parent?.set(key, value);
  }
}
