import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import type { WorkProof } from '../../../spec/endpoints/proof-schemas.js';
import { protocol } from '../../../spec/protocol.js';
import { ask, outcomeOf } from '../../../test/fixtures/ask.js';
import { receiptOf } from '../../../test/fixtures/family.js';
import { Deployment } from '../../../test/fixtures/http.js';
import { createAnchorChain } from '../../beats/anchor.js';
import { computeChain } from '../../beats/beat.js';
import { canonicalJson } from '../../beats/canonical-json.js';
import { verifyEd25519 } from '../../beats/signing.js';

let deployment: Deployment;

beforeEach(async () => {
  deployment = await Deployment.start({ overlay: { limits: { spawn: { count: 100 } } } });
});
afterEach(() => deployment.close());

const MINUTE_MS = 60_000;
const OTHER = 'ee'.repeat(32);
const anchorNow = async () => (await ask(deployment, 'GET /beat/anchor')).body;

describe('GET /beat/anchor (D-05)', () => {
  it('[beat-anchor.reply] [beat-anchor.reply.anchor] [beat-anchor.reply.on-chain] [anchor.first] has five parts from the start', async () => {
    const reply = await anchorNow();
    expect(Object.keys(reply)).toEqual(['anchor', 'on_chain', 'receipt', 'anchor_interval_sec', 'next_anchor_at']);
    expect(reply.anchor).toEqual({
      type: 'anchor',
      beat_index: 0,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      prev_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      utc: 1_767_225_600_000,
      difficulty: 1_000,
      epoch: 0,
      tx_signature: null,
      solana_entropy: expect.any(String),
    });
    expect(Object.keys(reply.on_chain)).toEqual(['tx_signature', 'explorer_url', 'anchored']);
  });

  it('[clock.anchor-interval] [beat-anchor.reply.anchor-interval-sec] [beat-anchor.reply.next-anchor-at] [beat-anchor.purpose] gives the latest, and a new one each 60 s', async () => {
    deployment.advance(MINUTE_MS - 1);
    const first = await anchorNow();
    expect([first.anchor.beat_index, first.anchor_interval_sec]).toEqual([0, 60]);
    expect(first.next_anchor_at).toBe('2026-01-01T00:01:00.000Z');
    deployment.advance(1);
    expect((await anchorNow()).anchor).toMatchObject({ beat_index: 1, utc: 1_767_225_660_000 });
    deployment.advance(10 * MINUTE_MS);
    expect((await anchorNow()).anchor.beat_index).toBe(11);
  });

  it('[anchor.epoch] [anchor.difficulty] counts epochs of 100 anchors, at one difficulty', async () => {
    for (const [anchors, epoch] of [
      [99, 0],
      [1, 1],
      [99, 1],
      [1, 2],
    ] as const) {
      deployment.advance(anchors * MINUTE_MS);
      expect((await anchorNow()).anchor).toMatchObject({ epoch, difficulty: 1_000 });
    }
  });

  it.each([
    ['service', 'SERVICE_BEATS_V1'],
    ['provenonce', 'PROVENONCE_BEATS_V1'],
  ] as const)(
    '[anchor.hash] [anchor.prev-hash.first] [dialect.anchor-prefix] in the dialect %s hashes %s, the hash before, the index and the entropy',
    async (dialect, prefix) => {
      deployment.close();
      deployment = await Deployment.start({ dialect: dialects[dialect] });
      let prevHash = createHash('sha256').update('beats:genesis:v1:').digest('hex');
      for (let i = 0; i < 3; i++) {
        const { anchor } = await anchorNow();
        const index = Buffer.alloc(8);
        index.writeBigUInt64BE(BigInt(i));
        const hash = createHash('sha256').update(prefix).update(Buffer.from(prevHash, 'hex')).update(index);
        hash.update(base58.decode(anchor.solana_entropy));
        expect(anchor).toMatchObject({ prev_hash: prevHash, hash: hash.digest('hex') });
        prevHash = anchor.hash;
        deployment.advance(MINUTE_MS);
      }
    },
  );

  it('[beat-anchor.route.beats] [beat-anchor.reply.receipt] is the same on the beats service, whose key signs it', async () => {
    deployment.advance(2 * MINUTE_MS);
    const reply = await anchorNow();
    expect((await ask(deployment, 'GET beats:/beat/anchor')).body).toEqual(reply);
    const { keys } = (await ask(deployment, 'GET beats:/beat/key')).body;
    expect(Object.keys(reply.receipt)).toEqual(['signature', 'public_key']);
    expect(reply.receipt.public_key).toBe(keys.timestamp.public_key_base58);
    const signature = Buffer.from(reply.receipt.signature, 'base64');
    expect(verifyEd25519(keys.timestamp.public_key_hex, canonicalJson(reply.anchor), signature)).toBe(true);
  });

  it('[beat-anchor.reply.before-first] before the first anchor there is none, and nothing on chain', async () => {
    const { service } = deployment.host;
    service.stalled = true;
    Object.assign(service.anchors, createAnchorChain({ domain: 'SERVICE_BEATS_V1', protocol }));
    expect(await anchorNow()).toMatchObject({ anchor: null, on_chain: { anchored: false }, receipt: null });
  });
});

describe('POST /beat/verify (D-10)', () => {
  const prev = '11'.repeat(32);
  const run = (beats: number, difficulty = 100, anchorHash?: string) =>
    computeChain({
      ...{ fromHash: prev, fromIndex: 6, beats, difficulty, keep: { every: 1 } },
      ...(anchorHash === undefined ? {} : { anchorHash }),
    });
  const judge = (body: object) => ask(deployment, 'POST /beat/verify', { body });

  it('[beat-verify.purpose] [beat-verify.reply] [beat-verify.mode.beat] judges one beat, by that name or without one', async () => {
    const [beat] = run(1).spotChecks;
    const good = { ok: true, mode: 'beat', valid: true, beats_checked: 1 };
    expect((await judge({ beat, difficulty: 100 })).body).toEqual(good);
    expect((await judge({ mode: 'beat', beat, difficulty: 100 })).body).toEqual(good);
    const spoilt = { ...beat, hash: OTHER };
    expect((await judge({ beat: spoilt, difficulty: 100 })).body).toMatchObject({ mode: 'beat', valid: false });
  });

  it('[beat-verify.mode.chain] judges a chain of 1,000 beats, and takes none of 1,001', async () => {
    const beats = run(1_001, 1).spotChecks;
    const chain = { mode: 'chain', beats: beats.slice(0, 1_000), difficulty: 1 };
    expect((await judge(chain)).body).toEqual({ ok: true, mode: 'chain', valid: true, beats_checked: 1_000 });
    expect(outcomeOf(await judge({ ...chain, beats }))).toBe('400 VALIDATION');
    expect((await judge({ ...chain, beats: beats.slice(0, 9).toSpliced(3, 1) })).body.valid).toBe(false);
  });

  it('[beat-verify.mode.proof] judges a proof with spot checks', async () => {
    const { anchor } = await anchorNow();
    const { toHash, spotChecks } = run(10, 100, anchor.hash);
    const proof = {
      ...{ from_beat: 6, to_beat: 16, from_hash: prev, to_hash: toHash, beats_computed: 10, global_anchor: 0 },
      ...{ anchor_hash: anchor.hash, spot_checks: spotChecks.filter(({ index }) => index % 4 === 0) },
    };
    const reply = await judge({ mode: 'proof', proof, difficulty: 100 });
    expect(reply.body).toEqual({ ok: true, mode: 'proof', valid: true, beats_checked: 3 });
    const bad = { ...proof, to_hash: OTHER };
    expect((await judge({ mode: 'proof', proof: bad, difficulty: 100 })).body).toMatchObject({ valid: false });
  });
});

/** A valid proof of ten beats from index 41 on, showing these. */
async function workProof(difficulty = 100, places: readonly number[] = [41, 42, 45, 50]): Promise<WorkProof> {
  const { anchor } = await anchorNow();
  const run = { fromHash: 'b2'.repeat(32), fromIndex: 40, beats: 10, difficulty, anchorHash: anchor.hash as string };
  const { toHash, spotChecks } = computeChain({ ...run, keep: { indexes: places } });
  return {
    from_hash: run.fromHash,
    to_hash: toHash,
    beats_computed: 10,
    difficulty,
    anchor_hash: run.anchorHash,
    anchor_index: anchor.beat_index,
    spot_checks: spotChecks,
  };
}
const prove = (body: object) => ask(deployment, 'POST beats:/beat/work-proof', { body });

describe('POST /beat/work-proof (4.8, D-08)', () => {
  it('[work-proof.route] [work-proof.body] [work-proof.reply] [work-proof.reply.valid] [work-proof.chain-start] earns a receipt, wherever its chain starts', async () => {
    const reply = await prove({ work_proof: await workProof() });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ ok: true, valid: true, receipt: expect.stringMatching(/^[A-Za-z0-9_-]+$/) });
  });

  it('[work-proof.body.flat] takes the proof as the body too', async () => {
    expect((await prove(await workProof())).body).toMatchObject({ ok: true, valid: true });
  });

  it.each([
    ['nothing', () => ({})],
    ['a proof that is a text', () => ({ work_proof: 'x' })],
    ['an invalid hash', (proof: WorkProof) => ({ work_proof: { ...proof, to_hash: 'x' } })],
    ['no spot checks', ({ spot_checks, ...proof }: WorkProof) => ({ work_proof: { ...proof, kept: spot_checks } })],
  ])('[work-proof.malformed] %s is 400', async (_what, spoil) => {
    expect(outcomeOf(await prove(spoil(await workProof())))).toBe('400 VALIDATION');
  });

  type Spoil = (proof: WorkProof) => WorkProof | Promise<WorkProof>;
  const faults: readonly (readonly [string, string, string, Spoil])[] = [
    [
      '[work-proof.difficulty.min] [work-proof.reason.insufficient-difficulty]',
      'a difficulty of 99',
      'insufficient_difficulty',
      () => workProof(99),
    ],
    ['[work-proof.difficulty.max]', 'a difficulty of 5,001', 'insufficient_difficulty', () => workProof(5_001)],
    [
      '[work-proof.reason.insufficient-spot-checks]',
      'two spot checks',
      'insufficient_spot_checks',
      () => workProof(100, [41, 50]),
    ],
    [
      '[work-proof.reason.count-mismatch] [work-proof.span]',
      'checks wider than the count',
      'count_mismatch',
      (proof) => ({ ...proof, beats_computed: 9 }),
    ],
    [
      '[work-proof.reason.stale-anchor]',
      'an anchor five back',
      'stale_anchor',
      (proof) => {
        deployment.advance(5 * MINUTE_MS);
        return proof;
      },
    ],
    [
      '[work-proof.reason.spot-check-failed]',
      'a check that was not computed',
      'spot_check_failed',
      (proof) => ({
        ...proof,
        spot_checks: proof.spot_checks.map((check) => (check.index === 45 ? { ...check, hash: OTHER } : check)),
      }),
    ],
    ['[work-proof.end]', 'another to_hash', 'spot_check_failed', (proof) => ({ ...proof, to_hash: OTHER })],
  ];

  it.each(faults)('[work-proof.refused] %s %s is 200 with the reason %s', async (_clause, _what, reason, spoil) => {
    const reply = await prove({ work_proof: await spoil(await workProof()) });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ ok: false, valid: false, reason });
    expect((await prove({ work_proof: await workProof() })).body.ok).toBe(true);
  });

  it.each([
    ['[work-proof.difficulty.min]', 100],
    ['[work-proof.difficulty.max]', 5_000],
  ])('%s a difficulty of %i is taken', async (_clause, difficulty) => {
    expect((await prove({ work_proof: await workProof(difficulty) })).body.ok).toBe(true);
  });

  it.each([
    [99, '400 VALIDATION'],
    [100, '200'],
  ])(
    '[receipt.difficulty-min] the registry answers a receipt of difficulty %i with %s',
    async (difficulty, outcome) => {
      const parent = await deployment.register();
      const beats_receipt = receiptOf(deployment, 1_000, { difficulty });
      const body = { child_name: 'kid', beats_receipt };
      expect(outcomeOf(await ask(deployment, 'POST /agent/spawn', { as: parent, body }))).toBe(outcome);
    },
  );
});

describe('the other calls of the beats service (D-08)', () => {
  it('[beat-key.reply] publishes a key for each purpose', async () => {
    const reply = (await ask(deployment, 'GET beats:/beat/key')).body;
    expect(Object.keys(reply)).toEqual(['public_key_base58', 'public_key_hex', 'algorithm', 'keys']);
    expect(Object.keys(reply.keys)).toEqual(['timestamp', 'work_proof']);
    expect(base58.encode(Buffer.from(reply.public_key_hex, 'hex'))).toBe(reply.public_key_base58);
    expect(reply.keys.work_proof.public_key_hex).toBe(deployment.host.service.workProofKey.publicKeyHex);
  });

  it('[beat-timestamp.reply.receipt] signs a memo that is on the ledger', async () => {
    const reply = (await ask(deployment, 'POST beats:/beat/timestamp', { body: { hash: 'ab'.repeat(32) } })).body;
    const memo = deployment.host.service.ledger.transactions.get(reply.timestamp.tx_signature);
    expect(memo).toMatchObject({ kind: 'memo', text: `timestamp ${'ab'.repeat(32)}` });
    const { keys } = (await ask(deployment, 'GET beats:/beat/key')).body;
    const signature = Buffer.from(reply.receipt.signature, 'base64');
    expect(verifyEd25519(keys.timestamp.public_key_hex, canonicalJson(reply.timestamp), signature)).toBe(true);
  });
});
