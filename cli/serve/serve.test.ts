// Arguments that `aips serve` refuses, each with what to do.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aips, type Finished } from '../../test/fixtures/aips.js';

const ADDRESS = 'GfRA1qaYbNEfBDFVxn2z2ZgmD4kDLxvHLrVGuhfnnByV';
const free = ['--port', '0'];

const failed = (flags: readonly string[]): Promise<Finished> => aips(tmpdir(), 'serve', ...flags);

describe('aips serve', () => {
  it('says which port is in use', async () => {
    const taken = createServer();
    const port = await new Promise<number>((done) =>
      taken.listen(0, '127.0.0.1', () => done((taken.address() as { port: number }).port)),
    );
    const { status, stderr } = await failed(['--port', String(port)]);
    expect(status).toBe(2);
    expect(stderr).toContain(`Port ${port} is in use.`);
    taken.close();
  });

  it('refuses what is no port', async () => {
    expect(await failed(['--port', '70000'])).toEqual({
      status: 2,
      stdout: '',
      stderr: '--port must be a port: a whole number from 0 to 65535.\n',
    });
  });

  const remote = ['--rpc-url', 'http://127.0.0.1:9', '--payment-address', ADDRESS];
  const folder = mkdtempSync(join(tmpdir(), 'aips-serve-'));
  const overlay = join(folder, 'overlay.yaml');
  writeFileSync(overlay, 'heartbeat:\n  intervalBeatsMin: ten\n  tierFee: 1\n');
  const centuries = join(folder, 'centuries.yaml');
  writeFileSync(centuries, 'passport: { validityHours: 876000 }');
  it.each([
    [['--clock', 'fast'], '--clock must be wall, manual, or a speed such as 60x'],
    [['--start', 'tomorrow'], '--start must be now or a UTC time'],
    [['--seed', '1.5'], '--seed must be a whole number'],
    [['--seed', 'ab'.repeat(31)], 'or 64 hex digits'],
    [['--clock', 'wall', '--clock', 'manual'], '--clock was given more than once.'],
    [['--network', 'mainnet'], '--registration-secret @FILE, or AIPS_REGISTRATION_SECRET'],
    [['--network', 'testnet'], 'Invalid values'],
    [['--dialect', 'klingon'], 'there is no such dialect'],
    [['--protocol', overlay], `${overlay}:2: heartbeat.intervalBeatsMin: must be a whole number`],
    [['--protocol', overlay], `${overlay}:3: heartbeat.tierFee: is not a key that is known here`],
    [['--protocol', '/nowhere.yaml'], '/nowhere.yaml: there is no such overlay file'],
    [remote.slice(0, 2), '--rpc-url needs --payment-address ADDRESS'],
    [remote.slice(2), '--payment-address needs --rpc-url URL'],
    [remote.with(1, 'devnet'), '--rpc-url must be an http or https URL'],
    [remote.with(1, 'http://u:50%@127.0.0.1:9'), '--rpc-url: a % in its user or password must be written %25'],
    [remote.with(3, 'me'), '--payment-address must be an address'],
    [[...remote, '--ledger-port', '0'], '--ledger-port opens our own ledger'],
    [['--ledger-port', '65536'], '--ledger-port must be a port'],
    [['--chaos', '1.5'], '--chaos must be a whole number, 0 or more'],
    [['--prot', 'x'], 'Unknown argument: prot'],
    [['--start', '2026-02-30'], '--start: there is no such day as 2026-02-30.'],
    [['--start', '1969-12-31'], '--start must lie between 1970-01-01 and 9999-12-30T23:59:59.999Z'],
    [['--start', '9999-12-31'], '--start must lie between 1970-01-01 and 9999-12-30T23:59:59.999Z'],
    [['--protocol', centuries, '--start', '9950-01-01'], '--start must lie between 1970-01-01 and 9900-01-'],
    [['--control-token', ''], '--control-token needs a value.'],
  ])('%j is refused with what to do', async (flags, message) => {
    const { status, stderr } = await failed([...free, ...flags]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(2);
  });
});
