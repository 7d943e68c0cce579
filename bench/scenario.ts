/** Measures whole simulations: speed, scaling, memory, threads. Single heartbeats are measured in simulator.ts. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { median } from 'simple-statistics';
import type { SimulationManifest } from '../results/simulation-result.js';
import { packageRoot } from '../runs/host/package.js';
import { DAY_MS } from '../spec/time.js';

const RUNS = 5;
const RUNS_OF_RATIOS = 3;
const IDLE_DAYS = 60;
const FILES = ['100k-7d', '1m-1d'] as const;
const HUNDRED_THOUSAND = 'scenarios/bench/100k-7d.yaml';

/**
 * Plays the scenarios of `scenarios/bench` with all rules, invariants and the event hash, each run in a process of its own, for its
 * peak memory: medians, with one thread and with two by turns.
 */
export function benchScenario(): object {
  const entries = FILES.map(
    (name) => [name, benchThreads(join(packageRoot(), `scenarios/bench/${name}.yaml`), RUNS)] as const,
  );
  return Object.fromEntries(entries);
}

/** Throws if two threads have other events than one. */
function benchThreads(file: string, runs: number) {
  const rounds = Array.from({ length: runs }, () => [played(file), played(file, '--threads', '2')] as const);
  for (const [one, two] of rounds) {
    if (one.event_hash !== two.event_hash) throw new Error(`${file} has other events in two threads than in one`);
  }
  const two = measured(rounds.map(([, run]) => run));
  return {
    ...measured(rounds.map(([run]) => run)),
    two_threads_operations_per_s: two.operations_per_s,
    two_threads_peak_rss_mb: two.peak_rss_mb,
    one_thread_to_two: rounded(median(rounds.map(([one, both]) => one.run.wall_s / both.run.wall_s))),
  };
}

function benchOf(file: string, runs: number) {
  return measured(Array.from({ length: runs }, () => played(file)));
}

function measured(manifests: readonly SimulationManifest[]) {
  const [first] = manifests;
  if (first === undefined) throw new RangeError('no runs');
  const speeds = manifests.map(({ run }) => Math.round(run.operations_per_s));
  return {
    agents: first.agents,
    simulated_days: first.simulated_ms / DAY_MS,
    operations: first.operations.total,
    operations_per_s: median(speeds),
    operations_per_s_range: [Math.min(...speeds), Math.max(...speeds)],
    peak_rss_mb: Math.round(median(manifests.map(({ run }) => run.peak_rss_mb))),
  };
}

/** Ten million agents for six hours, once: memory, and whether it runs to its end. It takes minutes. */
export function benchTenMillion(): object {
  return { '10m-6h': benchOf(join(packageRoot(), 'scenarios/bench/10m-6h.yaml'), 1) };
}

/** The time of a day without events (ms of wall time), with a thousand and with a hundred thousand agents. */
export function benchIdle(): object {
  const dayMs = (agents: number): number => {
    const timed = (days: number): number =>
      median(Array.from({ length: RUNS_OF_RATIOS }, () => played(idle(agents, days)).run.wall_s * 1_000));
    return rounded((timed(2 + IDLE_DAYS) - timed(2)) / IDLE_DAYS);
  };
  return { idle_day_ms_1k: dayMs(1_000), idle_day_ms_100k: dayMs(100_000) };
}

/** Operations per second of the same mix of a thousand and of a hundred thousand agents, and their ratio. */
export function benchScaling(): object {
  const few = benchOf(variant({ share: 1 / 100, days: 70 }), RUNS_OF_RATIOS);
  const many = benchOf(variant({ share: 1, days: 2 }), RUNS_OF_RATIOS);
  return {
    operations_per_s_1k: few.operations_per_s,
    operations_per_s_100k: many.operations_per_s,
    ratio: rounded(few.operations_per_s / many.operations_per_s),
  };
}

/** Peak memory of the same agents over 7 and over 70 days, and their ratio. */
export function benchMemory(): object {
  const week = benchOf(variant({ share: 1 / 5, days: 7 }), RUNS_OF_RATIOS);
  const weeks = benchOf(variant({ share: 1 / 5, days: 70 }), 1);
  return {
    agents: week.agents,
    peak_rss_mb_7d: week.peak_rss_mb,
    peak_rss_mb_70d: weeks.peak_rss_mb,
    ratio: rounded(weeks.peak_rss_mb / week.peak_rss_mb),
  };
}

/** The time of one replicate in one thread and of two in two threads, alternately, and their ratio. */
export function benchWorkers(): object {
  const file = variant({ share: 1, days: 7 });
  const one: number[] = [];
  const two: number[] = [];
  for (let round = 0; round < RUNS_OF_RATIOS; round += 1) {
    one.push(wallOf('replicates', file, '--runs', '1'));
    two.push(wallOf('replicates', file, '--runs', '2', '--threads', '2'));
  }
  return {
    one_replicate_s: rounded(median(one)),
    two_replicates_in_two_threads_s: rounded(median(two)),
    ratio: rounded(median(two.map((sec, i) => sec / (one[i] as number)))),
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A copy of the file of 100,000 agents with a share of them, for a number of days. */
function variant({ share, days }: { readonly share: number; readonly days: number }): string {
  const text = readFileSync(join(packageRoot(), HUNDRED_THOUSAND), 'utf8')
    .replace(/count: (\d+)/g, (_, count: string) => `count: ${Math.round(Number(count) * share)}`)
    .replace(/^duration: .*$/m, `duration: ${days}d`)
    // Its expectations are about all agents.
    .replace(/^expectations:[\s\S]*$/m, '');
  const file = join(mkdtempSync(join(tmpdir(), 'aips-bench-')), 'variant.yaml');
  writeFileSync(file, text);
  return file;
}

/** A file of agents that buy a SIGIL, send one heartbeat and have no money for another: from the second day on nothing happens. */
function idle(agents: number, days: number): string {
  const text = `format: 1
name: bench-idle
question: How much does a day cost on which nobody does anything?
seed: 1
duration: ${days}d
populations:
  - name: sleepers
    count: ${agents}
    class: narrow_task
    arrivals: { pattern: uniform, over: 1h }
    heartbeat: { policy: interval, every: 30m }
    budget: { wallet: 0.0505 SOL }
    hash_rate: 1M hashes/s
measures:
  every: 1d
expectations:
  - frozen_share > 99%
`;
  const file = join(mkdtempSync(join(tmpdir(), 'aips-bench-')), 'idle.yaml');
  writeFileSync(file, text);
  return file;
}

function played(file: string, ...flags: readonly string[]): SimulationManifest {
  return JSON.parse(simulated(file, '--json', ...flags)) as SimulationManifest;
}

function wallOf(file: string, ...flags: readonly string[]): number {
  const startMs = performance.now();
  simulated(file, ...flags);
  return (performance.now() - startMs) / 1_000;
}

function simulated(file: string, ...flags: readonly string[]): string {
  const command = [join(packageRoot(), 'dist/cli/aips.js'), 'simulate', file, ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`aips simulate ${file} ended with ${status}: ${stderr}${stdout}`);
  return stdout;
}
