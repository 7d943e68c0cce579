// A journal longer than a string of Node can be (512 MiB), on the real disk: written, verified, read to its end, and gone on with.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { CounterReplica, numbered } from '../../test/faults/counter-replica.js';
import { nodeFiles } from './node-files.js';
import { openStore, type Store } from './open-store.js';
import { verifyStore } from './read-store.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-long-'));
afterAll(() => rmSync(folder, { recursive: true }));

const BYTES_MIN = 2 ** 29 + 2 ** 26;
const WEIGHT = 60_000;
const COUNT = Math.ceil(BYTES_MIN / WEIGHT);

const problems: unknown[] = [];

async function opened(replica: CounterReplica): Promise<Store> {
  const build = { version: '1.0.0', rules: 'a'.repeat(64) };
  const fail = (error: unknown): unknown => problems.push(error);
  const options = {
    files: nodeFiles,
    folder,
    build,
    owner: { seed: 1 },
    startMs: 0,
    log: () => undefined,
    onFailure: fail,
  };
  return (await openStore(options)).recover(replica);
}

/** Appends commands with these numbers, some at once, and waits until all are on the disk. */
async function append({ journal }: Store, replica: CounterReplica, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1) {
    const command = numbered(n, WEIGHT);
    replica.apply(command);
    journal.append(command, replica.stateAfter());
    if (n % 64 === 0) expect(await journal.settled()).toBe(true);
  }
  expect(await journal.settled()).toBe(true);
}

it('a journal past 512 MiB is verified, opened without a snapshot and with one, and gone on with', async () => {
  const first = new CounterReplica();
  const written = await opened(first);
  await append(written, first, 0, COUNT);
  await written.close();
  const segments = readdirSync(folder).filter((name) => name.startsWith('journal-'));
  expect(segments.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeGreaterThan(2 ** 29);
  expect(segments.length).toBeGreaterThanOrEqual(9);
  await verifyStore(nodeFiles, folder);

  const snapshots = readdirSync(folder).filter((name) => name.startsWith('snapshot'));
  expect(snapshots.length).toBeGreaterThan(0);
  for (const name of snapshots) rmSync(join(folder, name), { recursive: true });
  const second = new CounterReplica();
  const read = await opened(second);
  expect(read.replayed).toBe(COUNT);
  expect(second.bodies).toEqual(first.bodies);
  await append(read, second, COUNT, COUNT + 1);
  await read.close();

  const third = new CounterReplica();
  const again = await opened(third);
  expect([again.replayed, third.bodies.length, third.bodies.at(-1)]).toEqual([0, COUNT + 1, COUNT]);
  await again.close();
  expect(problems).toEqual([]);
});
