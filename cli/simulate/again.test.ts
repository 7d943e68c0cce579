import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SimulationManifest } from '../../results/simulation-result.js';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-from-'));
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const simulate = (...args: readonly string[]) => aips(folder, 'simulate', ...args);

beforeAll(async () => {
  copyFileSync(join(root, 'test/fixtures/small.yaml'), join(folder, 'small.yaml'));
  writeFileSync(join(folder, 'overlay.yaml'), 'heartbeat: { tier1FeeLamports: 600000 }\n');
  const changes = ['--protocol', 'overlay.yaml', '--set', 'protocol.dms.missedAnchorsMax=70'];
  await simulate('small.yaml', '--seed', '9', ...changes, '--out', 'plain');
  await simulate('fork', 'small.yaml', '--at', '1d', '--set', 'protocol.dms.missedAnchorsMax=90', '--out', 'fork');
});

describe('aips simulate again', () => {
  it.each(['plain', 'fork'])('reproduces a run from its manifest alone: %s', async (name) => {
    const { event_hash } = JSON.parse(read(`${name}/manifest.json`)) as SimulationManifest;
    const alone = mkdtempSync(join(tmpdir(), 'aips-alone-'));
    copyFileSync(join(folder, name, 'manifest.json'), join(alone, 'manifest.json'));
    const { status, stdout } = await aips(alone, 'simulate', 'again', 'manifest.json', '--out', 'again');
    expect([status, stdout]).toEqual([0, expect.stringContaining(`reproduced: ${event_hash}\n`)]);
    expect(readFileSync(join(alone, 'again/series.csv'), 'utf8')).toBe(read(`${name}/series.csv`));
  });

  it('says so where the events are others', async () => {
    const manifest = JSON.parse(read('plain/manifest.json')) as SimulationManifest;
    writeFileSync(join(folder, 'forged.json'), JSON.stringify({ ...manifest, seed: 10 }));
    const { status, stdout, stderr } = await simulate('again', 'forged.json');
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(/^not reproduced: [0-9a-f]{64} where [0-9a-f]{64} was published\n$/),
    ]);
    expect(stderr).toBe('It was played by this very version: the manifest was changed, or the rules were.\n');
    writeFileSync(
      join(folder, 'old.json'),
      JSON.stringify({ ...manifest, seed: 10, versions: { ...manifest.versions, aips_lab: '0.0.1' } }),
    );
    expect((await simulate('again', 'old.json')).stderr).toMatch(
      /^It was played by version 0.0.1; this is .*npx aips-lab@0.0.1\n$/,
    );
  });

  it.each<readonly [string, (manifest: SimulationManifest) => unknown, RegExp]>([
    [
      'changed',
      (m) => ({ ...m, scenario: { ...m.scenario, text: `${m.scenario.text}#` } }),
      /does not have the SHA-256 beside it/,
    ],
    ['bare', (m) => ({ ...m, scenario: { ...m.scenario, text: undefined } }), /does not hold the text of its scenario/],
    ['partial', (m) => ({ ...m, partial: true }), /is of a run that was interrupted/],
    [
      'other',
      () => ({ schema: 'x' }),
      /^other.json: is not the manifest.json of a simulation that this version reads: it is x, and /,
    ],
  ])('refuses a manifest that is %s', async (name, change, message) => {
    writeFileSync(
      join(folder, `${name}.json`),
      JSON.stringify(change(JSON.parse(read('plain/manifest.json')) as SimulationManifest)),
    );
    const { status, stderr } = await simulate('again', `${name}.json`);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
