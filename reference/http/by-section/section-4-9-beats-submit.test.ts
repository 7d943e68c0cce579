import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BeatProof } from '../../../spec/endpoints/proof-schemas.js';
import { ask, outcomeOf } from '../../../test/fixtures/ask.js';
import { proofOf, receiptOf } from '../../../test/fixtures/family.js';
import { Deployment, type DeploymentSetUp, type TestAgent } from '../../../test/fixtures/http.js';
import { FROZEN } from '../../registry/state.js';

let deployment: Deployment;
let agent: TestAgent;

// Penalties of thousands of beats are computed here, so the difficulty is one hash.
const cheap = { beat: { difficulty: 1 }, work: { difficultyMin: 1, receiptDifficultyMin: 1 } };
async function restart(setUp: DeploymentSetUp = {}): Promise<void> {
  const limits = { resyncChallenge: { count: 100 }, resyncReceipt: { count: 100 } };
  deployment = await Deployment.start({ overlay: { ...cheap, limits }, ...setUp });
  agent = await deployment.agent();
}
beforeEach(() => restart());
afterEach(() => deployment.close());

const MINUTE_MS = 60_000;
const submit = (body: unknown) => ask(deployment, 'POST /agent/beats/submit', { as: agent, body });
const resync = (body: object, as = agent) => ask(deployment, 'POST /agent/resync', { as, body });
const heartbeatOf = async () => (await ask(deployment, `GET /agent/beat-status/${agent.hash}`)).body.heartbeat;
const statusOf = async (): Promise<string> => (await ask(deployment, `GET /status/${agent.hash}`)).body.status;
const summary = async () => (await ask(deployment, 'GET /fees/summary')).body.total_lamports;

describe('POST /agent/beats/submit (4.9)', () => {
  it('[beats-submit.reply] [beats-submit.reply.numbers] [beats-submit.credit] [beats-submit.fee-free] credits work without a fee, and returns what it did', async () => {
    deployment.advance(2 * MINUTE_MS);
    const fees = await summary();
    expect((await submit(proofOf(deployment, agent, 20))).body).toEqual({
      ok: true,
      agent_hash: agent.hash,
      beats_accepted: 20,
      total_beats: 20,
      latest_beat_index: 20,
      global_anchor: 2,
      spot_checks_verified: 5,
    });
    const more = (await submit(proofOf(deployment, agent, 980))).body;
    expect(more).toMatchObject({ beats_accepted: 980, total_beats: 1_000, latest_beat_index: 1_000 });
    expect(await heartbeatOf()).toMatchObject({ total_beats: 1_000, available_beats: 1_000 });
    const spawned = await ask(deployment, 'POST /agent/spawn', { as: agent, body: { child_name: 'kid' } });
    expect(outcomeOf(spawned)).toBe('200');
    expect(await summary()).toBe(fees);
  });

  it('[beats-submit.body.wrapped] takes its proof as the body or under proof (D-07)', async () => {
    expect(outcomeOf(await submit({ proof: proofOf(deployment, agent, 3) }))).toBe('200');
    expect(outcomeOf(await submit(proofOf(deployment, agent, 3)))).toBe('200');
  });

  it.each([
    'from_beat',
    'to_beat',
    'from_hash',
    'to_hash',
    'beats_computed',
    'global_anchor',
    'anchor_hash',
    'spot_checks',
  ])('[beats-submit.body] a proof without %s is 400, and whole it is taken', async (field) => {
    const proof = proofOf(deployment, agent, 3);
    expect(outcomeOf(await submit({ ...proof, [field]: undefined }))).toBe('400 VALIDATION');
    expect(outcomeOf(await submit(proof))).toBe('200');
  });

  it.each<[string, Partial<BeatProof>]>([
    ['another beat', { from_beat: 2, beats_computed: 2 }],
    ['another hash', { from_hash: 'ee'.repeat(32) }],
  ])('[beats-submit.continues] a proof from %s is 409 CHAIN_MISMATCH (D-07)', async (_what, fault) => {
    const proof = proofOf(deployment, agent, 3);
    expect(outcomeOf(await submit({ ...proof, ...fault }))).toBe('409 CHAIN_MISMATCH');
    expect(outcomeOf(await submit(proof))).toBe('200');
    expect(outcomeOf(await submit(proof))).toBe('409 CHAIN_MISMATCH');
  });

  it('[beats-submit.beats-max] takes 10,000 beats a call and not one more (D-07)', async () => {
    expect(outcomeOf(await submit(proofOf(deployment, agent, 10_001)))).toBe('400 PROOF_INVALID');
    expect((await submit(proofOf(deployment, agent, 10_000))).body.total_beats).toBe(10_000);
  });
});

/** Lets the agent freeze, by so many missed anchors. */
async function freeze(anchors = 61): Promise<void> {
  deployment.advance(anchors * MINUTE_MS);
  expect(await statusOf()).toBe('frozen');
}

describe('resync by challenge (4.10)', () => {
  const challenge = async () => (await resync({ action: 'challenge' })).body.challenge;
  const prove = (challenge_nonce: unknown, proof: unknown = proofOf(deployment, agent, 6_100)) =>
    resync({ action: 'prove', challenge_nonce, proof });

  it('[resync.challenge.body] [resync.challenge.reply] [resync.challenge.reply.gap-beats] [resync.gap-beats] [resync.nonce.form] returns the required beats and their start', async () => {
    await submit(proofOf(deployment, agent, 7));
    const { latest_hash } = await heartbeatOf();
    await freeze();
    expect((await resync({ action: 'challenge' })).body).toEqual({
      challenge: {
        nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
        required_beats: 6_100,
        start_from_hash: latest_hash,
        start_from_beat: 7,
        difficulty: 1,
        sync_to_global: 61,
      },
      gap_beats: 61,
    });
    expect(outcomeOf(await resync({ action: 'start' }))).toBe('400 VALIDATION');
  });

  it('[resync.reactivates] [resync.prove.reply] [resync.prove.chain] [resync.prove.available-beats] the proof joins the chain, and is not to be spent (D-42)', async () => {
    await submit(proofOf(deployment, agent, 7));
    await freeze();
    const { nonce } = await challenge();
    expect((await prove(nonce)).body).toEqual({ ok: true, status: 'active', total_beats: 6_107 });
    expect(await statusOf()).toBe('active');
    expect(await heartbeatOf()).toMatchObject({ latest_beat: 6_107, total_beats: 6_107, available_beats: 7 });
  });

  it.each([
    ['no nonce', { challenge_nonce: undefined }],
    ['a nonce that is a number', { challenge_nonce: 1 }],
    ['no proof', { proof: undefined }],
    ['an empty proof', { proof: {} }],
  ])('[resync.prove.body] %s is 400, and whole it is taken', async (_what, fault) => {
    await freeze();
    const { nonce } = await challenge();
    const body = { action: 'prove', challenge_nonce: nonce, proof: proofOf(deployment, agent, 6_100) };
    expect(outcomeOf(await resync({ ...body, ...fault }))).toBe('400 VALIDATION');
    expect(outcomeOf(await resync(body))).toBe('200');
  });

  it('[resync.nonce.once] a nonce that was used is refused', async () => {
    await freeze();
    const { nonce } = await challenge();
    expect(outcomeOf(await prove(nonce))).toBe('200');
    // Frozen again at once, while the nonce has not expired.
    deployment.host.service.registry.agents.line.setStatus(agent.row, FROZEN);
    expect(outcomeOf(await prove(nonce))).toBe('400 VALIDATION');
    const next = await challenge();
    expect(outcomeOf(await prove(next.nonce, proofOf(deployment, agent, 1)))).toBe('200');
  });

  it('[resync.nonce.ttl] a nonce is valid for 300 s', async () => {
    await freeze();
    const { nonce } = await challenge();
    deployment.advance(300_001);
    expect(outcomeOf(await prove(nonce))).toBe('400 VALIDATION');
    const next = await challenge();
    deployment.advance(300_000);
    expect(outcomeOf(await prove(next.nonce, proofOf(deployment, agent, next.required_beats)))).toBe('200');
  });

  it('[resync.gap.challenge] the gap is counted when the challenge is made (D-35)', async () => {
    await freeze();
    const { nonce } = await challenge();
    deployment.advance(3 * MINUTE_MS);
    expect(outcomeOf(await prove(nonce, proofOf(deployment, agent, 6_099)))).toBe('400 VALIDATION');
    expect(outcomeOf(await prove(nonce))).toBe('200');
  });

  it.each([true, false])('[resync.challenge.either] is served with BEATS_REQUIRED %s (D-35)', async (beatsRequired) => {
    deployment.close();
    await restart({ policy: { beatsRequired } });
    await freeze();
    expect(outcomeOf(await resync({ action: 'challenge' }))).toBe('200');
  });
});

describe('resync by receipt (4.10)', () => {
  const receipt = (beats: number) => ({ beats_receipt: receiptOf(deployment, beats) });

  it('[resync.reactivates] [resync.receipt.body] [resync.receipt.reply] [resync.receipt.reply.status] [resync.receipt.reply.receipt-based] [resync.receipt.chain] makes the agent active, and leaves its chain', async () => {
    await submit(proofOf(deployment, agent, 7));
    await freeze();
    const { latest_hash } = await heartbeatOf();
    expect(outcomeOf(await resync({ beats_receipt: 'x' }))).toBe('402 INVALID_RECEIPT');
    expect((await resync(receipt(7_000))).body).toEqual({
      ok: true,
      agent_hash: agent.hash,
      status: 'active',
      last_global_sync: 61,
      gap_anchors: 61,
      required_beats: 6_100,
      beats_proven: 7_000,
      receipt_based: true,
    });
    expect(await heartbeatOf()).toMatchObject({ status: 'active', latest_hash, total_beats: 7, available_beats: 7 });
  });

  it.each([
    ['[resync.penalty]', 61, 6_100],
    ['[resync.penalty]', 99, 9_900],
    ['[resync.penalty] [resync.penalty.cap]', 100, 10_000],
    ['[resync.penalty.cap]', 101, 10_000],
    ['[resync.penalty.cap]', 300, 10_000],
  ])('%s for %i missed anchors is %i beats, and not one less', async (_clause, anchors, beats) => {
    await freeze(anchors);
    expect(outcomeOf(await resync(receipt(beats - 1)))).toBe('402 INVALID_RECEIPT');
    expect((await resync(receipt(beats))).body).toMatchObject({ gap_anchors: anchors, required_beats: beats });
  });

  it('[resync.gap.receipt] the gap is counted when the receipt arrives (D-35)', async () => {
    await freeze();
    const early = receipt(6_100);
    deployment.advance(MINUTE_MS);
    expect(outcomeOf(await resync(early))).toBe('402 INVALID_RECEIPT');
    expect((await resync(receipt(6_200))).body.gap_anchors).toBe(62);
  });

  it('[resync.receipt.required] [resync.receipt.required.reply] without one it is 402 with what is owed, while BEATS_REQUIRED', async () => {
    await freeze();
    expect((await resync({})).body).toEqual({
      error: expect.any(String),
      code: 'RECEIPT_REQUIRED',
      required_beats: 6_100,
      gap_anchors: 61,
    });
    expect(await statusOf()).toBe('frozen');
  });

  it('[resync.free] [resync.receipt.reply.receipt-based] is free with BEATS_REQUIRED off (D-35)', async () => {
    deployment.close();
    await restart({ policy: { beatsRequired: false } });
    await freeze();
    expect((await resync({})).body).toMatchObject({ status: 'active', beats_proven: 0, receipt_based: false });
    expect(await statusOf()).toBe('active');
  });
});
