import { appendFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EquilibriumResult } from '../../results/equilibrium-result.js';
import { beginSearchFolder } from '../../runs/experiment/search-folder.js';
import { readSweepFolder } from '../../runs/experiment/sweep-folder.js';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-equilibrium-'));
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const library = (name: string): string => readFileSync(join(root, 'scenarios/experiments', name), 'utf8');

/** Traders that may cheat, and watchers that may complain, which costs them a little of their day. */
const watched = `format: 1
name: watched
question: Who watches?
seed: 1
duration: 2d
populations:
  - name: traders
    count: 3
    class: autonomous
    heartbeat: { policy: interval, every: 30m }
    budget: { wallet: 2 SOL }
    hash_rate: 2M hashes/s
    economics: { live_day: 0.05 SOL }
    adapts:
      options:
        honest: {}
        cheating: { misbehaves: true, economics: { live_day: 0.09 SOL } }
      by: fixed
  - name: watchers
    count: 3
    class: autonomous
    heartbeat: { policy: interval, every: 30m }
    budget: { wallet: 2 SOL }
    hash_rate: 2M hashes/s
    economics: { live_day: 0.05 SOL }
    adapts:
      options:
        silent: {}
        watching:
          economics: { live_day: 0.049 SOL }
          flagging: { every: { distribution: fixed, mean: 1h }, targets: traders }
      by: fixed
reviews: { delay: { distribution: fixed, mean: 10m }, accuracy: 1 }
measures: { every: 12h }
`;

const file = (rest: string): string => `format: 1
name: small
question: What do they end up doing?
scenario: small.scenario.yaml
${rest}`;
const LIMITS = 'replicates: 2\nheld_out: 3\nheld_out_max: 3\nstarts: 20\nreplicates_max: 2\n';

beforeAll(() => {
  const freezing = library('freezing-equilibrium.scenario.yaml');
  write('small.scenario.yaml', freezing.replace('count: 100', 'count: 7').replace('duration: 5d', 'duration: 2d'));
  write('small.yaml', file(`${LIMITS}warmup: 12h\n`));
  write('watched.scenario.yaml', watched);
  write('watched.yaml', file(LIMITS.replaceAll(': 2', ': 4')).replace('small.scenario', 'watched.scenario'));
});

const bytes = (out: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(folder, out), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [relative(join(folder, out), path), readFileSync(path).toString('base64')] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

const game = async (name: string, ...flags: readonly string[]) => {
  const { status, stdout, stderr } = await aips(folder, 'experiment', 'equilibrium', name, '--json', ...flags);
  expect(stderr).toBe('');
  return { status, stdout, result: JSON.parse(stdout) as EquilibriumResult };
};

describe('aips experiment equilibrium', () => {
  it('finds that agents freeze whatever others do, since nothing couples them', async () => {
    const { status, result, stdout } = await game('small.yaml', '--out', 'small');
    expect([status, result.coupling.verdict, result.answer]).toEqual([0, 'uncoupled', 'confirmed']);
    // The same agents with the same random draws: no difference at all.
    expect(result.coupling.differences.map(({ mean, interval }) => [mean, ...interval])).toEqual(
      new Array(4).fill([0, 0, 0]),
    );
    expect(result.equilibria).toMatchObject([{ kind: 'pure', mixture: [[0, 1]], agents: [[0, 6]], runs: 3 }]);
    const [faithful] = result.equilibria[0]?.deviations ?? [];
    expect(faithful?.interval[1]).toBeLessThan(-5_000_000);
    expect(read('small/equilibrium.json')).toBe(stdout);
    expect(Object.keys(bytes('small')).filter((name) => !name.includes('/'))).toEqual([
      ...['equilibrium.json', 'game.nfg', 'invasion-workers.svg'],
    ]);
  });

  it('gives the same bytes in two threads', async () => {
    await game('small.yaml', '--out', 'threads', '--threads', '2');
    expect(bytes('threads')).toEqual(bytes('small'));
  });

  it('that was broken off goes on to the same bytes, and its sweeps can be played again', async () => {
    const texts = { text: read('small.yaml'), scenarioText: read('small.scenario.yaml') };
    const source = { file: 'small.yaml', scenarioFile: 'small.scenario.yaml', ...texts };
    const { keep } = beginSearchFolder(join(folder, 'broken'), source, 'equilibrium');
    const { plan, runs } = readSweepFolder(join(folder, 'small/game/2-runs'));
    for (const run of runs.slice(0, 3)) keep(plan, run);
    appendFileSync(join(folder, 'broken/runs.ndjson'), '{"digest":"cut');
    expect((await aips(folder, 'experiment', 'resume', 'broken')).status).toBe(0);
    expect(bytes('broken')).toEqual(bytes('small'));
    const again = await aips(folder, 'experiment', 'again', 'small/held-out/3-runs', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ different: 0, same: true });
    expect((await aips(folder, 'experiment', 'resume', 'small')).stderr).toBe(
      'small: its search for equilibria is finished: see equilibrium.json.\n',
    );
  });

  it('finds that traders are watched by nobody where watching costs and brings nothing', async () => {
    const { result } = await game('watched.yaml', '--out', 'watched');
    expect(result.coupling.verdict).toBe('coupled');
    // They are coupled by this: cheaters are frozen while somebody watches.
    const far = result.coupling.differences.reduce((a, b) => (Math.abs(b.mean) > Math.abs(a.mean) ? b : a));
    expect([result.roles[far.role]?.options[far.option], Math.sign(far.mean)]).toEqual(['cheating', -1]);
    expect(result.equilibria[0]).toMatchObject({
      status: 'confirmed',
      mixture: [
        [0, 1],
        [1, 0],
      ],
      basin: 1,
    });
    expect(result.game?.roles.map(({ players }) => players)).toEqual([3, 3]);
    const { stdout } = await aips(folder, 'report', 'watched', 'small', '--out', 'page.html');
    expect(stdout).toContain('wrote page.html about 2 results');
    const page = read('page.html');
    for (const words of ['Coupled, by 4 runs', 'Uncoupled, by 2 runs', 'honest over cheating', '1 confirmed'])
      expect(page).toContain(words);
  });

  it.each([
    [file('held_out: 1\n'), 'bad.yaml:5: held_out: must be a whole number from 2 to 100000\n'],
    [file('replicates: 5\nreplicates_max: 4\n'), 'bad.yaml:6: replicates_max: must be at least the replicates\n'],
    [file('pints: 5\n'), /^bad\.yaml:5: pints: is not a key that is known here; known: .*points/],
    [file('warmup: 3d\n'), 'bad.yaml:5: warmup: must end before the scenario does\n'],
    [file('deviators: 4\n'), 'bad.yaml:5: deviators: must be at most half of the 7 agents of workers\n'],
    [
      file('reduction: { workers: 8 }\n'),
      'bad.yaml:5: reduction.workers: must be from 2 to the 7 agents of the population\n',
    ],
    [
      file('reduction: { others: 3 }\n'),
      'bad.yaml:5: reduction.others: is not a population with adapts; known: workers\n',
    ],
    [
      file('resolution: 1 EUR\n'),
      'bad.yaml:5: resolution: must be an amount such as 0.5 SOL, or a whole number of lamports\n',
    ],
    [file('').replace('small.scenario', 'no'), 'bad.yaml:4: scenario: no.yaml: there is no such scenario file.\n'],
    [
      file('').replace('small.scenario', 'plain'),
      /^bad\.yaml:4: scenario: has no population with adapts, so nobody has a choice\nbad\.yaml:4: scenario: has no economics, so no agent has a profit\n$/,
    ],
  ])('refuses a bad file with line and key', async (text, message) => {
    write('plain.yaml', readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8'));
    write('bad.yaml', text);
    const { status, stderr } = await aips(folder, 'experiment', 'equilibrium', 'bad.yaml', '--out', 'bad');
    expect([status, stderr]).toEqual([2, typeof message === 'string' ? message : expect.stringMatching(message)]);
    expect(readdirSync(folder)).not.toContain('bad/begun.json');
  });
});
