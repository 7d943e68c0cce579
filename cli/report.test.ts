import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { conformanceJson } from '../reports/conformance-json.js';
import { aips } from '../test/fixtures/aips.js';
import { cleanConformance, conformanceFixture, simulationFixture } from '../test/fixtures/results.js';
import { reportFiles } from './conform-reports.js';
import { writeFiles } from './files.js';
import { simulationFiles } from './simulate-outputs.js';

describe('aips report', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aips-report-'));
  const run = (...args: readonly string[]) => aips(folder, 'report', ...args);

  beforeAll(() => {
    writeFiles(join(folder, 'runs/devnet'), reportFiles(conformanceFixture(), ['json'], {}));
    writeFiles(join(folder, 'runs/mainnet'), reportFiles(cleanConformance(), ['json'], { transcripts: 'inline' }));
    writeFiles(join(folder, 'runs/fees'), simulationFiles(simulationFixture(), ''));
    writeFiles(join(folder, 'sweep'), { 'sweep.json': '{}', 'summary.json': '{}' });
  });

  it('puts the results of folders, and of the folders within them, on one page', async () => {
    const { status, stdout } = await run('runs');
    expect(stdout).toBe(
      'conformance  runs/devnet\nsimulation   runs/fees\nconformance  runs/mainnet\nwrote out/report.html about 3 results\n',
    );
    expect(status).toBe(0);
    const page = readFileSync(join(folder, 'out/report.html'), 'utf8');
    for (const text of ['must: 6 of 13 judged', 'Simulation of <span class="mono">quickstart', 'runs/mainnet']) {
      expect(page).toContain(text);
    }
  });

  it('takes them in the order in which they are named, and writes the same bytes again', async () => {
    const order = ['runs/mainnet', 'runs/devnet', '--out', 'one.html'];
    expect((await run(...order)).stdout).toContain('conformance  runs/mainnet\nconformance  runs/devnet\n');
    const first = readFileSync(join(folder, 'one.html'));
    await run(...order);
    expect(readFileSync(join(folder, 'one.html'))).toEqual(first);
  });

  it.each<[string, string, (path: string) => void]>([
    ['nowhere: there is no such folder', 'nowhere', () => undefined],
    ['file: is a file, and a folder of results was expected', 'file', (path) => writeFileSync(path, '')],
    [
      'empty: holds no results. aips conform --format json --report empty writes some',
      'empty',
      (path) => mkdirSync(path),
    ],
    ['sweep: holds no results', 'sweep', () => undefined],
    [
      'torn/conformance.json:1: is not the JSON of a conformance run',
      'torn',
      (path) => writeFiles(path, { 'conformance.json': '{' }),
    ],
    [
      'old/conformance.json:1: schema: is aips-lab/conformance/1',
      'old',
      (path) =>
        writeFiles(path, {
          'conformance.json': conformanceJson(conformanceFixture()).replace('conformance/2', 'conformance/1'),
        }),
    ],
    [
      'odd/manifest.json: is not JSON',
      'odd',
      (path) => writeFiles(path, { 'manifest.json': '{', 'summary.json': '{}' }),
    ],
    [
      'bare/manifest.json: is not of a run of this version',
      'bare',
      (path) => writeFiles(path, { 'manifest.json': '{}', 'summary.json': '{}' }),
    ],
  ])('says %s', async (message, name, make) => {
    make(join(folder, name));
    const { status, stderr } = await run(name);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
});
