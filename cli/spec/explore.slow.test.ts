// `aips spec explore CHANGE`: the differences that three changes make, in JSON and in SARIF at the line of the change.
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
