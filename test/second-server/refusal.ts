/** A refusal of the second server: status, code and what else its body says. It is thrown, and the HTTP layer answers with it. */

/** Ends a request with `status` and the body `{error, code?, …more}`. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string | null,
    message: string,
    readonly more: Record<string, unknown> = {},
  ) {
    super(message);
  }

  /** The body without its code. */
  get uncoded(): Record<string, unknown> {
    return { error: this.message, ...this.more };
  }

  get body(): Record<string, unknown> {
    return { error: this.message, ...(this.code === null ? {} : { code: this.code }), ...this.more };
  }
}
