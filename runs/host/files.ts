/**
 * Reads and writes files that a user named, with errors that say what to do. No other file of this room calls the file
 * system for that without a comment that says why.
 */

import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describeProblem, LEVELS_MAX, type Parsed, problemIn, tooDeep } from '../../spec/document.js';
import { jsonDeeperAt, jsonOf, notJson } from '../../spec/formats.js';
import { Failure, fileReason, systemErrorCode } from './failure.js';
import { inputBytes } from './input-bytes.js';

/** No text of a user is as long, nor can a string be much longer. */
const TEXT_BYTES_MAX = 500_000_000;
/** A checkpoint of a very large run. */
const BYTES_MAX = 2 ** 31 - 1;

/** A text file that the user named, without a byte order mark: UTF-8, or UTF-16 where the mark says so. */
export function readText(path: string, what: string): string {
  return decoded(readBytes(path, what, TEXT_BYTES_MAX), path);
}

/** The lines of a text file that is written line by line, without a last one that was cut off. */
export function readLines(path: string, what: string): readonly string[] {
  const bytes = readBytes(path, what, TEXT_BYTES_MAX);
  return decoded(bytes.subarray(0, bytes.lastIndexOf('\n') + 1), path)
    .split('\n')
    .slice(0, -1);
}

/** A file that the user named, as it is; - is standard input. */
export function readBytes(path: string, what: string, bytesMax: number = BYTES_MAX): Buffer {
  return inputBytes(path, what, bytesMax);
}

/** The first bytes of a plain file, as many as it has; undefined if it cannot be read, which its reader reports. */
export function headOf(path: string, bytes: number): Buffer | undefined {
  try {
    const opened = openSync(path, 'r');
    try {
      const head = Buffer.alloc(bytes);
      return head.subarray(0, readSync(opened, head));
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** The names in a folder, in order. Failure where it cannot be read. */
export function readFolder(folder: string, what: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    if (code === 'ENOENT') throw new Failure(`${folder}: there is no such folder.`);
    if (code === 'ENOTDIR' && existsSync(folder))
      throw new Failure(`${folder}: is a file, and a folder of ${what} was expected.`);
    throw new Failure(`${folder}: this folder cannot be read: ${fileReason(code, 'read')}.`);
  }
}

/** A place in a file of the user's that names another file. */
export interface NamingPlace {
  readonly file: string;
  readonly text: string;
  readonly path: readonly (string | number)[];
}

/** Reads a file that another one names. A Failure is of that place, with its line and key. */
export async function readNamed<T>({ file, text, path }: NamingPlace, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(clipped(describeProblem(problemIn(text, file, path, error.message))));
  }
}

function decoded(bytes: Buffer, path: string): string {
  const [first, second] = bytes;
  const marked = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null;
  if (marked === null && bytes.length > 1 && (first === 0) !== (second === 0)) {
    throw new Failure(`${path}: seems to be UTF-16 without a byte order mark. Save it as UTF-8.`);
  }
  try {
    return new TextDecoder(marked ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const where = marked === null ? `${path}:${lineOfBadByte(bytes)}` : path;
    throw new Failure(`${where}: is not text in ${(marked ?? 'utf-8').toUpperCase()}. Save it as UTF-8.`);
  }
}

function lineOfBadByte(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf('\n', start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) break;
    start = end + 1;
  }
  return line;
}

/** The value of a JSON file that the user named, or a Failure. */
export function readJson(path: string, what: string): unknown {
  return jsonOrFail(readText(path, what), path);
}

/** The value of a JSON text in a file, or a Failure. `line`: the one in which it is, where the file has several such texts. */
export function jsonOrFail(text: string, file: string, line?: number): unknown {
  refuseDeepJson(text, file, line);
  const value = jsonOf(text);
  if (value === undefined) throw new Failure(`${file}${line === undefined ? '' : `:${line}`}: ${notJson(text)}.`);
  return value;
}

/** Failure for a JSON text that nests too deep for what reads its values. */
export function refuseDeepJson(text: string, file: string, line = 1): void {
  const deepAt = jsonDeeperAt(text, LEVELS_MAX);
  if (deepAt !== undefined) throw new Failure(`${file}:${line + lineBreaks(text, deepAt)}: ${tooDeep(LEVELS_MAX)}.`);
}

function lineBreaks(text: string, end: number): number {
  return text.slice(0, end).split('\n').length - 1;
}

/** Writes files into a folder, which is made if it is missing. Names may hold folders of their own. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    writing(folder, name, 'w', (file) => writeFileSync(file, content));
  }
}

/** Writes a file in pieces, for one that is too long to be in memory. */
export function writePieces(folder: string, name: string, pieces: Iterable<string | Uint8Array>): void {
  writing(folder, name, 'w', (file) => {
    for (const piece of pieces) writeFileSync(file, piece);
  });
}

/** Writes a new file that its owner alone may read; false, and nothing is written, where a file of this name exists. */
export function writeSecret(path: string, text: string): boolean {
  try {
    makeFolder(dirname(path));
    refuseLink(dirname(path));
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Adds a text to the end of a file. */
export function appendText(folder: string, name: string, text: string): void {
  writing(folder, name, 'a', (file) => writeFileSync(file, text));
}

function writing(folder: string, name: string, how: 'w' | 'a', write: (file: number) => void): void {
  const path = join(folder, name);
  try {
    makeFolder(dirname(path));
    const file = openToWrite(path, how);
    try {
      write(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unwritable(path, error);
  }
}

/**
 * Opens a file to replace it or to append to it. Symbolic links are refused: another user may plant one to have a file overwritten.
 * Links of the system itself, such as /dev/stdout, are followed.
 */
export function openToWrite(path: string, how: 'w' | 'a' = 'w'): number {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW } = constants;
  if (/^\/(?:dev|proc\/self\/fd)\//.test(path)) return openSync(path, how);
  refuseLink(dirname(path));
  refuseLink(path);
  refusePipe(path);
  // With this flag no link can be put there between this check and the opening; Windows does not have it.
  return openSync(path, O_WRONLY | O_CREAT | (how === 'w' ? O_TRUNC : O_APPEND) | (O_NOFOLLOW ?? 0), 0o666);
}

/** Failure for a symbolic link. One that only the administrator can have made is not foreign: /tmp is one on some systems. */
function refuseLink(path: string): void {
  const stat = lstatSync(resolve(path), { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() !== true || (stat.uid === 0 && process.getuid?.() !== 0)) return;
  throw new Failure(`${path}: is a symbolic link, through which nothing is written. Name the place that it leads to.`);
}

/** Failure for a pipe without a reader, since opening it would never return. */
function refusePipe(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFIFO() === true || stat?.isSocket() === true)
    throw new Failure(`${path}: is a pipe or a socket, and a file is written. Choose another name, or /dev/stdout.`);
}

/**
 * Makes a folder, so that a run which cannot write its results fails before it starts. `names`: files that it will write there, which may exist
 * and must then be files that can be replaced.
 */
export function ensureFolder(folder: string, names: readonly string[] = []): void {
  if (folder === '') throw new Failure('The name of the folder is empty. Give one, such as out.');
  try {
    refuseLink(folder);
    makeFolder(folder);
    rmdirSync(mkdtempSync(join(folder, '.aips-write-probe-')));
  } catch (error) {
    throw unwritable(folder, error);
  }
  for (const name of names)
    if (lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined) ensureFile(join(folder, name));
}

/** Tries whether a file can be written, and leaves it as it is, so that a run which cannot write it fails before it starts. */
export function ensureFile(path: string): void {
  try {
    makeFolder(dirname(path));
    const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    closeSync(openToWrite(path, 'a'));
    if (!isThere) rmSync(path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Makes a folder and those above it. Node's own way of doing so never ends under /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  const above = dirname(folder);
  if (!existsSync(above)) makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process has made it meanwhile.
    if (systemErrorCode(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}

function unwritable(path: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  return new Failure(`${path}: cannot be written: ${fileReason(code, 'write')}. Choose another folder.`);
}

/** A wrong file, such as a binary one, must not fill the screen. */
const PROBLEMS_MAX = 20;
const LINE_MAX = 1_000;

function clipped(line: string): string {
  const shown = line.replaceAll(/\p{Cc}+/gu, ' ');
  return shown.length <= LINE_MAX ? shown : `${shown.slice(0, LINE_MAX)}…`;
}

/** The value of a file that was parsed, or a Failure that lists everything wrong with it. */
export function parsedOrFail<T>(parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  const lines = parsed.problems.slice(0, PROBLEMS_MAX).map((problem) => clipped(describeProblem(problem)));
  const left = parsed.problems.length - lines.length;
  throw new Failure([...lines, ...(left > 0 ? [`and ${left} more`] : [])].join('\n'), { problems: parsed.problems });
}
