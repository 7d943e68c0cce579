/**
 * Journals whose line ends another program has changed to CRLF, as an editor, git or a transfer of text may: every line is complete, and its link
 * is valid without the CR. For a repair they are read with their original line ends, and written back.
 */

import { type FileSystem, type OpenFile, readFully, readWhole, replaceFile } from './file-system.js';

const CR = 0x0d;
const LF = 0x0a;

/** Whether the first line of a text ends with CRLF. */
function hasCrlf(bytes: Uint8Array): boolean {
  const end = bytes.indexOf(LF);
  return end > 0 && bytes[end - 1] === CR;
}

/** Bytes without each CR before an LF. JSON writes a CR within a text as \r, so no byte of a line is lost. */
function withoutReturns(bytes: Uint8Array): Uint8Array {
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  bytes.forEach((byte, at) => {
    if (byte === CR && bytes[at + 1] === LF) return;
    kept[length] = byte;
    length += 1;
  });
  return kept.subarray(0, length);
}

/** No first line of a segment is as long. */
const HEAD_BYTES = 65_536;

/** The files of a folder, among these names, whose lines end with CRLF. */
export async function crlfAmong(
  files: FileSystem,
  folder: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of names) {
    const file = await files.open(`${folder}/${name}`, 'read');
    try {
      if (hasCrlf(await readFully(file, 0, Math.min(HEAD_BYTES, await file.size())))) found.push(name);
    } finally {
      await file.close();
    }
  }
  return found;
}

/** The same file system, through which these files of a folder are read with their original line ends. */
export function asTheyWere(files: FileSystem, folder: string, names: readonly string[]): FileSystem {
  const changed = new Set(names.map((name) => `${folder}/${name}`));
  return {
    ...files,
    open: async (path, mode) => {
      if (mode !== 'read' || !changed.has(path)) return files.open(path, mode);
      return inMemory(withoutReturns((await readWhole(files, path)) ?? new Uint8Array(0)));
    },
  };
}

function inMemory(bytes: Uint8Array): OpenFile {
  const readOnly = (): never => {
    throw new Error('this file is open to be read alone');
  };
  return {
    size: async () => bytes.length,
    read: async (at, length) => bytes.subarray(at, at + length),
    ...{ write: readOnly, writeNow: readOnly, truncate: readOnly, sync: readOnly },
    close: async () => undefined,
  };
}

/** Puts the line ends of these files back: after a crash each is as it was before, or whole. */
export async function restoreLineEnds(files: FileSystem, folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const bytes = await readWhole(files, `${folder}/${name}`);
    if (bytes !== undefined) await replaceFile(files, folder, name, [withoutReturns(bytes)]);
  }
}
