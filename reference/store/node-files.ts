/** The store's port over Node's own file system. */

import { close, constants, fdatasync, fstat, ftruncate, open, read, write, writeSync } from 'node:fs';
import { mkdir, open as openHandle, readdir, rename, rm } from 'node:fs/promises';
import { codeOf, type FileSystem, type OpenFile, type OpenMode } from './file-system.js';
import { lockFolder } from './folder-lock.js';

/** Only Linux writes through here; on other systems, a sync follows each write. */
const WRITE_THROUGH = process.platform === 'linux' ? constants.O_DSYNC : 0;
const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;

const flags: Readonly<Record<OpenMode, number>> = {
  read: constants.O_RDONLY,
  change: constants.O_RDWR,
  create: CREATE,
  keep: constants.O_RDWR | WRITE_THROUGH,
  'create-and-keep': CREATE | WRITE_THROUGH,
};

/** Journals hold what clients said: they are for their owner alone. */
const FILE_MODE = 0o600;

/** A promise for a callback function of Node: for a write to a journal, it costs half of what a FileHandle does. */
function done<T>(call: (back: (error: Error | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error === null || error === undefined ? resolve(value) : reject(error)));
  });
}

async function openFile(path: string, mode: OpenMode): Promise<OpenFile> {
  const file = await done<number>((back) => open(path, flags[mode], FILE_MODE, back));
  const syncs = WRITE_THROUGH === 0 && mode.endsWith('keep');
  const sync = (): Promise<void> => done<void>((back) => fdatasync(file, back as (error: Error | null) => void));
  return {
    size: async () => (await done<{ readonly size: number }>((back) => fstat(file, back))).size,
    read: async (at, length) => {
      const buffer = Buffer.allocUnsafeSlow(length);
      return buffer.subarray(0, await done<number>((back) => read(file, buffer, 0, length, at, back)));
    },
    write: async (bytes, at) => {
      const written = await done<number>((back) => write(file, bytes, 0, bytes.length, at, back));
      if (syncs) await sync();
      return written;
    },
    writeNow: (bytes, at) => writeSync(file, bytes, 0, bytes.length, at),
    truncate: (length) => done<void>((back) => ftruncate(file, length, back as (error: Error | null) => void)),
    sync,
    close: () => done<void>((back) => close(file, back as (error: Error | null | undefined) => void)),
  };
}

async function syncFolder(folder: string): Promise<void> {
  let handle: Awaited<ReturnType<typeof openHandle>>;
  try {
    handle = await openHandle(folder, constants.O_RDONLY);
  } catch (error) {
    // Windows opens no folders, and writes names at once.
    if (process.platform === 'win32' && (codeOf(error) === 'EPERM' || codeOf(error) === 'EISDIR')) return;
    throw error;
  }
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function list(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The machine's own file system. */
export const nodeFiles: FileSystem = {
  makeFolder: async (folder) => {
    await mkdir(folder, { recursive: true });
  },
  list,
  open: openFile,
  rename,
  remove: (path) => rm(path),
  syncFolder,
  lock: lockFolder,
};
