// The files of the page as the build makes them.
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readAssets } from './assets.js';

it.each([
  ['shell', ['/', '/lab.css', '/lab.js'], 70_000],
  ['charts', ['/charts.js'], 24_000],
  ['editor', ['/editor.js'], 150_000],
])('the %s is small when it is sent compressed', (_name, paths, bytesMax) => {
  const assets = readAssets();
  const bytes = paths.map((path) => gzipSync(assets.get(path)?.bytes ?? '', { level: 9 }).length);
  expect(Math.min(...bytes)).toBeGreaterThan(100);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(bytesMax);
});
