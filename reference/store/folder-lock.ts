/**
 * One process at a time uses a folder, whatever container or host it runs in. A lock is a numbered file that names its owner; the next owner makes
 * the file of the next number, which only one process can. A socket shows whether an owner is alive (`lock-socket.ts`), or the signs of life in its
 * file where a socket cannot: on another host, or without sockets.
 */

import { execFileSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, jsonOf } from '../../spec/formats.js';
import { codeOf, type FolderLock } from './file-system.js';
import { HeldLock } from './held-lock.js';
import { knock, listenIn } from './lock-socket.js';
import { StoreError } from './store-error.js';

const LOCK = /^lock\.(\d+)$/;
/** Sockets of locks, and files that become locks. */
const PART = /^lock\.(\d+)-/;
/** An owner that has given no sign for this long is taken to be dead. */
const LEASE_MS = 15_000;
const LOOKS_A_LEASE = 50;
/** Two that have made way for each other come back after different times. */
const MAKE_WAY_MS_MAX = 20;

/** The content of a lock. */
interface Holder {
  readonly pid: number;
  readonly id: string;
  readonly host: string;
  /** The kernel and mount through which the owner sees the folder: there a socket that refuses is a dead one's. */
  readonly place: string | null;
  readonly socket: string | null;
  /** Released. */
  readonly free?: true;
}

/** A lock as it was found: a change shows that its owner is alive. */
interface LockSighting {
  readonly number: number;
  readonly text: string;
  readonly changedMs: number;
}

interface LockOptions {
  /** Gets what a user should see while they wait. */
  readonly log?: (text: string) => void;
  /** For tests. */
  readonly leaseMs?: number;
}

/** Takes the lock of an existing folder. StoreError if its owner is alive, or if that cannot be determined. */
export async function lockFolder(folder: string, options: LockOptions = {}): Promise<FolderLock> {
  const { log = () => undefined, leaseMs = LEASE_MS } = options;
  const place = placeOf(folder);
  for (let least = 0; ; ) {
    const seen = locksIn(folder);
    let ownerMayLive = seen.length === 0;
    for (const each of seen) {
      const state = await judge(folder, each, { place, leaseMs, log });
      ownerMayLive ||= state !== 'ended';
    }
    // A listing of a network file system may be older than a lock that is there.
    const number = Math.max(least, seen[0]?.number ?? 0) + 1;
    least = number;
    const own = await placeLock(folder, number, place);
    if (own === undefined) continue;
    if (isUndisputed(folder, number, seen)) {
      removeOlder(folder, number, own.keep);
      return HeldLock.of(`${folder}/lock.${number}`, {
        ...own,
        next: `${folder}/lock.${number + 1}`,
        leaseMs,
        ownerMayLive,
      });
    }
    rmSync(`${folder}/lock.${number}`, { force: true });
    await own.close();
    await sleep(randomInt(MAKE_WAY_MS_MAX));
  }
}

/** The kernel and the mount through which this process sees a folder; null where they have no names. */
function placeOf(folder: string): string | null {
  const kernel =
    process.platform === 'darwin'
      ? execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim()
      : readIfThere('/proc/sys/kernel/random/boot_id')?.trim();
  // The same files seen through another mount of a network or overlay file system have other sockets.
  return kernel === undefined ? null : `${kernel} ${statSync(folder).dev}`;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The locks of a folder, the highest number first. */
function locksIn(folder: string): LockSighting[] {
  const seen: LockSighting[] = [];
  for (const name of readdirSync(folder)) {
    const number = Number(LOCK.exec(name)?.[1] ?? Number.NaN);
    const found = Number.isNaN(number) ? undefined : look(folder, number);
    if (found !== undefined) seen.push(found);
  }
  return seen.toSorted((a, b) => b.number - a.number);
}

function look(folder: string, number: number): LockSighting | undefined {
  const path = `${folder}/lock.${number}`;
  // Opening it makes a network file system ask its server, so the result is current.
  const text = readIfThere(path);
  const stat = statSync(path, { throwIfNoEntry: false });
  return text === undefined || stat === undefined ? undefined : { number, text, changedMs: stat.mtimeMs };
}

function isSame(a: LockSighting, b: LockSighting | undefined): boolean {
  return a.text === b?.text && a.changedMs === b.changedMs;
}

/** The owner that a lock names; undefined for one that was written by hand, or lost its content with the power. */
function holderIn({ text }: LockSighting): Holder | undefined {
  const value = jsonOf(text);
  return isObject(value) && 'id' in value ? (value as unknown as Holder) : undefined;
}

interface Judging {
  readonly place: string | null;
  readonly leaseMs: number;
  readonly log: (text: string) => void;
}

/** Whether the owner of a lock was seen to have ended, or has only given no sign. StoreError when it lives or cannot be seen. */
async function judge(
  folder: string,
  seen: LockSighting,
  { place, leaseMs, log }: Judging,
): Promise<'ended' | 'silent'> {
  const path = `${folder}/lock.${seen.number}`;
  const holder = holderIn(seen);
  if (holder === undefined) return 'silent';
  if (holder.free === true) return 'ended';
  const owner = `process ${printable(holder.pid)}${holder.host === hostname() ? '' : ` on host ${printable(holder.host)}`}`;
  const inUse = new StoreError(`${path}: ${owner} is using this folder. Stop it, or give another --data folder.`);
  const hasEnded = async (): Promise<boolean> => {
    const answer = holder.socket === null || !PART.test(holder.socket) ? 'unknown' : await knock(folder, holder.socket);
    if (answer === 'accepted') throw inUse;
    return answer === 'refused' && place !== null && holder.place === place;
  };
  if (await hasEnded()) return 'ended';
  log(
    `${path}: whether ${owner} still uses this folder can be seen only by the signs that it gives. Waiting ${leaseMs / 1_000} s for one.`,
  );
  for (let looks = 0; looks < LOOKS_A_LEASE; looks++) {
    await sleep(leaseMs / LOOKS_A_LEASE);
    const now = look(folder, seen.number);
    if (now === undefined) return 'silent';
    if (!isSame(seen, now)) {
      if (holderIn(now)?.free === true) return 'ended';
      throw inUse;
    }
    // A socket that was inconclusive at first may show that its owner has ended.
    if (await hasEnded()) return 'ended';
  }
  log(`${path}: ${owner} has given no sign, and its folder is taken over.`);
  return 'silent';
}

/** A name from a file goes to a terminal. */
function printable(name: unknown): string {
  return String(name)
    .replace(/[^\w.-]/g, '?')
    .slice(0, 64);
}

interface PlacedLock {
  readonly text: string;
  readonly keep: string | null;
  readonly free: string;
  readonly close: () => Promise<void>;
}

/** Makes a lock with its content atomically; undefined if one exists. */
async function placeLock(folder: string, number: number, place: string | null): Promise<PlacedLock | undefined> {
  const id = randomUUID();
  const socket = `lock.${number}-${id}.sock`;
  const close = await listenIn(folder, socket);
  const keep = close === undefined ? null : socket;
  const holder: Holder = { pid: process.pid, id, host: hostname(), place, socket: keep };
  const placed = {
    text: JSON.stringify(holder),
    free: JSON.stringify({ ...holder, free: true }),
    keep,
    close: async () => close?.(),
  };
  if (createWhole(folder, number, placed.text)) return placed;
  await placed.close();
  return undefined;
}

/** File systems without hard links say one of these. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EACCES',
]);

function createWhole(folder: string, number: number, text: string): boolean {
  const path = `${folder}/lock.${number}`;
  const whole = `${path}-${randomUUID()}`;
  writeFileSync(whole, text, { mode: 0o600 });
  try {
    linkSync(whole, path);
    return true;
  } catch (error) {
    // A process that won meanwhile has removed the files that others were about to turn into locks.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false;
    if (!NO_LINKS.has(codeOf(error))) throw error;
    // Others may see it before its content is in it: they see it change, and make way.
    return createEmpty(path, text);
  } finally {
    rmSync(whole, { force: true });
  }
}

function createEmpty(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Whether a lock has the highest number, and every other is as it was when it was judged. */
function isUndisputed(folder: string, number: number, judged: readonly LockSighting[]): boolean {
  return locksIn(folder).every(
    (each) =>
      each.number === number ||
      (each.number < number && judged.some((before) => before.number === each.number && isSame(before, each))),
  );
}

/** Removes older locks, and leftover files of other processes that tried to take them. */
function removeOlder(folder: string, number: number, keep: string | null): void {
  for (const name of readdirSync(folder)) {
    const other = Number((LOCK.exec(name) ?? PART.exec(name))?.[1] ?? Number.NaN);
    const isOlder = LOCK.test(name) ? other < number : other <= number && name !== keep;
    if (isOlder) rmSync(`${folder}/${name}`, { force: true });
  }
}
