// Command lines of `aips mutants` and `aips fuzz` that can judge nothing, or of which a part would be ignored.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aips } from '../test/fixtures/aips.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-mutants-'));
writeFileSync(join(folder, 'a-file'), '');

it.each([
  [['mutants', '--threads', 'abc'], '--threads must be a whole number, 1 or more'],
  [['mutants', '--threads', '0'], '--threads must be a whole number, 1 or more'],
  [['mutants', '--seed', '1.5'], '--seed must be a whole number'],
  [['mutants', '--share', '2'], '--share must be more than 0 and at most 1'],
  [['mutants', '--share', '0.0000001'], 'draws no mutant: give a larger --share'],
  [['mutants', '--only', 'no/such'], 'No mutant has an id or a clause like no/such'],
  [['mutants', '--only', 'checkin/works', '--only', 'no/such'], 'No mutant has an id or a clause like no/such'],
  [['mutants', '--only', 'checkin/works', '--report', 'a-file'], 'a file of this name is in the way'],
  [['mutants', '--chaos', '0'], '--chaos must be a whole number of servers'],
  [['mutants', '--chaos', '1', '--only', 'checkin/*'], '--chaos takes no --only'],
  [['mutants', '--chaos', '1', '--share', '0.5'], '--chaos takes no --share'],
  [['mutants', '--chaos', '1', '--report', 'out'], '--chaos takes no --report'],
  [['mutants', '--assertions', '--only', 'checkin/*'], '--assertions takes no --only'],
  [['fuzz', '--in-process', '--runs', '-5'], '--runs must be a whole number, 1 or more'],
  [['fuzz', '--in-process', '--runs', '1.5'], '--runs must be a whole number, 1 or more'],
  [['fuzz', '--in-process', '--seed', 'abc'], '--seed must be a whole number'],
  [['fuzz', '--mutants', '0'], '--mutants must be a whole number, 1 or more'],
  [['fuzz', '--mutants', '1', '--in-process'], '--mutants takes no --in-process'],
])('%j', async (args, message) => {
  const { status, stderr } = await aips(folder, ...args);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('    at ');
  expect(status).toBe(2);
});
