// A payment command while the run is interrupted: as a process, since it is about what signals leave behind.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isRunning } from '../../test/fixtures/processes.js';
import { root } from '../../test/source-tree.js';

describe('a payment command', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('leaves no key when the run is interrupted by %s', async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'aips-cut-'));
    const told = join(folder, 'told');
    const url = (file: string): string => JSON.stringify(join(root, 'dist/conformance', file));
    const code = `
      import { CommandPayer } from ${url('trial/payer-command.js')};
      import { Wallet } from ${url('protocol/wallet.js')};
      const from = new Wallet(new Uint8Array(32).fill(1));
      import { Redactor } from ${url('wire/redact.js')};
      const redactor = new Redactor();
      const trial = { session: { wire: { spend() {}, unspend() {} }, redactor }, redactor, busyWith: (work) => work() };
      const command = ['/bin/sh', '-c', 'echo $$ $AIPS_PAY_KEY_FILE > "${told}.new"; mv "${told}.new" "${told}"; sleep 330'];
      await new CommandPayer(command).pay(trial, { from, to: from.address, lamports: 1 });`;
    const env = { ...process.env, TMPDIR: folder };
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { env, stdio: 'inherit' });
    const end = new Promise((resolve) => child.once('exit', (...how) => resolve(how)));
    while (!existsSync(told) && child.exitCode === null) await sleep(20);
    const [pid, keyFile] = readFileSync(told, 'utf8').trim().split(' ');
    expect(existsSync(String(keyFile))).toBe(true);
    child.kill(signal);
    expect(await end).toEqual([null, signal]);
    expect(readdirSync(folder)).toEqual(['told']);
    await expect.poll(() => isRunning(Number(pid))).toBe(false);
  });
});
