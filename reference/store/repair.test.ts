import { describe, expect, it } from 'vitest';
import { Chance } from '../../test/faults/chance.js';
import { CounterReplica, numbered } from '../../test/faults/counter-replica.js';
import { FaultyDisk } from '../../test/faults/faulty-disk.js';
import { backupStore } from './backup.js';
import { openStore, type Store } from './open-store.js';
import { readStore, replayStore, verifyStore } from './read-store.js';
import { planRepair, repairStore } from './repair.js';
import { takeSnapshot } from './take-snapshot.js';

const FOLDER = '/data';
const build = { version: '1.0.0', rules: 'a'.repeat(64) };
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

async function start(disk: FaultyDisk, replica: CounterReplica, folder = FOLDER): Promise<Store> {
  const options = { files: disk.files, folder, build, owner: {}, startMs: 1, segmentBytes: 1_500 };
  const found = await openStore({ ...options, log: () => undefined, onFailure: () => undefined });
  return found.recover(replica);
}

/** A folder that is in use, with a number of commands in some segments. */
async function inUse(count: number) {
  const disk = new FaultyDisk(new Chance(2));
  const replica = new CounterReplica();
  const store = await start(disk, replica);
  for (let n = 0; n < count; n++) {
    const command = numbered(n, 40);
    replica.apply(command);
    store.journal.append(command, replica.stateAfter());
    if (n % 10 === 9) store.journal.appendCheck(replica.columns());
    await store.journal.settled();
  }
  return { disk, replica, store };
}

async function stopped(count: number) {
  const used = await inUse(count);
  await used.store.close();
  return used;
}

const recovered = async (disk: FaultyDisk, folder = FOLDER): Promise<readonly number[]> => {
  const replica = new CounterReplica();
  await start(disk, replica, folder);
  return replica.bodies;
};

describe('a look at a folder in use', () => {
  it('verifies what is acknowledged, changes nothing, and takes no lock', async () => {
    const { disk } = await inUse(40);
    const names = disk.names();
    const { segments, ...rest } = await verifyStore(disk.files, FOLDER);
    expect(segments).toBeGreaterThan(3);
    expect(rest).toEqual({ commands: 40, checks: 4, versions: ['1.0.0'], snapshot: null, damaged: [] });
    expect(disk.names()).toEqual(names);
  });

  it('replays every command, whatever snapshots there are', async () => {
    const { disk } = await inUse(40);
    await takeSnapshot(new CounterReplica(), { files: disk.files, folder: FOLDER, build });
    const replica = new CounterReplica();
    expect((await replayStore(disk.files, FOLDER, { build, replica })).replayed).toBe(40);
    expect(replica.bodies).toEqual(upTo(40));
    expect(await verifyStore(disk.files, FOLDER)).toMatchObject({ snapshot: 40 });
  });

  it('reads the commands in order', async () => {
    const { disk } = await inUse(12);
    const seen: number[] = [];
    await readStore(disk.files, FOLDER, (line, seq) => {
      if ('command' in line) seen.push(seq);
    });
    expect(seen).toEqual(upTo(12));
  });

  it('finds every changed byte of every segment', async () => {
    const { disk } = await stopped(20);
    const journals = disk.names().filter((name) => name.endsWith('.ndjson'));
    expect(journals.length).toBeGreaterThan(1);
    for (const path of journals) {
      const { length } = disk.contentOf(path) as Buffer;
      for (let at = 0; at < length; at += 7) {
        const flip = (content: Buffer): Buffer => content.fill((content[at] as number) ^ 4, at, at + 1);
        disk.edit(path, flip);
        await expect(verifyStore(disk.files, FOLDER)).rejects.toThrow(path);
        disk.edit(path, flip);
      }
    }
    await verifyStore(disk.files, FOLDER);
  });
});

describe('a backup', () => {
  it('of a folder in use is a folder that can be served, with its snapshot, and the rest goes on', async () => {
    const { disk, store, replica } = await inUse(30);
    await takeSnapshot(new CounterReplica(), { files: disk.files, folder: FOLDER, build });
    expect(await backupStore(disk.files, FOLDER, '/copy')).toBe(30);
    expect(await verifyStore(disk.files, '/copy')).toMatchObject({ commands: 30, snapshot: 30 });
    store.journal.append(numbered(30, 1), 'x');
    expect(await store.journal.settled()).toBe(true);
    expect(replica.bodies).toEqual(upTo(30));
    disk.kill();
    expect(await recovered(disk, '/copy')).toEqual(upTo(30));
  });

  it('goes into an empty folder alone, and of a damaged folder is refused', async () => {
    const { disk } = await stopped(10);
    await backupStore(disk.files, FOLDER, '/copy');
    await expect(backupStore(disk.files, FOLDER, '/copy')).rejects.toThrow('/copy: is not empty');
    disk.edit(`${FOLDER}/journal-000001.ndjson`, (content) => content.fill('7', 700, 701));
    await expect(backupStore(disk.files, FOLDER, '/other')).rejects.toThrow('was changed');
    await expect(backupStore(disk.files, '/nowhere', '/third')).rejects.toThrow('/nowhere: holds no journal');
  });
});

describe('a repair', () => {
  it('keeps what comes before the damage, says what is lost, and puts the rest aside', async () => {
    const { disk } = await stopped(40);
    const path = `${FOLDER}/journal-000002.ndjson`;
    const whole = Buffer.from(disk.contentOf(path) as Buffer);
    const at = whole.lastIndexOf('"n":');
    disk.edit(path, (content) => content.fill('x', at, at + 1));
    await expect(recovered(disk)).rejects.toThrow(path);
    disk.kill();
    const plan = await planRepair(disk.files, FOLDER);
    expect(plan.kept).toBeGreaterThan(5);
    expect(plan.kept + plan.lost).toBe(40);
    expect(plan.aside[0]).toEqual({ name: 'journal-000002.ndjson', fromByte: expect.any(Number) });
    expect(plan.aside.length).toBeGreaterThan(2);
    await repairStore(disk.files, FOLDER, plan);
    expect(await recovered(disk)).toEqual(upTo(plan.kept));
    const { fromByte } = plan.aside[0] as { fromByte: number };
    whole.fill('x', at, at + 1);
    expect(disk.contentOf(`${path}.damaged`)).toEqual(whole.subarray(fromByte));
    expect(disk.names()).toContain(`${FOLDER}/journal-000003.ndjson.damaged`);
  });

  it('makes a lost or damaged manifest anew from a sound journal, and loses nothing', async () => {
    for (const damage of ['lost', 'changed'] as const) {
      const { disk } = await stopped(20);
      if (damage === 'lost') disk.drop(`${FOLDER}/manifest.json`);
      else disk.edit(`${FOLDER}/manifest.json`, (content) => content.fill('x', 20, 21));
      disk.drop(`${FOLDER}/snapshot.json`);
      const plan = await planRepair(disk.files, FOLDER);
      expect([plan.kept, plan.lost, plan.aside]).toEqual([20, 0, []]);
      await repairStore(disk.files, FOLDER, plan);
      expect(await recovered(disk)).toEqual(upTo(20));
    }
  });

  it.each([
    ['every segment', ['journal-000001.ndjson', 'journal-000002.ndjson']],
    ['every segment and the manifest', ['journal-000001.ndjson', 'journal-000002.ndjson', 'manifest.json']],
    ['the last segment', ['journal-000002.ndjson']],
  ])('restores line ends that another program has changed to CRLF: %s', async (_, names) => {
    const { disk } = await stopped(8);
    for (const name of names) {
      const lines = String(disk.contentOf(`${FOLDER}/${name}`)).split('\n');
      expect(lines.length).toBeGreaterThan(1);
      disk.edit(`${FOLDER}/${name}`, () => Buffer.from(lines.join('\r\n')));
    }
    await expect(verifyStore(disk.files, FOLDER)).rejects.toThrow(
      /its lines end with CRLF: .*aips journal repair \/data$/,
    );
    await expect(recovered(disk)).rejects.toThrow('its lines end with CRLF');
    disk.kill();
    const plan = await planRepair(disk.files, FOLDER);
    expect(plan).toMatchObject({ kept: 8, lost: 0, unsure: null, aside: [] });
    expect(plan.crlf).toEqual(names.filter((name) => name.startsWith('journal')));
    await repairStore(disk.files, FOLDER, plan);
    expect(await recovered(disk)).toEqual(upTo(8));
  });

  it('can do nothing without a first line', async () => {
    const { disk } = await stopped(3);
    disk.edit(`${FOLDER}/journal-000001.ndjson`, (content) => content.fill('x', 3, 4));
    await expect(planRepair(disk.files, FOLDER)).rejects.toThrow('not even the first line of the journal is sound');
  });
});
