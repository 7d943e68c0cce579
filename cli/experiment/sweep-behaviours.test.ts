import { copyFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-sweep-own-'));
const WITH_MODULE = ['--behaviours', 'frugal.mjs'] as const;
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const experiment = (...args: readonly string[]) => aips(folder, 'experiment', ...args);
const sweep = (...args: readonly string[]) => experiment('sweep', ...args);
/** The files of an output folder, by name, in base64. */
const filesOf = (out: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(folder, out)).map((name) => [name, readFileSync(join(folder, out, name)).toString('base64')]),
  );
/** The first half of a file, which may end within a line, as after a crash. */
const half = (text: string): string => text.slice(0, text.length / 2);
/** SHA-256 by another implementation than the one that is tested. */
const sha256Of = async (name: string): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', readFileSync(join(folder, name)));
  return Buffer.from(hash).toString('hex');
};

beforeAll(async () => {
  copyFileSync(join(root, 'docs/examples/frugal.mjs'), join(folder, 'frugal.mjs'));
  const scenario = readFileSync(join(root, 'docs/examples/frugal.yaml'), 'utf8');
  writeFileSync(join(folder, 'frugal.yaml'), scenario.replaceAll('count: 50', 'count: 4').replace('14d', '2d'));
  writeFileSync(join(folder, 'other.mjs'), `${read('frugal.mjs')}// another\n`);
  writeFileSync(
    join(folder, 'own.yaml'),
    [
      ...['format: 1', 'name: own', 'question: Which reserve?', 'scenario: frugal.yaml', 'replicates: 3'],
      'design: { kind: grid, factors: { populations.frugal.heartbeat.options.margin_sec: [60, 900] } }',
      'measures: [heartbeats.frugal, uptime_share.frugal]\n',
    ].join('\n'),
  );
  await sweep('own.yaml', ...WITH_MODULE, '--out', 'whole');
});

describe("a sweep with behaviours of one's own", () => {
  it('says which module its runs were played with, and each run is the one that aips simulate plays', async () => {
    const origin = { file: 'frugal.mjs', sha256: await sha256Of('frugal.mjs') };
    expect(JSON.parse(read('whole/sweep.json'))).toMatchObject({ behaviours: origin });
    expect(JSON.parse(read('whole/summary.json'))).toMatchObject({ behaviours: origin });
    const { seed, event_hash } = JSON.parse(read('whole/runs.ndjson').split('\n')[0] as string) as {
      seed: number;
      event_hash: string;
    };
    writeFileSync(join(folder, 'sixty.yaml'), read('frugal.yaml').replace('margin_sec: 300', 'margin_sec: 60'));
    const { stdout } = await aips(folder, 'simulate', 'sixty.yaml', ...WITH_MODULE, '--seed', String(seed), '--json');
    expect((JSON.parse(stdout) as { event_hash: string }).event_hash).toBe(event_hash);
  });

  it('gives the same bytes when it is resumed, and in shards that are merged', async () => {
    await sweep('own.yaml', ...WITH_MODULE, '--out', 'interrupted');
    writeFileSync(join(folder, 'interrupted/runs.ndjson'), half(read('interrupted/runs.ndjson')));
    expect((await experiment('resume', 'interrupted', ...WITH_MODULE)).status).toBe(0);
    expect(filesOf('interrupted')).toEqual(filesOf('whole'));
    for (const part of [1, 2]) await sweep('own.yaml', ...WITH_MODULE, '--shard', `${part}/2`, '--out', `part-${part}`);
    expect((await experiment('merge', 'part-1', 'part-2', '--out', 'merged')).status).toBe(0);
    expect(filesOf('merged')).toEqual(filesOf('whole'));
    const again = await experiment('again', 'whole', ...WITH_MODULE);
    expect([again.status, again.stdout]).toEqual([0, 'reproduced: all 6 runs have the events that were published\n']);
  });

  it('refuses shards that were played with another module', async () => {
    await sweep('own.yaml', '--behaviours', 'other.mjs', '--shard', '2/2', '--out', 'other-2');
    const [one, two] = [await sha256Of('frugal.mjs'), await sha256Of('other.mjs')];
    expect(await experiment('merge', 'part-1', 'other-2', '--out', 'x')).toMatchObject({
      status: 2,
      stderr: `other-2: was played with other behaviours (SHA-256 ${two}) than part-1 (${one}).\n`,
    });
  });

  it('resumes and repeats a sweep only with the module that its folder names, which --behaviours has to give', async () => {
    const sha256 = await sha256Of('frugal.mjs');
    for (const mode of ['resume', 'again']) {
      expect(await experiment(mode, 'whole')).toMatchObject({
        status: 2,
        stderr:
          'the sweep in whole was played with the behaviours of frugal.mjs: name that module with --behaviours.\n',
      });
      expect(await experiment(mode, 'whole', '--behaviours', 'other.mjs')).toMatchObject({
        status: 2,
        stderr: `--behaviours other.mjs: is not the module that the sweep in whole was played with (frugal.mjs, SHA-256 ${sha256}).\n`,
      });
    }
    expect(await sweep('own.yaml')).toMatchObject({
      status: 2,
      stderr:
        'frugal.yaml:12: populations.0.heartbeat.behaviour: needs the behaviour frugal: name its module with --behaviours, which aips simulate and aips experiment sweep take\n',
    });
  });

  it('writes the error of a behaviour into the row of each run that it failed', async () => {
    writeFileSync(
      join(folder, 'bad.mjs'),
      'export const behaviours = { frugal: { next: ({ nowSec }, { margin_sec }) => margin_sec > 60 ? nowSec + 600 : Math.random() } };\n',
    );
    const { status } = await sweep('own.yaml', '--behaviours', 'bad.mjs', '--out', 'bad');
    expect(status).toBe(1);
    const rows = read('bad/rows.csv').trim().split('\n').slice(1);
    const failed = rows.filter((row) => row.includes('Math.random is not the same in every run'));
    expect([rows.length, failed.length]).toEqual([3 + 6, 3]);
  });
});
