/** Notices when `aips conform --rerun` has to judge again: the server comes back, or a file changes. failed.ts chooses the checks. */

import { type FSWatcher, watch } from 'node:fs';
import { connect } from 'node:net';
import { Failure } from '../../runs/host/failure.js';
import { interruptOf } from '../../runs/host/interrupt.js';

const POLL_MS = 100;
const CONNECT_MS = 1_000;
/** The quiet time after a change: editors and compilers write in several steps. */
const SETTLE_MS = 300;

/** Notes the changes since it was created, including those during a run. */
export class Changes {
  readonly #watchers: readonly FSWatcher[];
  #cause: string | undefined;

  /** `paths`: files or folders. Throws a Failure for one that cannot be watched. */
  constructor(
    readonly url: string,
    paths: readonly string[],
  ) {
    this.#watchers = paths.map((path) => this.#watched(path));
  }

  /**
   * Waits until a path has changed, the server has been away and is back, or the user presses Enter, and until the server answers. Resolves to the
   * cause in words; undefined when Ctrl-C comes first.
   */
  async next(): Promise<string | undefined> {
    const { signal, forget } = interruptOf();
    const onEnter = (): void => this.#note('Enter');
    if (process.stdin.isTTY) process.stdin.once('data', onEnter);
    try {
      for (let wasAway = false; !signal.aborted; await pause(POLL_MS)) {
        const isThere = await answers(this.url);
        if (isThere && wasAway) this.#note('the server is back');
        wasAway = !isThere;
        if (this.#cause === undefined || !isThere) continue;
        await pause(SETTLE_MS);
        if (!(await answers(this.url)) || signal.aborted) continue;
        const cause = this.#cause;
        this.#cause = undefined;
        return cause;
      }
      return undefined;
    } finally {
      forget();
      process.stdin.off('data', onEnter).pause();
    }
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  #note(cause: string): void {
    this.#cause ??= cause;
  }

  #watched(path: string): FSWatcher {
    try {
      const watcher = watch(path, { recursive: true }, (_, name) => this.#note(`${name ?? path} changed`));
      return watcher.on('error', () => this.#note(`${path} changed`));
    } catch (error) {
      throw new Failure(`--watch ${path}: it cannot be watched: ${(error as Error).message}`);
    }
  }
}

/** Whether a server accepts connections at the address of a URL. */
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
