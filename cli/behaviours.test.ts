import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SimulationManifest } from '../reports/simulation-result.js';
import { aips } from '../test/fixtures/aips.js';
import { root } from '../test/source-tree.js';
import { type HeartbeatBehaviour, parseScenario, type Scenario, simulate } from './simulator-api.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-behaviours-'));
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const manifest = (out: string): SimulationManifest => JSON.parse(read(`${out}/manifest.json`)) as SimulationManifest;
const run = (...args: readonly string[]) => aips(folder, 'simulate', ...args);

beforeAll(() => {
  for (const name of ['frugal.mjs', 'frugal.yaml']) copyFileSync(join(root, 'docs/examples', name), join(folder, name));
});

function scenario(): Scenario {
  const parsed = parseScenario(readFileSync(join(root, 'docs/examples/frugal.yaml'), 'utf8'));
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join());
  return parsed.value;
}
/** The frugal population's own, as an interval of half an hour. */
const plain: HeartbeatBehaviour = { next: ({ nowSec }) => nowSec + 1_800 };

describe("behaviours of one's own", () => {
  it('play the example, and its expectations hold', async () => {
    const { status, stderr } = await run(
      'frugal.yaml',
      '--behaviours',
      'frugal.mjs',
      '--out',
      'a',
      '--checkpoint',
      '3d',
      '--agents',
    );
    expect([status, stderr]).toEqual([0, '']);
    const { behaviours, invariants } = manifest('a');
    expect(behaviours?.file).toBe('frugal.mjs');
    expect(invariants.every(({ checked }) => checked >= 0)).toBe(true);
    const agents = read('a/agents.csv').trim().split('\n');
    expect(agents).toHaveLength(101);
    expect(agents[0]).toMatch(/^agent,population,class,sigil,parent,/);
  });

  it('are resumed and replayed to the same events', async () => {
    const { event_hash } = manifest('a');
    expect((await run('--resume', 'a', '--behaviours', 'frugal.mjs')).status).toBe(0);
    expect(manifest('a').event_hash).toBe(event_hash);
    const again = await run('--from', 'a/manifest.json', '--behaviours', 'frugal.mjs');
    expect(again.stdout).toBe(`reproduced: ${event_hash}\n`);
    writeFileSync(join(folder, 'other.mjs'), `${read('frugal.mjs')}\n// changed\n`);
    const other = await run('--from', 'a/manifest.json', '--behaviours', 'other.mjs');
    const { behaviours } = manifest('a');
    const message = `--behaviours other.mjs: is not the module that the run was played with (frugal.mjs, SHA-256 ${behaviours?.sha256}).\n`;
    expect(other.stderr).toBe(message);
    expect((await run('--resume', 'a', '--behaviours', 'other.mjs')).stderr).toBe(message);
  });

  it('are played in replicates, each the same as a run of its seed', async () => {
    const replicates = await run(
      'frugal.yaml',
      '--behaviours',
      'frugal.mjs',
      '--seed',
      '3',
      '--replicates',
      '2',
      '--json',
    );
    expect([replicates.status, replicates.stderr]).toEqual([0, '']);
    const hashes = replicates.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as SimulationManifest).event_hash);
    for (const [i, hash] of hashes.entries()) {
      const alone = await run('frugal.yaml', '--behaviours', 'frugal.mjs', '--seed', `${3 + i}`, '--json');
      expect((JSON.parse(alone.stdout) as SimulationManifest).event_hash).toBe(hash);
    }
    expect(hashes).toHaveLength(2);
  });

  it.each([
    ['Math.random', 'const other = Math.random;'],
    ['the clock', 'const other = Date.now;'],
    ['the clock', 'const { now: other } = Date;'],
    ['the clock', 'const Calendar = Date; const other = () => new Calendar().getTime();'],
    ['the clock', 'const other = performance.now;'],
    ['crypto.randomUUID', 'const other = crypto.randomUUID;'],
  ])('that keep %s under another name are refused', async (what, kept) => {
    const name = `kept-${Buffer.from(kept).toString('hex').slice(-40)}.mjs`;
    const body = `${kept}\nexport const behaviours = { frugal: { next: ({ nowSec }) => (other(), nowSec + 1800) } };\n`;
    writeFileSync(join(folder, name), body);
    const { status, stderr } = await run('frugal.yaml', '--behaviours', name);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`${what} is not the same in every run`)]);
    expect([new Date() instanceof Date, typeof crypto.randomUUID(), typeof Date()]).toEqual([true, 'string', 'string']);
  });

  it.each<readonly [string, string, RegExp]>([
    [
      'Math.random()',
      'next: () => Math.random()',
      /behaviour frugal failed at \d+ s: Math.random is not the same in every run: use decision.random/,
    ],
    [
      'the clock',
      'next: () => Date.now()',
      /behaviour frugal failed at \d+ s: the clock is not the same in every run: use decision.nowSec/,
    ],
    ['a Date of now', 'next: () => new Date().getTime()', /the clock is not the same in every run/],
    [
      'a fraction',
      'next: ({ nowSec }) => nowSec + 0.5',
      /behaviour frugal answered \d+\.5 at \d+ s: it must be a whole second after that/,
    ],
    ['the past', 'next: ({ nowSec }) => nowSec', /it must be a whole second after that/],
    ['nothing', 'next: () => undefined', /behaviour frugal answered undefined/],
    ['no next', 'first: () => 1', /bad.mjs: behaviour frugal must have a function next/],
  ])('that use or answer %s are refused', async (_what, body, message) => {
    const name = `bad-${body.length}-${Math.abs(body.charCodeAt(12))}.mjs`;
    writeFileSync(join(folder, name), `export const behaviours = { frugal: { ${body} } };\n`);
    const { status, stderr } = await run('frugal.yaml', '--behaviours', name);
    expect([status, stderr.replace(name, 'bad.mjs')]).toEqual([2, expect.stringMatching(message)]);
    // What was refused is there again.
    expect([Math.random() < 1, Date.now() > 0]).toEqual([true, true]);
  });

  it.each<readonly [readonly string[], string]>([
    [
      ['frugal.yaml'],
      'frugal.yaml:12: populations.0.heartbeat.behaviour: needs the behaviour frugal: name its module with --behaviours, which aips simulate and aips sweep take',
    ],
    [['frugal.yaml', '--behaviours', 'none.mjs'], 'none.mjs: there is no such module of behaviours.'],
    [
      ['frugal.yaml', '--behaviours', 'frugal.mjs', '--fork-at', '1d'],
      '--behaviours and --fork-at cannot go together.',
    ],
    [
      ['frugal.yaml', '--behaviours', 'frugal.mjs', '--agents'],
      '--agents needs --out, and writes the agents of one run.',
    ],
  ])('%j says what is missing', async (args, message) => {
    const { status, stderr } = await run(...args);
    expect([status, stderr]).toEqual([2, `${message}\n`]);
  });

  it('have the events of the policy that does the same', () => {
    const own = simulate(scenario(), { behaviours: { frugal: plain } });
    const [first, second] = scenario().populations;
    const interval = { policy: 'interval', everySec: 1_800, jitter: 0 } as const;
    const starts: HeartbeatBehaviour = {
      next: plain.next,
      first: ({ nowSec, random }) => nowSec + 1 + Math.floor(random.uniform() * 1_800),
    };
    const known = simulate({ ...scenario(), populations: [{ ...first!, heartbeat: interval }, second!] });
    expect(simulate(scenario(), { behaviours: { frugal: starts } }).result.manifest.event_hash).toBe(
      known.result.manifest.event_hash,
    );
    expect(own.result.manifest.event_hash).not.toBe(known.result.manifest.event_hash);
  });
});

describe('the library', () => {
  it('gives measures and agents, the same for a seed', () => {
    const shares: number[] = [];
    const { result, agents } = simulate(scenario(), {
      seed: 3,
      behaviours: { frugal: plain },
      onProgress: (share) => shares.push(share),
    });
    const again = simulate(scenario(), { seed: 3, behaviours: { frugal: plain } });
    expect(again.result).toEqual(result);
    expect([...again.agents()]).toEqual([...agents()]);
    expect(shares.at(-1)).toBe(1);
    const rows = [...agents()];
    expect(rows).toHaveLength(result.manifest.agents);
    expect(rows.reduce((sum, { heartbeats }) => sum + heartbeats, 0)).toBe(result.totals['heartbeats']);
    expect(rows.reduce((sum, row) => sum + row.wallet_lamports, 0)).toBe(result.totals['wallet_lamports']);
    expect(rows.filter(({ frozen }) => frozen).length / rows.length).toBe(result.totals['frozen_share']);
  });

  it('refuses an invalid seed and a missing behaviour', () => {
    expect(() => simulate(scenario(), { seed: -1, behaviours: { frugal: plain } })).toThrow(RangeError);
    expect(() => simulate(scenario())).toThrow('population frugal needs the behaviour frugal; none was given');
  });
});
