// Real time in place of a clock; wait.nightly has every check that waits.
import { describe, expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { CHEAP, cheap, loadReference, startInProcess } from '../conformance/in-process/reference.js';
import type { Check } from '../conformance/trial/check.js';
import { waitSecOf } from '../conformance/trial/needs.js';
import { waitText } from '../conformance/trial/observed.js';
import { withOverlay } from '../spec/overlay.js';
import { protocol } from '../spec/protocol.js';
import { found, judged, longestSec, withServers } from './fixtures/real-time.js';

withServers('devnet');

/** Numbers of a server that is judged by those of the specification: what waits must notice. */
const others = [
  ['register/nonce-ttl', { registration: { nonceTtlSec: 290 } }],
  ['register/nonce-ttl', { registration: { nonceTtlSec: 310 } }],
  ['heartbeat/too-soon', { heartbeat: { intervalBeatsMin: 9 } }],
  ['heartbeat/too-soon', { heartbeat: { intervalBeatsMin: 11 } }],
  ['dms/after-init', { dms: { missedAnchorsMax: 59 } }],
  ['dms/after-init', { dms: { missedAnchorsMax: 61 } }],
  ['status/limit', { limits: { lookup: { count: 60, windowSec: 50 } } }],
  ['status/limit', { limits: { lookup: { count: 60, windowSec: 70 } } }],
  ['work-proof/anchor-grace', { anchor: { graceAnchors: 6 } }],
] as const;

describe('real time in place of a clock', () => {
  it('says what a check that would wait longer would need, and judges the shorter ones', async () => {
    const { checks } = await judged('devnet', { waitSec: 300 });
    for (const check of checks) {
      const sec = waitSecOf(allChecks.find(({ id }) => id === check.id) as Check, protocol);
      if (sec <= 300) expect(check, check.id).toMatchObject({ verdict: 'pass' });
      else if (check.id !== 'resync/free')
        expect(check).toMatchObject({
          verdict: 'not-tested',
          reason: `no clock can be moved; --wait ${waitText(sec)} would wait for it`,
        });
    }
    expect(checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)).toEqual(
      expect.arrayContaining(['status/limit', 'register/nonce-ttl', 'wallet/nonce-ttl', 'register-token/window']),
    );
  });

  it.each(others)('%s notices %j', async (id, overlay) => {
    const numbers = withOverlay({ ...CHEAP, ...overlay });
    const server = startInProcess(await loadReference(), { seed: 1, numbers, held: cheap });
    try {
      const { checks } = await judged('devnet', { server, waitSec: longestSec, only: [id] });
      expect(checks).toMatchObject([{ id, verdict: 'fail' }]);
    } finally {
      await server.close();
    }
  });

  it.each([
    ['ahead', { aheadMs: 17_300 }],
    ['behind', { aheadMs: -25_700 }],
    ['an hour ahead, and not that of the Date header', { aheadMs: 3_617_300, dated: false }],
    ['a year behind, and not that of the Date header', { aheadMs: -365 * 86_400_000 - 12_345, dated: false }],
  ])('meets the moments of a server whose clock is %s', async (_, clocks) => {
    const only = ['heartbeat/too-soon', 'dms/after-init', 'register/nonce-ttl', 'init/limit'];
    const result = await judged('devnet', { waitSec: longestSec, only, ...clocks });
    expect(found(result, 'fail', 'advisory', 'inconclusive', 'error', 'not-tested')).toEqual([]);
  });

  it('fills the buckets of the one address that there is before anybody else calls, and after who called before', async () => {
    const buckets = allChecks.filter(({ runsAlone }) => runsAlone === true).map(({ id }) => id);
    const only = [...buckets, 'status/malformed', 'verify/malformed', 'beat-anchor/reply'];
    for (const run of [1, 2]) {
      const result = await judged('devnet', { waitSec: 60, only, change: { clientIp: 'none' } });
      expect(found(result, 'fail', 'advisory', 'inconclusive', 'error', 'not-tested'), `run ${run}`).toEqual([]);
      expect(result.summary.pass).toBeGreaterThan(buckets.length);
    }
  });

  it('judges nothing that it came too late for', async () => {
    const only = ['register/nonce-ttl', 'heartbeat/too-soon'];
    const result = await judged('devnet', { waitSec: 1_200, only, slowMs: 9_000 });
    expect(found(result, 'fail', 'advisory', 'inconclusive', 'error')).toEqual([]);
    expect(result.checks.find(({ id }) => id === 'heartbeat/too-soon')).toMatchObject({
      verdict: 'not-tested',
      reason: expect.stringContaining('came too late'),
    });
  });

  it('does not wait where the clock of the target goes at another pace than ours', async () => {
    const [check] = (await judged('devnet', { waitSec: 600, only: ['heartbeat/too-soon'], pace: 60 })).checks;
    expect(check).toMatchObject({ verdict: 'not-tested', reason: expect.stringContaining('60.0 times as fast') });
  });
});
