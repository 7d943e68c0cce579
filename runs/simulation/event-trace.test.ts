import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-trace-'));
const simulate = (...args: readonly string[]) => aips(folder, 'simulate', ...args);

interface TraceLine {
  readonly second: number;
  readonly agent: number;
  readonly population: string | null;
  readonly parent: number | null;
}

const SMALL = `format: 1
name: small
question: Does gzip change the trace?
duration: 1h
populations:
  - name: careful
    count: 3
    class: narrow_task
    heartbeat: { policy: keep_alive, margin: 20m }
    budget: { wallet: 0.3 SOL }
    hash_rate: 1M hashes/s
measures: { every: 30m }
`;

it('a trace with --gzip holds the same text as one without', async () => {
  writeFileSync(join(folder, 'small.yaml'), SMALL);
  await simulate('small.yaml', '--out', 'plain', '--trace');
  await simulate('small.yaml', '--out', 'zipped', '--trace', '--gzip');
  const text = readFileSync(join(folder, 'plain/events.ndjson'), 'utf8');
  expect(text.trim().split('\n').length).toBeGreaterThan(5);
  expect(gunzipSync(readFileSync(join(folder, 'zipped/events.ndjson.gz'))).toString('utf8')).toBe(text);
});

it('a trace names the population and the parent of the agent of each event', async () => {
  cpSync(join(root, 'test/fixtures/every-feature.yaml'), join(folder, 'all.yaml'));
  await simulate('all.yaml', '--out', 'all', '--trace', '--agents');
  const text = readFileSync(join(folder, 'all/events.ndjson'), 'utf8');
  const [header = '', ...rows] = readFileSync(join(folder, 'all/agents.csv'), 'utf8').trim().split('\n');
  const columns = ['agent', 'population', 'parent'].map((name) => header.split(',').indexOf(name));
  expect(columns).not.toContain(-1);
  const agentRows = new Map(
    rows.map((row) => {
      const [agent = '', population, parent] = columns.map((column) => row.split(',')[column]);
      return [Number(agent), { population, parent: parent === '' ? null : Number(parent) }] as const;
    }),
  );
  // Agent -1 stands for the service.
  agentRows.set(-1, { population: undefined, parent: null });
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceLine);
  const contradicting = events.filter(({ agent, population, parent }) => {
    const row = agentRows.get(agent);
    return row === undefined || (row.population ?? null) !== population || row.parent !== parent;
  });
  expect(contradicting.slice(0, 3)).toEqual([]);
  expect(events.filter(({ parent }) => parent !== null).length).toBeGreaterThan(10);
  expect(new Set(events.map(({ population }) => population)).size).toBeGreaterThan(2);
});

it('--gzip without --trace is refused', async () => {
  expect(await simulate('small.yaml', '--gzip')).toMatchObject({ status: 2, stderr: '--gzip is for --trace.\n' });
});
