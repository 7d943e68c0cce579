import { describe, expect, it } from 'vitest';
import { allChecks } from '../checks/index.js';
import { inProfile, profileNamed, profiles } from './profile.js';
import { selectChecks } from './select.js';

const writing = { writes: true, needs: [] };

describe('profiles', () => {
  it.each([
    ['reads', { writes: false, needs: [] }, ['read-only', 'core', 'paid', 'full']],
    ['writes', writing, ['core', 'paid', 'full']],
    [
      'writes, with addresses and a beats service',
      { ...writing, needs: ['client-ip', 'beats'] },
      ['core', 'paid', 'full'],
    ],
    ['pays', { ...writing, needs: ['payments'] }, ['paid', 'full']],
    ['moves the clock', { writes: false, needs: ['clock'] }, ['full']],
    ['pays, by the clock', { ...writing, needs: ['payments', 'clock'] }, ['full']],
    ['asks the control API', { ...writing, needs: ['control'] }, ['full']],
  ] as const)('a check that %s', (_, check, names) => {
    const found = profiles.filter((profile) => inProfile(profile, check)).map(({ name }) => name);
    expect(found).toEqual(names);
  });

  it('hold ever more of the suite', () => {
    const sizes = profiles.map((profile) => selectChecks(allChecks, { profile }).length);
    expect(sizes.toSorted((a, b) => a - b)).toEqual(sizes);
    expect(new Set(sizes).size).toBe(4);
    expect(sizes[3]).toBe(allChecks.length);
  });

  it('are narrowed by globs', () => {
    const selection = { profile: profileNamed('core'), only: ['register/*', '4.6'] };
    const ids = selectChecks(allChecks, selection).map(({ id }) => id);
    const all = selectChecks(allChecks, { only: selection.only }).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThan(all.length);
    expect(all).toEqual(expect.arrayContaining(ids));
  });
});
