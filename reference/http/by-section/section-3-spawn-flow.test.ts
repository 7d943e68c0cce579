import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkProof } from '../../../spec/endpoints/proof-schemas.js';
import type { TestAgent } from '../../../test/fixtures/http.js';
import { Session } from '../../../test/fixtures/session.js';
import { computeChain } from '../../beats/beat.js';

const UNKNOWN = `0x${'ab'.repeat(32)}`;

let session: Session;
let parent: TestAgent;
beforeEach(async () => {
  session = await Session.start({ overlay: { limits: { spawn: { count: 1_000 } } } });
  parent = await session.root('parent');
});
afterEach(() => session.close());

const spawn = (body: object) => session.call('POST /agent/spawn', body, parent.authorization);
const codeOf = async (call: Promise<{ status: number; body: { code?: string } }>): Promise<string> => {
  const { status, body } = await call;
  return status === 200 ? '200' : `${status} ${body.code}`;
};

/** Step 3 of a parent: it computes every beat and shows a few. */
async function compute(beats: number): Promise<WorkProof> {
  const anchor = await session.anchor();
  const fromHash = '5a'.repeat(32);
  const run = { fromHash, fromIndex: 0, beats, difficulty: 100, anchorHash: anchor.hash };
  const { toHash, spotChecks } = computeChain({ ...run, keep: { every: Math.ceil(beats / 5) } });
  const ends = { from_hash: fromHash, to_hash: toHash, beats_computed: beats, difficulty: 100 };
  return { ...ends, anchor_hash: anchor.hash, anchor_index: anchor.beat_index, spot_checks: spotChecks };
}
const receiptOf = async (work_proof: WorkProof) => session.ok('POST beats:/beat/work-proof', { work_proof });

describe('the steps of a spawn (3.6)', () => {
  it.each([
    [0, 1_000],
    [1, 1_200],
    [2, 1_440],
  ])('[spawn.flow.probe] 1: after %i children child_name alone is told %i beats', async (siblings, required_beats) => {
    for (let i = 0; i < siblings; i++) await session.child(parent, `older ${i}`);
    const before = await session.fingerprint();
    const { status, body } = await spawn({ child_name: 'kid' });
    expect([status, body.code]).toEqual([402, 'RECEIPT_REQUIRED']);
    expect(body).toMatchObject({ required_beats, depth: 0, siblings, error: expect.any(String) });
    expect(await session.fingerprint()).toBe(before);
  });

  it('[spawn.flow.anchor] 2: GET /beat/anchor gives the anchor of now', async () => {
    for (const index of [0, 1, 2]) {
      const anchor = await session.anchor();
      expect(anchor).toMatchObject({ beat_index: index, utc: 1_767_225_600_000 + index * 60_000 });
      session.pass(1);
    }
  });

  it('[spawn.flow.compute] 3: the beats of the probe, every one computed, make a work proof; one fewer is too few', async () => {
    const { required_beats } = (await spawn({ child_name: 'kid' })).body;
    const short = await receiptOf(await compute(required_beats - 1));
    expect(await codeOf(spawn({ child_name: 'kid', beats_receipt: short.receipt }))).toBe('400 INSUFFICIENT_BEATS');
    const whole = await compute(required_beats);
    expect(whole.spot_checks).toHaveLength(5);
    expect(await codeOf(spawn({ child_name: 'kid', beats_receipt: (await receiptOf(whole)).receipt }))).toBe('200');
  });

  it('[spawn.flow.receipt] 4: the beats service turns it into a receipt, and a spoiled one into none', async () => {
    const proof = await compute(50);
    const spoiled = { ...proof, to_hash: 'ee'.repeat(32) };
    expect(await receiptOf(spoiled)).toEqual({ ok: false, valid: false, reason: 'spot_check_failed' });
    expect(await receiptOf(proof)).toMatchObject({ ok: true, valid: true, receipt: expect.any(String) });
  });

  it('[spawn.flow.preflight] 5: child_name and beats_receipt give an authorization', async () => {
    const beats_receipt = await session.receipt(1_000);
    const { body } = await spawn({ child_name: 'kid', beats_receipt });
    const spawn_authorization = expect.any(String);
    expect(body).toEqual({ ok: true, eligible: true, spawn_authorization, receipt_based: true, required_beats: 1_000 });
    expect(body.spawn_authorization.length).toBeGreaterThan(0);
  });

  it('[spawn.flow.register] [service.spawn] 6: registration with parent key, parent and authorization makes the child exist', async () => {
    const { spawn_authorization } = (await spawn({ child_name: 'kid', beats_receipt: await session.receipt(1_000) }))
      .body;
    const body = { name: 'kid', parent: parent.hash, spawn_authorization };
    const register = (over: object, headers: object = parent.authorization) =>
      session.call('POST /register', { ...body, ...over }, headers as Record<string, string>);
    const stranger = await session.root('stranger');
    expect(await codeOf(register({}, {}))).toBe('401 AUTH_MISSING');
    expect(await codeOf(register({ parent: stranger.hash }, stranger.authorization))).toBe('409 SPAWN_CONFLICT');
    expect(await codeOf(register({ parent: UNKNOWN }))).toBe('404 AGENT_NOT_FOUND');
    expect(await codeOf(register({ spawn_authorization: 'ab'.repeat(32) }))).toBe('409 SPAWN_CONFLICT');
    const child = (await register({})).body;
    expect(child).toMatchObject({ type: 'agent', parent: parent.hash, depth: 1, name: 'kid' });
    const found = await session.ok(`GET /status/${child.hash}`);
    expect(found).toMatchObject({ exists: true, depth: 1, registered_by: parent.hash });
    expect(await codeOf(register({}))).toBe('409 SPAWN_CONFLICT');
  });

  it('[spawn.authorization.once] [spawn.cost.siblings-of] an authorization keeps its cost while siblings register (D-31)', async () => {
    const given = [];
    for (const name of ['one', 'two', 'three']) {
      const { body } = await spawn({ child_name: name, beats_receipt: await session.receipt(1_000) });
      expect(body.required_beats).toBe(1_000);
      given.push({ name, spawn_authorization: body.spawn_authorization });
    }
    for (const body of given) {
      expect(await codeOf(session.call('POST /register', body, parent.authorization))).toBe('200');
    }
    expect((await spawn({ child_name: 'four' })).body).toMatchObject({ required_beats: 1_728, siblings: 3 });
    const beats_receipt = await session.receipt(1_727);
    expect(await codeOf(spawn({ child_name: 'four', beats_receipt }))).toBe('400 INSUFFICIENT_BEATS');
  });

  it('[spawn.flow.finalize] 7: child_name and child_hash make the link, without which it is no descendant to sponsor', async () => {
    const child = await session.child(parent, 'kid', { link: false });
    const sponsor = () => codeOf(session.call('POST /agent/sponsor', { child_hash: child.hash }, parent.authorization));
    expect(await sponsor()).toBe('403 SPONSOR_NOT_ANCESTOR');
    expect(await codeOf(spawn({ child_name: 'other', child_hash: child.hash }))).toBe('400 VALIDATION');
    expect(await codeOf(spawn({ child_name: 'kid', child_hash: UNKNOWN }))).toBe('400 VALIDATION');
    expect(await sponsor()).toBe('403 SPONSOR_NOT_ANCESTOR');
    const { body } = await spawn({ child_name: 'kid', child_hash: child.hash });
    expect(body).toEqual({ ok: true, eligible: true, child_hash: child.hash });
    expect(await sponsor()).toBe('200');
  });
});
