import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SimulationManifest } from '../../results/simulation-result.js';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-interrupted-'));
const END_MS = 365 * 86_400_000;
/** Takes far longer than anybody waits. */
const LONG = `format: 1
name: long
question: What happens?
duration: 365d
populations:
  - name: workers
    count: 4000
    class: narrow_task
    heartbeat: { policy: interval, every: 20m, jitter: 0.4 }
    budget: { wallet: 9 SOL }
    hash_rate: 300k hashes/s
measures: { every: 12h }
expectations: [freezes > 5]
`;

const read = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');
const manifest = (...out: readonly string[]): SimulationManifest =>
  JSON.parse(read(...out, 'manifest.json')) as SimulationManifest;

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a run, sends it a signal as soon as `ripe` says so, and waits for its end. */
async function interrupted(
  signal: NodeJS.Signals,
  args: readonly string[],
  ripe: (pid: number) => boolean,
): Promise<Ended> {
  const child = spawn(process.execPath, [join(root, 'dist/cli/aips.js'), 'simulate', ...args], { cwd: folder });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  while (!ripe(child.pid ?? 0)) await passed(50);
  child.kill(signal);
  return { status: await ended, stdout, stderr };
}

/** A trace is written from the first piece on; without one, the clock must do. */
const traced = (out: string) => (): boolean =>
  existsSync(join(folder, out, 'events.ndjson.gz')) && read(out, 'events.ndjson.gz') !== '';
/** The folder of results is made when the command has read its flags. */
function afterSec(sec: number, out: string): () => boolean {
  let from: number | undefined;
  return () => {
    if (from === undefined && existsSync(join(folder, out))) from = Date.now();
    return from !== undefined && Date.now() - from > sec * 1_000;
  };
}

/**
 * A resumed run makes no file when it starts. It has read its flags when it has used these seconds of CPU, however long that
 * takes on a busy machine; where the system does not tell (it is no Linux), when these seconds have passed.
 */
function afterCpuSec(sec: number): (pid: number) => boolean {
  const from = Date.now();
  return (pid) => {
    if (process.platform !== 'linux') return Date.now() - from > sec * 1_000;
    // The 14th and 15th field: ticks in user and system mode, a hundred a second; the second may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]) > sec * 100;
  };
}

beforeAll(() => writeFileSync(join(folder, 'long.yaml'), LONG));

describe('a run that is interrupted', () => {
  it('by Ctrl-C leaves what it has, marked as partial, and can be resumed', async () => {
    const args = ['long.yaml', '--out', 'broken', '--checkpoint', '1d'];
    const { status, stderr } = await interrupted('SIGINT', args, () =>
      existsSync(join(folder, 'broken/checkpoint.bin')),
    );
    expect([status, stderr]).toEqual([2, 'interrupted: continue with aips simulate resume broken\n']);
    const partial = manifest('broken');
    expect(partial.partial).toBe(true);
    expect(partial.simulated_ms).toBeGreaterThanOrEqual(86_400_000);
    expect(partial.simulated_ms).toBeLessThan(END_MS);
    const rows = read('broken', 'series.csv').trim().split('\n');
    expect(rows.length).toBeGreaterThan(2);
    const summary = JSON.parse(read('broken', 'summary.json')) as { times_ms: number[]; expectations: unknown[] };
    expect(summary.times_ms.at(-1)).toBe(partial.simulated_ms);
    // An interrupted run is not judged.
    expect(summary.expectations).toEqual([]);
  });

  it('keeps its place when it is interrupted again after it was resumed, without --checkpoint too', async () => {
    const before = manifest('broken').simulated_ms;
    const { status, stderr } = await interrupted('SIGTERM', ['resume', 'broken'], afterCpuSec(4));
    expect([status, stderr]).toEqual([2, 'interrupted: continue with aips simulate resume broken\n']);
    const { simulated_ms: then } = manifest('broken');
    expect(then).toBeGreaterThanOrEqual(before);
    const header = JSON.parse(read('broken', 'checkpoint.bin').split('\n', 1)[0] ?? '') as { second: number };
    expect(header.second * 1_000).toBe(then);
  });

  it('by SIGTERM is no different', async () => {
    const args = ['long.yaml', '--out', 'terminated', '--trace'];
    expect((await interrupted('SIGTERM', args, traced('terminated'))).status).toBe(2);
    expect(manifest('terminated')).toMatchObject({ partial: true });
    expect(manifest('terminated').simulated_ms).toBeLessThan(END_MS);
  });

  it('before its fork shows the prefix', async () => {
    const { status, stderr } = await interrupted(
      'SIGINT',
      ['fork', 'long.yaml', '--out', 'prefix', '--at', '300d'],
      afterSec(2, 'prefix'),
    );
    expect([status, stderr]).toEqual([2, 'interrupted before the fork: these are the numbers of its prefix\n']);
    expect(manifest('prefix')).toMatchObject({ partial: true });
  });

  it('in threads ends them all at one second', async () => {
    const args = ['long.yaml', '--out', 'threads', '--threads', '2'];
    expect((await interrupted('SIGTERM', args, afterSec(3, 'threads'))).status).toBe(2);
    expect(manifest('threads')).toMatchObject({ partial: true });
    expect(manifest('threads').simulated_ms).toBeLessThan(END_MS);
  });

  it.each(['1', '2'])('as replicates in %s threads leaves what each has', async (workers) => {
    const args = ['replicates', 'long.yaml', '--out', `by-${workers}`, '--runs', '4', '--threads', workers];
    const { status, stdout, stderr } = await interrupted('SIGINT', args, afterSec(3, `by-${workers}`));
    expect([status, stderr]).toEqual([2, 'Interrupted: 0 of 4 replicates were played to their end.\n']);
    const seeds = readdirSync(join(folder, `by-${workers}`));
    expect(seeds).toContain('seed-1');
    expect(stdout.trim().split('\n')).toHaveLength(seeds.length);
    for (const seed of seeds) expect(manifest(`by-${workers}`, seed).partial).toBe(true);
  });

  it('since its agents are sent more money than there can be says so, and leaves what it has', async () => {
    const rich = 'budget: { wallet: 1 SOL, top_up: { below: 4000000 SOL, amount: 4000000 SOL, times: 1, after: 6h } }';
    const text = LONG.replace('budget: { wallet: 9 SOL }', rich).replace('count: 4000', 'count: 3');
    writeFileSync(join(folder, 'rich.yaml'), text.replace('duration: 365d', 'duration: 2d'));
    const { status, stderr } = await aips(folder, 'simulate', 'rich.yaml', '--out', 'rich');
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^stopped at \d+ s: agent \d is sent 4000000000000000 lamports/),
    ]);
    expect(manifest('rich').partial).toBe(true);
    expect(manifest('rich').simulated_ms).toBeGreaterThan(6 * 3_600_000);
  });

  it('writes its files though nobody reads what it prints', async () => {
    writeFileSync(join(folder, 'short.yaml'), LONG.replace('365d', '2d').replace('count: 4000', 'count: 4'));
    const args = ['simulate', 'replicates', 'short.yaml', '--runs', '3', '--json', '--out', 'unread'];
    const child = spawn(process.execPath, [join(root, 'dist/cli/aips.js'), ...args], { cwd: folder });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const status = await new Promise<number | null>((done) => child.once('close', done));
    expect([status, stderr]).toEqual([1, '']);
    expect(readdirSync(join(folder, 'unread'))).toEqual(['seed-1', 'seed-2', 'seed-3']);
  });
});
