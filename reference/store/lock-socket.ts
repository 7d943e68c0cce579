/**
 * A socket in a folder, which a process listens on while it lives. The kernel closes it with the process, so that every process
 * on the same kernel can see whether the process lives, from another PID namespace too. `folder-lock.ts` uses it.
 */

import { constants, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { codeOf } from './file-system.js';

/** The length of `sun_path` without its end, on the system where it is shortest. */
const PATH_BYTES_MAX = 103;

async function withShortPath<T>(folder: string, name: string, use: (path: string) => Promise<T>): Promise<T> {
  const path = `${folder}/${name}`;
  if (Buffer.byteLength(path) <= PATH_BYTES_MAX) return use(path);
  // On Linux an open folder has a short name, too.
  const handle = await open(folder, constants.O_RDONLY);
  try {
    return await use(`/proc/self/fd/${handle.fd}/${name}`);
  } finally {
    await handle.close();
  }
}

/** Listens, and returns how to stop; undefined where the file system or the machine has no sockets. */
export async function listenIn(folder: string, name: string): Promise<(() => Promise<void>) | undefined> {
  const server = createServer((socket) => socket.destroy());
  // A connection that fails to be accepted still shows the other process that this one lives.
  server.on('error', () => undefined);
  server.unref();
  const listen = (path: string): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  try {
    await withShortPath(folder, name, listen);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
  return async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(`${folder}/${name}`, { force: true });
  };
}

/**
 * Whether the owner listens. `refused` shows that it does not only if the folder is used through the same kernel and mount: a socket on a network
 * file system refuses every other host.
 */
export async function knock(folder: string, name: string): Promise<'accepted' | 'refused' | 'unknown'> {
  const connect = (path: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = createConnection(path);
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.destroy();
        resolve();
      });
    });
  try {
    await withShortPath(folder, name, connect);
    return 'accepted';
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (code === 'ECONNREFUSED') return 'refused';
    // A stopped process accepts no connection, and its queue is full.
    return code === 'EAGAIN' ? 'accepted' : 'unknown';
  }
}
