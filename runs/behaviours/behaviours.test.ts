import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SimulationManifest } from '../../results/simulation-result.js';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';
import { type HeartbeatBehaviour, parseScenario, type Scenario, simulate } from '../simulation/simulator-api.js';

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

/** The one note on the scenario where its behaviour beats often enough. */
const IDLE = 'frugal.yaml: populations.0.resync has no effect: no agent learned that it was frozen\n';

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
      '--tables',
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
    expect((await run('resume', 'a', '--behaviours', 'frugal.mjs')).status).toBe(0);
    expect(manifest('a').event_hash).toBe(event_hash);
    const again = await run('again', 'a/manifest.json', '--behaviours', 'frugal.mjs');
    expect(again.stdout).toBe(`reproduced: ${event_hash}\n`);
    writeFileSync(join(folder, 'other.mjs'), `${read('frugal.mjs')}\n// changed\n`);
    const other = await run('again', 'a/manifest.json', '--behaviours', 'other.mjs');
    const { behaviours } = manifest('a');
    const message = `--behaviours other.mjs: is not the module that the run was played with (frugal.mjs, SHA-256 ${behaviours?.sha256}).\n`;
    expect(other.stderr).toBe(message);
    expect((await run('resume', 'a', '--behaviours', 'other.mjs')).stderr).toBe(message);
  });

  it('are played in replicates, each the same as a run of its seed', async () => {
    const replicates = await run(
      'replicates',
      'frugal.yaml',
      '--behaviours',
      'frugal.mjs',
      '--seed',
      '3',
      '--runs',
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

  it.each<readonly [what: string, top: string, expression: string]>([
    ['the clock', '', 'process.hrtime()[1]'],
    ['the clock', '', 'process.uptime()'],
    ['the clock', "import { hrtime } from 'node:process';", 'Number(hrtime.bigint() % 7n)'],
    ['the clock', "import { performance as kept } from 'node:perf_hooks';", 'kept.now()'],
    ['the clock', '', 'new (new Date(0).constructor)().getTime()'],
    ['the clock', '', 'performance.timeOrigin'],
    ['the time zone of this machine', '', 'new Date(0).getHours()'],
    ['the time zone of this machine', '', 'new Date(2020, 1, 1).getTime()'],
    ['the language of this machine', '', 'new Intl.DateTimeFormat().format().length'],
    ['the language of this machine', '', '(1234.5).toLocaleString().length'],
    ['crypto.randomInt', "import { randomInt } from 'node:crypto';", 'randomInt(9)'],
    ['crypto.randomBytes', "import kept from 'node:crypto';", 'kept.randomBytes(1)[0]'],
    ['crypto.getRandomValues', '', 'crypto.getRandomValues(new Uint8Array(1))[0]'],
    ['process.memoryUsage', '', 'process.memoryUsage().rss'],
    ['process.pid', '', 'process.pid'],
    ['os.freemem', "import os from 'node:os';", 'os.freemem()'],
    ['fs.statSync', "import { statSync } from 'node:fs';", "statSync('.').mtimeMs"],
    ['setTimeout', '', 'setTimeout(() => undefined, 0)'],
    ['WeakRef', 'const kept = new WeakRef({});', 'kept.deref()'],
    ['vm.runInNewContext', "import { runInNewContext } from 'node:vm';", "runInNewContext('Math.random()')"],
  ])('that use %s are refused: %s %s', async (what, top, expression) => {
    const body = `${top}\nexport const behaviours = { frugal: { next: ({ nowSec }) => (${expression}, nowSec + 1800) } };\n`;
    const name = `impure-${createHash('sha256').update(body).digest('hex').slice(0, 8)}.mjs`;
    writeFileSync(join(folder, name), body);
    const { status, stderr } = await run('frugal.yaml', '--behaviours', name);
    expect([status, stderr.replace(/ \(.*\)/, '')]).toEqual([
      2,
      expect.stringContaining(`${what} is not the same in every run`),
    ]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('may read while they are loaded, import modules of their own, and use no clock then', async () => {
    writeFileSync(join(folder, 'interval.mjs'), "export const seconds = JSON.parse('1800');\n");
    writeFileSync(
      join(folder, 'two-files.mjs'),
      `import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { seconds } from './interval.mjs';
const text = readFileSync(new URL('./interval.mjs', import.meta.url), 'utf8');
const digest = createHash('sha256').update(text).digest();
const from = new Date('2020-01-01T00:00:00Z').getTime();
export const behaviours = { frugal: { next: ({ nowSec }) => nowSec + seconds + (digest.length === 32 && from > 0 && process.env.HOME === undefined ? 0 : 1) } };
`,
    );
    expect((await run('frugal.yaml', '--behaviours', 'two-files.mjs')).stderr).toBe(IDLE);
    writeFileSync(
      join(folder, 'loaded-at.mjs'),
      'const at = Date.now();\nexport const behaviours = { frugal: { next: () => at } };\n',
    );
    const { stderr } = await run('frugal.yaml', '--behaviours', 'loaded-at.mjs');
    expect(stderr).toBe(
      'loaded-at.mjs: cannot be loaded: the clock is not the same in every run: use decision.nowSec\n',
    );
  });

  it('leave the clock to the rest of the process while they are loaded', async () => {
    const rest =
      "import { readFile } from 'node:fs/promises';\nfor (let n = 0; n < 200; n++) await readFile(import.meta.filename);\n";
    writeFileSync(
      join(folder, 'slow.mjs'),
      `${rest}export const behaviours = { frugal: { next: ({ nowSec }) => nowSec + 1_800 } };\n`,
    );
    const refused: unknown[] = [];
    let looks = 0;
    const look = (): void => {
      looks += 1;
      try {
        Date.now();
      } catch (error) {
        refused.push(error);
      }
    };
    const timer = setInterval(look, 0);
    try {
      expect((await run('frugal.yaml', '--behaviours', 'slow.mjs')).stderr).toBe(IDLE);
    } finally {
      clearInterval(timer);
    }
    expect(looks).toBeGreaterThan(0);
    expect(refused).toEqual([]);
  });

  it.each<readonly [string, string, string]>([
    ['replaces a method', 'Array.prototype.push = () => 0', 'Array.prototype.push was changed'],
    ['replaces what all objects have', 'Object.prototype.toString = () => 0', 'Object.prototype.toString was changed'],
    ['replaces a global', 'globalThis.Map = 1', 'globalThis.Map was changed'],
    ['adds to all objects', 'Object.prototype.file = 1', 'Object.prototype.file was changed'],
    ['throws a text', "throw 'a\\nb'", 'behaviour frugal failed at 784 s: a\n'],
    ['throws nothing', 'throw null', 'null was thrown'],
    ['throws what cannot be read', 'throw { get message() { throw 1; } }', 'an object was thrown that cannot be read'],
    ['answers an object', 'return { valueOf() { throw 1; } }', 'behaviour frugal answered an object at 784 s'],
    ['answers a symbol', 'return Symbol()', 'behaviour frugal answered a symbol'],
    ['answers later', 'return Promise.resolve(1)', 'behaviour frugal answered an object'],
    ['writes to the view', 'decision.view.walletLamports = 0', 'Cannot set property walletLamports'],
    ['writes to the options', 'options.reserve = 0', 'Cannot assign to read only property'],
    ['writes to the draws', 'decision.random.uniform = () => 0', 'Cannot assign to read only property'],
  ])('that do harm end the run with one line: one that %s', async (what, body, message) => {
    const name = `harm-${what.replaceAll(' ', '-')}.mjs`;
    writeFileSync(
      join(folder, name),
      `export const behaviours = { frugal: { next(decision, options) { ${body}; } } };\n`,
    );
    const { status, stderr } = await run('frugal.yaml', '--behaviours', name);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
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
    // The refused functions are there again.
    expect([Math.random() < 1, Date.now() > 0]).toEqual([true, true]);
  });

  it.each<readonly [readonly string[], string]>([
    [
      ['frugal.yaml'],
      'frugal.yaml:12: populations.0.heartbeat.behaviour: needs the behaviour frugal: name its module with --behaviours, which aips simulate and aips experiment sweep take',
    ],
    [['frugal.yaml', '--behaviours', 'none.mjs'], 'none.mjs: there is no such module of behaviours.'],
    [['frugal.yaml', '--behaviours', 'frugal.mjs', '--tables'], '--tables needs --out, the folder to write in.'],
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
