// Agents that choose give the same bytes in any number of threads, from a checkpoint and in shards of a sweep, and the same calls to a server.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SimulationManifest } from '../../results/simulation-result.js';
import { aips } from '../../test/fixtures/aips.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-adaptive-'));
const SCENARIO = `format: 1
name: choose
question: Which option do they take?
duration: 4d
populations:
  - name: workers
    count: 30
    class: autonomous
    heartbeat: { policy: interval, every: 30m, jitter: 0.2 }
    budget: { wallet: 2 SOL }
    hash_rate: 2M hashes/s
    economics: { live_day: 0.03 SOL, gigahash: 1000 lamports }
    adapts:
      by: imitation
      every: 7h
      rate: 0.6
      noise: 0.01 SOL
      mutation: 0.1
      sees: agents
      options:
        faithful: {}
        freezing: { heartbeat: { policy: interval, every: 65m } }
        leaving: { leaves: true }
measures: { every: 6h, list: [present, present_share, switches, fees_lamports] }
`;
const SWEEP = `format: 1
name: shares
question: Does noise matter?
scenario: choose.yaml
replicates: 4
design: { kind: grid, factors: { populations.workers.adapts.rate: [0.2, 0.9] } }
measures: [present_share.workers/freezing, switches]
`;

const manifest = (out: string): Omit<SimulationManifest, 'run'> => {
  const { run: _, ...rest } = JSON.parse(
    readFileSync(join(folder, out, 'manifest.json'), 'utf8'),
  ) as SimulationManifest;
  return rest;
};
const bytes = (out: string, leftOut: readonly string[] = []): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(folder, out))
      .filter((name) => !leftOut.includes(name))
      .map((name) => [name, readFileSync(join(folder, out, name)).toString('base64')]),
  );

beforeAll(async () => {
  writeFileSync(join(folder, 'choose.yaml'), SCENARIO);
  writeFileSync(join(folder, 'shares.yaml'), SWEEP);
  const { status, stderr } = await aips(
    folder,
    'simulate',
    'choose.yaml',
    '--out',
    'one',
    '--tables',
    '--checkpoint',
    '1d',
  );
  expect([status, stderr]).toEqual([0, '']);
});

describe('a run of agents that choose', () => {
  it('is played in one thread, and gives the bytes of one', async () => {
    const { status, stderr } = await aips(
      folder,
      'simulate',
      'choose.yaml',
      '--out',
      'two',
      '--tables',
      '--threads',
      '2',
    );
    expect(status).toBe(0);
    expect(stderr).toContain(
      '--threads 2: choose has agents that choose, which couple its agents: played in one thread.',
    );
    const apart = ['manifest.json', 'checkpoint.bin'];
    expect(bytes('two', apart)).toEqual(bytes('one', apart));
    expect(manifest('two')).toEqual(manifest('one'));
    expect(readFileSync(join(folder, 'one', 'agents.csv'), 'utf8').split('\n')[0]).toMatch(/wallet_lamports,option$/);
  });

  it('goes on the same in a fork in which nothing changes that it depends on', async () => {
    const whole = manifest('one');
    const sets = ['heartbeat.tier1FeeLamports=1', 'passport.validityHours=24'].flatMap((each) => [
      '--set',
      `protocol.${each}`,
    ]);
    const forked = await aips(folder, 'simulate', 'fork', 'choose.yaml', '--at', '50h', ...sets, '--out', 'fork');
    expect(forked.status).toBe(0);
    const forks = readdirSync(join(folder, 'fork'), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('manifest.json'));
    const hashes = forks.map(
      (name) => (JSON.parse(readFileSync(join(folder, 'fork', name), 'utf8')) as SimulationManifest).event_hash,
    );
    expect(hashes).toContain(whole.event_hash);
    expect(new Set(hashes).size).toBe(2);
  });
});

describe('a sweep of agents that choose', () => {
  it('gives the same bytes in threads, and in shards that are merged', async () => {
    const sweep = (...args: readonly string[]) => aips(folder, 'experiment', 'sweep', 'shares.yaml', ...args);
    expect((await sweep('--out', 'whole')).status).toBe(0);
    expect((await sweep('--threads', '2', '--out', 'threads')).status).toBe(0);
    for (const part of [1, 2]) expect((await sweep('--shard', `${part}/2`, '--out', `part-${part}`)).status).toBe(0);
    expect((await aips(folder, 'experiment', 'merge', 'part-1', 'part-2', '--out', 'merged')).status).toBe(0);
    expect(bytes('threads')).toEqual(bytes('whole'));
    expect(bytes('merged')).toEqual(bytes('whole'));
  });
});
