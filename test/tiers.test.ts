// Which run a test file belongs to, by its name, and that no file slips through.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rooms, root } from './source-tree.js';
import { leftOut, tierOf } from './tiers.js';

const files = [...rooms, 'test'].flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((path) => join(room, path)),
);

describe('the tier of a test file', () => {
  it.each([
    ['cli/serve/serve.test.ts', 'quick'],
    ['cli/serve/serve.slow.test.ts', 'slow'],
    ['cli/serve.nightly.test.ts', 'nightly'],
  ])('%s is %s', (path, tier) => {
    expect(tierOf(path)).toBe(tier);
  });

  it('stands in its name, in one of two words', () => {
    const named = files.map((path) => path.split('/').at(-1) ?? '').filter((name) => /test\.ts$/.test(name));
    expect(named.length).toBeGreaterThan(200);
    expect(named.filter((name) => !/^[a-z0-9-]+(\.slow|\.nightly)?\.test\.ts$/.test(name))).toEqual([]);
  });

  it('is left out by the runs that are quicker', () => {
    expect(leftOut('quick')).toEqual(['**/*.slow.test.ts', '**/*.nightly.test.ts']);
    expect(leftOut('all')).toEqual(['**/*.nightly.test.ts']);
    expect(leftOut('test')).toEqual([]);
  });
});
