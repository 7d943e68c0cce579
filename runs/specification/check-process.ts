/** Judges a change by `aips spec check` in a process of its own, so that its reports are those of the command. How it judges is in cli/spec/check.ts. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckProgress, type CheckReports, SPEC_CHECK_FILES } from '../../results/spec-check-result.js';
import { readText } from '../host/files.js';
import { ownCommand } from '../host/own-program.js';
import { PROGRESS_WANTED } from './check-progress.js';

/** Runs `aips spec check` with arguments in a folder, into a folder `out` of it, and tells how far it is. Undefined where the signal ends it. */
export function checkInProcess(
  args: readonly string[],
  { cwd, out }: { readonly cwd: string; readonly out: string },
  signal: AbortSignal,
  onProgress: (progress: CheckProgress) => void = () => undefined,
): Promise<CheckReports | undefined> {
  const [command, ...first] = ownCommand();
  const child = spawn(command, [...first, 'spec', 'check', ...args, '--out', out], {
    ...{ cwd, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], signal, killSignal: 'SIGKILL' },
    env: { ...process.env, [PROGRESS_WANTED]: '1' },
  });
  child.on('message', (progress) => onProgress(progress as CheckProgress));
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      if (!signal.aborted) reject(error);
    });
    child.once('close', () => {
      process.off('exit', end);
      if (signal.aborted) return resolve(undefined);
      const written = Object.entries(SPEC_CHECK_FILES).map(([kind, name]) => [kind, join(cwd, out, name)] as const);
      const files = written.flatMap(([kind, file]) => (existsSync(file) ? [[kind, readText(file, 'report')]] : []));
      resolve({ files: Object.fromEntries(files), said });
    });
  });
}
