/** Closes all that a command has started, in the opposite order, also where a later step fails. */

/** Things that were started, each with how it is closed. */
export class Started {
  readonly #closers: (() => unknown)[] = [];

  /** Keeps how a thing is closed that has just been started. */
  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Closes all, the last one first. One that cannot be closed does not keep the others open; its error is thrown afterwards. */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
