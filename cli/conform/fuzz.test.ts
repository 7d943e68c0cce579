// Command lines of `aips conform fuzz` that can play nothing.
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
