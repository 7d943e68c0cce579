import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-traces-'));
const write = (name: string, content: string | Uint8Array): void => writeFileSync(join(folder, name), content);

const UP = [7_200, 14_400, 21_600, 36_000];
const DOWN = [60, 600, 4_000, 9_000];

/** Agents whose outages are those of a file. */
const scenario = (traces: string, population = ''): string => `format: 1
name: measured
question: What do measured outages do?
duration: 2d
traces:
${traces}
populations:
  - name: workers
    count: 10
    class: autonomous
    heartbeat: { policy: interval, every: 20m }
    budget: { wallet: 1 SOL }
    hash_rate: 300k hashes/s
    outages: { up: { distribution: trace, trace: up }, down: { distribution: trace, trace: down } }
${population}
measures: { every: 6h }
`;
const from = (file: string): string =>
  `  up: { file: ${file}, column: up_s }\n  down:\n    file: ${file}\n    column: down_s`;
const inPlace = `  up: { values: [${UP.join(', ')}] }\n  down: { values: [${DOWN.toReversed().join(', ')}] }`;

beforeAll(() => {
  write('outages.csv', `id,up_s,"down_s"\r\n${UP.map((up, i) => `${i},${up},"${DOWN[i]}"`).join('\r\n')}\r\n`);
  const columnData = [
    { name: 'up_s', data: UP, type: 'DOUBLE' as const },
    { name: 'down_s', data: DOWN.map(BigInt), type: 'INT64' as const },
  ];
  write('outages.parquet', new Uint8Array(parquetWriteBuffer({ columnData })));
  write('csv.yaml', scenario(from('outages.csv')));
  write('parquet.yaml', scenario(from('outages.parquet')));
  write('in-place.yaml', scenario(inPlace));
});

interface Manifest {
  readonly event_hash: string;
  readonly totals?: Readonly<Record<string, number>>;
}
const played = async (file: string, ...flags: readonly string[]): Promise<Manifest> =>
  JSON.parse((await aips(folder, 'simulate', file, '--json', ...flags)).stdout) as Manifest;

describe('traces', () => {
  it('give the same events from CSV, from Parquet and in place, in any order of values', async () => {
    const hashes = [];
    for (const file of ['csv.yaml', 'parquet.yaml', 'in-place.yaml']) hashes.push((await played(file)).event_hash);
    expect(new Set(hashes).size).toBe(1);
    write('other.yaml', scenario(inPlace.replace('9000', '9001')));
    expect((await played('other.yaml')).event_hash).not.toBe(hashes[0]);
  });

  it('stand in the manifest, so that a run is played again without its data', async () => {
    write('gone.csv', readFileSync(join(folder, 'outages.csv')));
    write('gone.yaml', scenario(from('gone.csv')));
    await aips(folder, 'simulate', 'gone.yaml', '--out', 'run');
    rmSync(join(folder, 'gone.csv'));
    rmSync(join(folder, 'gone.yaml'));
    const { status, stdout } = await aips(folder, 'simulate', 'again', 'run/manifest.json');
    expect([status, stdout]).toEqual([0, expect.stringContaining('reproduced')]);
  });

  it('say when agents arrive and how long they wait', async () => {
    const own = `    arrivals: { pattern: trace, trace: joined }`;
    const text = scenario(`${inPlace}\n  joined: { values: [90000, 0, 3600] }\n  gaps: { values: [1800] }`, own)
      .replace('count: 10', 'count: 3')
      .replace('{ policy: interval, every: 20m }', '{ policy: trace, trace: gaps }')
      .replace(
        'outages: { up: { distribution: trace, trace: up }',
        'outages: { up: { distribution: trace, trace: long }',
      )
      .replace('  up: {', '  long: { values: [600000] }\n  up: {')
      .replace(/ {2}up: \{.*\n/, '');
    write(
      'arrivals.yaml',
      `${text}expectations:\n  - registered = 1 at 30m\n  - registered = 2 at 1d\n  - registered = 3\n  - heartbeats = 233\n`.replace(
        'every: 6h',
        'every: 30m',
      ),
    );
    const { status, stdout, stderr } = await aips(folder, 'simulate', 'arrivals.yaml', '--out', 'arrivals');
    expect([status, stderr], stdout).toEqual([0, expect.stringContaining('populations.0.outages has no effect')]);
  });

  it('are played by a sweep, in its folder too', async () => {
    write(
      'sweep.yaml',
      'format: 1\nname: twice\nquestion: Same?\nscenario: csv.yaml\nreplicates: 2\nmeasures: [freezes]\n',
    );
    expect((await aips(folder, 'experiment', 'sweep', 'sweep.yaml', '--out', 'swept')).status).toBe(0);
    expect((await aips(folder, 'experiment', 'again', 'swept', '--json')).stdout).toContain('"same": true');
  });

  it.each([
    [from('none.csv'), 'bad.yaml:6: traces.up.file: none.csv: there is no such trace.\n'],
    [
      from('outages.csv').replace('up_s', 'ups'),
      'bad.yaml:6: traces.up.file: outages.csv: has no column ups; known: id, up_s, down_s.\n',
    ],
    [
      from('outages.csv').replace(', column: up_s', ''),
      'bad.yaml:6: traces.up.file: outages.csv: has the columns id, up_s, down_s: say which, with column.\n',
    ],
    [from('bad.csv'), 'bad.yaml:8: traces.down.file: bad.csv:3: down_s: must be seconds, 0 or more, not "soon".\n'],
    [from('empty.csv'), 'bad.yaml:6: traces.up.file: empty.csv: has no rows.\n'],
    [from('bad.parquet'), /^bad\.yaml:6: traces\.up\.file: bad\.parquet: is not a Parquet file that can be read: /],
    [`${inPlace}\n  more: { values: [1] }`, 'bad.yaml:8: traces.more: is used nowhere\n'],
    [
      inPlace.replace('down:', 'dwn:'),
      'bad.yaml:15: populations.0.outages.down.trace: is not among the traces; known: up, dwn\nbad.yaml:7: traces.dwn: is used nowhere\n',
    ],
    [inPlace.replace('[7200,', '[-7200,'), 'bad.yaml:6: traces.up.values.0: must be seconds from 0 to 630720000\n'],
    [
      inPlace.replace('{ values: [7200, 14400, 21600, 36000] }', '{}'),
      'bad.yaml:6: traces.up: must have a file or values\n',
    ],
  ])('that are wrong are refused: %s', async (traces, message) => {
    write('bad.csv', 'up_s,down_s\n1,2\n3,soon\n');
    write('empty.csv', 'up_s,down_s\n');
    write('bad.parquet', 'no parquet');
    write('bad.yaml', scenario(traces));
    const { status, stderr } = await aips(folder, 'simulate', 'bad.yaml');
    expect([status, stderr]).toEqual([2, typeof message === 'string' ? message : expect.stringMatching(message)]);
  });

  it('of arrivals have one for each agent', async () => {
    write(
      'bad.yaml',
      scenario(`${inPlace}\n  joined: { values: [0, 1] }`, '    arrivals: { pattern: trace, trace: joined }'),
    );
    expect((await aips(folder, 'simulate', 'bad.yaml')).stderr).toBe(
      'bad.yaml:11: populations.0.count: is more than the 2 arrivals of the trace joined\n',
    );
  });
});
