/**
 * One process at a time uses a folder. A lock is a numbered file that names its process and when that began, so a number that
 * another process has now is not taken for it; who takes over from a process that is gone makes the file of the next number,
 * which only one can.
 */

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { codeOf, type FolderLock } from './file-system.js';
import { StoreError } from './store-error.js';

const PATTERN = /^lock\.(\d+)$/;
/** The lock of journals of format 1: a process id and no more. */
const OLDER = 'journal.lock';

interface Holder {
  readonly pid: number;
  /** When the process began, in words of the system; null where that cannot be known. */
  readonly began: string | null;
  /** Let go: nobody holds it. */
  readonly free?: true;
}

/** The start of a process, as a text that no other process of any time has; undefined when there is none. */
function beginningOf(pid: number): string | null | undefined {
  if (!isRunning(pid)) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in brackets, may hold anything; 22 is the start, in ticks since the machine's.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended, and only waits to be noticed.
    if (fields[0] === 'Z') return undefined;
    const began = fields[19];
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${began}`;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    // Neither /proc nor ps: that it runs is all that can be known.
    return null;
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, and is another user's.
    return codeOf(error) === 'EPERM';
  }
}

function isHeld(holder: Holder | undefined): holder is Holder {
  if (holder === undefined || holder.free === true) return false;
  const began = beginningOf(holder.pid);
  return began !== undefined && (began === null || holder.began === null || began === holder.began);
}

function readHolder(path: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null && 'pid' in value ? (value as Holder) : undefined;
  } catch (error) {
    // Gone meanwhile, or written by hand.
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function locksIn(folder: string): number[] {
  const numbers = readdirSync(folder).map((name) => PATTERN.exec(name)?.[1]);
  return numbers
    .filter((digits) => digits !== undefined)
    .map(Number)
    .toSorted((a, b) => b - a);
}

function refuse(path: string, pid: number): StoreError {
  return new StoreError(`${path}: process ${pid} is using this folder. Stop it, or give another --data folder.`);
}

function requireNoOlderLock(folder: string): void {
  const path = `${folder}/${OLDER}`;
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    if (pid !== process.pid && isRunning(pid)) throw refuse(path, pid);
    rmSync(path, { force: true });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** Puts a file where none is, with all that is in it. False when one is there. */
function place(folder: string, name: string, holder: Holder): boolean {
  const whole = `${folder}/lock-${randomUUID()}`;
  writeFileSync(whole, JSON.stringify(holder), { mode: 0o600 });
  try {
    linkSync(whole, `${folder}/${name}`);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(whole, { force: true });
  }
}

/**
 * Takes the lock of a folder that is there. StoreError when a running process has it. Numbers only ever grow and the highest file stays, so
 * of any who come at once each sees the others: who finds a higher one than its own has lost.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const mine: Holder = { pid: process.pid, began: beginningOf(process.pid) ?? null };
  requireNoOlderLock(folder);
  for (;;) {
    const highest = locksIn(folder)[0] ?? 0;
    const path = `${folder}/lock.${highest}`;
    const holder = highest === 0 ? undefined : readHolder(path);
    if (isHeld(holder)) throw refuse(path, holder.pid);
    const number = highest + 1;
    if (!place(folder, `lock.${number}`, mine)) continue;
    const numbers = locksIn(folder);
    if (numbers[0] !== number) {
      rmSync(`${folder}/lock.${number}`, { force: true });
      continue;
    }
    for (const older of numbers.slice(1)) rmSync(`${folder}/lock.${older}`, { force: true });
    return { release: async () => free(`${folder}/lock.${number}`, mine) };
  }
}

/** Lets go, and leaves the file: its number is not given again. */
function free(path: string, mine: Holder): void {
  writeFileSync(path, JSON.stringify({ ...mine, free: true }));
}
