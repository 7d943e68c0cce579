import { cpSync, mkdirSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SimulationManifest } from '../../results/simulation-result.js';
import { protocol } from '../../spec/protocol.js';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-modes-'));
const SMALL = readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8');
const FILES = ['summary.json', 'series.csv', 'index.html'];

const read = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');
const events = (out: string): string =>
  gunzipSync(readFileSync(join(folder, out, 'events.ndjson.gz'))).toString('utf8');
const manifest = (out: string): SimulationManifest => JSON.parse(read(out, 'manifest.json')) as SimulationManifest;
const simulate = (...args: readonly string[]) => aips(folder, 'simulate', ...args);

function expectSameFiles(out: string, as: string): void {
  for (const name of FILES) expect([name, read(out, name) === read(as, name)]).toEqual([name, true]);
  const { run: _one, ...one } = manifest(out);
  const { run: _other, ...other } = manifest(as);
  expect(one).toEqual(other);
}

beforeAll(async () => {
  writeFileSync(join(folder, 'small.yaml'), SMALL);
  expect(await simulate('small.yaml', '--out', 'straight')).toMatchObject({ status: 0, stderr: '' });
});

describe('sometimes', () => {
  it('is held among the expectations, and what never happened is a failed one', async () => {
    const summary = JSON.parse(read('straight', 'summary.json')) as {
      expectations: { text: string; holds: boolean }[];
    };
    expect(summary.expectations.map(({ text, holds }) => [text, holds])).toEqual([
      ['freezes > 5', true],
      ['sometimes resync', true],
      ['sometimes heartbeat-of-frozen', true],
    ]);
    writeFileSync(join(folder, 'never.yaml'), SMALL.replace('sometimes: [', 'sometimes: [epoch-rollover, '));
    const { status, stdout } = await simulate('never.yaml');
    expect(status).toBe(1);
    expect(stdout).toContain('FAIL  sometimes epoch-rollover  (measured 0)');
  });

  it('names no goal that there is not', async () => {
    writeFileSync(join(folder, 'odd.yaml'), SMALL.replace('sometimes: [', 'sometimes: [wonder, '));
    const { status, stderr } = await simulate('odd.yaml');
    expect([status, stderr]).toEqual([2, expect.stringContaining('sometimes.0: must be one of freeze, resync,')]);
  });
});

describe('a run that is interrupted', () => {
  it('is resumed with the same bytes as the straight run, from any checkpoint', async () => {
    expect(await simulate('small.yaml', '--out', 'saved', '--checkpoint', '31h')).toMatchObject({ status: 0 });
    expectSameFiles('saved', 'straight');
    // The last checkpoint was taken at 62 h of 72.
    cpSync(join(folder, 'saved/checkpoint.bin'), join(folder, 'resumed/checkpoint.bin'), { recursive: true });
    expect(await simulate('resume', 'resumed')).toMatchObject({ status: 0 });
    expectSameFiles('resumed', 'straight');
  });

  it('cannot be resumed from a damaged checkpoint, and says so', async () => {
    cpSync(join(folder, 'saved/checkpoint.bin'), join(folder, 'damaged/checkpoint.bin'), { recursive: true });
    truncateSync(join(folder, 'damaged/checkpoint.bin'), 20_000);
    const { status, stderr } = await simulate('resume', 'damaged');
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^damaged\/checkpoint.bin: cannot be continued: it holds \d+ bytes of state and should hold \d+\. Start the run again/,
    );
    expect((await simulate('resume', 'straight')).stderr).toContain('holds no checkpoint.bin');
    mkdirSync(join(folder, 'odd/checkpoint.bin'), { recursive: true });
    expect(await simulate('resume', 'odd')).toMatchObject({
      status: 2,
      stderr: 'odd/checkpoint.bin: is a folder, and a checkpoint was expected.\n',
    });
  });
});

describe('forks', () => {
  it('without a change are the straight run, to the event', async () => {
    expect(await simulate('fork', 'small.yaml', '--out', 'same', '--at', '30h')).toMatchObject({ status: 0 });
    expect(manifest('same').event_hash).toBe(manifest('straight').event_hash);
    expect(read('same', 'series.csv')).toBe(read('straight', 'series.csv'));
  });

  it('give each future a folder, and what was set from the fork on', async () => {
    const futures = ['--set', 'protocol.dms.missedAnchorsMax=400', '--set', 'protocol.heartbeat.tier1FeeLamports=7'];
    const { status } = await simulate('fork', 'small.yaml', '--out', 'forked', '--at', '30h', ...futures);
    expect(status).toBe(0);
    const [patient, cheap] = [
      manifest('forked/dms.missedAnchorsMax=400'),
      manifest('forked/heartbeat.tier1FeeLamports=7'),
    ];
    expect(patient.fork).toEqual({
      ...{ name: 'dms.missedAnchorsMax=400', at_ms: 108_000_000 },
      set: { 'dms.missedAnchorsMax': 400 },
    });
    expect(new Set([patient, cheap, manifest('straight')].map(({ event_hash }) => event_hash)).size).toBe(3);
    const { stdout } = await simulate('fork', 'small.yaml', '--at', '30h', ...futures, '--json');
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as SimulationManifest).event_hash)).toEqual([
      patient.event_hash,
      cheap.event_hash,
    ]);
    const rows = (out: string): string[] => read(out, 'series.csv').split('\n');
    // The prefix is the same: 31 samples from 0 to 30 h, and the line of names.
    expect(rows('forked/dms.missedAnchorsMax=400').slice(0, 32)).toEqual(rows('straight').slice(0, 32));
    expect(rows('forked/dms.missedAnchorsMax=400').slice(32)).not.toEqual(rows('straight').slice(32));
    const again = /--at 30h --set protocol.dms.missedAnchorsMax=400/;
    expect((JSON.parse(read('forked/dms.missedAnchorsMax=400/summary.json')) as { command: string }).command).toMatch(
      again,
    );
  });

  it('that are set from the start need no fork', async () => {
    const set = ['--set', 'protocol.dms.missedAnchorsMax=4000'];
    expect((await simulate('small.yaml', ...set)).stdout).toContain('FAIL  freezes > 5');
  });
});

describe('--protocol', () => {
  it('lays a file of numbers over the protocol, and --set has its way over it', async () => {
    writeFileSync(join(folder, 'overlay.yaml'), 'dms: { missedAnchorsMax: 80, warningAnchors: 12 }\n');
    const [overlay, dms] = [['--protocol', 'overlay.yaml'], 'protocol.dms.missedAnchorsMax'];
    const set = ['--set', `${dms}=70,protocol.dms.warningAnchors=12`];
    expect(await simulate('small.yaml', ...overlay, '--set', `${dms}=70`, '--out', 'laid')).toMatchObject({
      status: 0,
    });
    expect(await simulate('small.yaml', ...set, '--out', 'set')).toMatchObject({ status: 0 });
    expect(read('laid', 'series.csv')).toBe(read('set', 'series.csv'));
    expect(manifest('laid').event_hash).toBe(manifest('set').event_hash);
    expect(manifest('laid').resolved).toMatchObject({
      protocol: { dms: { missedAnchorsMax: 70, warningAnchors: 12 } },
      overlay: { file: 'overlay.yaml', numbers: { 'dms.missedAnchorsMax': 80, 'dms.warningAnchors': 12 } },
      set: { 'dms.missedAnchorsMax': 70 },
    });
    expect(manifest('set').resolved).toMatchObject({ overlay: null, protocol: manifest('laid').resolved.protocol });
    expect(manifest('laid').event_hash).not.toBe(manifest('straight').event_hash);
    // And under a whole fork.
    expect(await simulate('fork', 'small.yaml', ...overlay, '--at', '1h', '--out', 'forked-laid')).toMatchObject({
      status: 0,
    });
    expect(await simulate('small.yaml', ...overlay, '--out', 'whole-laid')).toMatchObject({ status: 0 });
    expect(manifest('forked-laid').event_hash).toBe(manifest('whole-laid').event_hash);
  });
});

describe('the manifest', () => {
  it('holds the whole scenario with its defaults, and every number of the protocol', () => {
    const { resolved } = manifest('straight');
    expect(resolved).toMatchObject({
      scenario: {
        name: 'small',
        durationSec: 259_200,
        populations: [{ name: 'workers', count: 40, resync: true, difficulty: null, lifetime: null }],
        measures: { everySec: 3_600 },
      },
      overlay: null,
      set: {},
    });
    expect(resolved.scenario).not.toHaveProperty('protocol');
    expect(resolved.protocol).toEqual(protocol);
  });
});

describe('a setting that a scenario does not take', () => {
  writeFileSync(
    join(folder, 'keeper.yaml'),
    SMALL.replace(/heartbeat: .*/, 'heartbeat: { policy: keep_alive, margin: 30m }'),
  );
  writeFileSync(join(folder, 'strict.yaml'), 'dms: { missedAnchorsMax: 20, warningAnchors: 5 }\n');
  const dms = 'protocol.dms.missedAnchorsMax=20,protocol.dms.warningAnchors=5';
  const margin =
    'populations.0.heartbeat has a margin and spread of 1800 s, and must stay under the 1200 s of the DMS.';

  it.each([
    ['is blamed', ['keeper.yaml', '--set', dms], `--set protocol.dms.missedAnchorsMax=20: ${margin}\n`],
    [
      'is told from others',
      ['keeper.yaml', '--set', `protocol.flag.breakerPendingMax=3,${dms}`],
      `--set protocol.dms.missedAnchorsMax=20: ${margin}\n`,
    ],
    [
      'is blamed in an overlay file',
      ['keeper.yaml', '--protocol', 'strict.yaml'],
      `--protocol strict.yaml: ${margin}\n`,
    ],
    [
      'is blamed in a future',
      ['fork', 'keeper.yaml', '--at', '1h', '--set', dms],
      `--set protocol.dms.missedAnchorsMax=20: ${margin}\n`,
    ],
  ])('%s', async (_what, args, message) => {
    expect(await simulate(...args)).toMatchObject({ status: 2, stderr: message });
  });
});

describe('bisect', () => {
  it('finds nothing between a run and itself', async () => {
    expect(await simulate('bisect', 'small.yaml', 'small.yaml@1')).toMatchObject({
      status: 0,
      stdout: 'The two runs have the same events.\n',
    });
  });

  it('finds the first event that a change of a rule makes', async () => {
    const { status, stdout } = await simulate(
      'bisect',
      'small.yaml',
      'small.yaml@1,protocol.dms.missedAnchorsMax=59',
      '--json',
    );
    expect(status).toBe(1);
    const found = JSON.parse(stdout) as { same: boolean; common: number; a: unknown; b: { event: string } };
    expect(found).toMatchObject({ same: false, a: null, b: { event: 'freeze', outcome: 'accepted' } });
    expect(await simulate('small.yaml', '--out', 'traced', '--trace')).toMatchObject({ status: 0 });
    const hashed = (out: string): readonly string[] =>
      events(out)
        .split('\n')
        .filter((line) => !/"event":"(outage|outage-end|cut-off-end)"/.test(line));
    const before = hashed('traced').slice(0, found.common);
    expect(before.length).toBe(found.common);
    // The same prefix, event by event, is in the trace of either.
    await simulate('small.yaml', '--out', 'other', '--trace', '--set', 'protocol.dms.missedAnchorsMax=59');
    const other = hashed('other');
    expect(other.slice(0, found.common)).toEqual(before);
    expect(JSON.parse(other[found.common] ?? '')).toMatchObject(found.b);
    expectSameFiles('traced', 'straight');
  });
});

describe('swarm', () => {
  it('plays random scenarios of a seed, and counts what they reached', async () => {
    const { status, stdout } = await simulate('swarm', '--runs', '12', '--seed', '5', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      seed: 5,
      played: 12,
      failure: null,
      reached: { freeze: expect.any(Number) },
    });
    expect((await simulate('swarm', '--runs', '12', '--seed', '5', '--json')).stdout).toBe(stdout);
  });
});

describe('flags of aips simulate', () => {
  it.each([
    [['small.yaml', '--set', 'x'], '--set x: must have the form protocol.'],
    [
      ['small.yaml', '--set', 'protocol.dms.missedAnchorsMax=70', '--set', 'protocol.dms.warningAnchors=12'],
      '--set is given more than once: put commas between numbers, or play futures with aips simulate fork.',
    ],
    [['small.yaml', '--set', 'protocol.spawn.baseBeats=7,protocol.spawn.baseBeats=8'], 'baseBeats: is set twice'],
    [
      [
        'fork',
        'small.yaml',
        '--at',
        '1h',
        '--set',
        'protocol.spawn.baseBeats=7',
        '--set',
        'protocol.spawn.baseBeats=7',
      ],
      'two futures are the same',
    ],
    [['small.yaml', '--set', 'protocol.foo.bar=1'], '--set protocol.foo: is not a number of the protocol'],
    [['small.yaml', '--set', 'protocol.dms.missedAnchorsMax=-1'], 'must be a whole number from 0'],
    [['fork', 'small.yaml', '--at', '30h', '--set', 'protocol.anchor.intervalSec=30'], 'cannot change in the middle'],
    [['fork', 'small.yaml', '--at', '4d'], 'is after the end of the scenario'],
    [['fork', 'small.yaml', '--at', 'noon'], 'must be a duration such as 30d'],
    [['small.yaml', '--checkpoint', '1d'], '--checkpoint needs --out'],
    [['small.yaml', '--trace'], '--trace needs --out'],
    [['replicates', 'small.yaml', '--runs', '0'], '--runs must be a whole number, 1 or more'],
    [['swarm', '--runs', '0'], '--runs must be a whole number, 1 or more'],
    [['small.yaml', '--threads', '0'], '--threads must be a whole number, 1 or more.'],
    [
      ['small.yaml', '--threads', '2', '--trace', '--out', 'x'],
      '--trace and --checkpoint are of one thread: leave out --threads.',
    ],
    [['replicates', 'small.yaml', '--runs', '1e10'], '--runs must be at most 1000000000'],
    [['replicates', 'small.yaml', '--runs', '3', '--seed', '9007199254740990'], 'go beyond the largest seed'],
    [['small.yaml', '--set', 'protocol.dms.nope=1'], 'known: dms.missedAnchorsMax, dms.warningAnchors'],
    [['small.yaml', '--set', 'protocol.dms.warningAnchors=61'], 'wanted: dms.warningAnchors <= dms.missedAnchorsMax'],
    [['small.yaml', '--protocol', 'gone.yaml'], 'gone.yaml: there is no such overlay file'],
    [['bisect', 'small.yaml', 'gone.yaml'], 'gone.yaml: there is no such scenario file'],
  ])('%j are refused with what to do', async (args, message) => {
    const { status, stderr } = await simulate(...args);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(2);
  });
});
