/**
 * Locks that earlier versions have left: they name a process by its id, which says nothing outside its PID namespace. Locks of
 * this version are in `folder-lock.ts`.
 */

import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { codeOf } from './file-system.js';
import { StoreError } from './store-error.js';

/** The lock of journals of format 1: a process id and no more. */
const FORMAT_1 = 'journal.lock';

/** A process as an earlier version names it. */
export interface EarlierHolder {
  readonly pid: number;
  /** The id of the boot and the start in ticks since then; other words or null where there is no /proc. */
  readonly began?: string | null;
}

/** The id of the first PID namespace of every Linux kernel: all processes of all others can be seen in it. */
const FIRST_NAMESPACE = 'pid:[4026531836]';

/** Whether it can be seen from here that the process has ended. */
export function hasEnded({ pid, began }: EarlierHolder): boolean {
  try {
    const [boot, ticks] = (began ?? '').split(' ');
    if (boot !== bootId() || readlinkSync('/proc/self/ns/pid') !== FIRST_NAMESPACE) return false;
    return readdirSync('/proc').every((name) => !/^\d+$/.test(name) || !isSame(name, pid, ticks));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

/** The id of this boot of this kernel, which all its containers see; undefined on other systems than Linux. */
export function bootId(): string | undefined {
  return readIfThere('/proc/sys/kernel/random/boot_id')?.trim();
}

/** Whether a process that is seen here has this id in its own namespace, and this start. */
function isSame(seenAs: string, pid: number, ticks: string | undefined): boolean {
  const stat = readIfThere(`/proc/${seenAs}/stat`);
  const ids = /^NSpid:\s(.*)$/m.exec(readIfThere(`/proc/${seenAs}/status`) ?? '')?.[1];
  if (stat === undefined || ids === undefined) return false;
  // The name, in brackets, may hold anything; 22 is the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended, and only waits to be noticed.
  return fields[0] !== 'Z' && fields[19] === ticks && Number(ids.split(/\s+/).at(-1)) === pid;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return undefined;
    throw error;
  }
}

/** Removes the lock of a journal of format 1, unless a process has its id. */
export function requireNoLockOfFormat1(folder: string): void {
  const path = `${folder}/${FORMAT_1}`;
  const text = readIfThere(path);
  if (text === undefined) return;
  const pid = Number(text);
  if (pid !== process.pid && isRunning(pid)) {
    throw new StoreError(`${path}: process ${pid} is using this folder. Stop it, or give another --data folder.`);
  }
  rmSync(path, { force: true });
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
