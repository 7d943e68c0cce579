import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { conformanceJson } from '../../reports/conformance/conformance-json.js';
import { measureText } from '../../results/numbers.js';
import type { SweepSummary } from '../../results/sweep-result.js';
import { writeFiles } from '../../runs/host/files.js';
import { simulationFiles } from '../../runs/simulation/outputs.js';
import { reportFiles } from '../../runs/suite/report-files.js';
import { aips } from '../../test/fixtures/aips.js';
import { textOf } from '../../test/fixtures/markup-reader.js';
import { byName, expectGoodPage } from '../../test/fixtures/page-checks.js';
import { cleanConformance, conformanceFixture, simulationFixture } from '../../test/fixtures/results.js';
import { root } from '../../test/source-tree.js';

describe('aips report', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aips-report-'));
  const run = (...args: readonly string[]) => aips(folder, 'report', ...args);

  beforeAll(() => {
    writeFiles(join(folder, 'runs/devnet'), reportFiles(conformanceFixture(), {}, ['json']));
    writeFiles(join(folder, 'runs/mainnet'), reportFiles(cleanConformance(), {}, ['json']));
    writeFiles(join(folder, 'runs/fees'), simulationFiles(simulationFixture(), ''));
    writeFiles(join(folder, 'sweep'), { 'sweep.json': '{}', 'summary.json': '{}' });
  });

  it('puts the results of folders, and of the folders within them, on one page', async () => {
    const { status, stdout } = await run('runs');
    expect(stdout).toBe(
      'conformance  runs/devnet\nsimulation   runs/fees\nconformance  runs/mainnet\n2 runs together, if they are of one implementation: Specification: 6 of 13 clauses judged: 4 pass, 2 fail. Decisions: 1 of 1 clauses judged: 0 pass, 1 fail\nwrote out/report.html about 3 results\n',
    );
    expect(status).toBe(0);
    const page = readFileSync(join(folder, 'out/report.html'), 'utf8');
    for (const text of [
      'Specification: 6 of 13 clauses judged',
      'Simulation of <span class="mono">quickstart',
      'runs/mainnet',
    ]) {
      expect(page).toContain(text);
    }
  });

  it('draws measures of a run beside its results, and refuses one that it does not have', async () => {
    expect((await run('runs/fees', '--chart', 'fees_lamports')).status).toBe(0);
    expect(readFileSync(join(folder, 'runs/fees/fees_lamports.svg'), 'utf8')).toContain('Fees paid');
    expect((await run('runs/fees', '--chart', 'nothing')).stderr).toMatch(
      /^--chart nothing: is not measured in .*; known: /,
    );
  });

  it('has a sweep with its estimates, and says of one that was broken off how to go on', async () => {
    const small = readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8');
    writeFileSync(join(folder, 'small.yaml'), small.replace('duration: 3d', 'duration: 10h'));
    writeFileSync(
      join(folder, 'try.yaml'),
      [
        ...['format: 1', 'name: try', 'question: What if there are <more>?', 'scenario: small.yaml', 'replicates: 2'],
        'design: { kind: grid, factors: { populations.workers.count: [3, 6] } }',
        'measures: [heartbeats, fees_lamports]',
        'expectations: [mean(heartbeats) > 1000000]\n',
      ].join('\n'),
    );
    expect((await aips(folder, 'experiment', 'sweep', 'try.yaml', '--out', 'swept/whole')).stderr).toBe('');
    const { stdout, stderr } = await run('swept', '--out', 'swept.html');
    expect(stderr).toBe('');
    expect(stdout).toBe('sweep        swept/whole\nwrote swept.html about 1 result\n');
    const page = readFileSync(join(folder, 'swept.html'), 'utf8');
    const text = byName(expectGoodPage(page), 'section').map(textOf).join();
    const { estimates, digest } = JSON.parse(
      readFileSync(join(folder, 'swept/whole/summary.json'), 'utf8'),
    ) as SweepSummary;
    for (const { measure, mean, unit } of estimates) {
      expect(text).toContain(measure);
      expect(text).toContain(measureText(mean, unit));
    }
    for (const said of [
      'What if there are <more>?',
      'count=6',
      '0 of 2 expectations pass',
      '4 runs',
      digest,
      'aips experiment sweep try.yaml',
    ]) {
      expect(text, said).toContain(said);
    }
    const runs = readFileSync(join(folder, 'swept/whole/runs.ndjson'), 'utf8');
    writeFileSync(join(folder, 'swept/whole/runs.ndjson'), runs.slice(0, runs.indexOf('\n') + 1));
    await run('swept', '--out', 'swept.html');
    const cut = byName(expectGoodPage(readFileSync(join(folder, 'swept.html'), 'utf8')), 'section')
      .map(textOf)
      .join();
    expect(cut).toMatch(/1 of 4 runs have been played.*The sweep is not complete\. aips experiment resume goes on/);
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
      'empty: holds no results. --out empty of aips conform, simulate and experiment writes some',
      'empty',
      (path) => mkdirSync(path),
    ],
    ['sweep/sweep.json: is not the sweep.json of a sweep', 'sweep', () => undefined],
    ['torn/conformance.json:1: is cut off', 'torn', (path) => writeFiles(path, { 'conformance.json': '{' })],
    [
      'old/conformance.json:1: schema: is aips-lab/conformance/1',
      'old',
      (path) =>
        writeFiles(path, {
          'conformance.json': conformanceJson(conformanceFixture()).replace('conformance/2', 'conformance/1'),
        }),
    ],
    [
      'odd/manifest.json: is cut off',
      'odd',
      (path) => writeFiles(path, { 'manifest.json': '{', 'summary.json': '{}' }),
    ],
    [
      'bare/manifest.json: is not the manifest.json of a run. aips simulate --out writes one',
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

it('aips demo refuses an --out that cannot be written, with a message that says what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aips-demo-'));
  writeFileSync(join(folder, 'file'), '');
  const { status, stderr } = await aips(folder, 'demo', '--out', 'file');
  expect(status).toBe(2);
  expect(stderr).toBe('file: cannot be written: a file of this name is in the way. Choose another folder.\n');
});
