import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { aips } from '../test/fixtures/aips.js';
import { rpcResult } from '../test/fixtures/solana.js';
import { packageRoot } from './files.js';

const program = join(packageRoot(), 'dist/cli/aips.js');

describe('aips ledger', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints one line once it listens, and stops cleanly on %s',
    async (signal) => {
      const flags = ['ledger', '--port', '0', '--clock', 'manual', '--seed', '7', '--json'];
      const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = new Promise<number | null>((done) => child.once('exit', done));
      const lines: string[] = [];
      const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
      await new Promise<void>((done) => output.once('line', () => done()));
      const { rpc_url: url, ...rest } = JSON.parse(lines[0] ?? '') as { rpc_url: string };
      expect(rest).toEqual({});
      expect(await rpcResult(url, 'getHealth', [])).toBe('ok');
      // The hash of the first block follows from the seed.
      const { value } = await rpcResult(url, 'getLatestBlockhash', []);
      expect(value).toEqual({ blockhash: 'GDxbdh7JbJfM1UjLGUhypNxrvj3jP5KjkozGBz6SFjBB', lastValidBlockHeight: 150 });
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(lines).toHaveLength(1);
    },
  );

  it.each([
    [['--clock', 'fast'], '--clock must be wall, manual, or a speed such as 60x'],
    [['--seed', '-1'], '--seed must be a whole number'],
    [['--port', '99999'], '--port must be a port'],
    [['--host', '203.0.113.1'], '--host: this machine has no such address'],
    [['--data', 'x'], 'Unknown argument: data'],
  ])('%j is refused with what to do', async (flags, message) => {
    const { status, stderr } = await aips(tmpdir(), 'ledger', ...flags);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(2);
  });
});
