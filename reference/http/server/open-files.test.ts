import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { connectionsWithin, openFilesMax } from './open-files.js';

it.each([
  [Number.POSITIVE_INFINITY, 4_000],
  [20_000, 4_000],
  [1_024, 736],
  [256, 160],
  [10, 1],
])('of %d files that may be open, connections take %i', (files, connections) => {
  expect(connectionsWithin(files)).toBe(connections);
});

it('is what the shell says of this process', () => {
  const limit = spawnSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).stdout.trim();
  expect(openFilesMax()).toBe(limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit));
});
