/**
 * Exit statuses, the error that a user can fix, and the words for what a file system says. Every other error is a bug and keeps its stack
 * trace.
 */

import type { Problem } from '../../spec/document.js';

/** Exit statuses of every command: clean; judged and not clean; could not judge, or wrong usage. */
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

type Use = 'read' | 'write';

/** The codes of a file system in words; two forms where reading and writing differ. */
const REASONS: Readonly<Record<string, string | Readonly<Record<Use, string>>>> = {
  EACCES: { read: 'you may not read it', write: 'you may not write there' },
  EPERM: { read: 'you may not read it', write: 'you may not write there' },
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a file of this name is in the way',
  ENOTEMPTY: 'a folder of this name is in the way, and is not empty',
  EISDIR: { read: 'it is a folder', write: 'a folder of this name is in the way' },
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EFBIG: 'it would be larger than this process may write (ulimit -f)',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links go round in a circle',
  ENOENT: { read: 'there is no such file', write: 'folders cannot be made there' },
  ENXIO: 'it is a socket or a device that nobody serves',
  EIO: 'the disk reports an error',
  EMFILE: 'this process may open no more files (ulimit -n)',
  ENFILE: 'this machine may open no more files',
  ETXTBSY: 'it is a program that runs',
  EBUSY: 'it is in use',
};

/** A code of a file system in words, such as "the disk is full"; the code itself where it has no words here. */
export function fileReason(code: string, use: Use): string {
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return (typeof reason === 'string' ? reason : reason?.[use]) ?? code;
}

/** The Failure for an error of the file system that nothing nearer to it has explained; undefined for any other error. */
export function fileFailure(error: unknown): Failure | undefined {
  const code = systemErrorCode(error);
  if (code === undefined || !(error instanceof Error) || !('path' in error) || !('syscall' in error)) return undefined;
  const use = READS.has(String(error.syscall)) ? 'read' : 'write';
  return new Failure(
    `${String(error.path)}: cannot be ${use === 'read' ? 'read' : 'written'}: ${fileReason(code, use)}.`,
    {
      cause: error,
    },
  );
}

const READS: ReadonlySet<string> = new Set([
  'open',
  'read',
  'scandir',
  'stat',
  'lstat',
  'access',
  'readlink',
  'realpath',
]);
