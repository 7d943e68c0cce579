// `aips spec explore CHANGE`: the difference that a change makes, in JSON and in SARIF at the line of the change, and rules of a change.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExploreResult } from '../../results/explore-result.js';
import { aips } from '../../test/fixtures/aips.js';
import { expectShown, TRAP } from '../../test/fixtures/shown-change.js';

describe('aips spec explore of a change', () => {
  it('shows a trap', () => expectShown(TRAP));
});

describe('aips spec explore of a rule that the text does not have', () => {
  const explored = async (change: string, ...flags: readonly string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'explore-'));
    writeFileSync(join(folder, 'change.yaml'), `${change}\n`);
    return { folder, ...(await aips(folder, 'spec', 'explore', 'change.yaml', '--quick', ...flags)) };
  };

  it('shows the prices of a grace and of a formula of the penalty, whose small form has the same shape', async () => {
    const change =
      "{ dms: { graceAnchors: 30 }, formulas: { resync.penaltyBeats: 'max(500, min(70 * missedAnchors, 7000))' } }";
    const { folder, stdout } = await explored(change, '--states', '900', '--out', 'out', '--json');
    const { prices } = JSON.parse(stdout) as ExploreResult;
    const beatsOf = (condition: string) => {
      const row = prices.find((each) => each.agent === 'root' && each.condition === condition);
      return [row?.best[0], row?.worst[0]].map((way) => [way?.lamports, way?.beats]);
    };
    expect(beatsOf('frozen within its grace')).toEqual([
      [300_000, 0],
      [500_000, 0],
    ]);
    expect(beatsOf('frozen')).toEqual([
      [500_000, 6_370],
      [500_000, 7_000],
    ]);
    expect(JSON.parse(readFileSync(join(folder, 'out/small.json'), 'utf8'))).toMatchObject({
      dms: { missedAnchorsMax: 2, graceAnchors: 1 },
      formulas: {
        'resync.penaltyBeats':
          '100 + 100 * min(max(missedAnchors - 3, 0), 1) + 100 * min(max(missedAnchors - 4, 0), 1)',
      },
    });
  });

  it('shows a trap where a penalty grows until nobody can prove it', async () => {
    const change = "formulas: { resync.penaltyBeats: 'pow(2, min(max(missedAnchors - 50, 0), 99))' }";
    const { status, stdout } = await explored(change, '--states', '900');
    expect(stdout).toContain(
      'brought  no more: the root can become active again, after time passes: register the root',
    );
    expect(status).toBe(1);
  });
});
