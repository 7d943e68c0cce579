/**
 * Measures the whole suite over HTTP: checks per second, and its wall time against that of its hashes one by one. Where the
 * time goes is measured in conform.ts.
 */

import { hash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { conform } from '../conformance/run/runner.js';
import { startReference } from '../runs/server/reference-process.js';

const SAMPLE_HASHES = 1_000_000;
/** The checks of the critical path that are shown. */
const SHOWN = 12;

/** One run of the full profile over HTTP, against a reference in a process of its own. */
export async function benchSuite() {
  const server = await startReference({ seed: 1 });
  try {
    let hashes = 0;
    const waitedMs = new Map<string, number>();
    let sinceMs = performance.now();
    const before = secondsPerHash();
    const cpu = process.cpuUsage();
    const { checks, requests, wall_s } = await conform(server.target, {
      seed: 1,
      toolVersion: 'bench',
      nowWallMs: Date.now,
      onHashes: (more) => {
        hashes += more;
      },
      onWaited: (check) => {
        const nowMs = performance.now();
        waitedMs.set(check, (waitedMs.get(check) ?? 0) + nowMs - sinceMs);
        sinceMs = nowMs;
      },
    });
    const { user, system } = process.cpuUsage(cpu);
    const oneByOneS = (hashes * (before + secondsPerHash())) / 2;
    const judged = checks.filter(
      ({ verdict }) => verdict === 'pass' || verdict === 'fail' || verdict === 'advisory',
    ).length;
    return {
      checks: judged,
      requests,
      wall_s,
      checks_per_s: Math.round(judged / wall_s),
      hashes,
      // The time that `hashes` take one after the other with `crypto.hash`, measured before and after the run.
      hashes_one_by_one_s: Number(oneByOneS.toFixed(1)),
      wall_to_one_by_one: Number((wall_s / oneByOneS).toFixed(2)),
      // CPU of the suite's process, with everything that it does besides hashing.
      cpu_to_one_by_one: Number(((user + system) / 1e6 / oneByOneS).toFixed(2)),
      // The critical path: the checks for which all others waited the longest, in seconds.
      waited_for: Object.fromEntries(
        [...waitedMs]
          .toSorted(([, one], [, other]) => other - one)
          .slice(0, SHOWN)
          .map(([check, ms]) => [check, Number((ms / 1_000).toFixed(1))]),
      ),
    };
  } finally {
    await server.stop();
  }
}

/** Seconds of wall time of a hash in a chain of them, by `crypto.hash`. */
function secondsPerHash(): number {
  let last = hash('sha256', 'chain', 'hex');
  const startMs = performance.now();
  for (let at = 0; at < SAMPLE_HASHES; at += 1) last = hash('sha256', last, 'hex');
  return (performance.now() - startMs) / 1_000 / SAMPLE_HASHES;
}
