import { describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import type { Overlay } from '../../spec/overlay.js';
import { reference } from '../../test/fixtures/fuzzed-reference.js';
import type { Transport } from '../wire/transport.js';
import { fuzz, type Open, replay, walk } from './fuzz.js';

/** A change of numbers on both sides of whose limits something is played, and of every kind of part. */
const CHANGE: Overlay = {
  heartbeat: { narrowTaskCap: 3, intervalBeatsMin: 4, tier1HeartbeatsMax: 2, tier2HeartbeatsMax: 4 },
  dms: { missedAnchorsMax: 20, warningAnchors: 10 },
  flag: { reasonCharsMin: 3, reasonCharsMax: 30 },
  verifyBatch: { hashesMin: 2, hashesMax: 5 },
  sponsor: { heartbeatsEpochMin: 2, heartbeatsEpochMax: 9, heartbeatsEpochDefault: 4 },
  subsidy: { discountBpsMin: 10, discountBpsMax: 4_000, floorLamportsDefault: 77 },
  spawn: { baseBeats: 500 },
  limits: { spawn: { count: 2 }, reissueProof: { count: 0 } },
  parts: {
    errors: {
      'heartbeat/VOLUME_CAP_REACHED': { status: 409, code: 'EPOCH_FULL' },
      'wallet/WALLET_ALREADY_LINKED': { status: 410 },
    },
    classes: { swarm: { cap: 3, feeLamports: 500_000_000 }, orchestrator: false },
    tiers: { eph: false },
    events: { 'agent.unfrozen': false },
    modes: { 'resync/challenge': false },
  },
};

/** Heartbeats after the first are counted twice. */
const miscounting: (send: Transport) => Transport = (send) => async (request) => {
  const reply = await send(request);
  if (!request.url.endsWith('/agent/heartbeat') || reply.status !== 200) return reply;
  const body = JSON.parse(reply.body) as { total_heartbeats: number };
  return { ...reply, body: JSON.stringify({ ...body, total_heartbeats: body.total_heartbeats * 2 - 1 }) };
};

/** Depths in lookups are one more than they are: only decision D-19 says that status shows them. */
const deeper: (send: Transport) => Transport = (send) => async (request) => {
  const reply = await send(request);
  return request.url.includes('/status/') ? { ...reply, body: reply.body.replace('"depth":0', '"depth":1') } : reply;
};

describe('random sequences', () => {
  it('have nothing against the reference, and judge nearly all that they send', async () => {
    const result = await fuzz(reference(), { runs: 8, seed: 11, shrink: true });
    expect(result.failure?.message ?? null).toBeNull();
    expect(result.runs).toBe(8);
    expect(result.requests).toBeGreaterThan(200);
    expect([result.calls_not_judged, result.other_than_decided]).toEqual([[], []]);
    expect(result.judged / result.replies).toBeGreaterThan(0.95);
    expect(result.clauses_judged).toBeGreaterThan(250);
  });

  it('follow a change of the specification, and find a server that does not', async () => {
    const under = await fuzz(reference(undefined, CHANGE), { runs: 12, seed: 5, shrink: true });
    expect([under.failure?.message ?? null, under.runs, under.other_than_decided]).toEqual([null, 12, []]);
    const against = await fuzz(reference(undefined, {}, CHANGE), { runs: 12, seed: 5, shrink: false });
    expect(against.failure?.message).toEqual(expect.any(String));
    const code = { parts: { errors: { 'heartbeat/HEARTBEAT_TOO_SOON': { code: 'TOO_SOON' } } } };
    const unchanged = await fuzz(reference(undefined, {}, code), { runs: 12, seed: 5, shrink: false });
    expect(unchanged.failure).toMatchObject({ expected: '429 TOO_SOON', actual: '429 HEARTBEAT_TOO_SOON' });
  });

  it('say of numbers and dialects that the model does not know that it cannot play', async () => {
    const deep = fuzz(reference(undefined, { agent: { depthMax: 2 } }), { runs: 1, seed: 1, shrink: false });
    await expect(deep).rejects.toThrow('the model does not know another agent.depthMax than 0');
    const open: Open = async (setUp) => {
      const subject = await reference()(setUp);
      return { ...subject, target: { ...subject.target, dialect: dialects.provenonce } };
    };
    const other = fuzz(open, { runs: 1, seed: 1, shrink: false });
    await expect(other).rejects.toThrow(/the model does not know these rules of the dialect provenonce: .*lineage/);
  });

  it('are the same from the same seed, and others from another', async () => {
    const requests = async (seed: number): Promise<number> =>
      (await fuzz(reference(), { runs: 2, seed, shrink: true })).requests;
    expect(await requests(3)).toBe(await requests(3));
    expect(await requests(4)).not.toBe(await requests(3));
  });

  it('find a wrong count, shrink it to what makes it, and play it again', async () => {
    const { failure } = await fuzz(reference(miscounting), { runs: 40, seed: 1, shrink: true });
    if (failure === null) throw new Error('nothing was found');
    expect(failure).toMatchObject({ clauses: ['heartbeat.reply'], expected: '2', actual: '3' });
    const name = 'POST /api/v1/agent/heartbeat';
    expect(failure.message).toBe(`${name}: total_heartbeats is 3, and 2 is expected (heartbeat.reply)`);
    expect(failure.exchanges[failure.exchange]?.request.url).toContain('/agent/heartbeat');
    expect(failure.sequence.actions.length).toBeLessThanOrEqual(3);
    expect((await replay(reference(miscounting), failure.sequence))?.message).toBe(failure.message);
    expect(await replay(reference(), failure.sequence)).toBeNull();
    expect(failure.exchanges.map(({ request }) => JSON.stringify(request)).join()).not.toMatch(/pvn_/);
  });

  it('tell what is not as a decision has it, which is no break', async () => {
    const { failure, other_than_decided } = await fuzz(reference(deeper), { runs: 3, seed: 1, shrink: true });
    expect([failure, other_than_decided]).toEqual([null, [expect.stringContaining('depth is 1, and 0 is expected')]]);
  });
});

describe('a sequence step by step', () => {
  const sequence = {
    ...({ salt: '1:1', set_up: 'devnet', start_anchors: 10 } as const),
    actions: [
      { op: 'wait', by: { interval: 1 } },
      { op: 'heartbeat', agent: 0 },
      { op: 'wait', by: { interval: 1 } },
      { op: 'heartbeat', agent: 0 },
    ],
  };

  it('ends at the reply that deviates, with what the text has it', async () => {
    const { steps, failure } = await walk(reference(miscounting), sequence);
    const last = steps.at(-1);
    expect(failure?.exchange).toBe(steps.length - 1);
    expect(last?.action).toBe(3);
    expect(last?.exchange.request.url).toMatch(/\/agent\/heartbeat$/);
    expect(last?.evidence.filter(({ ok, level }) => !ok && level === 'must')).toMatchObject([
      { about: 'total_heartbeats', expected: '2', actual: '3' },
    ]);
    expect(steps.slice(0, -1).flatMap(({ evidence }) => evidence.filter(({ ok }) => !ok))).toEqual([]);
    expect([...new Set(steps.map(({ action }) => action))]).toEqual([-1, 0, 1, 2, 3]);
  });

  it('has no failure where every reply is as the text has it, and no secret', async () => {
    const { steps, failure } = await walk(reference(), sequence);
    expect(failure).toBeNull();
    expect(steps.at(-1)?.action).toBe(3);
    const credentials = JSON.stringify(steps).match(/Bearer ./g) ?? [];
    expect([...new Set(credentials)]).toEqual(['Bearer [']);
  });
});
