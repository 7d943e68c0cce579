import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Chance } from '../../test/faults/chance.js';
import { CounterReplica, numbered } from '../../test/faults/counter-replica.js';
import { FaultyDisk } from '../../test/faults/faulty-disk.js';
import { canonicalJson } from '../beats/canonical-json.js';
import { openStore, storeOwner } from './open-store.js';

const FOLDER = '/data';
const OLD = `${FOLDER}/journal.ndjson`;

/** A journal as versions before 0.1.0's format 2 wrote it. */
function format1(count: number): string {
  let link = '';
  const lineOf = (body: object): string => {
    link = createHash('sha256').update(link).update(canonicalJson(body)).digest('hex');
    return `${JSON.stringify({ ...body, link })}\n`;
  };
  const lines = [lineOf({ owner: { seed: 3 }, start_ms: 77 })];
  for (let seq = 0; seq < count; seq++) lines.push(lineOf({ seq, command: numbered(seq, 20) }));
  return lines.join('');
}

async function diskWith(text: string): Promise<FaultyDisk> {
  const disk = new FaultyDisk(new Chance(1));
  const file = await disk.files.open(OLD, 'create');
  await file.write(Buffer.from(text), 0);
  await file.sync();
  await disk.files.syncFolder(FOLDER);
  return disk;
}

async function opened(disk: FaultyDisk, seed = 3) {
  const replica = new CounterReplica();
  const messages: string[] = [];
  const options = {
    build: { version: '1', rules: 'a'.repeat(64) },
    owner: { seed },
    startMs: 5,
    onFailure: () => undefined,
  };
  const found = await openStore({ ...options, files: disk.files, folder: FOLDER, log: (text) => messages.push(text) });
  const store = await found.recover(replica);
  return { replica, told: messages, store, startMs: found.startMs };
}

describe('a journal of format 1', () => {
  it('is taken over, with its start, its owner and all its commands, once', async () => {
    const disk = await diskWith(format1(9));
    expect(await storeOwner(disk.files, FOLDER)).toEqual({ seed: 3 });
    const { replica, told, store, startMs } = await opened(disk);
    expect([replica.bodies, startMs]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8], 77]);
    expect(told).toEqual([expect.stringContaining('/data: was of format 1, and its 9 commands have been taken over.')]);
    expect(disk.contentOf(`${FOLDER}/journal.format-1.ndjson`)?.toString()).toBe(format1(9));
    await store.close();
    const again = await opened(disk);
    expect([again.replica.bodies.length, again.told]).toEqual([9, []]);
  });

  it('drops a last line that a crash cut off', async () => {
    const { replica } = await opened(await diskWith(`${format1(2)}{"seq":2,`));
    expect(replica.bodies).toEqual([0, 1]);
  });

  it('with a changed line, or of another service, is refused and left alone', async () => {
    const changed = await diskWith(format1(3).replace('"n":1', '"n":7'));
    await expect(opened(changed)).rejects.toThrow('/data/journal.ndjson:3: this line was changed');
    const disk = await diskWith(format1(3));
    await expect(opened(disk, 4)).rejects.toThrow('of a service with other options (seed)');
    expect(disk.contentOf(OLD)?.toString()).toBe(format1(3));
  });

  it('is taken over whole, whenever the power goes meanwhile', async () => {
    for (let after = 1; after < 40; after++) {
      const disk = await diskWith(format1(4));
      disk.losePowerAfter(after);
      await opened(disk).catch(() => undefined);
      disk.restart();
      expect((await opened(disk)).replica.bodies).toEqual([0, 1, 2, 3]);
    }
  });
});
