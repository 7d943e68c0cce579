/**
 * Reads the bytes of an input that a user names: a file, a pipe, or - for standard input. It ends for every input: one without an end is read up
 * to a length, and a pipe up to a time without a byte. files.ts interprets the bytes.
 */

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { cleanupAtExit } from '../../conformance/wire/exit-cleanup.js';
import { Failure, fileReason, systemErrorCode } from './failure.js';

/** The name for standard input wherever a file is read. */
export const STANDARD_INPUT = '-';

/** Standard input, by its own name or by that of the system. */
const isStandardInput = (path: string): boolean => path === STANDARD_INPUT || path === '/dev/stdin';

/** The largest size of an input without a known size, such as a pipe or /dev/zero. */
const STREAM_BYTES_MAX = 2 ** 27;
const PIECE_BYTES = 65_536;
/** How long a named pipe may be silent, since it may never get a writer. */
const NAMED_PIPE_MS = 5_000;
/** The same for standard input and for what a shell opens: its writer has started, and may take its time. */
const GIVEN_PIPE_MS = 60_000;
const PAUSE_MS = 10;

/** The bytes of inputs that can be read only once, by name: commands read some inputs twice, for their lines. */
const readOnce = new Map<string, Buffer>();

/** Everything in an input. A Failure says why it cannot be read, in words about a `what`. `namedPipeMs`: how long a named pipe may be silent. */
export function inputBytes(path: string, what: string, bytesMax: number, namedPipeMs = NAMED_PIPE_MS): Buffer {
  const known = readOnce.get(path);
  if (known !== undefined) return known;
  const name = isStandardInput(path) ? 'standard input' : path;
  try {
    const file = isStandardInput(path) ? openStandardInput() : openInput(path);
    try {
      const stat = fstatSync(file);
      if (stat.isDirectory()) throw new Failure(`${name}: is a folder, and a ${what} was expected.`);
      if (stat.isFile()) {
        const content = bytesOf(file, name, { bytesMax, size: Math.min(stat.size, bytesMax) });
        // Its place does not go back.
        if (isStandardInput(path)) readOnce.set(path, content);
        return content;
      }
      const bytes = bytesOf(file, name, {
        bytesMax: Math.min(bytesMax, STREAM_BYTES_MAX),
        size: 0,
        pipe: pipeOf(path, stat, namedPipeMs),
      });
      readOnce.set(path, bytes);
      return bytes;
    } finally {
      if (file !== 0) closeSync(file);
    }
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    if (code === 'ENOENT') throw new Failure(`${name}: there is no such ${what}.`);
    throw new Failure(`${name}: this ${what} cannot be read: ${fileReason(code, 'read')}.`);
  }
}

/** Whether an input is a pipe, a device or standard input, which cannot be opened a second time. */
export function isStream(path: string): boolean {
  if (isStandardInput(path)) return true;
  if (!existsSync(path)) return false;
  const stat = statSync(path);
  return !stat.isFile() && !stat.isDirectory();
}

/**
 * The path of a file with what an input holds, for a program or a loader that opens it by its name. It is the input itself if that is a file,
 * otherwise a copy, which is removed when this process ends.
 */
export function namedInput(path: string, what: string): string {
  if (!isStream(path)) return path;
  const bytes = inputBytes(path, what, STREAM_BYTES_MAX);
  const folder = mkdtempSync(join(tmpdir(), 'aips-input-'));
  cleanupAtExit(() => rmSync(folder, { recursive: true, force: true }));
  const copy = join(folder, isStandardInput(path) ? 'standard-input' : basename(path));
  writeFileSync(copy, bytes, { mode: 0o600 });
  return copy;
}

const NO_WAIT = constants.O_NONBLOCK ?? 0;

function openInput(path: string): number {
  // A pipe without a writer would not even be opened.
  return openSync(path, constants.O_RDONLY | NO_WAIT);
}

/** Standard input; a pipe is opened a second time, so that a read of it does not wait without a limit. */
function openStandardInput(): number {
  if (NO_WAIT === 0 || !fstatSync(0).isFIFO()) return 0;
  try {
    return openInput('/dev/stdin');
  } catch (error) {
    // A system without /dev, or a pipe of another user.
    if (systemErrorCode(error) === undefined) throw error;
    return 0;
  }
}

/** How a pipe is read. */
interface Pipe {
  /** Milliseconds without a byte, after which it is given up; undefined for a terminal, where a user types. */
  readonly idleMs: number | undefined;
  /** Whether nothing means that no writer has come yet. */
  readonly awaitsWriter: boolean;
}

function pipeOf(path: string, stat: Stats, namedPipeMs: number): Pipe {
  const isGiven = isStandardInput(path) || /^\/(?:dev|proc)\//.test(path);
  if (!stat.isFIFO()) return { idleMs: stat.isCharacterDevice() ? undefined : GIVEN_PIPE_MS, awaitsWriter: false };
  return { idleMs: isGiven ? GIVEN_PIPE_MS : namedPipeMs, awaitsWriter: !isGiven };
}

interface Reading {
  readonly bytesMax: number;
  /** The size of a file; 0 where it is not known. */
  readonly size: number;
  readonly pipe?: Pipe;
}

function bytesOf(file: number, name: string, { bytesMax, size, pipe }: Reading): Buffer {
  const pieces: Buffer[] = [];
  let length = 0;
  let idleMs = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(Math.max(PIECE_BYTES, size + 1 - length));
    const bytes = readSome(file, piece);
    const isWaiting = bytes === undefined || (bytes === 0 && length === 0 && pipe?.awaitsWriter === true);
    if (isWaiting) {
      const limitMs = pipe?.idleMs;
      if (limitMs !== undefined && idleMs >= limitMs) throw silent(name, limitMs);
      idleMs += PAUSE_MS;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      continue;
    }
    if (bytes === 0) return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
    pieces.push(piece.subarray(0, bytes));
    idleMs = 0;
    length += bytes;
    if (length > bytesMax) throw new Failure(`${name}: is longer than ${bytesMax} bytes.`);
  }
}

function silent(name: string, limitMs: number): Failure {
  return new Failure(
    `${name}: is a pipe, and nothing came out of it for ${limitMs / 1_000} s. Write it into a file first.`,
  );
}

/** Bytes that were read; undefined if none have arrived yet. */
function readSome(file: number, piece: Buffer): number | undefined {
  try {
    return readSync(file, piece);
  } catch (error) {
    if (systemErrorCode(error) === 'EAGAIN') return undefined;
    // The end of standard input, on Windows.
    if (systemErrorCode(error) === 'EOF') return 0;
    throw error;
  }
}
