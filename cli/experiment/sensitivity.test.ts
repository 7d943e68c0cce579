import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-sensitivity-'));
const analysis = (method: string): string => `format: 1
name: effects
question: Which number matters?
scenario: small.yaml
replicates: 1
method: ${method}
factors:
  protocol.heartbeat.tier1FeeLamports: { from: 100000, to: 900000, whole: true }
  protocol.resync.beatsPerMissedAnchor: { from: 50, to: 150, whole: true }
  populations.workers.heartbeat.every: { from: 15m, to: 30m }
measures: [fees_lamports, heartbeats]
`;
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

interface Found {
  readonly measures: readonly { readonly measure: string; readonly effects: readonly Record<string, number>[] }[];
}

beforeAll(() => {
  const small = readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8');
  write('small.yaml', small.replace('duration: 3d', 'duration: 6h').replace('count: 40', 'count: 4'));
  write('morris.yaml', analysis('{ kind: morris, trajectories: 3 }'));
  write('sobol.yaml', analysis('{ kind: sobol, rows: 8 }'));
});

describe('aips experiment sensitivity', () => {
  it('screens factors by Morris, and finds those that can have no effect', async () => {
    const { status, stdout } = await aips(folder, 'experiment', 'sensitivity', 'morris.yaml', '--out', 'm', '--json');
    expect(status).toBe(0);
    expect(readFileSync(join(folder, 'm/sensitivity.json'), 'utf8')).toBe(stdout);
    const [fees, heartbeats] = (JSON.parse(stdout) as Found).measures;
    expect(fees?.effects[0]?.['mu']).toBeGreaterThan(0);
    expect(fees?.effects[2]?.['mu']).toBeLessThan(0);
    // A price does not change how many heartbeats are sent; agents here do not learn.
    expect(heartbeats?.effects[0]?.['mu_star']).toBe(0);
    expect(heartbeats?.effects[2]?.['mu_star']).toBeGreaterThan(0);
  });

  it('shares out the variance by Sobol', async () => {
    const { status, stdout } = await aips(folder, 'experiment', 'sensitivity', 'sobol.yaml', '--json');
    expect(status).toBe(0);
    const [fees, heartbeats] = (JSON.parse(stdout) as Found).measures;
    expect(fees?.effects[0]?.['total']).toBeGreaterThan(0.5);
    expect(heartbeats?.effects[0]).toMatchObject({ first: 0, total: 0 });
    expect(heartbeats?.effects[2]?.['total']).toBeGreaterThan(0.6);
  });

  it.each([
    ['{ kind: morris, levels: 3 }', 'bad.yaml:6: method.levels: must be even\n'],
    ['{ kind: other }', 'bad.yaml:6: method.kind: must be morris or sobol\n'],
    ['{ kind: moris }', 'bad.yaml:6: method.kind: must be morris or sobol; did you mean morris?\n'],
  ])('refuses the method %s and says why', async (method, message) => {
    write('bad.yaml', analysis(method));
    const { status, stderr } = await aips(folder, 'experiment', 'sensitivity', 'bad.yaml');
    expect([status, stderr]).toEqual([2, typeof message === 'string' ? message : expect.stringMatching(message)]);
  });
});
