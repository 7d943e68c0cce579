import { startReference } from '../cli/reference-process.js';
import { conform } from '../conformance/run/runner.js';
import type { Target } from '../conformance/target/target.js';
import type { Transport } from '../conformance/wire/transport.js';
import { withOverlay } from '../spec/overlay.js';
import { protocol } from '../spec/protocol.js';
import { startInProcess } from './in-process.js';
import { median } from './median.js';

const RUNS = 3;

interface Timed {
  readonly wallS: number;
  readonly cpuS: number;
  readonly requests: number;
  readonly passed: number;
}

/** Beats a tenth as hard: what then remains is what suite and server do besides computing beats. */
const lighter = withOverlay({ beat: { difficulty: 100 } });

/**
 * The full profile against the reference in this process without sockets, and over HTTP against one in a process of its own,
 * in turn: medians of three. `cpu_s` is what this process and its threads computed, user time: most of it the beats that an
 * honest client computes, some 47 million hashes, for which the run waits; so it is made with lighter beats too.
 */
export async function benchConform() {
  const [within, light, http]: [Timed[], Timed[], Timed[]] = [[], [], []];
  for (let run = 1; run <= RUNS; run += 1) {
    for (const [numbers, runs] of [
      [protocol, within],
      [lighter, light],
    ] as const) {
      const inside = startInProcess(run, numbers);
      runs.push(await timed(inside.target, run, inside.send));
      await inside.close();
    }
    const outside = await startReference({ seed: run });
    http.push(await timed(outside.target, run));
    await outside.stop();
  }
  const [one, other] = [summary(within), summary(http)];
  const ratio = Math.round((100 * other.wall_s) / one.wall_s) / 100;
  return { in_process: one, http: other, http_over_in_process: ratio, in_process_lighter_beats: summary(light) };
}

async function timed(target: Target, seed: number, transport?: Transport): Promise<Timed> {
  const options = {
    seed,
    toolVersion: 'bench',
    nowWallMs: Date.now,
    ...(transport === undefined ? {} : { transport }),
  };
  const before = process.cpuUsage();
  const { requests, wall_s, summary: found } = await conform(target, options);
  const { user } = process.cpuUsage(before);
  if (found.fail + found.error + found.inconclusive > 0) throw new Error(`not all passed: ${JSON.stringify(found)}`);
  return { wallS: wall_s, cpuS: user / 1e6, requests, passed: found.pass };
}

function summary(runs: readonly Timed[]) {
  const wall_s = median(runs.map(({ wallS }) => wallS));
  const [first] = runs as [Timed, ...Timed[]];
  return {
    wall_s,
    cpu_s: median(runs.map(({ cpuS }) => cpuS)),
    checks: first.passed,
    requests: first.requests,
    requests_per_s: Math.round(first.requests / wall_s),
  };
}
