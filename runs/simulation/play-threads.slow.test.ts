// A run in threads, which run the built program: the same result, files and errors as in one thread.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { advance, startRun, stopRun } from '../../simulator/run/run.js';
import { resultOf } from '../../simulator/run/simulate.js';
import { Failure } from '../host/failure.js';
import { simulationFiles } from './outputs.js';
import { playThreads, type ThreadOptions } from './play-threads.js';
import { runSourceOf, type ScenarioSource, sourceOfText } from './scenario-source.js';

/** A day of agents to whom about everything happens, with an outage for half of them and payments that are late. */
const LIVELY = `format: 1
name: lively
question: What happens?
duration: 1d
populations:
  - name: mixed
    count: 150
    class: { narrow_task: 0.5, autonomous: 0.3, orchestrator: 0.2 }
    arrivals: { pattern: uniform, over: 2h }
    heartbeat: { policy: interval, every: 12m, jitter: 0.5 }
    budget: { wallet: 0.4 SOL, top_up: { below: 0.03 SOL, amount: 0.02 SOL, after: 1h, times: 1 } }
    hash_rate: 300k hashes/s
    lifetime: { distribution: exponential, mean: 30h }
    outages:
      up: { distribution: weibull, mean: 6h, shape: 0.8 }
      down: { distribution: lognormal, mean: 80m, sigma: 1 }
  - name: others
    count: 90
    class: narrow_task
    arrivals: { pattern: poisson, rate: 12 per hour }
    heartbeat: { policy: keep_alive, margin: 2m, spread: 10m }
    budget: { wallet: 1 SOL }
    hash_rate: 2M hashes/s
faults:
  - { kind: outage, name: half, at: 6h, for: 3h, populations: [mixed], share: 0.5 }
  - { kind: anchor_stall, at: 10h, for: 20m, catch_up: true }
  - { kind: payments, name: slow, at: 12h, for: 2h, late: 0.3, dropped: 0.1, delay: { distribution: exponential, mean: 3m } }
measures: { every: 30m }
expectations: [registered > 200]
`;

const source = (text = LIVELY): ScenarioSource => sourceOfText(text, { label: 'lively.yaml' });
const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
afterEach(() => said.mockClear());

/** The same for ten years. */
const LONG = LIVELY.replace('duration: 1d', 'duration: 3650d').replace('every: 30m', 'every: 12h');

/** All results of a run, except what it cost. */
async function left(from: ScenarioSource, options: ThreadOptions) {
  const { result, interrupted, agents } = await playThreads(from, { quiet: true, ...options });
  const manifest = { ...result.manifest, run: { wall_s: 0, operations_per_s: 0, peak_rss_mb: 0, node: '' } };
  return { files: simulationFiles({ ...result, manifest }, ''), agents: [...agents()], interrupted };
}

describe('a run in threads', () => {
  it.each([2, 3])('%i of them: leaves the files of one', async (threads) => {
    const one = await left(source(), { threads: 1 });
    expect(one.agents).toHaveLength(240);
    expect(await left(source(), { threads, agents: true })).toEqual(one);
    expect(said).not.toHaveBeenCalled();
  });

  it('that is interrupted stops all threads at one second, and has the result of a run that stops there', async () => {
    let looks = 0;
    const interrupt = {
      isRequested: () => {
        looks += 1;
        return looks > 20;
      },
    };
    const { result, interrupted } = await playThreads(source(LONG), { threads: 3, quiet: true, interrupt });
    expect(interrupted).toBe(true);
    const { partial, simulated_ms, event_hash, invariants } = result.manifest;
    expect(partial).toBe(true);
    const run = startRun(source(LONG).scenario, result.manifest.seed);
    advance(run, simulated_ms / 1_000);
    stopRun(run);
    const straight = resultOf(run, runSourceOf(source(LONG)), { wallSec: 0, peakRssMb: 0 });
    expect(straight.manifest.event_hash).toBe(event_hash);
    expect(straight.manifest.invariants).toEqual(invariants);
    expect(straight.times_ms).toEqual(result.times_ms);
    expect(straight.totals).toEqual(result.totals);
  });

  it('that sends more money than the ledger holds is told as in one thread', async () => {
    // 150 agents of 100,000 SOL: no share alone comes to 2^53 lamports.
    const text = LIVELY.replace('below: 0.03 SOL, amount: 0.02 SOL', 'below: 0.39 SOL, amount: 100000 SOL');
    const one = await left(source(text), { threads: 1 });
    const [alone] = said.mock.calls.map(([line]) => String(line));
    expect(alone).toMatch(/^stopped at \d+ s: agent \d+ is sent/);
    expect(one.interrupted).toBe(true);
    expect(await left(source(text), { threads: 3, agents: true })).toEqual(one);
    expect(said.mock.calls.map(([line]) => String(line))).toContain(alone);
  });

  it('with a violation in the last of its shares is found, and told to be one of threads if one thread has none', async () => {
    const fault = { index: 2, atSec: 3_600, kind: 'miscount' } as const;
    const broken = playThreads(source(), { threads: 3, quiet: true, fault });
    await expect(broken).rejects.toThrow(Failure);
    await expect(broken).rejects.toThrow(
      /invariant counts-agree does not hold at \d+ s with seed 1: mixed of narrow_task/,
    );
    await expect(broken).rejects.toThrow('this is a mistake of --threads');
    expect(said).toHaveBeenCalledWith(expect.stringMatching(/^Played again in one thread: invariant counts-agree/));
  });

  it.each([
    ['error', 0, 'this thread was made to fail'],
    ['error', 1, 'this thread was made to fail'],
    ['exit', 2, 'thread 2 ended without its part'],
  ] as const)('that has an %s in thread %i ends with an error', async (kind, index, message) => {
    // So long that nobody would wait for the other threads.
    const broken = playThreads(source(LONG), { threads: 3, quiet: true, fault: { index, atSec: 3_600, kind } });
    await expect(broken).rejects.toThrow(message);
  });
});
