import { expect, it } from 'vitest';
import { addFlag, createFlags, flagOf, pendingBefore, setFlagStatus } from './flags.js';
import type { FlagStatus } from './records.js';

const statuses: readonly FlagStatus[] = ['pending', 'pending', 'sustained', 'dismissed', 'resolved'];

it('finds every pending flag by how many newer ones are pending, as a search through the list does', () => {
  let drawn = 1;
  const below = (n: number): number => {
    // Park and Miller 1988.
    drawn = (drawn * 48_271) % 2_147_483_647;
    return drawn % n;
  };
  const flags = createFlags();
  for (let step = 0; step < 300; step += 1) {
    const id = `flag-${step}`;
    addFlag(flags, {
      ...{ id, reporter: 0, target: 1, assertedClass: 'autonomous', reason: 'why', createdAtMs: step },
      status: statuses[below(5)] as FlagStatus,
    });
    const other = flagOf(flags, `flag-${below(step + 1)}`);
    if (other !== undefined) setFlagStatus(flags, other, statuses[below(5)] as FlagStatus);
    const pending = flags.list.filter(({ status }) => status === 'pending').toReversed();
    for (const newer of [0, 1, 20, pending.length - 1, pending.length]) {
      if (newer >= 0) expect(pendingBefore(flags, newer)).toBe(pending[newer]);
    }
  }
  expect(flagOf(flags, 'flag-300')).toBeUndefined();
});
