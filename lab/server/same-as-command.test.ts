import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aips } from '../../test/fixtures/aips.js';
import { commandFolder } from '../../test/fixtures/command-folder.js';
import { referenceHere, targetTextOf } from '../../test/fixtures/target.js';
import type { Action } from './action.js';
import { conformanceActions } from './conformance/conformance-actions.js';
import { ConformanceDesk } from './conformance/conformance-desk.js';
import { readGiven } from './given-folder.js';
import { simulationActions } from './simulation/simulation-actions.js';
import { SimulationDesk, type SimulationWord } from './simulation/simulation-desk.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-lab-same-'));
const commands = commandFolder();
const SCENARIO = `format: 1
name: few
question: Do the files agree?
seed: 11
duration: 6h
populations:
  - name: workers
    count: 5
    class: autonomous
    heartbeat: { policy: interval, every: 25m, jitter: 0.2 }
    budget: { wallet: 2 SOL }
    hash_rate: 2M hashes/s
measures: { every: 1h }
`;

/** An action of the API, as a request runs it. */
const act = (actions: readonly Action[], path: string, body: object): unknown => {
  const found = actions.find((each) => each.path === path);
  if (found === undefined) throw new Error(`no action ${path}`);
  return found.run(body);
};

const written = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');

describe('a simulation in the lab', () => {
  const desk = new SimulationDesk(() => undefined);
  const actions = simulationActions(desk, commands);
  const fileOf = (arm: string, name: string) =>
    (act(actions, 'simulation/file', { arm, name }) as { readonly text: string }).text;

  beforeAll(async () => {
    writeFileSync(join(folder, 'scenario.yaml'), SCENARIO);
    act(actions, 'simulation/run', { text: SCENARIO, seed: 7, set: 'protocol.heartbeat.intervalBeatsMin=5' });
    await desk.idle();
  });

  it.each([
    ['base', []],
    ['changed', ['--set', 'protocol.heartbeat.intervalBeatsMin=5']],
  ])('has the bytes of aips simulate, %s arm', async (arm, flags) => {
    const { status } = await aips(
      folder,
      'simulate',
      'scenario.yaml',
      '--seed',
      '7',
      ...flags,
      '--out',
      arm,
      '--tables',
    );
    expect(status).toBe(0);
    for (const name of ['series.csv', 'summary.json', 'measures.csv'])
      expect(fileOf(arm, name)).toBe(written(arm, name));
    const { base64 } = act(actions, 'simulation/file', { arm, name: 'measures.parquet' }) as {
      readonly base64: string;
    };
    expect(base64).toBe(readFileSync(join(folder, arm, 'measures.parquet'), 'base64'));
    expect(fileOf(arm, 'series.csv').split('\n').length).toBeGreaterThan(2);
  });

  it('plays texts next to it as arms with names, each as its own command does, and refuses one that cannot be played', async () => {
    const more = SCENARIO.replace('count: 5', 'count: 7');
    const run = (arms: object) => act(actions, 'simulation/run', { text: SCENARIO, name: 'few', seed: 7, arms });
    const { command } = run([
      { name: 'seven', text: more },
      { name: 'seven agents!', text: more },
    ]) as { readonly command: string };
    await desk.idle();
    expect(desk.armsOf('few')).toEqual(['base', 'seven', 'seven agents!']);
    const other = command.split('; ')[1] ?? '';
    const { status } = await aips(commands.path, ...other.split(' ').slice(1), '--out', join(folder, 'seven'));
    expect([status, other]).toEqual([0, 'aips simulate scenario-seven.yaml --seed 7']);
    expect(fileOf('seven', 'series.csv')).toBe(written('seven', 'series.csv'));
    expect(fileOf('seven', 'scenario.yaml')).toBe(more);
    const { arms, differences } = act(actions, 'simulation/result', { name: 'few' }) as {
      readonly arms: readonly { readonly differences: readonly unknown[] }[];
      readonly differences: readonly unknown[];
    };
    expect(arms.map((each) => each.differences.length)).toEqual([0, differences.length, differences.length]);
    expect(differences).toContainEqual(expect.objectContaining({ total: 'agents', difference: 2 }));
    const saved = fileOf('seven', 'differences.csv').split('\n');
    expect(saved.slice(0, 1)).toEqual(['total,base,changed,difference,low,high']);
    expect(saved).toContain('agents,5,7,2,,');
    expect(() => fileOf('base', 'differences.csv')).toThrow('no differences.csv');
    const twice = [1, 2].map(() => ({ name: 'one', text: more }));
    expect(() => run(twice)).toThrow('one is the name of another arm');
    expect(() => run([{ name: 'bad', text: more.replace('count', 'counts') }])).toThrow('scenario-bad.yaml:7');
    expect(desk.word).toMatchObject({ n: 2, state: 'ended' });
  });

  it('says which of all seeds is played, and the share of all runs', async () => {
    const words: SimulationWord[] = [];
    const several = new SimulationDesk((word) => words.push(word));
    const acts = simulationActions(several, commands);
    act(acts, 'simulation/run', {
      text: SCENARIO,
      name: 'few',
      seed: 7,
      seeds: 2,
      arms: [{ name: 'one', text: SCENARIO }],
    });
    await several.idle();
    const last = new Map(
      words
        .filter(({ state }) => state === 'running')
        .map(({ arm, seed, nth, seeds, share }) => [`${arm} ${seed}`, [nth, seeds, share]]),
    );
    expect([...last]).toEqual([
      ['base 7', [1, 2, 0.25]],
      ['one 7', [1, 2, 0.5]],
      ['base 8', [2, 2, 0.75]],
      ['one 8', [2, 2, 1]],
    ]);
    expect(words.every(({ nth, timesSec }) => nth === 1 || timesSec.length === 0)).toBe(true);
    expect(act(acts, 'simulation/result', { name: 'few' })).toMatchObject({
      arms: [
        { seed: 7, seeds: 2 },
        { seed: 7, seeds: 2 },
      ],
    });
  });

  it.each([null, undefined])('refuses a change to %s', (value) => {
    const change = { text: SCENARIO, paths: ['dms.missedAnchorsMax'], how: 'times', value, at: '0s' };
    expect(() => act(actions, 'simulation/change', change)).toThrow('value: must be a number');
  });

  it('has other bytes under another seed', async () => {
    await aips(folder, 'simulate', 'scenario.yaml', '--seed', '8', '--out', 'other');
    expect(fileOf('base', 'summary.json')).not.toBe(written('other', 'summary.json'));
  });
});

describe('a sweep in the lab', () => {
  const SWEEP = `format: 1
name: intervals
question: What do more heartbeats cost?
scenario: scenario.yaml
replicates: 3
design: { kind: grid, factors: { protocol.heartbeat.intervalBeatsMin: [5, 10] } }
measures: [fees_lamports]
`;

  it('has the bytes of aips experiment sweep, and is played with the changes of the page', async () => {
    writeFileSync(join(folder, 'scenario.yaml'), SCENARIO);
    writeFileSync(join(folder, 'intervals.yaml'), SWEEP);
    const { sweeps } = await readGiven(folder);
    const desk = new SimulationDesk(() => undefined);
    const actions = simulationActions(desk, commands, sweeps);
    const fileOf = (name: string) =>
      (act(actions, 'simulation/file', { arm: 'sweep', name }) as { readonly text: string }).text;
    const { command } = act(actions, 'simulation/run', { text: SWEEP, name: 'sweep/intervals' }) as {
      readonly command: string;
    };
    await desk.idle();
    // The files of a sweep name its file as the command line does.
    const { status } = await aips(commands.path, ...command.split(' ').slice(1), '--out', join(folder, 'swept'));
    expect(status).toBe(0);
    expect(desk.word).toMatchObject({ state: 'ended', share: 1 });
    for (const name of ['summary.json', 'rows.csv']) expect(fileOf(name)).toBe(written('swept', name));
    expect(fileOf('rows.csv').split('\n')).toHaveLength(1 + 2 * 3 + 1);
    act(actions, 'simulation/run', { text: SWEEP.replace('replicates: 3', 'replicates: 2'), name: 'sweep/intervals' });
    await desk.idle();
    expect(desk.reportedSweep()).toMatchObject({ runs: 4, runs_planned: 4 });
    expect(fileOf('summary.json')).not.toBe(written('swept', 'summary.json'));
  });

  it('ends when it is stopped, and has what was played; a mistake is named with its line', async () => {
    const { sweeps } = await readGiven(folder);
    const desk = new SimulationDesk(({ state, share }) => state === 'running' && share > 0 && desk.stop());
    const actions = simulationActions(desk, commands, sweeps);
    act(actions, 'simulation/run', { text: SWEEP, name: 'sweep/intervals' });
    await desk.idle();
    expect(desk.word?.state).toBe('stopped');
    expect(desk.reportedSweep()).toMatchObject({ runs: 1, runs_planned: 6 });
    expect(() => desk.filesOfSweep()).toThrow('no sweep has ended');
    const text = SWEEP.replace('intervalBeatsMin', 'intervalBeatMin');
    expect(act(actions, 'simulation/problems', { text, name: 'sweep/intervals' })).toMatchObject({
      problems: [{ line: 6 }],
    });
  });

  it('is offered for the sweeps of the package too, but not for searches', async () => {
    expect([...(await readGiven(undefined)).sweeps.keys()]).toEqual([
      'sweep/flat-fees',
      'sweep/free-entry',
      'sweep/freeze-survival',
      'sweep/held-revenue',
      'sweep/live-day-profit',
      'sweep/paid-resync-others',
      'sweep/sponsor-ring',
      'sweep/treasury-tariff-near',
    ]);
  });
});

describe('a conformance run in the lab', () => {
  const ONLY = ['status/*', '4.4'];

  /** Without what no two runs have alike: ports, when they began, and how long they took. */
  const comparable = (text: string): string =>
    text
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
      .replaceAll(/"(wall_s|wall_ms|reply_ms|started_at)": ([\d.]+|"[^"]+")/g, '"$1": 0');

  it('has the bytes of aips conform, but for ports and times of this machine', async () => {
    const [one, other] = [await referenceHere(), await referenceHere()];
    const desk = new ConformanceDesk(one.target, 5, () => undefined);
    const actions = conformanceActions(desk, commands);
    act(actions, 'conformance/run', { only: ONLY });
    await desk.idle();
    writeFileSync(join(folder, 'target.yaml'), targetTextOf(other));
    const args = ['--target', 'target.yaml', '--seed', '5', '--only', ...ONLY, '--out', 'run'];
    const { status } = await aips(folder, 'conform', ...args);
    expect(status).toBe(0);
    const { text } = act(actions, 'conformance/file', { format: 'json' }) as { readonly text: string };
    expect(comparable(text)).toBe(comparable(written('run', 'conformance.json')));
    expect(desk.result?.checks.length).toBeGreaterThan(3);
    await Promise.all([one.stop(), other.stop()]);
  });
});
