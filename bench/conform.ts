/** Measures a run of the full conformance profile, in-process and over HTTP. Checks per second are in suite.ts. */

import { median } from 'simple-statistics';
import { loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { conform } from '../conformance/run/runner.js';
import type { Target } from '../conformance/target/target.js';
import type { Transport } from '../conformance/wire/transport.js';
import { startReference } from '../runs/server/reference-process.js';
import { withOverlay } from '../spec/overlay.js';
import { protocol } from '../spec/protocol.js';

const RUNS = 3;

interface Timed {
  readonly wallS: number;
  readonly cpuS: number;
  readonly requests: number;
  readonly passed: number;
}

/** Difficulty 100 in place of 1,000, which leaves mostly the time that suite and server need besides beats. */
const lighter = withOverlay({ beat: { difficulty: 100 } });

/**
 * Runs the full profile against the reference in this process without sockets, and over HTTP against one in another process,
 * alternately; returns medians of three. `cpu_s` is the user time of this process with its threads: mostly beats of honest
 * clients, some 73 million hashes, which the run waits for; so there is a variant with cheaper beats.
 */
export async function benchConform() {
  const [within, light, http]: [Timed[], Timed[], Timed[]] = [[], [], []];
  for (let run = 1; run <= RUNS; run += 1) {
    for (const [numbers, runs] of [
      [protocol, within],
      [lighter, light],
    ] as const) {
      const inside = startInProcess(await loadReference(), { seed: run, numbers });
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
  if (found.fail + found.error + found.inconclusive > 0)
    throw new Error(`some checks did not pass: ${JSON.stringify(found)}`);
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
