// `aips spec explore CHANGE`: the differences that three changes make, in JSON and in SARIF at the line of the change, and rules of a change.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExploreResult } from '../../results/explore-result.js';
import { aips } from '../../test/fixtures/aips.js';

interface Sarif {
  readonly runs: readonly {
    readonly results: readonly {
      readonly ruleId: string;
      readonly locations: readonly { readonly physicalLocation: object }[];
    }[];
  }[];
}

/** Changes of each kind, and the difference that each makes in the quick world. Each is found with a script or a price. */
const PLANTED: readonly (readonly [change: string, kind: string, id: string])[] = [
  ['heartbeat: { narrowTaskCap: 0 }', 'trap', 'trap/child/heartbeat: root: register-child the child'],
  ['heartbeat: { intervalBeatsMin: 0 }', 'dead', 'dead: heartbeat/HEARTBEAT_TOO_SOON'],
  ['resync: { beatsPerMissedAnchor: 0 }', 'price', 'price: child, frozen'],
];

describe('aips spec explore of a change', () => {
  it.each(PLANTED)('%s: shows a %s', async (change, kind, id) => {
    const folder = mkdtempSync(join(tmpdir(), 'explore-'));
    writeFileSync(join(folder, 'change.yaml'), `${change}\n`);
    const { status, stdout } = await aips(
      folder,
      'spec',
      'explore',
      'change.yaml',
      '--quick',
      '--out',
      'out',
      '--json',
    );
    const { differences = [] } = JSON.parse(stdout) as ExploreResult;
    expect(differences.find((each) => each.id === id)).toMatchObject({
      kind,
      how: kind === 'price' ? 'moved' : 'brought',
    });
    expect(status).toBe(kind === 'trap' ? 1 : 0);
    const { runs } = JSON.parse(readFileSync(join(folder, 'out/explore.sarif'), 'utf8')) as Sarif;
    const result = runs[0]?.results.find(({ ruleId }) => ruleId === id);
    expect(result?.locations[0]?.physicalLocation).toMatchObject({
      artifactLocation: { uri: 'change.yaml' },
      region: { startLine: 1 },
    });
  });
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
