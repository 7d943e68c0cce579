/** `aips conform --rerun`: stays, and judges again what failed when the server comes back or a file changes. What is run is in failed.ts. */

import { type FSWatcher, watch } from 'node:fs';
import { connect } from 'node:net';
import { Failure } from '../../runs/host/failure.js';
import { interruptOf } from '../../runs/host/interrupt.js';

const POLL_MS = 100;
const CONNECT_MS = 1_000;
/** Editors and compilers write in several steps. */
const SETTLE_MS = 300;

/** The things that `--rerun` waits for: the server at the URL, and the files or folders of `--watch`. */
export interface Awaited {
  readonly url: string;
  readonly paths: readonly string[];
}

/**
 * Calls `again` each time the server has been away and is back, a path has changed, or somebody presses Enter; ends with Ctrl-C,
 * or when `again` says that it was interrupted. Throws a Failure for a path that cannot be watched.
 */
export async function eachTime(
  awaited: Awaited,
  again: (cause: string) => Promise<{ readonly interrupted: boolean }>,
): Promise<void> {
  for (;;) {
    const { signal, forget } = interruptOf();
    const cause = await causeOf(awaited, signal).finally(forget);
    if (cause === undefined || (await again(cause)).interrupted) return;
  }
}

/** Waits for a reason to run again, and until the server answers; undefined when the signal comes first. */
async function causeOf({ url, paths }: Awaited, signal: AbortSignal): Promise<string | undefined> {
  let cause: string | undefined;
  const watchers = paths.map((path) => watched(path, (name) => (cause ??= `${name} changed`)));
  const onEnter = (): void => {
    cause ??= 'Enter';
  };
  if (process.stdin.isTTY) process.stdin.once('data', onEnter);
  try {
    for (let wasAway = false; !signal.aborted; await pause(POLL_MS)) {
      const isThere = await answers(url);
      if (isThere && wasAway) cause ??= 'the server is back';
      wasAway = !isThere;
      if (cause === undefined || !isThere) continue;
      await pause(SETTLE_MS);
      if (await answers(url)) return signal.aborted ? undefined : cause;
    }
    return undefined;
  } finally {
    for (const watcher of watchers) watcher.close();
    process.stdin.off('data', onEnter).pause();
  }
}

function watched(path: string, onChange: (name: string) => void): FSWatcher {
  try {
    return watch(path, { recursive: true }, (_, name) => onChange(name ?? path)).on('error', () => onChange(path));
  } catch (error) {
    throw new Failure(`--watch ${path}: it cannot be watched: ${(error as Error).message}`);
  }
}

/** Whether something takes connections at the address of a URL. */
function answers(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
    });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket
      .setTimeout(CONNECT_MS, () => end(false))
      .once('connect', () => end(true))
      .once('error', () => end(false));
  });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
