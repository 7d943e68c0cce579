import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeProblem, type Parsed } from '../spec/document.js';
import { Failure, systemErrorCode } from './failure.js';

/** The folder of the package: the nearest one above this file that holds a package.json. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** The version of this package. */
export function packageVersion(): string {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** A text file that the user named. */
export function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT') throw new Failure(`${path}: there is no such ${what}.`);
    if (code === 'EISDIR') throw new Failure(`${path}: is a folder, and a ${what} was expected.`);
    if (code === 'EACCES') throw new Failure(`${path}: this ${what} may not be read by you.`);
    throw error;
  }
}

/** Writes files into a folder, which is made if need be. Names may hold folders of their own. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    } catch (error) {
      throw unwritable(path, error);
    }
  }
}

/** Makes a folder, so that a run which cannot write its results fails before it starts. */
export function ensureFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    const probe = join(folder, '.aips-write-probe');
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw unwritable(folder, error);
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
  };
  const reason = reasons[systemErrorCode(error) ?? ''];
  return reason === undefined ? error : new Failure(`${path}: cannot be written: ${reason}. Choose another folder.`);
}

/** The value of a file that was parsed, or a Failure that lists everything wrong with it. */
export function parsedOrFail<T>(parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  throw new Failure(parsed.problems.map(describeProblem).join('\n'));
}
