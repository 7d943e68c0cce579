import { describe, expect, it } from 'vitest';
import { brokenIds } from '../../spec/released.js';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';
import { presentRelease, releasedSpec, releasedVersions } from './released.js';

describe('released specifications', () => {
  it.each(releasedVersions())('%s: its ids of clauses and checks mean what they meant', (version) => {
    const released = releasedSpec(version);
    expect(released.version).toBe(version);
    expect([released.clauses.length > 900, released.checks.length > 400]).toEqual([true, true]);
    expect(brokenIds(released, presentRelease())).toEqual([]);
  });

  it('are there', () => {
    expect(releasedVersions()).toContain('0.1.0');
  });

  it('aips spec clauses --changed-since lists what changed, and refuses a version that was not released', async () => {
    const { status, stdout } = await aips(root, 'spec', 'clauses', '--changed-since', '0.1.0');
    expect([status, stdout]).toEqual([0, expect.stringMatching(/\d+ new, 0 changed, 0 gone since 0\.1\.0\.\n$/)]);
    const clauses = JSON.parse((await aips(root, 'spec', 'clauses', '--changed-since', '0.1.0', '--json')).stdout);
    expect(Object.keys(clauses)).toEqual(['added', 'removed', 'changed']);
    const none = await aips(root, 'spec', 'clauses', '--changed-since', '9.9.9');
    expect([none.status, none.stderr]).toEqual([2, '9.9.9: no such version was released. Released: 0.1.0.\n']);
  });

  it('aips spec diff compares a version with the present', async () => {
    const { status, stdout } = await aips(root, 'spec', 'diff', '0.1.0', 'spec', '--replicates', '0', '--json');
    const diff = JSON.parse(stdout);
    expect([status, diff.from, diff.numbers, diff.statements.removed]).toEqual([0, '0.1.0', [], []]);
  });

  it('aips spec snapshot prints what a release lists', async () => {
    const { status, stdout } = await aips(root, 'spec', 'snapshot');
    expect([status, JSON.parse(stdout)]).toEqual([0, presentRelease()]);
  });
});
