// Replicates in threads, which run the built program: the same in one thread and in two, and the same as runs of their seeds.
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import type { SimulationManifest } from '../../results/simulation-result.js';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-replicates-'));
const FILES = ['summary.json', 'series.csv', 'index.html'];

const read = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');
const manifest = (out: string): SimulationManifest => JSON.parse(read(out, 'manifest.json')) as SimulationManifest;
const simulate = (...args: readonly string[]) => aips(folder, 'simulate', ...args);

function expectSameFiles(out: string, as: string): void {
  for (const name of FILES) expect([name, read(out, name) === read(as, name)]).toEqual([name, true]);
  const { run: _one, ...one } = manifest(out);
  const { run: _other, ...other } = manifest(as);
  expect(one).toEqual(other);
}

it.each([
  ['', 'test/fixtures/small.yaml', []],
  [
    " with behaviours of one's own",
    'docs/examples/frugal.yaml',
    ['--behaviours', join(root, 'docs/examples/frugal.mjs')],
  ],
] as const)(
  'replicates%s are the same in one thread and in two, and the same as runs of their seeds',
  async (_, file, own) => {
    const name = basename(file);
    copyFileSync(join(root, file), join(folder, name));
    expect(await simulate(name, ...own, '--seed', '1', '--out', `${name}-1`)).toMatchObject({ status: 0, stderr: '' });
    for (const workers of ['1', '2']) {
      const args = ['--seed', '1', '--runs', '3', '--threads', workers, '--out', `${name}-by-${workers}`];
      expect(await simulate('replicates', name, ...own, ...args)).toMatchObject({ status: 0, stderr: '' });
    }
    for (const seed of [1, 2, 3]) expectSameFiles(`${name}-by-2/seed-${seed}`, `${name}-by-1/seed-${seed}`);
    expectSameFiles(`${name}-by-2/seed-1`, `${name}-1`);
  },
);
