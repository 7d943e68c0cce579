// Command lines of `aips fuzz` that can play nothing.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-fuzz-'));

it.each([
  [['--in-process', '--runs', '-5'], '--runs must be a whole number, 1 or more'],
  [['--in-process', '--runs', '1.5'], '--runs must be a whole number, 1 or more'],
  [['--in-process', '--seed', 'abc'], '--seed must be a whole number'],
])('%j', async (args, message) => {
  const { status, stderr } = await aips(folder, 'fuzz', ...args);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('    at ');
  expect(status).toBe(2);
});
