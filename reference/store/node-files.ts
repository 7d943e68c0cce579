/** The store's port over Node's own file system. */

import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { codeOf, type FileSystem, type OpenFile, type OpenMode } from './file-system.js';
import { lockFolder } from './folder-lock.js';

const flags: Readonly<Record<OpenMode, number>> = {
  read: constants.O_RDONLY,
  change: constants.O_RDWR,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
};

/** Journals hold what clients said: they are for their owner alone. */
const FILE_MODE = 0o600;

async function openFile(path: string, mode: OpenMode): Promise<OpenFile> {
  const handle = await open(path, flags[mode], FILE_MODE);
  return {
    size: async () => (await handle.stat()).size,
    read: async (at, length) => {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    },
    write: async (bytes, at) => (await handle.write(bytes, 0, bytes.length, at)).bytesWritten,
    truncate: (length) => handle.truncate(length),
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

async function syncFolder(folder: string): Promise<void> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(folder, constants.O_RDONLY);
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
