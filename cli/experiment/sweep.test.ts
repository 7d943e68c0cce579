import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SweepSummary } from '../../results/sweep-result.js';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-sweep-'));
const SWEEP = `format: 1
name: try
question: What if there are more?
scenario: small.yaml
replicates: 4
design: { kind: grid, factors: { populations.workers.count: [4, 8, 12] } }
series: [freezes, live_day_cost_lamports.workers]
measures: [freezes, fees_lamports, frozen_share.orchestrator at 6h]
agents: true
expectations: [mean(freezes) > 0.1]
`;

const bytes = (out: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(folder, out))
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, out, name)).toString('base64')]),
  );
const summaryOf = (out: string): SweepSummary =>
  JSON.parse(readFileSync(join(folder, out, 'summary.json'), 'utf8')) as SweepSummary;
const experiment = (...args: readonly string[]) => aips(folder, 'experiment', ...args);
const sweep = (...args: readonly string[]) => experiment('sweep', ...args);

beforeAll(async () => {
  const small = readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8');
  writeFileSync(join(folder, 'small.yaml'), small.replace('duration: 3d', 'duration: 10h'));
  writeFileSync(join(folder, 'try.yaml'), SWEEP);
  const { stdout } = await sweep('try.yaml', '--out', 'whole');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(
    'wrote whole/summary.json, rows.csv, rows.parquet, series.csv, series.parquet, series-differences.csv, series-differences.parquet, agents.csv and agents.parquet',
  );
});

describe('an expectation of a sweep about a ratio that divides by nothing', () => {
  it('fails, and the sweep says that no run has a value', async () => {
    writeFileSync(
      join(folder, 'unpaid.yaml'),
      `format: 1
name: unpaid
question: Is a heartbeat cheap?
duration: 2h
populations:
  - name: poor
    count: 1
    class: narrow_task
    heartbeat: { policy: keep_alive, margin: 20m }
    budget: { wallet: 0 SOL }
    hash_rate: 1M hashes/s
measures: { every: 1h }
`,
    );
    writeFileSync(
      join(folder, 'nothing.yaml'),
      SWEEP.replace('small.yaml', 'unpaid.yaml')
        .replace(/(?:design|series): .*\n/g, '')
        .replace('replicates: 4', 'replicates: 2')
        .replace(/measures: .*\n/, 'measures: [heartbeat_cost_lamports, heartbeat_cost_lamports at 1h]\n')
        .replace('mean(freezes) > 0.1', 'mean(heartbeat_cost_lamports) < 1'),
    );
    const { status, stdout, stderr } = await sweep('nothing.yaml', '--out', 'nothing');
    expect([status, stderr]).toEqual([1, expect.any(String)]);
    expect(stdout).toContain('\nheartbeat_cost_lamports at 2h\n  unchanged  no value in any run, n = 0 of 2\n');
    expect(stdout).toContain('\nheartbeat_cost_lamports at 1h\n');
    expect(stdout).toMatch(/mean\(heartbeat_cost_lamports\) < 1 \(no run with a value\)/);
    expect(summaryOf('nothing').expectations).toMatchObject([{ measured: null, holds: false }]);
  });
});

describe('aips experiment sweep', () => {
  it('plays every arm with the seeds of its replicates, and each run is the one that aips simulate plays', async () => {
    const [head, ...rows] = readFileSync(join(folder, 'whole/rows.csv'), 'utf8').trimEnd().split('\n');
    expect(head).toBe('arm,arm_name,replicate,seed,population,time_ms,measure,value,unit,event_hash,error,group_kind');
    expect(rows).toHaveLength(3 * 4 * 3);
    const [, , , seed, , , , , , hash] = (rows[0] as string).split(',');
    writeFileSync(
      join(folder, 'four.yaml'),
      readFileSync(join(folder, 'small.yaml'), 'utf8').replace('count: 40', 'count: 4'),
    );
    const { stdout } = await aips(folder, 'simulate', 'four.yaml', '--seed', seed as string, '--json');
    expect((JSON.parse(stdout) as { event_hash: string }).event_hash).toBe(hash);
    const { estimates, arms } = summaryOf('whole');
    expect(arms.map(({ name }) => name)).toEqual(['count=4', 'count=8', 'count=12']);
    expect(estimates).toHaveLength(9);
    const [one, two, three] = estimates.filter(({ measure }) => measure === 'fees_lamports').map(({ mean }) => mean);
    expect(one).toBeLessThan(two as number);
    expect(two).toBeLessThan(three as number);
  });

  it('in shards that are merged gives the same bytes', async () => {
    for (const part of [1, 2, 3]) {
      const place = ['--threads', String(part), '--shard', `${part}/3`, '--out', `part-${part}`];
      expect((await sweep('try.yaml', ...place)).status).toBe(0);
    }
    const missing = await experiment('merge', 'part-1', 'part-3', '--out', 'merged');
    expect([missing.status, missing.stderr]).toEqual([
      2,
      expect.stringMatching(/^4 runs are missing, the first of arm 0, replicate 1: /),
    ]);
    expect((await experiment('merge', 'part-3', 'part-1', 'part-2', '--out', 'merged')).status).toBe(0);
    expect(bytes('merged')).toEqual(bytes('whole'));
  });

  it('that was cut off in the middle of a line is resumed to the same bytes', async () => {
    await sweep('try.yaml', '--out', 'cut');
    const runs = readFileSync(join(folder, 'cut/runs.ndjson'), 'utf8');
    for (const length of [0, 10, Math.floor(runs.length / 2), runs.length - 1]) {
      writeFileSync(join(folder, 'cut/runs.ndjson'), runs.slice(0, length));
      expect((await experiment('resume', 'cut')).status).toBe(0);
      expect(bytes('cut')).toEqual(bytes('whole'));
    }
    // A third of the runs is there, and the agents of one of them are not.
    cpSync(join(folder, 'part-2'), join(folder, 'third'), { recursive: true });
    rmSync(join(folder, 'third/agents-rows/0-1.f64'));
    expect((await experiment('resume', 'third', '--threads', '2')).status).toBe(0);
    expect(bytes('third')).toEqual(bytes('whole'));
    const queued = await sweep('try.yaml', '--redis', 'redis://127.0.0.1:1', '--out', 'queued');
    expect(queued.stderr).toBe(
      '--redis: agents do not go through a queue. Leave out agents in try.yaml, or --redis.\n',
    );
  });

  it('is played again from its folder, and differs where it was changed', async () => {
    const again = await experiment('again', 'whole');
    expect([again.status, again.stdout]).toEqual([0, 'reproduced: all 12 runs have the events that were published\n']);
    cpSync(join(folder, 'whole'), join(folder, 'forged'), { recursive: true });
    const runs = readFileSync(join(folder, 'forged/runs.ndjson'), 'utf8');
    const [, hash] = /"event_hash":"([0-9a-f]{64})"/.exec(runs) as unknown as [string, string];
    writeFileSync(join(folder, 'forged/runs.ndjson'), runs.replace(hash, 'f'.repeat(64)));
    const forged = await experiment('again', 'forged');
    expect([forged.status, forged.stdout]).toEqual([1, 'not reproduced: 1 of 12 runs differ, 12 were published\n']);
    const inputs = readFileSync(join(folder, 'whole/sweep.json'), 'utf8');
    writeFileSync(join(folder, 'forged/sweep.json'), inputs.replace('replicates: 4', 'replicates: 5'));
    expect((await experiment('again', 'forged')).stderr).toMatch(/its digest does not match/);
  });

  it('plays more replicates until the intervals are as narrow as asked for', async () => {
    const { status } = await sweep('try.yaml', '--until-half-width', 'freezes=1', '--out', 'narrow');
    expect(status).toBe(0);
    const summary = summaryOf('narrow');
    expect(summary.half_width_reached).toBe(true);
    expect(summary.replicates).toBeGreaterThanOrEqual(10);
    for (const { measure, t95, bootstrap95 } of summary.estimates) {
      // The interval that is shown decides.
      const [low, high] = bootstrap95 ?? t95 ?? [0, 99];
      if (measure === 'freezes') expect((high - low) / 2).toBeLessThanOrEqual(1);
    }
    const gaveUp = await sweep('try.yaml', '--until-half-width', 'freezes=0.01', '--replicates-max', '6', '--json');
    expect(gaveUp.status).toBe(1);
    expect(JSON.parse(gaveUp.stdout)).toMatchObject({ half_width_reached: false, replicates: 6 });
  });

  it('exits with 1 where an expectation over replicates does not hold', async () => {
    writeFileSync(join(folder, 'false.yaml'), SWEEP.replace('mean(freezes) > 0.1', 'mean(freezes) < 0.1 in count=12'));
    const { status, stdout } = await sweep('false.yaml');
    expect([status, stdout]).toEqual([
      1,
      expect.stringContaining('fails in count=12: mean(freezes) < 0.1 in count=12'),
    ]);
  });

  it.each([
    [['try.yaml', '--shard', '4/3', '--out', 'x'], '--shard 4/3: must have the form i/n, with i from 1 to n.'],
    [['try.yaml', '--shard', '1/3'], '--shard needs --out, the folder that is merged later.'],
    [
      ['try.yaml', '--out', 'whole'],
      'whole: holds a sweep already. Continue it with aips experiment resume whole, or choose another folder.',
    ],
    [['try.yaml', '--replicates-max', '9'], '--replicates-max is for --until-half-width.'],
    [
      ['try.yaml', '--until-half-width', 'x'],
      '--until-half-width x: must have the form frozen_share=0.005, with a width above zero.',
    ],
    [
      ['try.yaml', '--until-half-width', 'resyncs=1'],
      '--until-half-width resyncs: is not measured in every arm; list it under measures in try.yaml.',
    ],
    [['none.yaml'], 'none.yaml: there is no such sweep file.'],
  ])('refuses %j and says why', async (args, message) => {
    const { status, stderr } = await sweep(...args);
    expect([status, stderr]).toEqual([2, `${message}\n`]);
  });

  it('is drawn by aips report, and is not played again', async () => {
    cpSync(join(folder, 'whole'), join(folder, 'later'), { recursive: true });
    expect((await aips(folder, 'report', 'later', '--chart', 'freezes,fees_lamports')).status).toBe(0);
    expect(readFileSync(join(folder, 'later/chart.svg'), 'utf8')).toContain('fees_lamports');
    expect(await aips(folder, 'report', 'later', '--chart', 'freezes,resyncs')).toMatchObject({
      status: 2,
      stderr:
        '--chart resyncs: is not measured in try.yaml; known: freezes, fees_lamports, frozen_share.orchestrator, live_day_cost_lamports.workers.\n',
    });
  });

  it('has its series over time, whose last moment is the estimate of the end, and draws them with bands', async () => {
    const rows = readFileSync(join(folder, 'whole/series.csv'), 'utf8').trimEnd().split('\n');
    expect(rows[0]).toBe('arm,arm_name,population,time_ms,measure,mean,low,high,n,unit,group_kind');
    const { estimates } = summaryOf('whole');
    for (const { arm, mean, t95, n } of estimates.filter(({ measure }) => measure === 'freezes')) {
      const last = rows.find((row) => row.startsWith(`${arm},count=${4 * arm + 4},,36000000,freezes,`));
      expect(last).toBe(`${arm},count=${4 * arm + 4},,36000000,freezes,${mean},${t95?.[0]},${t95?.[1]},${n},,`);
    }
    cpSync(join(folder, 'whole'), join(folder, 'drawn'), { recursive: true });
    const draw = (...args: readonly string[]) => aips(folder, 'report', 'drawn', '--chart', ...args);
    expect((await draw('freezes,live_day_cost_lamports.workers')).status).toBe(0);
    const drawn = (name: string) => readFileSync(join(folder, 'drawn', name), 'utf8');
    expect(drawn('series.svg').match(/<polygon /g)).toHaveLength(2 * (3 + 2));
    expect(drawn('series.svg')).toContain('live_day_cost_lamports.workers: less count=4, in pairs (SOL)');
    // Only what has an estimate is in the other chart.
    expect(drawn('chart.svg')).not.toContain('live_day_cost');
    expect((await draw('fees_lamports', '--log', 'x')).status).toBe(0);
    expect((await aips(folder, 'report', 'drawn', '--log', 'x')).stderr).toBe('--log is for --chart.\n');
  });

  it('warns once of keys that have no effect in any run, with the number of arms', async () => {
    const lifetime = 'lifetime: { distribution: fixed, mean: 9d }\n    outages:';
    writeFileSync(
      join(folder, 'idle.yaml'),
      readFileSync(join(folder, 'small.yaml'), 'utf8').replace('outages:', lifetime),
    );
    writeFileSync(join(folder, 'idle-sweep.yaml'), SWEEP.replace('small.yaml', 'idle.yaml'));
    expect((await sweep('idle-sweep.yaml')).stderr).toBe(
      'idle.yaml: populations.0.lifetime has no effect: no agent departed before the end (in 3 of 3 arms)\n',
    );
  });

  it('refuses a list of runs that is not its own', async () => {
    cpSync(join(folder, 'whole'), join(folder, 'strange'), { recursive: true });
    appendFileSync(join(folder, 'strange/runs.ndjson'), '{"arm":7}\n');
    expect((await experiment('resume', 'strange')).stderr).toBe(
      'strange/runs.ndjson:13: is not a run of this sweep.\n',
    );
  });
});
