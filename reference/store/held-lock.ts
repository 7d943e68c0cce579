/**
 * A lock while it is held: it gives the signs by which others see that its owner lives, and knows whether it still is the
 * owner's. How one is taken is in `folder-lock.ts`.
 */

import { closeSync, fstatSync, futimesSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { codeOf, type FolderLock } from './file-system.js';
import { LockLost } from './store-error.js';

/** Signs in a lease. */
const SIGNS_A_LEASE = 5;

interface HeldLockParts {
  /** The content of the lock, and the content of a released one. */
  readonly text: string;
  readonly free: string;
  /** The path of the lock that would be the next. */
  readonly next: string;
  readonly leaseMs: number;
  readonly ownerMayLive: boolean;
  /** Closes its socket. */
  readonly close: () => Promise<void>;
}

export class HeldLock implements FolderLock {
  /** Open as long as the lock is held, so that no other file gets its number. */
  private readonly file: number;
  private readonly inode: bigint;
  private readonly timer: NodeJS.Timeout;
  private confirmedMs = Number.NEGATIVE_INFINITY;
  private lost: LockLost | undefined;

  private constructor(
    private readonly path: string,
    private readonly parts: HeldLockParts,
  ) {
    this.file = openSync(path, 'r+');
    this.inode = fstatSync(this.file, { bigint: true }).ino;
    this.timer = setInterval(() => this.giveSign(), parts.leaseMs / SIGNS_A_LEASE).unref();
  }

  /** Begins to give signs. */
  static of(path: string, parts: HeldLockParts): HeldLock {
    const held = new HeldLock(path, parts);
    held.giveSign();
    return held;
  }

  get ownerMayLive(): boolean {
    return this.parts.ownerMayLive;
  }

  /** No process takes over within a lease of the latest sign; half of it is left for clocks of another pace. */
  readonly isRecent = (): boolean => performance.now() - this.confirmedMs < this.parts.leaseMs / 2;

  readonly assertHeld = (): void => {
    if (this.isRecent()) this.requireInPlace();
    else this.confirm();
    if (this.lost !== undefined) throw this.lost;
  };

  readonly release = async (): Promise<void> => {
    clearInterval(this.timer);
    try {
      this.requireInPlace();
      // The file stays: its number is not given again.
      if (this.lost === undefined) writeFileSync(this.path, this.parts.free);
    } finally {
      closeSync(this.file);
      await this.parts.close();
    }
  };

  private giveSign(): void {
    try {
      this.confirm();
    } catch (error) {
      // Without a sign the lock is not recent any more, and the next reply asks again.
      if (codeOf(error) === undefined) throw error;
    }
    if (this.lost !== undefined) clearInterval(this.timer);
  }

  /** Gives a sign of life, and tests whether another process has come. It opens no file, since the process may have reached its limit of open files. */
  private confirm(): void {
    const nowMs = performance.now();
    this.touch();
    this.requireInPlace();
    // The next owner looks for a last sign after it has made its own lock: one of the two sees the other.
    if (statSync(this.parts.next, { throwIfNoEntry: false }) !== undefined) this.lose();
    if (this.lost === undefined) this.confirmedMs = nowMs;
  }

  private touch(): void {
    const now = new Date();
    try {
      futimesSync(this.file, now, now);
    } catch (error) {
      // Removed on the server of a network file system.
      if (codeOf(error) === 'ESTALE') this.lose();
      // Some file systems do not allow setting a time, and set one with each write.
      else if (codeOf(error) === 'EPERM' || codeOf(error) === 'ENOSYS') writeSync(this.file, this.parts.text, 0);
      else throw error;
    }
  }

  private requireInPlace(): void {
    const inode = statSync(this.path, { bigint: true, throwIfNoEntry: false })?.ino;
    if (inode === this.inode) return;
    // Some file systems give a file another number each time.
    if (inode === undefined || readFileSync(this.path, 'utf8') !== this.parts.text) this.lose();
  }

  private lose(): void {
    this.lost ??= new LockLost(
      `${this.path}: this lock is gone: another process has taken the folder over, or somebody has removed the file`,
    );
  }
}
