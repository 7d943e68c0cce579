import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allChecks } from '../conformance/checks/index.js';
import { CHEAP, cheap, loadReference, startInProcess } from '../conformance/in-process/reference.js';
import { plan } from '../conformance/run/plan.js';
import { conform } from '../conformance/run/runner.js';
import type { Target } from '../conformance/target/target.js';
import type { Check } from '../conformance/trial/check.js';
import { waitSecOf } from '../conformance/trial/needs.js';
import { waitText } from '../conformance/trial/observed.js';
import type { Transport, WireReply, WireRequest } from '../conformance/wire/transport.js';
import type { ConformanceResult } from '../results/conformance-result.js';
import { withOverlay } from '../spec/overlay.js';
import { protocol } from '../spec/protocol.js';
import { type Deployed, type Judged, startJudged } from './fixtures/target.js';

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const waiting = allChecks.filter(({ waits }) => waits !== undefined);
const longestSec = Math.max(...waiting.map((check) => waitSecOf(check, protocol)));

/** How a world differs from one in which all clocks agree. */
interface Ways {
  /** Milliseconds by which the server's clock is ahead of the suite's. */
  readonly aheadMs?: number;
  /** Whether the Date header shows the server's time. Default: it does. */
  readonly dated?: boolean;
  /** The time that every request takes. */
  readonly slowMs?: number;
  /** How much faster the server's clock goes, which the suite can see; absent: it sees no clock. */
  readonly pace?: number;
}

/**
 * A world whose time passes by itself: the server's clock, which the suite cannot move, runs with the suite's own. Waiting
 * moves both, and requests take some milliseconds.
 */
class World {
  nowMs = START_MS;
  #sent = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly server: Judged,
    readonly ways: Ways,
  ) {}

  /** Sets the suite's clock by the server's. */
  async begin(): Promise<void> {
    this.nowMs = (await this.#advance(0)) - (this.ways.aheadMs ?? 0);
  }

  async #advance(ms: number): Promise<number> {
    const { target, send } = this.server;
    const { status, body } = await send({
      method: 'POST',
      url: `${target.control?.url}/control/v1/clock/advance`,
      headers: { authorization: `Bearer ${target.control?.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ms }),
      timeoutMs: 600_000,
      replyBytesMax: 10_000,
    });
    if (status !== 200) throw new Error(body);
    return (JSON.parse(body) as { now_ms: number }).now_ms;
  }

  async #pass(ms: number): Promise<void> {
    this.nowMs += ms;
    await this.#advance(ms * (this.ways.pace ?? 1));
  }

  /** A timer that is a little late. */
  readonly waitMs = (ms: number): Promise<void> => this.#inTurn(() => this.#pass(Math.ceil(ms) + 3));

  readonly transport: Transport = (request) => this.#inTurn(() => this.#send(request));

  /** One thing after the other, so that both clocks always show the same. */
  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #send(request: WireRequest): Promise<WireReply> {
    this.#sent += 1;
    const { slowMs, dated = true, pace, aheadMs = 0 } = this.ways;
    // Some requests take longer than others, always the same ones.
    if (slowMs !== undefined) await this.#pass(slowMs);
    else if (this.#sent % 7 === 0) await this.#pass(5 + (this.#sent % 40));
    const reply = await this.server.send(request);
    const { date: _, ...others } = reply.headers;
    const headers = dated ? { ...others, date: new Date(this.nowMs + aheadMs).toUTCString() } : others;
    if (pace !== undefined || !request.url.endsWith('/capabilities')) return { ...reply, headers };
    const { calls } = JSON.parse(reply.body) as { calls: readonly string[] };
    return { ...reply, headers, body: JSON.stringify({ calls: calls.filter((call) => call !== 'clock/advance') }) };
  }
}

const servers = new Map<Deployed, Judged>();
beforeAll(async () => {
  for (const kind of ['devnet', 'free', 'mainnet'] as const) servers.set(kind, await startJudged(kind, {}));
});
afterAll(async () => {
  for (const server of servers.values()) await server.close();
});

function serverOf(kind: Deployed): Judged {
  const server = servers.get(kind);
  if (server === undefined) throw new Error('the server has not started');
  return server;
}

interface Judging extends Ways {
  readonly waitSec: number;
  readonly only?: readonly string[];
  /** A server of its own. */
  readonly server?: Judged;
  /** Lines of the target file that differ. */
  readonly change?: Partial<Target>;
}

let seed = 1;

async function judged(
  kind: Deployed,
  { waitSec, only = waiting.map(({ id }) => id), server = serverOf(kind), change, ...ways }: Judging,
): Promise<ConformanceResult> {
  const world = new World(server, ways);
  await world.begin();
  seed += 1;
  return conform(
    { ...server.target, ...change },
    {
      seed,
      only,
      waitSec,
      toolVersion: '0',
      nowWallMs: () => world.nowMs,
      waitMs: world.waitMs,
      transport: world.transport,
      unprobed: true,
      strict: true,
    },
  );
}

/** The findings of the checks with one of these verdicts. */
const found = ({ checks }: ConformanceResult, ...verdicts: readonly string[]): string[] =>
  checks
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map((check) => `${check.id}: ${JSON.stringify({ ...check, transcript: [], curl: '', clauses: [] })}`);

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
  it('judges every check that says how long it waits, as with a clock, and takes no longer than foretold', async () => {
    const devnet = await judged('devnet', { waitSec: longestSec });
    expect(found(devnet, 'fail', 'advisory', 'inconclusive', 'error')).toEqual([]);
    const unsuitable = devnet.checks.filter(({ verdict }) => verdict === 'not-tested').map(({ id }) => id);
    expect(unsuitable).toEqual(['register/token-late', 'resync/free']);
    // The same target as far as a plan can know it: no clock that can be moved, and payments.
    const paying = { kind: 'command', command: ['pays'] } as const;
    const target = { ...serverOf('devnet').target, protocol, control: undefined, payments: paying };
    const { seconds } = plan(target, allChecks, {
      only: waiting.map(({ id }) => id),
      waitSec: longestSec,
    });
    expect(devnet.wall_s).toBeGreaterThan(longestSec);
    expect(devnet.wall_s).toBeLessThan(seconds);
    for (const [kind, id] of [
      ['mainnet', 'register/token-late'],
      ['free', 'resync/free'],
    ] as const) {
      const { summary } = await judged(kind, { waitSec: longestSec, only: [id] });
      expect(summary).toMatchObject({ pass: 1, not_tested: 0 });
    }
  });

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
