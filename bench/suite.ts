/** Measures checks per second of the whole suite over HTTP. Where the time goes is measured in conform.ts. */

import { startReference } from '../cli/reference-process.js';
import { conform } from '../conformance/run/runner.js';

/** Checks per second of the whole suite over HTTP, against a reference in a process of its own. */
export async function benchSuite(): Promise<{
  checks: number;
  requests: number;
  wall_s: number;
  checks_per_s: number;
}> {
  const server = await startReference({ seed: 1 });
  try {
    const { checks, requests, wall_s } = await conform(server.target, {
      seed: 1,
      toolVersion: 'bench',
      nowWallMs: Date.now,
    });
    const judged = checks.filter(
      ({ verdict }) => verdict === 'pass' || verdict === 'fail' || verdict === 'advisory',
    ).length;
    return { checks: judged, requests, wall_s, checks_per_s: Math.round(judged / wall_s) };
  } finally {
    await server.stop();
  }
}
