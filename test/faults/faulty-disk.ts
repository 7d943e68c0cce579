/**
 * A disk in memory that fails as disks do, from a seed: short reads and writes, no room, errors, and a loss of power that drops any
 * part of the unsynced writes, in any order. A test can damage files on it (`edit`, `drop`). It is for tests of the store.
 */
import type { FileSystem, FolderLock, OpenFile, OpenMode } from '../../reference/store/file-system.js';
import { LockLost, StoreError } from '../../reference/store/store-error.js';
import type { Chance } from './chance.js';

/** The power is off, or the process was killed: its operations have no effect. */
export class PowerLoss extends Error {
  override readonly name = 'PowerLoss';
}

/**
 * A fault that no store survives, to show that the tests notice it: syncs of files or of names without effect, or writes
 * that take less than they report.
 */
export type Lie = 'syncs' | 'writes' | 'names';

/** How likely each fault is, for each operation that may have it. All 0 by default. */
interface FaultRates {
  readonly shortWrite?: number;
  readonly eio?: number;
}

/** A change to a file that has not been synced. */
type Change =
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly length: number };

/** A file, whatever its name: what a reader sees, and what the disk has. */
interface Inode {
  seen: Buffer;
  durable: Buffer;
  unsynced: Change[];
}

/** A change of names that has not been synced: each name and the inode that it means; null for none. */
interface Renaming {
  readonly sets: readonly (readonly [name: string, inode: Inode | null])[];
}

const SECTOR = 512;

function fault(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}

function apply(content: Buffer, change: Change): Buffer {
  if (change.kind === 'truncate') {
    const cut = Buffer.alloc(change.length);
    content.copy(cut, 0, 0, Math.min(content.length, change.length));
    return cut;
  }
  const end = change.at + change.bytes.length;
  const grown =
    end > content.length ? Buffer.concat([content, Buffer.alloc(end - content.length)]) : Buffer.from(content);
  grown.set(change.bytes, change.at);
  return grown;
}

/** A disk. Each process reads `files` once, when it starts. */
export class FaultyDisk {
  private readonly seen = new Map<string, Inode>();
  private durable = new Map<string, Inode>();
  private renamings: Renaming[] = [];
  private locked = false;
  /** Whether the present owner has lost its lock, and whether the next owner finds that the previous one may be alive. */
  lockIsLost = false;
  ownerMayLive = false;
  /** The number of the present process: operations of older ones throw. */
  private life = 0;
  /** Operations so far, and the one at which the power goes. */
  operations = 0;
  private powerGoesAt = Number.POSITIVE_INFINITY;
  private room = Number.POSITIVE_INFINITY;
  private syncsToFail = 0;
  private truncatesToFail = 0;
  private opensToFail: string[] = [];
  /** Errors and short writes, without those of the `fail…` methods. */
  faults = 0;

  constructor(
    private readonly chance: Chance,
    private rates: FaultRates = {},
    private readonly lie?: Lie,
  ) {}

  /** Applies these rates from now on. */
  setRates(rates: FaultRates): void {
    this.rates = rates;
  }

  /** The power goes at this operation, counted from now. */
  losePowerAfter(operations: number): void {
    this.powerGoesAt = this.operations + operations;
  }

  /** The next `count` syncs fail, and the disk drops parts of their writes. */
  failSyncs(count: number): void {
    this.syncsToFail = count;
  }

  /** The next `count` truncations fail. */
  failTruncates(count: number): void {
    this.truncatesToFail = count;
  }

  /** The next opens fail, each with its code. */
  failOpens(codes: readonly string[]): void {
    this.opensToFail = [...codes];
  }

  /** The number of bytes that can be written from here on; then the disk is full. */
  setRoom(bytes: number): void {
    this.room = bytes;
  }

  /** Whether the power has gone, so that only a restart helps. */
  get isOff(): boolean {
    return this.operations >= this.powerGoesAt;
  }

  /** The content of a file, as a reader sees it. */
  contentOf(path: string): Buffer | undefined {
    return this.seen.get(path)?.seen;
  }

  names(): string[] {
    return [...this.seen.keys()];
  }

  /** Changes a file behind the back of its user, on the disk too. */
  edit(path: string, change: (content: Buffer) => Buffer): void {
    const inode = this.seen.get(path);
    if (inode === undefined) throw new Error(`there is no ${path}`);
    inode.seen = change(Buffer.from(inode.seen));
    inode.durable = Buffer.from(inode.seen);
    inode.unsynced = [];
  }

  /** Removes a file behind the back of its user. */
  drop(path: string): void {
    this.seen.delete(path);
    this.durable.delete(path);
  }

  /** Kills the process: readers still see what it has written, synced or not. */
  kill(): void {
    this.life += 1;
    this.locked = false;
    this.powerGoesAt = Number.POSITIVE_INFINITY;
    this.room = Number.POSITIVE_INFINITY;
  }

  /** Starts the machine after a loss of power: chance decides which unsynced changes it keeps. */
  restart(): void {
    this.kill();
    for (const { sets } of this.renamings) {
      if (this.chance.happens(0.5)) this.setDurable(sets);
    }
    this.renamings = [];
    this.seen.clear();
    for (const [name, inode] of this.durable) {
      this.keepSome(inode);
      this.seen.set(name, inode);
    }
  }

  private setDurable(sets: Renaming['sets']): void {
    for (const [name, inode] of sets) {
      if (inode === null) this.durable.delete(name);
      else this.durable.set(name, inode);
    }
  }

  /** Keeps a random part of the unsynced changes: sectors reach a disk in any order. */
  private keepSome(inode: Inode): void {
    const lossless = this.chance.happens(0.2);
    for (const change of inode.unsynced) {
      if (change.kind === 'truncate') {
        if (lossless || this.chance.happens(0.5)) inode.durable = apply(inode.durable, change);
        continue;
      }
      for (let at = change.at, done = 0; done < change.bytes.length; ) {
        const length = Math.min(SECTOR - (at % SECTOR), change.bytes.length - done);
        const bytes = change.bytes.subarray(done, done + length);
        if (lossless || this.chance.happens(0.5)) inode.durable = apply(inode.durable, { kind: 'write', at, bytes });
        at += length;
        done += length;
      }
    }
    inode.unsynced = [];
    inode.seen = Buffer.from(inode.durable);
  }

  private step(life: number, mayFail: boolean): void {
    if (life !== this.life) throw new PowerLoss('this process is dead');
    this.operations += 1;
    if (this.operations >= this.powerGoesAt) throw new PowerLoss('the power is gone');
    if (mayFail && this.chance.happens(this.rates.eio ?? 0)) {
      this.faults += 1;
      throw fault('EIO');
    }
  }

  private inodeOf(path: string): Inode {
    const inode = this.seen.get(path);
    if (inode === undefined) throw fault('ENOENT');
    return inode;
  }

  private open(life: number, path: string, mode: OpenMode): OpenFile {
    this.step(life, false);
    const code = this.opensToFail.shift();
    if (code !== undefined) throw fault(code);
    if (mode.startsWith('create')) {
      if (this.seen.has(path)) throw fault('EEXIST');
      const made: Inode = { seen: Buffer.alloc(0), durable: Buffer.alloc(0), unsynced: [] };
      this.seen.set(path, made);
      this.renamings.push({ sets: [[path, made]] });
    }
    const inode = this.inodeOf(path);
    return {
      size: async () => inode.seen.length,
      read: async (at, length) => {
        this.step(life, true);
        // A kernel may give less than it was asked for.
        const part = this.chance.happens(this.rates.shortWrite ?? 0) ? Math.max(1, length >> 1) : length;
        return Buffer.from(inode.seen.subarray(at, at + part));
      },
      write: async (bytes, at) => {
        const written = this.write(life, inode, bytes, at);
        if (mode.endsWith('keep')) this.sync(life, inode);
        return written;
      },
      writeNow: (bytes, at) => this.write(life, inode, bytes, at),
      truncate: async (length) => {
        this.step(life, true);
        if (this.truncatesToFail-- > 0) throw fault('EIO');
        const change = { kind: 'truncate', length } as const;
        inode.seen = apply(inode.seen, change);
        inode.unsynced.push(change);
      },
      sync: async () => this.sync(life, inode),
      close: async () => undefined,
    };
  }

  private write(life: number, inode: Inode, bytes: Uint8Array, at: number): number {
    this.step(life, true);
    if (this.room <= 0) {
      this.faults += 1;
      throw fault('ENOSPC');
    }
    let length = Math.min(bytes.length, this.room);
    if (length > 1 && this.chance.happens(this.rates.shortWrite ?? 0)) {
      this.faults += 1;
      length = 1 + this.chance.below(length - 1);
    }
    this.room -= length;
    const change = { kind: 'write', at, bytes: Uint8Array.from(bytes.subarray(0, length)) } as const;
    inode.seen = apply(inode.seen, change);
    inode.unsynced.push(change);
    return this.lie === 'writes' ? bytes.length : length;
  }

  private sync(life: number, inode: Inode): void {
    try {
      this.step(life, true);
      if (this.syncsToFail-- > 0) throw fault('EIO');
    } catch (error) {
      if (error instanceof PowerLoss) throw error;
      // The kernel drops these writes: the next sync succeeds, although parts of them are not on the disk.
      const { seen } = inode;
      this.keepSome(inode);
      inode.seen = seen;
      throw error;
    }
    if (this.lie === 'syncs') return;
    for (const change of inode.unsynced) inode.durable = apply(inode.durable, change);
    inode.unsynced = [];
  }

  /** The disk as the store sees it. */
  get files(): FileSystem {
    const { life } = this;
    return {
      makeFolder: async () => this.step(life, false),
      list: async (folder) => {
        this.step(life, false);
        const prefix = `${folder}/`;
        return [...this.seen.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
      },
      open: async (path, mode) => this.open(life, path, mode),
      rename: async (from, to) => {
        this.step(life, true);
        const inode = this.inodeOf(from);
        this.seen.delete(from);
        this.seen.set(to, inode);
        this.renamings.push({
          sets: [
            [to, inode],
            [from, null],
          ],
        });
      },
      remove: async (path) => {
        this.step(life, true);
        this.inodeOf(path);
        this.seen.delete(path);
        this.renamings.push({ sets: [[path, null]] });
      },
      syncFolder: async () => {
        this.step(life, true);
        if (this.lie === 'names') return;
        for (const { sets } of this.renamings) this.setDurable(sets);
        this.renamings = [];
      },
      lock: async () => this.lock(life),
    };
  }

  private lock(life: number): FolderLock {
    this.step(life, false);
    if (this.locked) throw new StoreError('another process is using this folder');
    this.locked = true;
    const assertHeld = (): void => {
      if (this.lockIsLost) throw new LockLost('/data/lock.1: this lock is gone');
    };
    return {
      ownerMayLive: this.ownerMayLive,
      isRecent: () => !this.lockIsLost,
      assertHeld,
      release: async () => {
        if (life === this.life) this.locked = false;
      },
    };
  }
}
