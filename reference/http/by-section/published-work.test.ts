import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import { Deployment } from '../../../test/fixtures/http.js';
import { computeChain } from '../../beats/beat.js';
import { verifyReceiptSignature } from '../../beats/receipt.js';

/** D-57 over HTTP: what the beats service of the dialect provenonce does otherwise, fact by fact. */
let deployment: Deployment;

beforeEach(async () => {
  deployment = await Deployment.start({
    dialect: dialects.provenonce,
    overlay: { limits: { workProof: { count: 100 }, beatVerify: { count: 100 } } },
  });
});
afterEach(() => deployment.close());

const ZEROS = '00'.repeat(32);
const MINUTE_MS = 60_000;

interface Asked {
  readonly beats?: number;
  readonly difficulty?: number;
  readonly computedAt?: number;
  readonly every?: number;
  readonly woven?: boolean;
}

const anchorNow = async () => (await deployment.call('GET beats:/beat/anchor')).body.anchor;

async function proof({ beats = 3, difficulty = 100, computedAt = difficulty, every = 1, woven = true }: Asked = {}) {
  const { beat_index: anchor_index, hash } = await anchorNow();
  const anchor = woven ? { anchorHash: hash as string } : {};
  const run = computeChain({
    fromHash: ZEROS,
    fromIndex: 0,
    beats,
    difficulty: computedAt,
    keep: { every },
    ...anchor,
  });
  const ends = { from_hash: ZEROS, to_hash: run.toHash, beats_computed: beats, difficulty };
  return { ...ends, anchor_index, ...(woven ? { anchor_hash: hash } : {}), spot_checks: [...run.spotChecks] };
}

const submit = (work_proof: object) => deployment.call('POST beats:/beat/work-proof', { work_proof });
const reasonOf = async (given: object) => (await submit(given)).body.reason;

describe('a work proof', () => {
  it('is answered without ok, valid or not', async () => {
    const good = (await submit(await proof())).body;
    expect(Object.keys(good)).toEqual(['valid', 'receipt']);
    expect(good.valid).toBe(true);
    const bad = (await submit({ ...(await proof()), difficulty: 99 })).body;
    expect(bad).toEqual({ valid: false, reason: 'insufficient_difficulty' });
  });

  it('may weave an anchor of age 0 to 5, and none older', async () => {
    const given = await proof();
    deployment.advance(5 * MINUTE_MS);
    expect((await submit(given)).body.valid).toBe(true);
    deployment.advance(MINUTE_MS);
    expect(await reasonOf(given)).toBe('stale_anchor');
    expect(await reasonOf({ ...given, anchor_index: 7 })).toBe('stale_anchor');
  });

  it.each([
    ['another end', { to_hash: 'ee'.repeat(32) }, { to_hash: 'ee'.repeat(32) }],
    ['another begin', { from_hash: 'ee'.repeat(32) }, { from_hash: 'ee'.repeat(32) }],
    ['more beats than it shows', { beats_computed: 9_999 }, { beats_verified: 9_999 }],
  ])('is not held against its ends: %s', async (_, change, receipt) => {
    expect((await submit({ ...(await proof()), ...change })).body).toMatchObject({ valid: true, receipt });
  });

  it('may show a beat twice, and not its last', async () => {
    const given = await proof({ beats: 4 });
    const [first, second] = given.spot_checks;
    expect((await submit({ ...given, spot_checks: [first, second, second] })).body.valid).toBe(true);
  });

  it('may name another anchor than it weaves, or weave none', async () => {
    const woven = await proof();
    deployment.advance(MINUTE_MS);
    expect((await submit({ ...woven, anchor_index: 1 })).body.valid).toBe(true);
    const { body } = await submit(await proof({ woven: false }));
    expect(body).toMatchObject({ valid: true, receipt: { anchor_hash: null, anchor_index: 1 } });
    expect(verifyReceiptSignature(body.receipt, deployment.host.service.workProofKey.publicKeyHex)).toBe(true);
  });

  it('is still recomputed, and its span held against its count', async () => {
    const given = await proof({ beats: 6 });
    const [first, ...others] = given.spot_checks;
    const forged = { ...first, hash: 'ee'.repeat(32) };
    expect(await reasonOf({ ...given, spot_checks: [forged, ...others] })).toBe('spot_check_failed');
    expect(await reasonOf({ ...given, beats_computed: 4 })).toBe('count_mismatch');
    expect((await submit({ ...given, beats_computed: 5 })).body.valid).toBe(true);
    expect(await reasonOf({ ...given, spot_checks: given.spot_checks.slice(0, 2) })).toBe('insufficient_spot_checks');
  });

  it('with 26 checks, none, or of no beats is malformed', async () => {
    const given = await proof({ beats: 26 });
    expect((await submit(given)).status).toBe(400);
    expect((await submit({ ...given, spot_checks: given.spot_checks.slice(1) })).body.valid).toBe(true);
    expect((await submit({ ...given, spot_checks: [] })).status).toBe(400);
    expect((await submit({ ...given, beats_computed: 0 })).status).toBe(400);
  });

  it('above difficulty 5,000 counts as one of 5,000', async () => {
    const given = await proof({ difficulty: 6_000, computedAt: 5_000 });
    expect((await submit(given)).body).toMatchObject({ valid: true, receipt: { difficulty: 5_000 } });
    expect(await reasonOf(await proof({ difficulty: 6_000 }))).toBe('spot_check_failed');
  });

  it('has its bounds in public_caps', async () => {
    const { body } = await deployment.call('GET beats:/beat/work-proof');
    expect(body.public_caps).toEqual({
      min_difficulty: 100,
      max_difficulty: 5_000,
      min_spot_checks: 3,
      max_spot_checks: 25,
      anchor_grace_window: 5,
    });
  });
});

describe('beat/verify', () => {
  const verify = async (body: object) => (await deployment.call('POST beats:/beat/verify', body)).body;

  async function chain(beats: number, difficulty = 100) {
    const given = await proof({ beats, difficulty });
    return given.spot_checks.map((each) => ({ ...each, anchor_hash: given.anchor_hash }));
  }

  it('recomputes three beats of a chain unless asked for more, and holds all links', async () => {
    const beats = await chain(12);
    expect(await verify({ mode: 'chain', beats, difficulty: 100 })).toMatchObject({ valid: true, beats_checked: 3 });
    const asked = { mode: 'chain', beats, difficulty: 100, spot_checks: 8 };
    expect(await verify(asked)).toMatchObject({ valid: true, beats_checked: 8 });
    const unlinked = beats.with(4, { ...beats[4]!, prev: ZEROS });
    expect(await verify({ mode: 'chain', beats: unlinked, difficulty: 100 })).toMatchObject({ valid: false });
    const wrongEnd = beats.with(11, { ...beats[11]!, hash: 'ee'.repeat(32) });
    expect(await verify({ mode: 'chain', beats: wrongEnd, difficulty: 100 })).toMatchObject({ valid: false });
  });

  it.each([
    [7, 100],
    [9_000, 5_000],
  ])('takes difficulty %i for %i', async (difficulty, taken) => {
    const [beat] = await chain(3, taken);
    expect(await verify({ beat, difficulty })).toMatchObject({ mode: 'beat', valid: true });
  });

  it('asks no proof for a fresh anchor', async () => {
    const given = await proof();
    deployment.advance(1_000 * MINUTE_MS);
    expect(await verify({ mode: 'proof', proof: given })).toMatchObject({ valid: true });
  });
});

describe('the keys', () => {
  it('have signing contexts', async () => {
    const { keys } = (await deployment.call('GET beats:/beat/key')).body;
    expect(keys.timestamp.signing_context).toBe('provenonce:beats:timestamp-receipt:v1');
    expect(keys.work_proof.signing_context).toBe('provenonce:beats:work-proof:v1');
  });
});

describe('health', () => {
  const health = () => deployment.send('GET', '/api/health', {}, 'beats');

  it('is ok, degraded after three intervals without an anchor, and ok again', async () => {
    expect((await health()).body.status).toBe('ok');
    await deployment.control('POST', '/anchors/stall', { on: true });
    deployment.advance(3 * MINUTE_MS);
    expect((await health()).body.status).toBe('ok');
    deployment.advance(1);
    expect(await health()).toMatchObject({ status: 200, body: { status: 'degraded' } });
    await deployment.control('POST', '/anchors/stall', { on: false });
    deployment.advance(MINUTE_MS);
    expect((await health()).body.status).toBe('ok');
  });

  it('is an error with 503 where there is no anchor', async () => {
    deployment.host.service.anchors.latestIndex = -1;
    expect(await health()).toMatchObject({ status: 503, body: { status: 'error' } });
  });
});

describe('a timestamp', () => {
  const hash = 'AB'.repeat(32);
  const from = { 'X-Forwarded-For': '10.9.9.9' };
  const stamp = (body: object, headers = {}) => deployment.call('POST beats:/beat/timestamp', body, undefined, headers);

  it('is a memo in JSON, with a tier and the hash in lower case', async () => {
    deployment.advance(2 * MINUTE_MS + 1);
    const { timestamp, tier } = (await stamp({ hash })).body;
    expect([timestamp.hash, tier]).toEqual(['ab'.repeat(32), 'free']);
    const record = deployment.host.service.ledger.transactions.get(timestamp.tx_signature);
    expect(record?.kind === 'memo' && JSON.parse(record.text)).toEqual({
      v: 1,
      type: 'timestamp',
      hash: 'ab'.repeat(32),
      anchor_index: 2,
      anchor_hash: timestamp.anchor_hash,
      utc: timestamp.utc,
    });
  });

  it('has a body of at most 256 bytes', async () => {
    const body = (bytes: number) => {
      const empty = JSON.stringify({ hash, pad: '' }).length;
      return { hash, pad: 'x'.repeat(bytes - empty) };
    };
    expect((await stamp(body(256))).status).toBe(200);
    expect((await stamp(body(257))).status).toBe(413);
  });

  it('is to be had ten times a day', async () => {
    for (let i = 0; i < 10; i++) {
      expect((await stamp({ hash }, from)).status, `the ${i + 1}th`).toBe(200);
      deployment.advance(MINUTE_MS);
    }
    const { status, body } = await stamp({ hash }, from);
    expect([status, body.retry_after_ms]).toEqual([429, 86_400_000 - 10 * MINUTE_MS]);
    expect((await stamp({ hash })).status).toBe(200);
  });
});

describe('an anchor', () => {
  it('is a memo on the ledger', async () => {
    deployment.advance(MINUTE_MS);
    const { anchor, on_chain } = (await deployment.call('GET beats:/beat/anchor')).body;
    expect(on_chain).toEqual({
      tx_signature: anchor.tx_signature,
      explorer_url: `https://explorer.solana.com/tx/${anchor.tx_signature}?cluster=devnet`,
      anchored: true,
    });
    const { type: _t, tx_signature: _s, prev_hash: prev, ...rest } = anchor;
    const record = deployment.host.service.ledger.transactions.get(anchor.tx_signature);
    expect(record?.kind === 'memo' && JSON.parse(record.text)).toEqual({ v: 1, type: 'anchor', prev, ...rest });
  });

  it.each([
    [90, 666],
    [30, 2_000],
    [600, 250],
    [1, 4_000],
  ])('every %i s has difficulty %i from the 100th on, and 1,000 before', async (anchorPaceSec, difficulty) => {
    await deployment.close();
    deployment = await Deployment.start({ dialect: dialects.provenonce, anchorPaceSec });
    deployment.advance(99 * anchorPaceSec * 1_000);
    expect(await anchorNow()).toMatchObject({ beat_index: 99, epoch: 0, difficulty: 1_000 });
    deployment.advance(anchorPaceSec * 1_000);
    expect(await anchorNow()).toMatchObject({ beat_index: 100, epoch: 1, difficulty });
    deployment.advance(99 * anchorPaceSec * 1_000);
    expect(await anchorNow()).toMatchObject({ beat_index: 199, difficulty });
  });

  it('has a difficulty of 100 to 1,000,000, however long the pace is kept', async () => {
    for (const [anchorPaceSec, end] of [
      [600, 100],
      [1, 1_000_000],
    ] as const) {
      await deployment.close();
      deployment = await Deployment.start({ dialect: dialects.provenonce, anchorPaceSec });
      deployment.advance(600 * anchorPaceSec * 1_000);
      expect(await anchorNow()).toMatchObject({ difficulty: end });
    }
  });

  it('keeps its hash, whatever its difficulty', async () => {
    const { hash, prev_hash } = await anchorNow();
    expect(prev_hash).toBe(createHash('sha256').update('beats:genesis:v1:').digest('hex'));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
