// Recognising a journal that lost its end together with the files that would say so.
import { describe, expect, it } from 'vitest';
import { Chance } from '../../test/faults/chance.js';
import { CounterReplica, numbered } from '../../test/faults/counter-replica.js';
import { FaultyDisk } from '../../test/faults/faulty-disk.js';
import { backupStore } from './backup.js';
import { openStore, type Store, type StoreOptions } from './open-store.js';
import { verifyStore } from './read-store.js';
import { planRepair, repairStore } from './repair.js';
import { StoreDamage } from './store-error.js';
import { takeSnapshot } from './take-snapshot.js';

const FOLDER = '/data';
const FIRST = `${FOLDER}/journal-000001.ndjson`;
const KNOWN = `${FOLDER}/journal.known`;
const MANIFEST = `${FOLDER}/manifest.json`;
const build = { version: '1.0.0', rules: 'a'.repeat(64) };
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

type Settings = Partial<Pick<StoreOptions, 'segmentBytes' | 'pause'>>;

async function start(disk: FaultyDisk, told: string[] = [], settings: Settings = {}) {
  const replica = new CounterReplica();
  const log = (text: string): unknown => told.push(text);
  const onFailure = (error: unknown): unknown => told.push(String(error));
  const options = { files: disk.files, folder: FOLDER, build, owner: {}, startMs: 1, log, onFailure, ...settings };
  return { replica, store: await (await openStore(options)).recover(replica) };
}

async function accept({ journal }: Store, replica: CounterReplica, n: number): Promise<boolean> {
  const command = numbered(n, 50);
  replica.apply(command);
  journal.append(command, replica.stateAfter());
  return (await journal.settled()) ?? true;
}

/** A folder with ten commands, and what its manifest was before them. */
async function used(end: 'stop' | 'kill', segmentBytes = 1 << 20) {
  const disk = new FaultyDisk(new Chance(1));
  const { replica, store } = await start(disk, [], { segmentBytes });
  const firstManifest = Buffer.from(disk.contentOf(MANIFEST) as Buffer);
  for (let n = 0; n < 10; n++) await accept(store, replica, n);
  if (end === 'stop') await store.close();
  disk.kill();
  return { disk, firstManifest };
}

const withoutLastLines = (count: number) => (content: Buffer) => {
  const lines = content
    .toString('latin1')
    .split('\n')
    .slice(0, -1 - count);
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');
};

type Damage = (disk: FaultyDisk) => void;
const shorten: Damage = (disk) => disk.edit(FIRST, withoutLastLines(4));
const dropKnown: Damage = (disk) => disk.drop(KNOWN);
const cutKnown: Damage = (disk) => disk.edit(KNOWN, (content) => content.subarray(0, 0));
const clearKnown: Damage = (disk) => disk.edit(KNOWN, (content) => content.fill(0));

describe('after a kill a folder', () => {
  it.each<[string, readonly Damage[], RegExp]>([
    [
      'without its known position',
      [dropKnown],
      /journal\.known: is missing, and the server was not stopped: whether the last/,
    ],
    ['shortened and without it', [shorten, dropKnown], /journal\.known: is missing/],
    ['shortened with a known position that was cut off', [shorten, cutKnown], /journal\.known: is cut off/],
    [
      'that ends with its first line, without manifest',
      [(disk) => disk.edit(FIRST, withoutLastLines(10)), (disk) => disk.drop(MANIFEST)],
      /manifest\.json: is missing, and the folder has been used/,
    ],
    [
      'without journal and manifest',
      [(disk) => disk.drop(FIRST), (disk) => disk.drop(MANIFEST)],
      /manifest\.json: is missing, and the folder has been used/,
    ],
  ])('%s is not started, and keeps its files', async (_what, damages, reason) => {
    const { disk } = await used('kill');
    for (const damage of damages) damage(disk);
    const before = disk.contentOf(FIRST)?.length;
    await expect(start(disk)).rejects.toThrow(reason);
    await expect(start(disk)).rejects.toBeInstanceOf(StoreDamage);
    expect(disk.contentOf(FIRST)?.length).toBe(before);
  });

  it('without its known position is neither verified nor backed up, and a repair says that more may be lost', async () => {
    const { disk } = await used('kill');
    shorten(disk);
    dropKnown(disk);
    await expect(verifyStore(disk.files, FOLDER)).rejects.toThrow('journal.known: is missing');
    await expect(backupStore(disk.files, FOLDER, '/copy')).rejects.toThrow('journal.known: is missing');
    const plan = await planRepair(disk.files, FOLDER);
    expect(plan).toMatchObject({ kept: 6, lost: 0, unsure: 'end-unknown' });
    await repairStore(disk.files, FOLDER, plan);
    expect((await start(disk)).replica.bodies).toEqual(upTo(6));
  });

  it('with one of two known places damaged is started, and says what that means', async () => {
    const { disk } = await used('kill');
    disk.edit(KNOWN, (content) => content.fill(0, 20, 30));
    const told: string[] = [];
    expect((await start(disk, told)).replica.bodies).toEqual(upTo(10));
    expect(told).toEqual([expect.stringMatching(/journal\.known: one of its two places is damaged/)]);
  });

  it('with both places damaged, as when the power goes, is started and reported, and not verified', async () => {
    const { disk } = await used('kill');
    shorten(disk);
    clearKnown(disk);
    await expect(verifyStore(disk.files, FOLDER)).rejects.toThrow('journal.known: is damaged');
    const told: string[] = [];
    await start(disk, told);
    expect(told).toEqual([
      expect.stringMatching(
        /journal\.known: is damaged, .* The journal has 6 commands; if later ones were acknowledged, they are lost/,
      ),
    ]);
  });

  it('with the known position of another folder is not started', async () => {
    const { disk } = await used('kill');
    const other = new FaultyDisk(new Chance(2));
    const { store, replica } = await start(other);
    for (const n of [7, 8]) await accept(store, replica, n);
    disk.edit(KNOWN, () => other.contentOf(KNOWN) as Buffer);
    await expect(start(disk)).rejects.toThrow(
      /is not the journal that was kept here: journal\.known names another line at byte/,
    );
  });

  it('with a manifest from before its later segments keeps them, and is not started', async () => {
    const { disk, firstManifest } = await used('kill', 700);
    const names = disk.names();
    expect(names.filter((name) => name.endsWith('.ndjson')).length).toBeGreaterThan(2);
    disk.edit(MANIFEST, () => firstManifest);
    await expect(start(disk)).rejects.toThrow(/manifest\.json: is older than journal-0000/);
    expect(disk.names()).toEqual(names);
  });
});

describe('after a stop a folder', () => {
  it('without its known position is started, since its manifest says that nothing is missing', async () => {
    const { disk } = await used('stop');
    dropKnown(disk);
    const told: string[] = [];
    expect((await start(disk, told)).replica.bodies).toEqual(upTo(10));
    expect(told).toEqual([
      expect.stringMatching(/journal\.known: is missing, and is made anew: the server was stopped/),
    ]);
  });

  it('whose journal has grown since is not started', async () => {
    const { disk } = await used('stop');
    const manifest = Buffer.from(disk.contentOf(MANIFEST) as Buffer);
    const { store, replica } = await start(disk);
    await accept(store, replica, 10);
    disk.kill();
    disk.edit(MANIFEST, () => manifest);
    await expect(start(disk)).rejects.toThrow(
      /was written from byte \d+ on after its server had stopped, says manifest\.json/,
    );
  });
});

it('a snapshot of later commands than the journal has is noticed, whatever rules made it', async () => {
  const { disk } = await used('kill');
  await takeSnapshot(new CounterReplica(), {
    files: disk.files,
    folder: FOLDER,
    build: { ...build, rules: 'b'.repeat(64) },
  });
  shorten(disk);
  clearKnown(disk);
  await expect(start(disk)).rejects.toThrow(/journal-000001\.ndjson: it ends after command 5, and more was kept/);
});

describe('too many open files', () => {
  it.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EINTR'])(
    '(%s) are no dead disk: a segment is begun once there is room',
    async (code) => {
      const disk = new FaultyDisk(new Chance(1));
      const told: string[] = [];
      const pauses: number[] = [];
      const pause = async (ms: number): Promise<unknown> => pauses.push(ms);
      const { store, replica } = await start(disk, told, { segmentBytes: 800, pause });
      disk.failOpens([code, code, code]);
      for (let n = 0; n < 10; n++) expect(await accept(store, replica, n)).toBe(true);
      expect(store.journal.failed).toBe(false);
      expect(pauses).toEqual([20, 40, 80]);
      expect(told).toEqual([
        expect.stringContaining(`journal-000002.ndjson: cannot be opened now (${code}), and is tried again`),
        expect.stringContaining('journal-000002.ndjson: could be opened after 3 more tries.'),
      ]);
      disk.failOpens([code]);
      await store.close();
      expect(await verifyStore(disk.files, FOLDER)).toMatchObject({ commands: 10, snapshot: 10 });
    },
  );
});
