import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SimulationResult } from '../../results/simulation-result.js';
import type { SweepRun, SweepSummary } from '../../results/sweep-result.js';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-duckdb-'));
const text = (path: string): string => readFileSync(join(folder, path), 'utf8');
let duck: DuckDBConnection;

/** The rows of a query, with whole numbers as numbers. `table` is read as DuckDB reads such a file without being told anything. */
async function rows(table: string, select: string): Promise<readonly Record<string, unknown>[]> {
  const reader = await duck.runAndReadAll(select.replace('TABLE', `'${join(folder, table)}'`));
  return reader
    .getRowObjects()
    .map((row) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, typeof v === 'bigint' ? Number(v) : v])));
}

beforeAll(async () => {
  duck = await (await DuckDBInstance.create(':memory:')).connect();
  const small = readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8');
  writeFileSync(join(folder, 'small.yaml'), small.replace('duration: 3d', 'duration: 10h'));
  writeFileSync(
    join(folder, 'try.yaml'),
    [
      ...['format: 1', 'name: try', 'question: What if?', 'scenario: small.yaml', 'replicates: 3'],
      'design:',
      '  kind: table',
      '  rows:',
      '    - { name: few, set: { populations.workers.count: 4 } }',
      '    - { name: more, set: { populations.workers.count: 9 } }',
      // A run that fails is a row with an error and without a value.
      '    - { name: fails, set: { populations.workers.budget.top_up: { below: 9000000000000000, amount: 9000000 SOL, after: 1h, times: 3 } } }',
      'series: [freezes, fees_lamports]',
      'agents: true',
      'measures: [freezes, fees_lamports, frozen_share.orchestrator at 6h]\n',
    ].join('\n'),
  );
  await aips(folder, 'experiment', 'sweep', 'try.yaml', '--out', 'swept');
  await aips(folder, 'simulate', 'small.yaml', '--seed', '3', '--out', 'played', '--tables');
});

describe.each(['csv', 'parquet'])('DuckDB reads the .%s of', (kind) => {
  it('a sweep: every value of every run, and the means of the summary', async () => {
    const runs = text('swept/runs.ndjson')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as SweepRun);
    const summary = JSON.parse(text('swept/summary.json')) as SweepSummary;
    const table = `swept/rows.${kind}`;
    const values = await rows(
      table,
      'SELECT arm, arm_name, replicate, seed, population, time_ms, measure, value FROM TABLE WHERE error IS NULL ORDER BY arm, replicate, measure',
    );
    const names = ['fees_lamports', 'freezes', 'frozen_share'];
    const at = [1, 0, 2];
    expect(values).toEqual(
      runs
        .filter(({ error }) => error === undefined)
        .flatMap(({ arm, replicate, seed, values: own }) =>
          names.map((measure, i) => ({
            ...{ arm, arm_name: ['few', 'more'][arm], replicate, seed, measure, value: own[at[i]!] },
            ...{ population: i === 2 ? 'orchestrator' : null, time_ms: i === 2 ? 21_600_000 : 36_000_000 },
          })),
        ),
    );
    const means = await rows(table, 'SELECT arm, measure, avg(value) AS mean FROM TABLE GROUP BY ALL');
    for (const { arm, measure, mean } of summary.estimates) {
      const found = means.find((row) => row['arm'] === arm && row['measure'] === measure);
      expect(found?.['mean']).toBeCloseTo(mean, 6);
    }
    const failed = await rows(table, 'SELECT arm, value, error FROM TABLE WHERE error IS NOT NULL');
    expect(failed).toHaveLength(3);
    for (const row of failed) {
      expect(row).toEqual({ arm: 2, value: null, error: 'the ledger holds no more money' });
    }
  });

  it('the series of a sweep: the mean and the band of each moment, and the differences of pairs', async () => {
    const summary = JSON.parse(text('swept/summary.json')) as SweepSummary;
    const ends = await rows(
      `swept/series.${kind}`,
      'SELECT * FROM TABLE WHERE time_ms = 36000000 ORDER BY arm, measure',
    );
    const names = ['freezes', 'fees_lamports'];
    for (const { arm, measure, mean, t95, n } of summary.estimates.filter((each) => names.includes(each.measure)))
      expect(ends.find((row) => row['arm'] === arm && row['measure'] === measure)).toMatchObject({
        ...{ mean, low: t95?.[0], high: t95?.[1], n, population: null },
      });
    const [apart] = await rows(
      `swept/series-differences.${kind}`,
      "SELECT mean, n, less_arm_name FROM TABLE WHERE time_ms = 36000000 AND measure = 'fees_lamports' AND arm = 1",
    );
    const [few, more] = ends.filter(({ measure }) => measure === 'fees_lamports').map(({ mean }) => mean as number);
    expect(apart).toMatchObject({ n: 3, less_arm_name: 'few' });
    expect(apart?.['mean']).toBeCloseTo((more ?? 0) - (few ?? 0), 3);
  });

  it('the agents of a sweep: those of each run at its end, as aips simulate has them', async () => {
    const counts = await rows(
      `swept/agents.${kind}`,
      'SELECT arm_name, replicate, count(*) AS agents FROM TABLE GROUP BY ALL ORDER BY arm_name, replicate',
    );
    const known = ['few', 'more'].flatMap((arm_name) => [0, 1, 2].map((replicate) => ({ arm_name, replicate })));
    // The runs that fail have no agents.
    expect(counts.map(({ arm_name, replicate }) => ({ arm_name, replicate }))).toEqual(known);
    const [run] = await rows(`swept/agents.${kind}`, 'SELECT seed FROM TABLE WHERE arm = 1 AND replicate = 2 LIMIT 1');
    const seed = String(run?.['seed']);
    writeFileSync(join(folder, 'nine.yaml'), text('small.yaml').replace('count: 40', 'count: 9'));
    await aips(folder, 'simulate', 'nine.yaml', '--seed', seed, '--out', `nine-${kind}`, '--tables');
    const alone = await rows(`nine-${kind}/agents.${kind}`, 'SELECT * FROM TABLE');
    const swept = await rows(
      `swept/agents.${kind}`,
      'SELECT * EXCLUDE (arm, arm_name, replicate, seed) FROM TABLE WHERE arm = 1 AND replicate = 2',
    );
    expect(swept).toEqual(alone);
    expect(swept.length).toBe(9);
  });

  it('a simulation: a row for each agent, which add up to its totals', async () => {
    const { totals } = JSON.parse(text('played/summary.json')) as Pick<SimulationResult, 'totals'>;
    const [sums] = await rows(
      `played/agents.${kind}`,
      `SELECT count(*) AS agents, count(DISTINCT agent) AS numbers, sum(heartbeats)::BIGINT AS heartbeats, sum(wallet_lamports)::BIGINT AS wallets,
        sum(frozen)::BIGINT AS frozen, count(first_freeze_ms) AS ever_frozen, min(depth) AS depth FROM TABLE`,
    );
    const agents = totals['agents'] as number;
    expect(sums).toMatchObject({
      ...{ agents, numbers: agents, heartbeats: totals['heartbeats'], wallets: totals['wallet_lamports'], depth: 0 },
      frozen: Math.round((totals['frozen_share'] as number) * agents),
    });
  });
});

it.each(['csv', 'parquet'])(
  'DuckDB reads the measures.%s of a simulation: pivoted they are series.csv',
  async (kind) => {
    const [head = '', ...lines] = text('played/series.csv').trim().split('\n');
    const [, ...names] = head.split(',');
    const found = await rows(`played/measures.${kind}`, 'SELECT seed, population, time_ms, measure, value FROM TABLE');
    expect(found).toHaveLength(names.length * lines.length);
    const cells = new Map(
      found.map(({ population, time_ms, measure, value, seed }) => {
        expect(seed).toBe(3);
        return [`${population === null ? measure : `${measure}.${population}`} ${time_ms}`, value];
      }),
    );
    for (const line of lines) {
      const [time, ...values] = line.split(',');
      for (const [i, value] of values.entries()) {
        expect(cells.get(`${names[i]} ${time}`), `${names[i]} at ${time}`).toBe(value === '' ? null : Number(value));
      }
    }
  },
);

it('DuckDB reads the series of a simulation: its last row is the totals', async () => {
  const { totals } = JSON.parse(text('played/summary.json')) as Pick<SimulationResult, 'totals'>;
  const all = await rows('played/series.csv', 'SELECT * FROM TABLE');
  expect(all.length).toBeGreaterThan(5);
  const last = all.at(-1);
  for (const name of ['heartbeats', 'fees_lamports', 'frozen_share']) expect(last?.[name], name).toBe(totals[name]);
});
