// Command lines of `aips conform fuzz` that can play nothing, or not all.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-fuzz-'));

it.each([
  [['--runs', '-5'], '--runs must be a whole number, 1 or more'],
  [['--runs', '1.5'], '--runs must be a whole number, 1 or more'],
  [['--seed', 'abc'], '--seed must be a whole number'],
])('%j', async (args, message) => {
  const { status, stderr } = await aips(folder, 'conform', 'fuzz', ...args);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('    at ');
  expect(status).toBe(2);
});

it('ends by Ctrl-C with what was played until then', async () => {
  const before = process.listenerCount('SIGINT');
  const waiting = setInterval(() => {
    if (process.listenerCount('SIGINT') === before) return;
    clearInterval(waiting);
    process.emit('SIGINT', 'SIGINT');
  }, 50);
  const { status, stdout, stderr } = await aips(folder, 'conform', 'fuzz', '--runs', '100000', '--seed', '1');
  expect(stdout).toMatch(/^\d+ sequences, \d+ requests, seed 1\n/);
  expect(stderr).toMatch(/Interrupted: \d+ of 100000 sequences were played\./);
  expect(status).toBe(2);
});
