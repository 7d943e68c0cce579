// `aips simulate` plays the quickstart of the library: the same bytes again from the same seed, and an exit status.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SimulationManifest } from '../../results/simulation-result.js';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-simulate-'));
const quickstart = join(root, 'scenarios/library/quickstart.yaml');
/** With a tenth of its agents: what it expects is not judged. */
const smaller = join(folder, 'smaller.yaml');
writeFileSync(
  smaller,
  readFileSync(quickstart, 'utf8')
    .replace(/count: (\d+)/g, (_, count: string) => `count: ${Number(count) / 10}`)
    .replace(/^expectations:[\s\S]*$/m, ''),
);

async function run(out: string, seed: string): Promise<SimulationManifest> {
  expect(await aips(folder, 'simulate', smaller, '--seed', seed, '--out', out)).toMatchObject({
    status: 0,
    stderr: '',
  });
  return JSON.parse(readFileSync(join(folder, out, 'manifest.json'), 'utf8')) as SimulationManifest;
}

describe('aips simulate', () => {
  it('gives the same event hash and the same files twice, but for the times under run; another seed gives another', async () => {
    const { run: firstRun, ...first } = await run('one', '7');
    const { run: secondRun, ...second } = await run('two', '7');
    expect(second).toEqual(first);
    expect(Object.keys(secondRun)).toEqual(Object.keys(firstRun));
    const names = readdirSync(join(folder, 'one')).filter((name) => name !== 'manifest.json');
    expect(names.toSorted()).toEqual(['index.html', 'series.csv', 'summary.json']);
    for (const name of names) {
      expect(
        readFileSync(join(folder, 'two', name), 'utf8') === readFileSync(join(folder, 'one', name), 'utf8'),
        name,
      ).toBe(true);
    }
    const other = await run('three', '8');
    expect(other.event_hash).not.toBe(first.event_hash);
    expect(other.agents).toBe(200);
  });

  it('exits 1 when an expectation does not hold', async () => {
    const text = readFileSync(quickstart, 'utf8').replace(/^expectations:$/m, 'expectations:\n  - registered > 2001');
    writeFileSync(join(folder, 'wrong.yaml'), text);
    const { status, stdout } = await aips(folder, 'simulate', 'wrong.yaml');
    expect(status).toBe(1);
    expect(stdout).toContain('registered > 2001');
  });
});
