import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawsOf } from '../experiments/statistics/draws.js';
import { aips } from '../test/fixtures/aips.js';
import { root } from '../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-sweep-killed-'));
const RUNS = 3 * 16;
const SWEEP = `format: 1
name: killed
question: What if it is killed?
scenario: small.yaml
replicates: 16
design: { kind: grid, factors: { populations.workers.count: [100, 150, 200] } }
measures: [freezes, fees_lamports]
`;

const lines = (out: string): number => {
  const path = join(folder, out, 'runs.ndjson');
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
};
const bytes = (out: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(folder, out)).map((name) => [name, readFileSync(join(folder, out, name)).toString('base64')]),
  );

/** Starts a sweep and kills it when it has so many runs. Returns whether it was still running. */
async function killedAt(runs: number, args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, 'dist/cli/aips.js'), 'sweep', ...args], { cwd: folder });
  const ended = new Promise<NodeJS.Signals | null>((done) => child.once('close', (_status, signal) => done(signal)));
  while (lines('killed') < runs && child.exitCode === null) await passed(2);
  child.kill('SIGKILL');
  return (await ended) === 'SIGKILL';
}

beforeAll(async () => {
  cpSync(join(root, 'test/fixtures/small.yaml'), join(folder, 'small.yaml'));
  writeFileSync(join(folder, 'killed.yaml'), SWEEP);
  await aips(folder, 'sweep', 'killed.yaml', '--out', 'whole');
});

describe('a sweep', () => {
  it('that is killed at five random moments and resumed, in two threads, gives the bytes of the uninterrupted one', async () => {
    const draws = drawsOf(20_261_122, 'kills');
    const moments = Array.from({ length: 5 }, () => Math.floor(draws() * (RUNS - 4))).toSorted((a, b) => a - b);
    let killed = 0;
    for (const [i, moment] of moments.entries()) {
      const args = i === 0 ? ['killed.yaml', '--out', 'killed'] : ['--resume', 'killed'];
      if (await killedAt(moment + 1, [...args, '--workers', '2'])) killed += 1;
    }
    expect(killed).toBe(5);
    expect((await aips(folder, 'sweep', '--resume', 'killed', '--workers', '2')).status).toBe(0);
    expect(bytes('killed')).toEqual(bytes('whole'));
  });
});
