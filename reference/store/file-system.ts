/**
 * The port through which the store reads and writes: the few operations of a file system that it needs. The real one is `node-files.ts`; tests use
 * one with faults.
 */
import { StoreError } from './store-error.js';

/** An open file. Reads and writes may be partial, as those of a kernel may. */
export interface OpenFile {
  readonly size: () => Promise<number>;
  /** Up to `length` bytes from `at` on; fewer at the end of the file, and possibly elsewhere. */
  readonly read: (at: number, length: number) => Promise<Uint8Array>;
  /** Writes from `at` on, and returns how many of the bytes were written. */
  readonly write: (bytes: Uint8Array, at: number) => Promise<number>;
  /** Writes some bytes synchronously, without waiting for the disk. */
  readonly writeNow: (bytes: Uint8Array, at: number) => number;
  readonly truncate: (length: number) => Promise<void>;
  /** Returns when all written bytes are on the disk. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * How a file is opened: one that is there, for reading or for both; or one that must not be there yet. What is written to one
 * that is opened to `keep` is on the disk when the write returns.
 */
export type OpenMode = 'read' | 'change' | 'create' | 'keep' | 'create-and-keep';

/** The operations that the store needs. Everything rejects with an error that has a `code`, as Node's do. */
export interface FileSystem {
  readonly makeFolder: (folder: string) => Promise<void>;
  /** The names in a folder, in no order; empty for a missing folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  readonly open: (path: string, mode: OpenMode) => Promise<OpenFile>;
  /** Takes the place of a file that is there, at once. */
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  /** Returns when the names in a folder are on the disk. */
  readonly syncFolder: (folder: string) => Promise<void>;
  /** Keeps every other process out of a folder. Rejects with a StoreError when one is in; `log` gets why it takes long. */
  readonly lock: (folder: string, options?: { readonly log?: (text: string) => void }) => Promise<FolderLock>;
}

/** A lock on a folder that no other process uses. */
export interface FolderLock {
  /** The previous owner may still run: files that it may have open must be replaced, not changed. */
  readonly ownerMayLive: boolean;
  /** Whether the lock was confirmed so recently that no other process can have taken it since, unless its file was removed. */
  readonly isRecent: () => boolean;
  /** Throws LockLost once another process may use the folder. The next owner sees everything that was on the disk before. */
  readonly assertHeld: () => void;
  readonly release: () => Promise<void>;
}

/** Writes all of some bytes, however often it takes. */
export async function writeFully(file: OpenFile, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const written = await file.write(bytes.subarray(done), at + done);
    if (written <= 0) throw noneTaken();
    done += written;
  }
}

/** Writes all of some bytes synchronously, in as many parts as the file needs, without waiting for the disk. */
export function writeFullyNow(file: OpenFile, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) {
    const written = file.writeNow(bytes.subarray(done), at + done);
    if (written <= 0) throw noneTaken();
    done += written;
  }
}

/** A file system that writes no bytes and reports no error would be called for ever. */
function noneTaken(): Error {
  return Object.assign(new Error('the file system took none of the bytes'), { code: 'ENOSPC' });
}

/** Reads `length` bytes from `at` on; fewer only where the file ends. */
export async function readFully(file: OpenFile, at: number, length: number): Promise<Uint8Array> {
  const first = await file.read(at, length);
  // The first read usually returns everything, which needs no copy.
  if (first.length === length || first.length === 0) return first;
  const bytes = new Uint8Array(length);
  bytes.set(first);
  let done = first.length;
  while (done < length) {
    const part = await file.read(at + done, length - done);
    if (part.length === 0) break;
    bytes.set(part, done);
    done += part.length;
  }
  return bytes.subarray(0, done);
}

/** The whole of a file; undefined when there is none. */
export async function readWhole(files: FileSystem, path: string): Promise<Uint8Array | undefined> {
  let file: OpenFile;
  try {
    file = await files.open(path, 'read');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return await readFully(file, 0, await file.size());
  } finally {
    await file.close();
  }
}

/** Writes a file that must not be there, in parts, and returns when its content is on the disk; its name is not yet. */
export async function writeNew(files: FileSystem, path: string, parts: Iterable<Uint8Array>): Promise<void> {
  const file = await files.open(path, 'create');
  try {
    let at = 0;
    for (const part of parts) {
      await writeFully(file, part, at);
      at += part.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

const COPY_BYTES = 1 << 20;

/** Copies bytes of a file into one that must not be there, and returns when they are on the disk; the name is not yet. */
export async function copyBytes(
  files: FileSystem,
  from: string,
  to: string,
  { begin = 0, end }: { readonly begin?: number; readonly end: number },
): Promise<void> {
  const source = await files.open(from, 'read');
  const target = await files.open(to, 'create');
  try {
    for (let at = begin; at < end; ) {
      const part = await source.read(at, Math.min(COPY_BYTES, end - at));
      if (part.length === 0) throw new StoreError(`${from}: became shorter while it was copied.`);
      await writeFully(target, part, at - begin);
      at += part.length;
    }
    await target.sync();
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

/** Ends the name of a file that is being written next to the one that it will replace. */
export const UNFINISHED = '.new';

/** Creates or replaces a file: after a crash the folder has the old state or the whole new file. */
export async function replaceFile(
  files: FileSystem,
  folder: string,
  name: string,
  parts: Iterable<Uint8Array>,
): Promise<void> {
  const beside = `${folder}/${name}${UNFINISHED}`;
  await removeIfThere(files, beside);
  await writeNew(files, beside, parts);
  await files.rename(beside, `${folder}/${name}`);
  await files.syncFolder(folder);
}

/** Removes a file, if there is one. */
export async function removeIfThere(files: FileSystem, path: string): Promise<void> {
  try {
    await files.remove(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** The code of a system error, such as ENOENT; undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
