// A folder that two processes write, or of which a process does not know any more whether it is the only one.
import { describe, expect, it } from 'vitest';
import { Chance } from '../../test/faults/chance.js';
import { CounterReplica, numbered } from '../../test/faults/counter-replica.js';
import { FaultyDisk } from '../../test/faults/faulty-disk.js';
import type { FolderLock } from './file-system.js';
import { openStore, type Store } from './open-store.js';
import { verifyStore } from './read-store.js';
import { planRepair } from './repair.js';
import { LockLost, StoreDamage } from './store-error.js';

const FOLDER = '/data';
const FIRST = `${FOLDER}/journal-000001.ndjson`;
const build = { version: '1.0.0', rules: 'a'.repeat(64) };

/** A process with the folder open, whatever lock another one has. */
class Writer {
  readonly replica = new CounterReplica();
  readonly failures: unknown[] = [];
  lock: FolderLock = {
    ownerMayLive: false,
    isRecent: () => true,
    assertHeld: () => undefined,
    release: async () => undefined,
  };
  private store!: Store;

  static async open(disk: FaultyDisk, lock: Partial<FolderLock> = {}): Promise<Writer> {
    const writer = new Writer();
    writer.lock = { ...writer.lock, ...lock };
    const files = { ...disk.files, lock: async () => writer.lock };
    const told = { log: () => undefined, onFailure: (error: unknown) => writer.failures.push(error) };
    const found = await openStore({
      files,
      folder: FOLDER,
      build,
      owner: {},
      startMs: 1,
      segmentBytes: 1 << 20,
      ...told,
    });
    writer.store = await found.recover(writer.replica);
    return writer;
  }

  get journal(): Store['journal'] {
    return this.store.journal;
  }

  async accept(n: number, weight = 40): Promise<boolean> {
    const command = numbered(n, weight);
    this.replica.apply(command);
    this.journal.append(command, this.replica.stateAfter());
    return (await this.journal.settled()) ?? true;
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /** Its lock is gone from here on, and it asks before the next reply. */
  loseLock(): void {
    const assertHeld = (): void => {
      throw new LockLost('gone');
    };
    Object.assign(this.lock, { isRecent: () => false, assertHeld });
  }
}

describe('a process that has lost its lock', () => {
  it('acknowledges nothing more, not even a read, and changes nothing in the folder', async () => {
    const disk = new FaultyDisk(new Chance(1));
    const writer = await Writer.open(disk);
    expect(await writer.accept(0)).toBe(true);
    expect(writer.journal.settled()).toBeUndefined();
    writer.loseLock();
    expect(await writer.journal.settled()).toBe(false);
    const before = disk.names().map((name) => [name, disk.contentOf(name)?.toString()]);
    await writer.close();
    expect(disk.names().map((name) => [name, disk.contentOf(name)?.toString()])).toEqual(before);
    expect(writer.failures).toEqual([expect.any(LockLost)]);
  });

  it('writes into a file that is the folder’s no more, and acknowledges nothing of that', async () => {
    const disk = new FaultyDisk(new Chance(1));
    const old = await Writer.open(disk);
    for (let n = 0; n < 5; n++) await old.accept(n);
    const next = await Writer.open(disk, { ownerMayLive: true });
    expect(next.replica.bodies).toEqual([0, 1, 2, 3, 4]);
    old.loseLock();
    expect(await next.accept(5)).toBe(true);
    // Stopped before its write and woken now, it does not know yet.
    expect(await old.accept(99, 400)).toBe(false);
    expect(await next.accept(6)).toBe(true);
    expect(await verifyStore(disk.files, FOLDER)).toMatchObject({ commands: 7 });
    const third = await Writer.open(disk);
    expect(third.replica.bodies).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});

describe('a journal that two servers have written at the same time', () => {
  /** Both begin where it is empty, and write in turns. */
  async function overwritten(turns: readonly (readonly ['a' | 'b', weight: number])[], end: 'stop' | 'kill') {
    const disk = new FaultyDisk(new Chance(1));
    const writers = { a: await Writer.open(disk), b: await Writer.open(disk) };
    for (const [n, [who, weight]] of turns.entries()) await writers[who].accept(n, weight);
    if (end === 'stop') await writers.a.close();
    if (end === 'stop') await writers.b.close();
    return disk;
  }

  it.each([
    [
      'one of which wrote longer lines',
      'kill',
      [
        ['a', 10],
        ['b', 90],
        ['a', 10],
        ['b', 90],
        ['a', 10],
        ['b', 90],
      ],
    ],
    [
      'one of which wrote more',
      'kill',
      [
        ['a', 10],
        ['a', 10],
        ['a', 10],
        ['a', 10],
        ['b', 5],
      ],
    ],
    [
      'one of which wrote a line of the same length last',
      'kill',
      [
        ['a', 10],
        ['b', 10],
        ['a', 10],
        ['a', 10],
        ['a', 10],
        ['b', 5],
      ],
    ],
    [
      'the shorter one last',
      'kill',
      [
        ['b', 80],
        ['b', 80],
        ['b', 80],
        ['b', 80],
        ['b', 80],
        ['a', 1],
        ['a', 1],
        ['a', 1],
      ],
    ],
    [
      'that were stopped, with lines of one length',
      'stop',
      [
        ['a', 10],
        ['b', 10],
        ['a', 10],
        ['b', 10],
      ],
    ],
  ] as const)('%s, is recognised, not started, and not said to have lost nothing', async (_what, end, turns) => {
    const disk = await overwritten(turns, end);
    await expect(verifyStore(disk.files, FOLDER)).rejects.toThrow('two servers');
    await expect(Writer.open(disk)).rejects.toThrow(StoreDamage);
    expect((await planRepair(disk.files, FOLDER)).unsure).toBe('two-writers');
  });

  it('is not taken for one by a changed byte or a line that is gone', async () => {
    const disk = new FaultyDisk(new Chance(1));
    const writer = await Writer.open(disk);
    for (let n = 0; n < 8; n++) await writer.accept(n);
    await writer.close();
    const whole = Buffer.from(disk.contentOf(FIRST) as Buffer);
    const lines = whole.toString('latin1').split('\n');
    const header = Number(lines[0]?.length) + 1;
    const damaged = [
      ...Array.from(whole, (byte, at) => Buffer.from(whole).fill(byte ^ 4, at, at + 1)).filter(
        (_, at) => at >= header && at % 3 === 0,
      ),
      ...lines.slice(1, -1).map((_, at) => Buffer.from(lines.toSpliced(at + 1, 1).join('\n'), 'latin1')),
      Buffer.concat([whole.subarray(0, 900), whole.subarray(1_000)]),
    ];
    for (const content of damaged) {
      disk.edit(FIRST, () => content);
      const refused = await verifyStore(disk.files, FOLDER).then(() => 'sound', String);
      expect(refused).toMatch(/journal-000001/);
      expect(refused).not.toMatch(/: two servers|known here: two/);
      expect((await planRepair(disk.files, FOLDER)).unsure).not.toBe('two-writers');
    }
  });
});
