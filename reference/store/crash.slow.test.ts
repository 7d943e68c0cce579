import { describe, expect, it } from 'vitest';
import { type CrashOutcome, crashRun } from '../../test/faults/crash-run.js';

const SEEDS = Array.from({ length: 300 }, (_, i) => i + 1);

describe('300 folders with faults', () => {
  it('lose nothing that was acknowledged, and hide no damage', async () => {
    const ends = new Map<string, number>();
    for (const seed of SEEDS) {
      const outcome = await crashRun(seed);
      expect(outcome).toMatchObject({ broken: null });
      for (const end of outcome.ends) ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    // Every fault has come about.
    for (const end of [
      'power: power lost',
      'kill: killed',
      'eio: failed',
      'full: failed',
      'files: closed',
      'none: damage noticed',
    ]) {
      expect([end, ends.get(end) ?? 0]).toEqual([end, expect.toSatisfy((count: number) => count > 10)]);
    }
  });
});

describe('the same folders on a disk that lies', () => {
  it.each(['syncs', 'writes', 'names'] as const)(
    'about %s are found to have lost what was acknowledged',
    async (lie) => {
      let found: CrashOutcome | undefined;
      for (const seed of SEEDS) {
        found = await crashRun(seed, { lie });
        if (found.broken !== null) break;
      }
      expect(found?.broken).toEqual(expect.any(String));
    },
  );
});
