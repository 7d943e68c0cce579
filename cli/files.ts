/**
 * Reads and writes files that a user named, with errors that say what to do. No other file of this room calls the file
 * system for that without a reason beside it.
 */

import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describeProblem, type Parsed, problemIn } from '../spec/document.js';
import { jsonOf } from '../spec/formats.js';
import { Failure, systemErrorCode } from './failure.js';

/** A text file that the user named. */
export function readText(path: string, what: string): string {
  return readBytes(path, what).toString('utf8');
}

/** A file that the user named, as it is. */
export function readBytes(path: string, what: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    if (code === 'ENOENT') throw new Failure(`${path}: there is no such ${what}.`);
    if (code === 'EISDIR') throw new Failure(`${path}: is a folder, and a ${what} was expected.`);
    if (code === 'EACCES') throw new Failure(`${path}: you may not read this ${what}.`);
    throw new Failure(`${path}: this ${what} cannot be read (${code}).`);
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

/** The value of a JSON file that the user named, or a Failure. */
export function readJson(path: string, what: string): unknown {
  return jsonOrFail(readText(path, what), path);
}

/** The value of a JSON text, or a Failure that says by `where` which text it is. */
export function jsonOrFail(text: string, where: string): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw new Failure(`${where}: is not JSON.`);
  return value;
}

/** Writes files into a folder, which is made if it is missing. Names may hold folders of their own. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    try {
      makeFolder(dirname(path));
      writeFileSync(path, content);
    } catch (error) {
      throw unwritable(path, error);
    }
  }
}

/** Writes a file in pieces, for a text that is too long for one. */
export function writePieces(folder: string, name: string, pieces: Iterable<string>): void {
  const path = join(folder, name);
  try {
    const file = openSync(path, 'w');
    try {
      for (const piece of pieces) writeSync(file, piece);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Adds a text to the end of a file. */
export function appendText(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  try {
    appendFileSync(path, text);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Makes a folder, so that a run which cannot write its results fails before it starts. */
export function ensureFolder(folder: string): void {
  if (folder === '') throw new Failure('The name of the folder is empty. Give one, such as out.');
  try {
    makeFolder(folder);
    const probe = join(folder, '.aips-write-probe');
    writeFileSync(probe, '');
    // Another process may be trying the same folder.
    rmSync(probe, { force: true });
  } catch (error) {
    throw unwritable(folder, error);
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
  const reasons: Readonly<Record<string, string>> = {
    EACCES: 'you may not write there',
    EPERM: 'you may not write there',
    EROFS: 'the file system is read-only',
    ENOTDIR: 'a part of the path is a file, not a folder',
    EEXIST: 'a file of this name is in the way',
    EISDIR: 'a folder of this name is in the way',
    ENOSPC: 'the disk is full',
    ENAMETOOLONG: 'the name is too long',
    ELOOP: 'its links go round in a circle',
    ENOENT: 'folders cannot be made there',
  };
  const code = systemErrorCode(error);
  if (code === undefined) return error;
  return new Failure(`${path}: cannot be written: ${reasons[code] ?? code}. Choose another folder.`);
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
  throw new Failure([...lines, ...(left > 0 ? [`and ${left} more`] : [])].join('\n'));
}
