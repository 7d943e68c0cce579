/** Runs a program of the user, within bounds of time and output. Payments by a program are in payer-command.ts. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { cleanupAtExit } from './exit-cleanup.js';

const OUTPUT_CHARS_MAX = 65_536;
/** After a program has ended, its output may arrive for this time, if a child process still holds its pipes. */
const DRAIN_MS = 500;
/** Codes of temporary errors when a program is started. */
const PASSING = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Why a program cannot be started, by error code. */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program',
  EACCES: 'this user may not run it',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOEXEC: 'it is not a program of this system',
};

/** The end of a program, or the reason why it did not start. */
export type ProgramEnd =
  | {
      readonly kind: 'ended';
      readonly status: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly out: string;
      readonly err: string;
    }
  | { readonly kind: 'late'; readonly err: string }
  /** `forGood`: another try would fail, too. */
  | { readonly kind: 'unrunnable'; readonly why: string; readonly forGood: boolean };

/** The options for running a program. */
export interface ProgramOptions {
  /** Variables in addition to the environment of this process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly deadlineMs: number;
  /** The destination of its output: the result, or standard error of this process. */
  readonly output?: 'kept' | 'shown';
}

/**
 * Runs a program in its own process group. The group is killed at the deadline, or when this process is interrupted. If the program ends in time,
 * processes that it leaves behind continue.
 */
export async function runProgram(
  command: readonly string[],
  { env, deadlineMs, output = 'kept' }: ProgramOptions,
): Promise<ProgramEnd> {
  const [program = '', ...args] = command;
  try {
    const stdio: StdioOptions = output === 'kept' ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2];
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio, detached: true });
    const out = kept(child.stdout);
    const err = kept(child.stderr);
    const isLate = await ended(child, deadlineMs);
    if (isLate) return { kind: 'late', err: err() };
    return { kind: 'ended', status: child.exitCode, signal: child.signalCode, out: out(), err: err() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = 'code' in error ? String(error.code) : '';
    return { kind: 'unrunnable', why: WHY[code] ?? error.message, forGood: !PASSING.has(code) };
  }
}

/** Waits until a program has ended and its output is complete. Returns true if it was killed at the deadline. Rejects if it does not start. */
async function ended(child: ChildProcess, deadlineMs: number): Promise<boolean> {
  const settle = cleanupAtExit(() => killGroup(child));
  let isLate = false;
  const timers: NodeJS.Timeout[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const drain = (): void => void timers.push(setTimeout(resolve, child.stdout === null ? 0 : DRAIN_MS));
      const kill = (): void => {
        isLate = true;
        killGroup(child);
        drain();
      };
      const deadline = setTimeout(kill, deadlineMs);
      timers.push(deadline);
      child.once('error', reject);
      child.once('exit', () => {
        clearTimeout(deadline);
        drain();
      });
      child.once('close', () => resolve());
    });
  } finally {
    settle();
    for (const timer of timers) clearTimeout(timer);
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.unref();
  }
  return isLate;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the group has just ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Keeps the last part of a stream's text; empty without a stream. */
function kept(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-OUTPUT_CHARS_MAX);
  });
  return () => text;
}
