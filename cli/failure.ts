/** Exit statuses of every command: clean; judged and not clean; could not judge, or was asked wrongly. */
export const EXIT = { clean: 0, unclean: 1, unable: 2 } as const;

/** Something that the user can mend: shown without a stack trace, with exit status 2. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** What Node says of a system error that a user can mend, or undefined for anything else. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
