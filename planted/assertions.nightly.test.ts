// An eighth of the assertions of the suite against planted mistakes, a tenth among them: it takes a quarter of an hour. `aips mutants` judges the mistakes themselves.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aipsProcess } from '../test/fixtures/aips.js';
import { root } from '../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-assertions-'));
const known = join(root, 'conformance/mutants/known-silent-assertions.txt');

it('every assertion of the drawn checks finds a mistake alone, and no drawn clause fails without its assertions', async () => {
  const drawn = ['--assertions', '--share', '0.13', '--seed', '1', '--known', known, '--json'];
  const { status, stdout, stderr } = await aipsProcess(folder, 'mutants', ...drawn);
  expect(stdout, stderr).not.toBe('');
  const { checks, fates, alone, kills } = JSON.parse(stdout) as {
    checks: number;
    fates: { mutant: string | null }[];
    alone: { mutant: string | null }[];
    kills: { clause: string; killed: boolean; killedWithout: boolean }[];
  };
  expect(checks).toBeGreaterThan(60);
  expect(fates.length).toBeGreaterThan(200);
  expect(alone.length).toBeGreaterThan(20);
  expect(alone.filter(({ mutant }) => mutant === null)).toEqual([]);
  expect(kills.length).toBeGreaterThan(60);
  expect(kills.filter(({ killed, killedWithout }) => !killed || killedWithout)).toEqual([]);
  expect(status).toBe(0);
});
