// A planted change, found in the small world and played on two servers. All thirty are in the night.
import { describe, expect, it } from 'vitest';
import { plantedChanges } from './fixtures/planted-changes.js';
import { expectReplayed, found, SERVERS } from './fixtures/planted-replay.js';

/** One with a small world. */
const drawn = plantedChanges.filter((_, nth) => nth === 26);

describe('a change with a planted mistake', () => {
  it('is one of ten of each kind, each another text', () => {
    for (const kind of ['trap', 'dead', 'price'])
      expect(new Set(plantedChanges.filter((each) => each.kind === kind).map(({ change }) => change)).size).toBe(10);
  });

  it.each(drawn)('$kind, $change: is found, and its script plays', { timeout: 120_000 }, async (planted) => {
    const each = found(planted);
    for (const server of SERVERS) await expectReplayed(server, each);
  });
});
