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
