// `aips serve ledger` as a process: what it prints, and how it stops.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../runs/host/package.js';
import { rpcResult } from '../../test/fixtures/solana.js';

const program = join(packageRoot(), 'dist/cli/aips.js');

describe('aips serve ledger', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints one line once it listens, and stops cleanly on %s',
    async (signal) => {
      const flags = ['serve', 'ledger', '--port', '0', '--clock', 'manual', '--seed', '7', '--json'];
      const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = new Promise<number | null>((done) => child.once('exit', done));
      const lines: string[] = [];
      const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
      await new Promise<void>((done) => output.once('line', () => done()));
      const { rpc_url: url, ...rest } = JSON.parse(lines[0] ?? '') as { rpc_url: string };
      expect(rest).toEqual({ ws_url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+$/) });
      expect(await rpcResult(url, 'getHealth', [])).toBe('ok');
      // The hash of the first block follows from the seed.
      const { value } = await rpcResult(url, 'getLatestBlockhash', []);
      expect(value).toEqual({ blockhash: 'GDxbdh7JbJfM1UjLGUhypNxrvj3jP5KjkozGBz6SFjBB', lastValidBlockHeight: 150 });
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(lines).toHaveLength(1);
    },
  );
});
