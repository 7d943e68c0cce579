import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SearchResult } from '../../results/search-result.js';
import type { SweepRun } from '../../results/sweep-result.js';
import { beginSearchFolder } from '../../runs/experiment/search-folder.js';
import { readSweepFolder } from '../../runs/experiment/sweep-folder.js';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-search-'));
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Agents that send a heartbeat every `every`, and are frozen after an hour of silence. */
const search = (goals: string, rest = ''): string => `format: 1
name: pace
question: How often is often enough?
scenario: small.yaml
replicates: 3
numbers:
  populations.workers.heartbeat.every: { from: 10m, to: 3h }
goals: [${goals}]
points: 14
confirm: 4
${rest}`;

beforeAll(() => {
  const small = readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8');
  write('small.yaml', small.replace('duration: 3d', 'duration: 18h').replace('count: 40', 'count: 5'));
  write('cheap.yaml', search('uptime_share > 70 %', 'minimize: live_day_cost_lamports'));
  write('never.yaml', search('uptime_share > 70 %, fees_lamports < 0.0001 SOL a day'));
});

const minutes = (every: unknown): number => Number.parseInt(String(every), 10) / 60;

const bytes = (out: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(folder, out), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [relative(join(folder, out), path), readFileSync(path).toString('base64')] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** A folder as the search `cheap` leaves it when it is broken off after some runs, which are changed like this. */
function brokenOff(count: number, change: Partial<SweepRun> = {}) {
  const place = `broken-${count}`;
  rmSync(join(folder, place), { recursive: true, force: true });
  const texts = { text: read('cheap.yaml'), scenarioText: read('small.yaml') };
  const { keep } = beginSearchFolder(join(folder, place), { file: 'cheap.yaml', scenarioFile: 'small.yaml', ...texts });
  const { plan, runs } = readSweepFolder(join(folder, 'cheap/points'));
  for (const run of runs.slice(0, count)) keep(plan, { ...run, ...change });
  return { place, plan, runs, keep };
}

describe('aips experiment search', () => {
  it('finds the pace that keeps agents up at the least cost, and confirms it by other seeds', async () => {
    const { status, stdout } = await aips(folder, 'experiment', 'search', 'cheap.yaml', '--json', '--out', 'cheap');
    const { best, confirmed, points, reached } = JSON.parse(stdout) as SearchResult;
    expect([status, reached]).toEqual([0, true]);
    // Slower than 50 minutes they miss the Dead Man's Switch now and then; a resync costs them no fee.
    expect(minutes(best.set['populations.workers.heartbeat.every'])).toBeGreaterThan(40);
    expect(confirmed.set).toEqual(best.set);
    expect([best.runs, confirmed.runs, confirmed.seed === best.seed]).toEqual([3, 4, false]);
    expect(confirmed.goals[0]).toMatchObject({ text: 'uptime_share > 70 %', limit: 0.7, state: 'reached' });
    expect(confirmed.goals[0]?.t95[0]).toBeGreaterThan(0.7);
    expect(points).toBeLessThanOrEqual(14);
    expect(read('cheap/search.json')).toBe(stdout);
  });

  it('leaves its folder as it was when it is refused, and says that a number made no difference', async () => {
    const idle = search('uptime_share > 10 %').replace(
      / {2}populations.*\n/,
      '  protocol.limits.lookup.count: { from: 10, to: 90, whole: true }\n',
    );
    write('refused.yaml', search('no_such_measure > 1'));
    expect((await aips(folder, 'experiment', 'search', 'refused.yaml', '--out', 'twice')).status).toBe(2);
    write('idle.yaml', idle.replace('points: 14', 'points: 3'));
    const { status, stderr } = await aips(folder, 'experiment', 'search', 'idle.yaml', '--out', 'twice');
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^small.yaml: protocol.limits.lookup.count has no effect: a simulation has no rate limits .*, the best among them\)$/m,
      ),
    ]);
  });

  it('tells how far its starts agree, and whether the budget ended before all neighbours were tried', async () => {
    const { stopped, starts } = JSON.parse(read('cheap/search.json')) as SearchResult;
    expect([stopped, starts?.begun, starts?.ended]).toEqual(['points', 1, 0]);
    const short = await aips(folder, 'experiment', 'search', 'cheap.yaml', '--out', 'again');
    expect(short.stdout).toContain(
      ': the budget ended before all neighbours of the best point were tried: a better one may be near. Raise points.\n',
    );
    write('whole.yaml', read('cheap.yaml').replace('points: 14\n', '').replace('replicates: 3', 'replicates: 2'));
    const whole = await aips(folder, 'experiment', 'search', 'whole.yaml', '--out', 'whole');
    const found = JSON.parse(read('whole/search.json')) as SearchResult;
    expect(found.stopped).toBe('converged');
    expect(found.starts?.ended).toBe(found.starts?.begun);
    expect(found.starts?.begun).toBeGreaterThan(1);
    expect(found.starts?.ends.filter(({ agrees }) => agrees)).toHaveLength(found.starts?.agreeing ?? 0);
    expect(whole.stdout).toMatch(
      /: no neighbour of the best point is better\n\d+ of \d+ starts came within 1 % of the best point\ntheir ends lie up to [\d.]+ % of a range apart, and their values from [\d.]+ \w+ to [\d.]+ \w+\n/,
    );
  });

  it('stands on a page with its starts, and one that was changed is refused', async () => {
    expect((await aips(folder, 'report', 'cheap', '--out', 'page.html')).status).toBe(0);
    const page = read('page.html');
    expect(page).toContain('Search <span class="mono">pace');
    expect(page).toMatch(/[01] of 1 start came within 1 % of the best point/);
    expect(page.match(/agrees with the best/g)).toHaveLength(1);
    mkdirSync(join(folder, 'changed'));
    write('changed/search.json', read('cheap/search.json').replace('"agreeing": ', '"agreed": '));
    expect((await aips(folder, 'report', 'changed')).stderr).toBe(
      'changed/search.json: is not the search.json of a search: starts.agreeing: Invalid input: expected number, received undefined. aips experiment search --out writes one.\n',
    );
  });

  it('leaves its points as sweeps that can be played again', async () => {
    expect(readdirSync(join(folder, 'cheap')).toSorted()).toEqual(['confirmed', 'points', 'search.json']);
    const { points } = JSON.parse(read('cheap/search.json')) as SearchResult;
    const { status, stdout } = await aips(folder, 'experiment', 'again', 'cheap/points', '--json');
    expect(JSON.parse(stdout)).toEqual({ runs: 3 * points, published: 3 * points, different: 0, same: true });
    expect(status).toBe(0);
    expect((await aips(folder, 'experiment', 'search', 'cheap.yaml', '--out', 'cheap')).stderr).toBe(
      'cheap: holds a search already (search.json). Choose another folder.\n',
    );
  });

  it('gives the same bytes again', () => {
    for (const name of ['search.json', 'points/rows.csv', 'points/rows.parquet', 'confirmed/rows.csv']) {
      expect(read(`again/${name}`) === read(`cheap/${name}`), name).toBe(true);
    }
  });

  it.each([0, 1, 17])(
    'that was broken off after %d runs, in the middle of a line, goes on to the same bytes',
    async (count) => {
      const { place, runs } = brokenOff(count);
      appendFileSync(join(folder, place, 'runs.ndjson'), JSON.stringify(runs[count]).slice(0, 20));
      const { status, stdout } = await aips(folder, 'experiment', 'resume', place, '--json');
      expect([status, stdout]).toEqual([0, read('cheap/search.json')]);
      expect(bytes(place)).toEqual(bytes('cheap'));
    },
  );

  it('that goes on plays no run again that is known, and those that failed', async () => {
    const { place } = brokenOff(2, { event_hash: 'known' });
    const { keep, plan, runs } = brokenOff(0);
    keep(plan, { ...(runs[2] as SweepRun), values: [], error: 'no memory' });
    expect(readdirSync(join(folder, 'broken-0')).toSorted()).toEqual(['begun.json', 'runs.ndjson']);
    expect(read('broken-0/runs.ndjson')).toBe('');
    expect((await aips(folder, 'experiment', 'resume', place)).status).toBe(0);
    const played = readSweepFolder(join(folder, place, 'points')).runs;
    expect(played.map(({ event_hash }) => event_hash)).toEqual([
      ...['known', 'known'],
      ...runs.slice(2).map(({ event_hash }) => event_hash),
    ]);
  });

  it('that cannot go on is refused, and says why', async () => {
    const { place } = brokenOff(1);
    const said = async (...flags: readonly string[]): Promise<string> => {
      const { status, stderr } = await aips(folder, 'experiment', ...flags);
      expect(status).toBe(2);
      return stderr;
    };
    expect(await said('search', 'cheap.yaml', '--out', place)).toBe(
      'broken-1: holds a search that was broken off. Continue it with aips experiment resume broken-1, or choose another folder.\n',
    );
    expect(await said('resume', 'cheap')).toBe('cheap: its search is finished: see search.json.\n');
    expect(await said('resume', 'nowhere')).toMatch(/^nowhere\/begun\.json: there is no such search\.\n$/);
    write('broken-1/runs.ndjson', read('broken-1/runs.ndjson').replace('"values":[', '"values":[7,'));
    expect(await said('resume', place)).toMatch(
      /^broken-1\/runs\.ndjson: the run of seed \d+ is not one of this search\.\n$/,
    );
    write('broken-1/runs.ndjson', '{"digest":1}\n');
    expect(await said('resume', place)).toBe('broken-1/runs.ndjson:1: is not a run of this search.\n');
    write('broken-1/begun.json', read('broken-1/begun.json').replace('points: 14', 'points: 15'));
    expect(await said('resume', place)).toMatch(/^broken-1\/begun\.json: was changed, or is of another version/);
  });

  it('says so when no point reaches the goals', async () => {
    const { status, stdout } = await aips(folder, 'experiment', 'search', 'never.yaml');
    expect(status).toBe(1);
    expect(stdout).toContain('The goals are not shown to be reached. The closest point is above.\n');
    expect(stdout).toMatch(/fees_lamports < 0\.0001 SOL a day: .* SOL\): missed\n/);
  });

  it.each([
    [search('speed > 3'), /^bad\.yaml:8: goals\.0: "speed" is not a measure; known: registered/],
    [search('uptime_share = 1'), 'bad.yaml:8: goals.0: a mean is never equal to a number: write <, <=, > or >=\n'],
    [search('freezes < 9', 'maximise: heartbeats'), /^bad\.yaml:11: maximise: is not a key that is known here/],
    [search('freezes < 9', 'maximize: beats'), /^bad\.yaml:11: maximize: "beats" is not a measure/],
    [
      search('freezes < 9', 'maximize: heartbeats\nminimize: fees_lamports'),
      'bad.yaml:11: maximize: cannot stand beside minimize\n',
    ],
    [
      search('freezes < 9').replace('heartbeat.every', 'heartbeat.evry'),
      /^bad\.yaml:7: numbers\.populations\.workers\.heartbeat\.evry: small\.yaml does not take 600s: populations\.0\.heartbeat\.evry: is not a key/,
    ],
    [
      search('freezes < 9').replace('to: 3h', 'to: 5m'),
      'bad.yaml:7: numbers.populations.workers.heartbeat.every: must go from a smaller value to a larger one\n',
    ],
    [
      search('freezes < 9').replace('replicates: 3', 'replicates: 1'),
      /^bad\.yaml:5: replicates: must be a whole number from 2 to/,
    ],
    [
      search('freezes < 9').replace('small.yaml', 'no.yaml'),
      'bad.yaml:4: scenario: no.yaml: there is no such scenario file.\n',
    ],
  ])('refuses a bad file with line and key', async (text, message) => {
    write('bad.yaml', text);
    const { status, stderr } = await aips(folder, 'experiment', 'search', 'bad.yaml');
    expect([status, stderr]).toEqual([2, typeof message === 'string' ? message : expect.stringMatching(message)]);
  });
});
