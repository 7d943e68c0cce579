/** Exit statuses, and the error that a user can fix. Every other error is a bug and keeps its stack trace. */

import type { Problem } from '../../spec/document.js';

/** Exit statuses of every command: clean; judged and not clean; could not judge, or was asked wrongly. */
export const EXIT = { clean: 0, unclean: 1, unable: 2 } as const;

/** An error that the user can correct: shown without a stack trace, with exit status 2. */
export class Failure extends Error {
  override readonly name = 'Failure';

  /** The mistakes of a file that the message lists; none where it is about something else. */
  readonly problems: readonly Problem[];

  constructor(message: string, { problems = [], ...options }: ErrorOptions & { problems?: readonly Problem[] } = {}) {
    super(message, options);
    this.problems = problems;
  }
}

/** Node's code of a system error, such as ENOENT; undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
