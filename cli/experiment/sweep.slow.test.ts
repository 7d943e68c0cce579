import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawsOf } from '../../experiments/statistics/draws.js';
import { type ArmPair, compareArms } from '../../experiments/sweep/compare.js';
import { readSweepFolder } from '../../runs/experiment/sweep-folder.js';
import { aips } from '../../test/fixtures/aips.js';
import { root } from '../../test/source-tree.js';

const folder = mkdtempSync(join(tmpdir(), 'aips-sweep-killed-'));
const RUNS = 3 * 10;
const SWEEP = `format: 1
name: killed
question: What if it is killed?
scenario: small.yaml
replicates: 10
design: { kind: grid, factors: { populations.workers.count: [60, 80, 100] } }
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

/** Starts a sweep and kills it when it has a number of runs. Returns whether it was still running. */
async function killedAt(runs: number, args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, 'dist/cli/aips.js'), 'experiment', ...args], { cwd: folder });
  const ended = new Promise<NodeJS.Signals | null>((done) => child.once('close', (_status, signal) => done(signal)));
  while (lines('killed') < runs && child.exitCode === null) await passed(2);
  child.kill('SIGKILL');
  return (await ended) === 'SIGKILL';
}

beforeAll(async () => {
  cpSync(join(root, 'test/fixtures/small.yaml'), join(folder, 'small.yaml'));
  writeFileSync(join(folder, 'killed.yaml'), SWEEP);
  await aips(folder, 'experiment', 'sweep', 'killed.yaml', '--out', 'whole');
});

describe('a sweep', () => {
  it('that is killed at two random moments and resumed, in two threads, gives the bytes of the uninterrupted one', async () => {
    const draws = drawsOf(20_261_122, 'kills');
    const moments = Array.from({ length: 2 }, () => Math.floor(draws() * (RUNS - 4))).toSorted((a, b) => a - b);
    let killed = 0;
    for (const [i, moment] of moments.entries()) {
      const args = i === 0 ? ['sweep', 'killed.yaml', '--out', 'killed'] : ['resume', 'killed'];
      if (await killedAt(moment + 1, [...args, '--threads', '2'])) killed += 1;
    }
    expect(killed).toBe(2);
    expect((await aips(folder, 'experiment', 'resume', 'killed', '--threads', '2')).status).toBe(0);
    expect(bytes('killed')).toEqual(bytes('whole'));
  });
});

describe('a comparison', () => {
  it('of identical arms with seeds of their own shows a difference in about 5 of 100', async () => {
    const small = readFileSync(join(root, 'test/fixtures/small.yaml'), 'utf8');
    writeFileSync(
      join(folder, 'tiny.yaml'),
      small.replace('duration: 3d', 'duration: 5h').replace('count: 40', 'count: 6'),
    );
    const rows = Array.from({ length: 101 }, (_, i) => `    - { name: arm-${i}, set: { question: ${i}? } }`);
    writeFileSync(
      join(folder, 'luck.yaml'),
      ['format: 1', 'name: luck', 'question: What is luck?', 'scenario: tiny.yaml', 'replicates: 6']
        .concat([
          'common_random_numbers: false',
          'measures: [heartbeats]',
          'design:',
          '  kind: table',
          '  rows:',
          ...rows,
          '',
        ])
        .join('\n'),
    );
    await aips(folder, 'experiment', 'sweep', 'luck.yaml', '--out', 'luck', '--threads', '2');
    const { plan, runs } = readSweepFolder(join(folder, 'luck'));
    const compared = plan.arms.map((arm) => ({ arm, runs: runs.filter((run) => run.arm === arm.arm) }));
    const found = Array.from({ length: 100 }, (_, i) => {
      const pair = [compared[i], compared[i + 1]] as unknown as ArmPair;
      return compareArms([pair], () => true)[0];
    });
    // 5 are expected; the standard deviation is 2.2.
    const shown = found.filter((each) => each?.verdict !== 'no difference shown');
    expect(shown.length).toBeGreaterThanOrEqual(1);
    expect(shown.length).toBeLessThanOrEqual(11);
    expect(found.every((each) => each?.paired === false)).toBe(true);
  });
});
