/** A file system that tries again if a file cannot be opened for a temporary reason: too many open files. Writes that wait are not acknowledged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, type FileSystem } from './file-system.js';

/** Errors of opening that pass when others close their files or give back memory. */
const PASSING: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EAGAIN', 'EINTR']);

const FIRST_PAUSE_MS = 20;
const PAUSE_MS_MAX = 1_000;

interface Patience {
  /** Gets a line when it begins to wait, and when it went on. */
  readonly log: (text: string) => void;
  /** For tests. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** The same files; opening one is tried until it succeeds or fails for a permanent reason. */
export function patientFiles(files: FileSystem, { log, pause = sleep }: Patience): FileSystem {
  const patiently = async <T>(path: string, use: () => Promise<T>): Promise<T> => {
    for (let pauseMs = FIRST_PAUSE_MS, tries = 0; ; tries++, pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
      try {
        const opened = await use();
        if (tries > 0) log(`${path}: could be opened after ${tries} more tries.`);
        return opened;
      } catch (error) {
        const code = codeOf(error);
        if (!PASSING.has(code)) throw error;
        if (tries === 0)
          log(
            `${path}: cannot be opened now (${code}), and is tried again; until then nothing more is acknowledged. More open files: ulimit -n.`,
          );
        await pause(pauseMs);
      }
    }
  };
  return {
    ...files,
    open: (path, mode) => patiently(path, () => files.open(path, mode)),
    list: (folder) => patiently(folder, () => files.list(folder)),
    syncFolder: (folder) => patiently(folder, () => files.syncFolder(folder)),
  };
}
