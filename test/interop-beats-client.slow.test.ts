import {
  BEATS_PER_ANCHOR,
  computeBeat,
  createBeatsClient,
  createGenesisBeat,
  LocalBeatChain,
  MAX_RESYNC_BEATS,
} from '@provenonce/beats-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientLab } from './fixtures/published-client.js';

/**
 * The published client of the beats service over TCP, as it is, against `aips serve --dialect provenonce`, whose ledger
 * is open by JSON-RPC. Every method of docs/interop.md.
 */
let lab: ClientLab;
let rpcUrl: string;
beforeAll(async () => {
  lab = await ClientLab.start(['--ledger-port', '0']);
  rpcUrl = lab.server.rpcUrl ?? '';
});
afterAll(() => lab.server.stop());

const client = (more = {}) => createBeatsClient({ baseUrl: lab.beatsUrl, ...more });
const HASH = 'ab'.repeat(32);

describe('the beats client', () => {
  it('getHealth, getKey', async () => {
    expect(await client().getHealth()).toMatchObject({ status: 'ok' });
    const { keys, public_key_hex } = await client().getKey();
    expect(keys.timestamp).toMatchObject({
      public_key_hex,
      signing_context: 'provenonce:beats:timestamp-receipt:v1',
    });
  });

  it('getAnchor, verified and recomputed; verifyAnchor, verifyAnchorHash, and not when it is altered', async () => {
    const beats = client();
    const reply = await beats.getAnchor({ verify: true, recompute: true });
    expect(reply).toMatchObject({ _verified_receipt: true, _verified_hash: true, on_chain: { anchored: true } });
    expect(await beats.verifyAnchor(reply)).toBe(true);
    const { anchor } = reply;
    if (anchor === null) throw new Error('there is an anchor');
    expect(await beats.verifyAnchorHash(anchor)).toBe(true);
    const forged = { ...anchor, utc: anchor.utc + 1 };
    expect(await beats.verifyAnchor({ ...reply, anchor: forged })).toBe(false);
    expect(await beats.verifyAnchorHash({ ...anchor, beat_index: anchor.beat_index + 1 })).toBe(false);
  });

  it('follows the anchors: getLastKnownAnchor, setLastKnownAnchor, isBroken, resync', async () => {
    const states: unknown[] = [];
    const beats = client({ onStateChange: (state: unknown) => states.push(state) });
    const { anchor } = await beats.getAnchor();
    await lab.control('clock/advance', { anchors: 1 });
    const { anchor: next } = await beats.getAnchor();
    expect(beats.getLastKnownAnchor()).toMatchObject({ beat_index: (anchor?.beat_index ?? 0) + 1, hash: next?.hash });
    expect(states).toHaveLength(2);
    await lab.control('clock/advance', { anchors: 2 });
    await expect(beats.getAnchor()).rejects.toMatchObject({ code: 'ANCHOR_JUMP' });
    expect(beats.isBroken()).toBe(true);
    const { anchor: latest } = await client().getAnchor();
    beats.resync(latest as never);
    expect(beats.isBroken()).toBe(false);
    beats.setLastKnownAnchor(latest as never);
    expect(await beats.getAnchor()).toMatchObject({ anchor: { hash: latest?.hash } });
  });

  it('timestampHash, verifyReceipt; verifyOnChain finds the memos of timestamp and anchor', async () => {
    const beats = client();
    const stamped = await beats.timestampHash(HASH);
    expect(await beats.verifyReceipt(stamped)).toBe(true);
    expect(await client({ pinnedPublicKey: HASH }).verifyReceipt(stamped)).toBe(false);
    expect(stamped).toMatchObject({ tier: 'free', timestamp: { hash: HASH } });
    const { anchor } = await beats.getAnchor();
    // 32 slots later both are finalized.
    await lab.control('clock/advance', { ms: 20_000 });
    const { type: _t, tx_signature: signature, ...payload } = stamped.timestamp;
    expect(await beats.verifyOnChain(signature, { rpcUrl, expectedPayload: payload })).toMatchObject({
      finalized: true,
      memoVerified: true,
    });
    const {
      tx_signature: anchored,
      type: _a,
      solana_entropy: _e,
      ...shown
    } = anchor as never as Record<string, unknown>;
    expect(await beats.verifyOnChain(String(anchored), { rpcUrl, expectedPayload: shown })).toMatchObject({
      finalized: true,
      memoVerified: true,
      memoData: { v: 1, type: 'anchor' },
    });
    const other = { rpcUrl, expectedPayload: { ...shown, hash: HASH } };
    expect(await beats.verifyOnChain(String(anchored), other)).toMatchObject({ memoVerified: false });
  });

  it('verify of a beat', async () => {
    const beat = await computeBeat(HASH, 7, 200);
    const asked = { mode: 'beat', beat: { index: 7, hash: beat.hash, prev: HASH }, difficulty: 200 };
    expect(await client().verify(asked)).toMatchObject({ ok: true, valid: true });
    expect(await client().verify({ ...asked, difficulty: 201 })).toMatchObject({ ok: true, valid: false });
  });

  it('submitWorkProof, verifyWorkProofReceipt, of a LocalBeatChain that weaves an anchor, and of one that does not', async () => {
    const beats = client();
    const { anchor } = await beats.getAnchor();
    for (const anchorHash of [anchor?.hash, null]) {
      const chain = await LocalBeatChain.create({ seed: 'lab', difficulty: 100 });
      chain.setAnchorIndex(anchor?.beat_index ?? 0, anchorHash);
      for (let i = 0; i < 12; i++) await chain.advance();
      const reply = await beats.submitWorkProof(chain.getProof());
      expect(reply).toMatchObject({ valid: true, receipt: { beats_verified: 12, anchor_hash: anchorHash } });
      expect(await beats.verifyWorkProofReceipt(reply as never)).toBe(true);
      const receipt = 'receipt' in reply ? reply.receipt : undefined;
      expect(
        await beats.verifyWorkProofReceipt({ valid: true, receipt: { ...receipt, beats_verified: 13 } } as never),
      ).toBe(false);
    }
    const weak = await LocalBeatChain.create({ seed: 'weak', difficulty: 99 });
    for (let i = 0; i < 3; i++) await weak.advance();
    expect(await beats.submitWorkProof(weak.getProof())).toEqual({ valid: false, reason: 'insufficient_difficulty' });
  });
});

describe('a LocalBeatChain', () => {
  it('persist, restore, detectGap, computeCatchup, clearHistory, getState, its own beats; and what it proves is taken', async () => {
    const { anchor } = await client().getAnchor();
    const index = anchor?.beat_index ?? 0;
    const chain = await LocalBeatChain.create({ seed: 'keeper', difficulty: 100, anchorIndex: index - 2 });
    expect(chain.genesis.hash).toBe((await createGenesisBeat('keeper')).hash);
    expect(chain.detectGap(index)).toMatchObject({ gap_anchors: 2, gap_beats_needed: 2 * BEATS_PER_ANCHOR });
    expect(MAX_RESYNC_BEATS).toBe(10_000);
    expect(await chain.computeCatchup(index, anchor?.hash)).toBe(200);
    const restored = await LocalBeatChain.restore(JSON.parse(chain.persist()));
    restored.clearHistory(50);
    expect(restored.getState()).toMatchObject({ beatCount: 200, anchorIndex: index });
    expect(await client().submitWorkProof(restored.getProof())).toMatchObject({
      valid: true,
      receipt: { beats_verified: 50 },
    });
  });

  it('startAutoAdvance, stopAutoAdvance', async () => {
    const chain = await LocalBeatChain.create({ seed: 'auto', difficulty: 100 });
    await new Promise<void>((resolve) => {
      chain.startAutoAdvance({ intervalMs: 1, onAdvance: ({ index }: { index: number }) => index >= 3 && resolve() });
    });
    chain.stopAutoAdvance();
    expect(chain.beatCount).toBeGreaterThanOrEqual(3);
  });
});
