import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
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

it('a trace names the population and the parent of the agent of each event', async () => {
  cpSync(join(root, 'test/fixtures/every-feature.yaml'), join(folder, 'all.yaml'));
  await simulate('all.yaml', '--out', 'all', '--trace', '--tables');
  const text = gunzipSync(readFileSync(join(folder, 'all/events.ndjson.gz'))).toString('utf8');
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
