// The lock of a folder between processes; folder-lock.nightly kills more of them.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  asked,
  contender,
  endContenders,
  expectOneWinner,
  lockedFolder,
  says,
} from '../../test/fixtures/lock-contenders.js';
import { lockFolder } from './folder-lock.js';
import { LockLost } from './store-error.js';

const folder = lockedFolder;
afterEach(endContenders);

/** Names without the socket's, which is another each time. */
const locks = (dir: string): string[] => readdirSync(dir).filter((name) => !name.endsWith('.sock'));
const socketOf = (dir: string): string => readdirSync(dir).find((name) => name.endsWith('.sock')) as string;

const CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc', '--uts', '--kill-child=KILL'];
const hasNamespaces = spawnSync(CONTAINER[0] as string, [...CONTAINER.slice(1), 'true']).status === 0;
if (!hasNamespaces) console.error('NOT TESTED: this kernel lets nobody here make a PID namespace (unshare)');

describe('the lock of a folder', () => {
  it('keeps others out until it is let go of, the same process too', async () => {
    const dir = folder();
    const lock = await lockFolder(dir);
    await expect(lockFolder(dir)).rejects.toThrow(
      `${dir}/lock.1: process ${process.pid} is using this folder. Stop it, or give another --data folder.`,
    );
    await lock.release();
    await (await lockFolder(dir)).release();
    expect(readdirSync(dir)).toEqual(['lock.2']);
  });

  it.skipIf(!hasNamespaces)(
    'keeps out a process of another container, and goes to it at once when its owner is killed',
    async () => {
      // Longer than an address of a socket may be.
      const dir = join(folder(), 'x'.repeat(120));
      mkdirSync(dir);
      const [first, second] = [contender(dir, { under: CONTAINER }), contender(dir, { under: CONTAINER })];
      await Promise.all([says(first), says(second)]);
      expect(await asked(first, 'go')).toBe('in');
      const { pid } = JSON.parse(readFileSync(join(dir, 'lock.1'), 'utf8'));
      expect(pid).toBe(1);
      expect(await asked(second, 'go')).toMatch(/lock\.1: process 1 is using this folder/);
      first.kill('SIGKILL');
      await once(first, 'exit');
      // The lease of a minute is not waited for; the kernel ends the namespace after its owner.
      await vi.waitFor(async () => expect(await asked(second, 'go')).toBe('in'), 20_000);
    },
  );

  it('is kept by signs where its socket shows nothing, and is lost by a process that was stopped for longer than its lease', async () => {
    const dir = folder();
    const owner = contender(dir, { leaseMs: 5_000 });
    await says(owner);
    expect(await asked(owner, 'go')).toBe('in');
    rmSync(join(dir, socketOf(dir)));
    const told: string[] = [];
    const log = (text: string): unknown => told.push(text);
    await expect(lockFolder(dir, { log, leaseMs: 5_000 })).rejects.toThrow('is using this folder');
    expect(told).toEqual([
      expect.stringMatching(/lock\.1: .* can be seen only by the signs that it gives\. Waiting 5 s/),
    ]);
    owner.kill('SIGSTOP');
    const taken = await lockFolder(dir, { leaseMs: 200 });
    expect(taken.ownerMayLive).toBe(true);
    owner.kill('SIGCONT');
    expect(await asked(owner, 'check')).toMatch(
      /lock\.1: this lock is gone: another process has taken the folder over/,
    );
    expect(() => taken.assertHeld()).not.toThrow();
    await taken.release();
  });

  it('goes to another before its lease is over, once the socket of its owner shows that it has ended', async () => {
    const dir = folder();
    const owner = contender(dir);
    await says(owner);
    expect(await asked(owner, 'go')).toBe('in');
    const socket = join(dir, socketOf(dir));
    renameSync(socket, `${socket}.away`);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const log = (): void => renameSync(`${socket}.away`, socket);
    const taken = await lockFolder(dir, { log, leaseMs: 5_000 });
    expect(taken.ownerMayLive).toBe(false);
    await taken.release();
  });

  it('is lost when its file is removed or replaced, and leaves the file of the next owner alone', async () => {
    const dir = folder();
    const lock = await lockFolder(dir);
    rmSync(join(dir, 'lock.1'));
    const next = await lockFolder(dir);
    expect(() => lock.assertHeld()).toThrow(LockLost);
    await lock.release();
    expect(() => next.assertHeld()).not.toThrow();
    expect(locks(dir)).toEqual(['lock.1']);
    await next.release();
  });

  it('what is no lock at all counts for none', async () => {
    const dir = folder();
    for (const [i, text] of ['', 'x', '7', '{"pid":1}', 'null'].entries())
      writeFileSync(join(dir, `lock.${i + 1}`), text);
    await lockFolder(dir);
    expect(locks(dir)).toEqual(['lock.6']);
  });

  it('left by a killed process goes to one of many who come at once, 8 times', () => expectOneWinner(8));
});
