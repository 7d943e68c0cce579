/** Runs a program of the user's with bounds on time and output. Payments by a program are in payer-command.ts. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { cleanupAtExit } from './exit-cleanup.js';

const OUTPUT_CHARS_MAX = 65_536;
/** How long the output of an ended program may take to arrive, if a child process of it still holds its pipes. */
const DRAIN_MS = 500;
/** Codes of temporary errors of starting a program. */
const PASSING = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Why a program cannot be started, by Node's code. */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program',
  EACCES: 'it is not a program that this user may run',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOEXEC: 'it is not a program of this system',
};

/** How a program ended, or why it did not start. */
export type ProgramEnd =
  | {
      readonly kind: 'ended';
      readonly status: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly out: string;
      readonly err: string;
    }
  | { readonly kind: 'late'; readonly err: string }
  /** `forGood`: another try would fail as well. */
  | { readonly kind: 'unrunnable'; readonly why: string; readonly forGood: boolean };

/** How a program is run. */
export interface ProgramOptions {
  /** In addition to this process's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly deadlineMs: number;
  /** Where its output goes: into the answer, or to standard error of this process. */
  readonly output?: 'kept' | 'shown';
}

/**
 * Runs a program in a process group of its own, all of which is killed at the deadline, or when this process is interrupted. Processes that the
 * program leaves behind when it ends in time go on, and are not awaited.
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

/** Waits until a program has ended and its output is complete, or until it is killed at the deadline, which returns true. Rejects if it does not start. */
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
    // The group has just ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The end of a stream's text; empty without a stream. */
function kept(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-OUTPUT_CHARS_MAX);
  });
  return () => text;
}
