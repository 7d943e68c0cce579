// Assertions of the suite, each alone, against planted mistakes: it takes minutes. `aips mutants` judges the mistakes themselves.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aipsProcess } from '../test/fixtures/aips.js';
import { root } from '../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-assertions-'));
const known = join(root, 'conformance/mutants/known-silent-assertions.txt');

it('every assertion of the drawn checks finds a mistake alone, and no drawn clause fails without its assertions', async () => {
  const drawn = ['--assertions', '--share', '0.015', '--seed', '1', '--known', known, '--json'];
  const { status, stdout } = await aipsProcess(folder, 'mutants', ...drawn);
  const { checks, fates, kills } = JSON.parse(stdout) as {
    checks: number;
    fates: { mutant: string | null }[];
    kills: { clause: string; killed: boolean; killedWithout: boolean }[];
  };
  expect(checks).toBeGreaterThan(5);
  expect(fates.length).toBeGreaterThan(20);
  expect(kills.length).toBeGreaterThan(5);
  expect(kills.filter(({ killed, killedWithout }) => !killed || killedWithout)).toEqual([]);
  expect(status).toBe(0);
});
