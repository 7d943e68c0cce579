// An eighth of the assertions of the suite against planted mistakes: it takes a quarter of an hour.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../test/source-tree.js';

it('every assertion of the drawn checks finds a mistake alone, and no drawn clause fails without its assertions', async () => {
  const drawn = ['--assertions', '--share', '0.13', '--seed', '1', '--json'];
  const program = join(root, 'dist/planted/mutants.js');
  const [error, stdout, stderr] = await new Promise<[Error | null, string, string]>((resolve) => {
    execFile(process.execPath, [program, ...drawn], { maxBuffer: 2 ** 28 }, (...ended) => resolve(ended));
  });
  expect(stdout, stderr).not.toBe('');
  const { checks, outcomes, alone, kills } = JSON.parse(stdout) as {
    checks: number;
    outcomes: { mutant: string | null }[];
    alone: { mutant: string | null }[];
    kills: { clause: string; killed: boolean; killedWithout: boolean }[];
  };
  expect(checks).toBeGreaterThan(60);
  expect(outcomes.length).toBeGreaterThan(200);
  expect(alone.length).toBeGreaterThan(20);
  expect(alone.filter(({ mutant }) => mutant === null)).toEqual([]);
  expect(kills.length).toBeGreaterThan(60);
  expect(kills.filter(({ killed, killedWithout }) => !killed || killedWithout)).toEqual([]);
  expect(error).toBeNull();
});
