/**
 * Starts this program again: as a process, or a module of it as a thread. It is installed as a package, or it is one file that holds Node and
 * the package (build/binary.mjs), which has no path of its own to give to Node.
 */

import { join, relative } from 'node:path';
import { isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { packageRoot } from './package.js';

/** The command and the first arguments that start `aips`. */
export function ownCommand(): readonly [command: string, ...first: string[]] {
  return isSea() ? [process.execPath] : [process.execPath, join(packageRoot(), 'dist/cli/aips.js')];
}

/** Starts a module of the built package, such as `runs/watch/live.js`, in a thread: sources, as a test reads them, cannot be one. */
export function startOwnThread(module: string, options: WorkerOptions): Worker {
  const file = join(packageRoot(), 'dist', module);
  if (!isSea()) return new Worker(file, options);
  const data = { ...options, eval: true, execArgv: ['--experimental-vfs', '--no-warnings'] };
  return new Worker(`(${mountAndRun.toString()})(${JSON.stringify(relative(packageRoot(), file))})`, data);
}

/** Runs in a thread of the one file, where Node does not mount the files that it holds: mounts them, and runs a module. */
function mountAndRun(module: string): Promise<unknown> {
  const load = process.getBuiltinModule as (name: string) => never;
  const { VirtualFileSystem, ZipProvider } = load('node:vfs') as VirtualFiles;
  const { ZipBuffer } = load('node:zlib') as ZipFiles;
  const { getRawAsset } = load('node:sea') as { getRawAsset: (key: string) => ArrayBuffer };
  const { pathToFileURL } = load('node:url') as { pathToFileURL: (path: string) => URL };
  const files = new VirtualFileSystem(new ZipProvider(new ZipBuffer(Buffer.from(getRawAsset('node:sea:vfs.zip')))));
  files.mount();
  return import(pathToFileURL(`${files.mountPoint}/${module}`).href);
}

/** Parts of node:vfs and node:zlib that the types of Node do not have yet. */
interface VirtualFiles {
  readonly VirtualFileSystem: new (provider: object) => { readonly mountPoint: string; mount: () => void };
  readonly ZipProvider: new (archive: object) => object;
}
interface ZipFiles {
  readonly ZipBuffer: new (bytes: Buffer) => object;
}
