import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRunning } from '../../test/fixtures/processes.js';
import { Wallet } from '../protocol/wallet.js';
import { Redactor } from '../wire/redact.js';
import { Wire } from '../wire/wire.js';
import { CommandPayer } from './payer-command.js';
import type { Trial } from './trial.js';

const from = new Wallet(new Uint8Array(32).fill(1));
const transfer = { from, to: from.address, lamports: 700 };
const signature = '1'.repeat(64);

/** As much of a trial as a payer asks for. */
function payingTrial(): { readonly trial: Trial; readonly wire: Wire } {
  const wire = new Wire(
    () => Promise.reject(new Error('nothing is sent')),
    {},
    () => 0,
  );
  const busyWith = (work: () => Promise<unknown>): Promise<unknown> => work();
  const redactor = new Redactor();
  return { wire, trial: { session: { wire, redactor }, redactor, busyWith } as unknown as Trial };
}

const shell = (script: string): string[] => ['/bin/sh', '-c', script];

describe('a payment command', () => {
  it('is ended at its deadline with all that it started', async () => {
    const { trial, wire } = payingTrial();
    const folder = mkdtempSync(join(tmpdir(), 'aips-late-'));
    const command = shell(`sleep 330 & echo $! > '${folder}/pid'; sleep 330`);
    const payment = new CommandPayer(command, 2_000).pay(trial, transfer);
    await expect(payment).rejects.toMatchObject({
      verdict: 'inconclusive',
      message: 'the payment command /bin/sh was ended by SIGKILL, after 2 s',
    });
    expect(wire.lamports).toBe(700);
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('has paid when it ends with a signature, whatever it leaves running', async () => {
    const { trial, wire } = payingTrial();
    const folder = mkdtempSync(join(tmpdir(), 'aips-left-'));
    const command = shell(`sleep 330 & echo $! > '${folder}/pid'; echo ${signature}`);
    expect(await new CommandPayer(command).pay(trial, transfer)).toBe(signature);
    expect(wire.lamports).toBe(700);
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL');
  });

  it.each([
    ['fails', shell('exit 1'), 0],
    ['prints no signature', shell('echo paid'), 0],
    ['is killed, and may have paid', shell('kill -9 $$'), 700],
  ])('that %s is counted accordingly', async (_, command, lamports) => {
    const { trial, wire } = payingTrial();
    await expect(new CommandPayer(command).pay(trial, transfer)).rejects.toMatchObject({ verdict: 'inconclusive' });
    expect(wire.lamports).toBe(lamports);
  });

  it('that is not there is tried once', async () => {
    const { trial, wire } = payingTrial();
    const program = join(mkdtempSync(join(tmpdir(), 'aips-none-')), 'pay');
    const payer = new CommandPayer([program]);
    const refusal = {
      verdict: 'not-tested',
      message: expect.stringMatching(/^the payment command .* there is no such program$/),
    };
    await expect(payer.pay(trial, transfer)).rejects.toMatchObject(refusal);
    writeFileSync(program, `#!/bin/sh\necho ${signature}\n`, { mode: 0o755 });
    await expect(payer.pay(trial, transfer)).rejects.toMatchObject(refusal);
    expect(wire.lamports).toBe(0);
    expect(await new CommandPayer([program]).pay(trial, transfer)).toBe(signature);
  });
});
