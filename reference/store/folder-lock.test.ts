import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { root } from '../../test/source-tree.js';
import { lockFolder } from './folder-lock.js';

const folder = (): string => mkdtempSync(join(tmpdir(), 'aips-lock-'));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that takes the lock as often as it is told `go`, and says what came of it. */
function contender(dir: string): ChildProcess {
  const lock = pathToFileURL(join(root, 'dist/reference/store/folder-lock.js')).href;
  const program = `
    import { lockFolder } from ${JSON.stringify(lock)};
    process.on('message', async () => {
      try { await lockFolder(${JSON.stringify(dir)}); process.send('in'); } catch (error) { process.send(error.message); }
    });
    process.send('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.push(child);
  return child;
}

const says = async (child: ChildProcess): Promise<string> => String((await once(child, 'message'))[0]);

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

  it('is not held by another process that has the number of the one before', async () => {
    const dir = folder();
    const began = JSON.parse(await heldBy(process.pid)).began as string;
    expect(began).toMatch(/^\S+ \d+$/);
    // This process runs, and did not begin then.
    writeFileSync(join(dir, 'lock.4'), JSON.stringify({ pid: process.pid, began: `${began}0` }));
    await (await lockFolder(dir)).release();
    expect(readdirSync(dir)).toEqual(['lock.5']);
  });

  async function heldBy(pid: number): Promise<string> {
    const dir = folder();
    await lockFolder(dir);
    const text = readFileSync(join(dir, 'lock.1'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ pid });
    return text;
  }

  it('of a version before is minded while its process runs, and then taken away', async () => {
    const dir = folder();
    writeFileSync(join(dir, 'journal.lock'), '1\n');
    await expect(lockFolder(dir)).rejects.toThrow(`${dir}/journal.lock: process 1 is using this folder`);
    writeFileSync(join(dir, 'journal.lock'), '4194399\n');
    await lockFolder(dir);
    expect(readdirSync(dir)).toEqual(['lock.1']);
  });

  it('what is no lock at all counts for none', async () => {
    const dir = folder();
    for (const [i, text] of ['', 'x', '7', '{"pid":"1"}', '{"pid":-1}'].entries())
      writeFileSync(join(dir, `lock.${i + 1}`), text);
    await lockFolder(dir);
    expect(readdirSync(dir)).toEqual(['lock.6']);
  });

  it('left by a killed process goes to one of many who come at once, 60 times', async () => {
    const dir = folder();
    for (let round = 0; round < 60; round += 4) {
      const crowd = [1, 2, 3, 4].map(() => contender(dir));
      await Promise.all(crowd.map(says));
      for (let i = 0; i < 4; i++) {
        const waiting = crowd.filter((child) => child.exitCode === null && child.signalCode === null);
        const told = waiting.map(says);
        for (const child of waiting) child.send('go');
        const answers = await Promise.all(told);
        expect(answers.filter((answer) => answer === 'in')).toHaveLength(1);
        expect(
          answers.filter((answer) => answer !== 'in').every((answer) => answer.includes('is using this folder')),
        ).toBe(true);
        const winner = waiting[answers.indexOf('in')] as ChildProcess;
        winner.kill('SIGKILL');
        await once(winner, 'exit');
      }
    }
  });
});
