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
  readonly event: string;
}

const linesOf = (out: string): readonly TraceLine[] =>
  gunzipSync(readFileSync(join(folder, out, 'events.ndjson.gz')))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceLine);

const outages = (rest: string): string => `format: 1
name: outages
question: When is each agent away?
duration: 12h
populations:
  - name: p
    count: 12
    class: autonomous
    arrivals: { pattern: uniform, over: 1h }
    hash_rate: 1M hashes/s
    budget: { wallet: 1 SOL }
    heartbeat: { policy: interval, every: 17m }
    ${rest}
measures: { every: 1m, list: [offline] }
`;

it('a trace has the outages of agents in the order of time, as samples count them', async () => {
  const drawn = '{ distribution: exponential, mean: 90m }';
  writeFileSync(
    join(folder, 'outages.yaml'),
    `${outages(`outages: { up: ${drawn}, down: ${drawn} }\n    lifetime: { distribution: exponential, mean: 20h }`)}faults:
  - { kind: outage, at: 5h, for: 2h }
  - { kind: outage, name: again, at: 6h, for: 3h, share: 0.5 }
`,
  );
  await simulate('outages.yaml', '--out', 'outages', '--trace');
  const lines = linesOf('outages');
  expect(lines.every(({ second }, i) => second >= (lines[i - 1]?.second ?? 0))).toBe(true);
  const [head = '', ...rows] = readFileSync(join(folder, 'outages/series.csv'), 'utf8').trim().split('\n');
  const column = head.split(',').indexOf('offline');
  const away = new Map<number, Set<string>>();
  let at = 0;
  const counted = rows.map((_, minute) => {
    // A sample precedes the calls of its second, and sees the outages that begin or end in it.
    for (; (lines[at]?.second ?? Number.POSITIVE_INFINITY) <= minute * 60; at += 1) {
      const { agent, event } = lines[at] as TraceLine;
      const reasons = away.get(agent) ?? new Set();
      if (event === 'outage' || event === 'cut-off') reasons.add(event);
      if (event === 'outage-end' || event === 'cut-off-end') reasons.delete(event.slice(0, -'-end'.length));
      if (event === 'leave') reasons.clear();
      away.set(agent, reasons);
    }
    return [...away.values()].filter(({ size }) => size > 0).length;
  });
  const sampled = rows.map((row) => Number(row.split(',')[column]));
  const differing = sampled.filter((offline, minute) => offline !== counted[minute] && minute % 60 !== 0);
  expect([differing, Math.max(...sampled)]).toEqual([[], expect.any(Number)]);
  expect(lines.filter(({ event }) => event === 'outage').length).toBeGreaterThan(10);
  expect(lines.filter(({ event }) => event === 'cut-off-end').length).toBeGreaterThan(1);
});

it('a trace names the population and the parent of the agent of each event', async () => {
  cpSync(join(root, 'test/fixtures/every-feature.yaml'), join(folder, 'all.yaml'));
  await simulate('all.yaml', '--out', 'all', '--trace', '--tables');
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
  const events = linesOf('all');
  const contradicting = events.filter(({ event, agent, population, parent }) => {
    const row = agentRows.get(agent);
    // An agent that stays out never registers, so no table has it.
    if (event === 'stay-out') return row !== undefined || population === null;
    return row === undefined || (row.population ?? null) !== population || row.parent !== parent;
  });
  expect(contradicting.slice(0, 3)).toEqual([]);
  expect(events.filter(({ parent }) => parent !== null).length).toBeGreaterThan(10);
  expect(new Set(events.map(({ population }) => population)).size).toBeGreaterThan(2);
});
