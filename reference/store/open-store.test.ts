import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Chance } from '../../test/faults/chance.js';
import { CounterReplica, numbered } from '../../test/faults/counter-replica.js';
import { FaultyDisk } from '../../test/faults/faulty-disk.js';
import type { Build, Owner } from './journal-line.js';
import { type OpenStore, openStore, type Store, storeOwner } from './open-store.js';
import { verifyStore } from './read-store.js';
import { StoreDamage, StoreError } from './store-error.js';
import { takeSnapshot } from './take-snapshot.js';

const FOLDER = '/data';
const FIRST = `${FOLDER}/journal-000001.ndjson`;
const build: Build = { version: '1.0.0', rules: 'a'.repeat(64) };
const other: Build = { version: '2.0.0', rules: 'b'.repeat(64) };

interface SetUp {
  readonly build?: Build;
  readonly owner?: Owner;
  readonly segmentBytes?: number;
  readonly startMs?: number;
}

/** A folder on a disk, over several lives of a store. */
class Folder {
  readonly disk = new FaultyDisk(new Chance(1));
  told: string[] = [];
  failures: unknown[] = [];

  open(setUp: SetUp = {}): Promise<OpenStore> {
    const log = (text: string): unknown => this.told.push(text);
    const onFailure = (error: unknown): unknown => this.failures.push(error);
    const options = { build, owner: { seed: 1 }, startMs: 5_000, ...setUp };
    return openStore({ ...options, files: this.disk.files, folder: FOLDER, log, onFailure });
  }

  async start(replica = new CounterReplica(), setUp: SetUp = {}): Promise<Store> {
    return (await this.open(setUp)).recover(replica);
  }

  /** The commands that a start brings back. */
  async recovered(setUp: SetUp = {}): Promise<readonly number[]> {
    const replica = new CounterReplica();
    await (await this.start(replica, setUp)).close();
    return replica.bodies;
  }

  /** A life in which a number of commands are accepted; ended by a stop or a kill. */
  async life(from: number, to: number, end: 'stop' | 'kill', setUp: SetUp = {}): Promise<void> {
    const replica = new CounterReplica();
    const store = await this.start(replica, setUp);
    for (let n = from; n < to; n++) {
      accept(store, replica, n);
      expect(await store.journal.settled()).toBe(true);
    }
    if (end === 'stop') await store.close();
    this.disk.kill();
  }
}

function accept({ journal }: Store, replica: CounterReplica, n: number, weight = 50): void {
  const command = numbered(n, weight);
  replica.apply(command);
  journal.append(command, replica.stateAfter());
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('a folder', () => {
  it('is begun once, and keeps when its service started', async () => {
    const folder = new Folder();
    expect(await (await folder.open({ startMs: 5_000 })).startMs).toBe(5_000);
    folder.disk.kill();
    expect((await folder.open({ startMs: 9_000 })).startMs).toBe(5_000);
    expect(await storeOwner(folder.disk.files, FOLDER)).toEqual({ seed: 1 });
    expect(await storeOwner(folder.disk.files, '/elsewhere')).toBeUndefined();
  });

  it('of a service with other options is refused, and says which', async () => {
    const folder = new Folder();
    await folder.life(0, 1, 'stop', { owner: { seed: 1, protocol: { a: { b: 1, c: 2 } } } });
    await expect(folder.open({ owner: { seed: 2, protocol: { a: { b: 1, c: 3 }, d: 1 } } })).rejects.toThrow(
      '/data: this journal is of a service with other options (seed, protocol.a.c, protocol.d). ',
    );
  });

  it('is used by one at a time, and let go of by who refuses it', async () => {
    const folder = new Folder();
    const store = await folder.start();
    await expect(folder.open()).rejects.toThrow('another process is using this folder');
    await store.close();
    await expect(folder.open({ owner: {} })).rejects.toThrow(StoreError);
    expect(await folder.recovered()).toEqual([]);
  });
});

describe('what was accepted', () => {
  it.each(['stop', 'kill'] as const)('is there after a %s, again and again, over many segments', async (end) => {
    const folder = new Folder();
    for (let n = 0; n < 40; n += 8) await folder.life(n, n + 8, end, { segmentBytes: 1_000 });
    expect(await folder.recovered({ segmentBytes: 1_000 })).toEqual(upTo(40));
    expect(folder.disk.names().filter((name) => name.endsWith('.ndjson')).length).toBeGreaterThan(8);
    expect(folder.told).toEqual([]);
  });

  it('shares one wait for the disk, and is not settled before it', async () => {
    const folder = new Folder();
    const replica = new CounterReplica();
    const store = await folder.start(replica);
    expect(store.journal.settled()).toBeUndefined();
    const before = folder.disk.operations;
    for (let n = 0; n < 500; n++) accept(store, replica, n);
    const settled = store.journal.settled();
    expect(store.journal.onDisk.seq).toBe(0);
    expect(await settled).toBe(true);
    expect(store.journal.onDisk.seq).toBe(500);
    // A write, a sync, and the known place.
    expect(folder.disk.operations - before).toBe(3);
    await store.close();
  });

  it('is read from the newest snapshot on', async () => {
    const folder = new Folder();
    await folder.life(0, 30, 'kill');
    await takeSnapshot(new CounterReplica(), { files: folder.disk.files, folder: FOLDER, build });
    await folder.life(30, 35, 'kill');
    const replica = new CounterReplica();
    const store = await folder.start(replica);
    expect([store.replayed, replica.bodies]).toEqual([5, upTo(35)]);
  });

  it('is read from the snapshot before, when the newest is damaged, and from the start, when both are', async () => {
    const folder = new Folder();
    await folder.life(0, 10, 'stop');
    await folder.life(10, 20, 'stop');
    const newest = folder.disk
      .names()
      .filter((name) => name.endsWith('.columns'))
      .toSorted();
    expect(newest).toHaveLength(2);
    folder.disk.edit(newest[1] as string, (content) => content.fill(7, 0, 1));
    await folder.life(20, 21, 'kill');
    expect(folder.told).toEqual([`${newest[1]}: is damaged, and was not used; the journal has all that it held.`]);
    folder.disk.edit(`${FOLDER}/snapshot.previous.json`, (content) => content.subarray(0, 40));
    expect(await folder.recovered()).toEqual(upTo(21));
  });

  it('is read from the start, when the snapshot is of an older form, which the next stop replaces', async () => {
    const folder = new Folder();
    await folder.life(0, 10, 'stop');
    folder.disk.edit(`${FOLDER}/snapshot.json`, (content) => {
      const said = content.toString().slice('{"sha256":"","snapshot":'.length + 64, -2);
      const older = said.replace(/"form":\d+/, '"form":1');
      expect(older).not.toBe(said);
      return Buffer.from(`{"sha256":"${createHash('sha256').update(older).digest('hex')}","snapshot":${older}}\n`);
    });
    const replayed: number[] = [];
    for (let start = 0; start < 2; start++) {
      const replica = new CounterReplica();
      const store = await folder.start(replica);
      replayed.push(store.replayed);
      expect(replica.bodies).toEqual(upTo(10));
      await store.close();
    }
    expect([replayed, folder.told]).toEqual([[10, 0], []]);
  });

  it('in a start that a crash cut short is nothing: the folder is begun again', async () => {
    for (let after = 1; after < 20; after++) {
      const folder = new Folder();
      folder.disk.losePowerAfter(after);
      await folder.open().catch(() => undefined);
      folder.disk.restart();
      await folder.life(0, 3, 'kill');
      expect(await folder.recovered()).toEqual(upTo(3));
    }
  });
});

describe('a disk that fails', () => {
  it('that writes less than it is given is written to until all is there', async () => {
    const folder = new Folder();
    folder.disk.setRates({ shortWrite: 0.9 });
    await folder.life(0, 50, 'kill');
    expect(folder.disk.faults).toBeGreaterThan(50);
    expect(await folder.recovered()).toEqual(upTo(50));
  });

  it.each(['ENOSPC', 'EIO'] as const)(
    'with %s takes no more, leaves a sound journal, and is told once',
    async (code) => {
      const folder = new Folder();
      const replica = new CounterReplica();
      const store = await folder.start(replica);
      for (let n = 0; n < 5; n++) accept(store, replica, n);
      expect(await store.journal.settled()).toBe(true);
      if (code === 'ENOSPC') folder.disk.setRoom(100);
      else folder.disk.setRates({ eio: 1 });
      for (let n = 5; n < 9; n++) accept(store, replica, n);
      expect(await store.journal.settled()).toBe(false);
      expect([store.journal.failed, folder.failures]).toEqual([true, [expect.objectContaining({ code })]]);
      folder.disk.setRoom(Number.POSITIVE_INFINITY);
      folder.disk.setRates({});
      // There is room again, and still nothing is taken: a new line would follow a lost one.
      expect(() => store.journal.append(numbered(9, 1), '')).toThrow('takes nothing');
      expect(await store.journal.settled()).toBe(false);
      await store.close();
      folder.disk.kill();
      expect(await folder.recovered()).toEqual(upTo(5));
      expect(folder.told).toEqual([]);
    },
  );

  it('that says no once and yes after is not believed: what a start finds is written again', async () => {
    const folder = new Folder();
    const replica = new CounterReplica();
    const store = await folder.start(replica);
    accept(store, replica, 0);
    expect(await store.journal.settled()).toBe(true);
    // The write is seen and on no disk, and cannot be cut off either.
    accept(store, replica, 1);
    folder.disk.failSyncs(1);
    folder.disk.failTruncates(1);
    expect(await store.journal.settled()).toBe(false);
    folder.disk.kill();
    const again = new CounterReplica();
    const next = await folder.start(again);
    expect(again.bodies).toEqual([0, 1]);
    accept(next, again, 2);
    expect(await next.journal.settled()).toBe(true);
    folder.disk.losePowerAfter(1);
    folder.disk.restart();
    expect(await folder.recovered()).toEqual([0, 1, 2]);
  });
});

describe('a used folder', () => {
  const cut = (content: Buffer, lines: number): Buffer => {
    const kept = content
      .toString('latin1')
      .split('\n')
      .slice(0, -1 - lines);
    return Buffer.from(kept.map((line) => `${line}\n`).join(''), 'latin1');
  };
  const lastByte = (content: Buffer): Buffer => {
    content[content.length - 2] = (content.at(-2) ?? 0) ^ 1;
    return content;
  };
  it.each<[string, 'stop' | 'kill', (disk: FaultyDisk) => void, RegExp]>([
    ['without its journal', 'stop', (disk) => disk.drop(FIRST), /is missing, and the manifest says that it was here/],
    ['without its manifest', 'stop', (disk) => disk.drop(`${FOLDER}/manifest.json`), /manifest\.json: is missing/],
    [
      'with a changed manifest',
      'stop',
      (disk) => disk.edit(`${FOLDER}/manifest.json`, lastByte),
      /was changed or cut off/,
    ],
    [
      'a line short after a stop',
      'stop',
      (disk) => disk.edit(FIRST, (c) => cut(c, 1)),
      /was changed or cut off within/,
    ],
    [
      'a line short after a kill',
      'kill',
      (disk) => disk.edit(FIRST, (c) => cut(c, 1)),
      /it ends after command 8, and more was kept/,
    ],
    [
      'all lines short',
      'kill',
      (disk) => disk.edit(FIRST, (c) => cut(c, 10)),
      /it ends before the first command, and more was kept/,
    ],
    ['with its last byte changed', 'kill', (disk) => disk.edit(FIRST, lastByte), /after command 8, was changed/],
    [
      'with an early byte changed',
      'stop',
      (disk) => disk.edit(FIRST, (c) => c.fill('8', 900, 901)),
      /was changed or cut off within its first/,
    ],
    [
      'with its first line changed',
      'kill',
      (disk) => disk.edit(FIRST, (c) => c.fill('8', 20, 21)),
      /its first line was changed/,
    ],
  ])('%s is not started, and says so', async (_what, end, damage, reason) => {
    const folder = new Folder();
    await folder.life(0, 10, end);
    damage(folder.disk);
    const refused = folder.recovered();
    await expect(refused).rejects.toThrow(reason);
    await expect(refused).rejects.toBeInstanceOf(StoreDamage);
    await expect(verifyStore(folder.disk.files, FOLDER)).rejects.toThrow(StoreError);
  });

  it('whose power went, and with it the known place, still knows its lines from those that came after', async () => {
    const folder = new Folder();
    await folder.life(0, 10, 'kill');
    folder.disk.edit(`${FOLDER}/journal.known`, (content) => content.fill(0));
    const early = folder.disk.contentOf(FIRST)?.indexOf('"n":4') ?? 0;
    folder.disk.edit(FIRST, (content) => content.fill('9', early + 4, early + 5));
    await expect(folder.recovered()).rejects.toThrow(/after command 3, was changed/);
  });

  it('drops a last line that a crash cut off, and tells it', async () => {
    const folder = new Folder();
    await folder.life(0, 10, 'kill');
    folder.disk.edit(FIRST, (content) => Buffer.concat([content, Buffer.from('{"seq":10,"comm')]));
    expect(await folder.recovered()).toEqual(upTo(10));
    expect(folder.told).toEqual([`${FIRST}: its last write was cut off by a crash (15 bytes) and has been dropped.`]);
  });
});

describe('another build', () => {
  it('with the same rules goes on, in a segment of its own', async () => {
    const folder = new Folder();
    await folder.life(0, 5, 'kill');
    await folder.life(5, 8, 'kill', { build: { ...other, rules: build.rules } });
    expect(folder.told).toEqual([`${FOLDER}: was written by version 1.0.0; under 2.0.0 all leads to the same state.`]);
    expect(await folder.recovered({ build: { ...other, rules: build.rules } })).toEqual(upTo(8));
    expect(folder.disk.names().filter((name) => name.endsWith('.ndjson'))).toHaveLength(2);
  });

  it('with other rules that lead to the same states goes on, and takes no snapshot of theirs', async () => {
    const folder = new Folder();
    await folder.life(0, 5, 'stop');
    const replica = new CounterReplica();
    const store = await folder.start(replica, { build: other });
    expect([store.replayed, replica.bodies]).toEqual([5, upTo(5)]);
    await store.close();
  });

  /** Rules by which the command with this number is refused, counts twice, or moves what only a checksum sees. */
  class Otherwise extends CounterReplica {
    constructor(
      readonly from: number,
      readonly how: 'refuses' | 'doubles' | 'hides',
    ) {
      super();
    }
    override readonly apply = ({ body }: { readonly body: unknown }): void => {
      const { n } = body as { n: number };
      if (n === this.from && this.how === 'refuses') throw new Error('refused now: NOPE');
      this.bodies.push(n);
      if (n === this.from && this.how === 'doubles') this.bodies.push(n);
    };
    override readonly columns = (): string => (this.how === 'hides' ? 'otherwise' : 'same');
  }

  it.each([
    [
      'refuses',
      /command 3 \(count\) cannot be applied again: refused now: NOPE, and all before it is the same\. It was written by version 1\.0\.0, with other rules than those of 2\.0\.0: start that version/,
    ],
    [
      'doubles',
      /command 3 \(count\) does not lead to what it led to when it was accepted, and all before it is the same/,
    ],
    ['hides', /the state after command 4 is not what it was, and was the same at the start\. It was written by/],
  ] as const)('whose rules lead elsewhere (%s) stops at the first command that differs', async (how, reason) => {
    const folder = new Folder();
    await folder.life(0, 5, 'stop');
    await expect(folder.start(new Otherwise(3, how), { build: other })).rejects.toThrow(reason);
    // Nothing has been changed by that.
    expect(await folder.recovered()).toEqual(upTo(5));
  });
});
