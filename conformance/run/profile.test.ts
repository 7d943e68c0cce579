import { describe, expect, it } from 'vitest';
import { withOverlay } from '../../spec/overlay.js';
import { allChecks } from '../checks/index.js';
import { bareTarget } from '../target/target.js';
import { inProfile, profileNamed, profiles } from './profile.js';
import { selectChecks } from './select.js';

const writing = { writes: true, needs: [] };

describe('profiles', () => {
  it.each([
    ['reads', { writes: false, needs: [] }, ['read-only', 'core', 'paid', 'full', 'exhaustive']],
    ['writes', writing, ['core', 'paid', 'full', 'exhaustive']],
    [
      'writes, with addresses and a beats service',
      { ...writing, needs: ['client-ip', 'beats'] },
      ['core', 'paid', 'full', 'exhaustive'],
    ],
    ['pays', { ...writing, needs: ['payments'] }, ['paid', 'full', 'exhaustive']],
    ['moves the clock', { writes: false, needs: ['clock'] }, ['full', 'exhaustive']],
    ['pays, by the clock', { ...writing, needs: ['payments', 'clock'] }, ['full', 'exhaustive']],
    ['asks the control API', { ...writing, needs: ['control'] }, ['full', 'exhaustive']],
  ] as const)('a check that %s', (_, check, names) => {
    const found = profiles.filter((profile) => inProfile(profile, check)).map(({ name }) => name);
    expect(found).toEqual(names);
  });

  it('hold ever more of the suite', () => {
    const sizes = profiles.map((profile) => selectChecks(allChecks, { profile }).length);
    expect(sizes.toSorted((a, b) => a - b)).toEqual(sizes);
    expect(new Set(sizes).size).toBe(4);
    expect(sizes[3]).toBe(allChecks.length);
    expect(sizes[4]).toBe(allChecks.length);
  });

  it('leave what takes many minutes to the exhaustive one', () => {
    const target = bareTarget('http://127.0.0.1:1');
    const only = ['heartbeat/cap-autonomous'];
    const reasonIn = (name: string) =>
      selectChecks(allChecks, { only, profile: profileNamed(name) })[0]?.unsuitableFor?.({
        ...target,
        payments: { kind: 'control' },
      });
    expect(reasonIn('full')).toMatchObject({ why: { kind: 'exhaustive' } });
    expect(reasonIn('exhaustive')).toBeUndefined();
    const [short] = selectChecks(allChecks, { only });
    const protocol = withOverlay({ heartbeat: { autonomousCap: 20 } });
    expect(short?.unsuitableFor?.({ ...target, payments: { kind: 'control' }, protocol })).toBeUndefined();
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
