// Facts of the dialect provenonce (D-57) that no check of the suite sees: memos on the ledger, the pace of anchors, and the
// successes of calls that need a sponsored child or a partner.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import { childOf } from '../../../test/fixtures/family.js';
import { Deployment } from '../../../test/fixtures/http.js';

const MINUTE_MS = 60_000;

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start({
    dialect: dialects.provenonce,
    overlay: { limits: { spawn: { count: 100 } } },
  });
});
afterEach(() => deployment.close());

const anchorNow = async () => (await deployment.call('GET beats:/beat/anchor')).body.anchor;

describe('the memo on the ledger', () => {
  it('of a birth is JSON', async () => {
    const agent = await deployment.agent();
    const { sigil } = (await deployment.get(`/verify/${agent.hash}`)).body;
    const record = deployment.host.service.ledger.transactions.get(sigil.birth_tx);
    const memo = record?.kind === 'memo' ? JSON.parse(record.text) : undefined;
    expect(memo).toMatchObject({ v: 1, type: 'birth', agent_hash: agent.hash, sigil: sigil.sigil });
  });

  it('of a timestamp is JSON', async () => {
    deployment.advance(2 * MINUTE_MS + 1);
    const { timestamp } = (await deployment.call('POST beats:/beat/timestamp', { hash: 'AB'.repeat(32) })).body;
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

  it('of an anchor is JSON', async () => {
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
});

describe('an anchor', () => {
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
});

it('health is an error with 503 where there is no anchor', async () => {
  deployment.host.service.anchors.latestIndex = -1;
  const health = await deployment.send('GET', '/api/health', {}, 'beats');
  expect(health).toMatchObject({ status: 503, body: { status: 'error' } });
});

describe('the calls of published clients', () => {
  it('skill/bootstrap tells what to do next', async () => {
    const agent = await deployment.register();
    for (const call of [agent.get('/skill/bootstrap'), agent.post('/skill/bootstrap')]) {
      const { body } = await call;
      expect(body).toMatchObject({ ok: true, hash: agent.hash, sigil: null, identity_class: null, total_beats: 0 });
      expect(body._hint).toContain('/agent/init');
    }
    expect((await deployment.get('/skill/bootstrap')).status).toBe(401);
  });

  it('heartbeat/batch beats for sponsored children, and tells of each', async () => {
    const parent = await deployment.agent();
    const [one, two] = [await childOf(deployment, parent, 'one'), await childOf(deployment, parent, 'two')];
    for (const child of [one, two]) expect((await child.post('/agent/init')).status).toBe(200);
    expect((await parent.post('/agent/sponsor', { child_hash: one.hash })).status).toBe(200);
    const children = [one.hash, two.hash];
    const batch = (lamports: number, from = parent) =>
      parent.post('/agent/heartbeat/batch', { children, payment_tx: from.pay(lamports) });
    expect((await batch(500_000)).body.code).toBe('PAYMENT_INVALID');
    expect((await batch(1_000_000, await deployment.agent())).body.code).toBe('PAYMENT_SENDER_MISMATCH');
    const { body } = await batch(1_000_000);
    expect(body).toEqual({
      ok: true,
      summary: { total: 2, succeeded: 1, failed: 1 },
      results: [
        { agent_hash: one.hash, ok: true, heartbeat_count_epoch: 1 },
        { agent_hash: two.hash, ok: false, error: expect.any(String), code: 'WALLET_REQUIRED' },
      ],
    });
    const again = parent.pay(1_000_000);
    const repeat = () => parent.post('/agent/heartbeat/batch', { children, payment_tx: again });
    expect((await repeat()).body).toMatchObject({ ok: false, summary: { succeeded: 0 } });
    deployment.advance(10 * 60_000);
    expect((await repeat()).body).toMatchObject({ ok: true, summary: { succeeded: 1 } });
    expect((await repeat()).body.code).toBe('PAYMENT_ALREADY_USED');
    expect((await parent.get('/agent/sponsor')).body.sponsorships[0].heartbeats_used_epoch).toBe(2);
  });

  it('sigil/check attributes to a partner that there is', async () => {
    const agent = await deployment.agent();
    const { ref } = (await deployment.control('POST', '/partners', { name: 'skill' })).body;
    const { body } = await agent.post('/sigil/check', { partner_ref: ref });
    expect(body).toEqual({
      ok: true,
      attribution_token: expect.stringMatching(/^pvr_[0-9a-f]{64}$/),
      signup_url: null,
      already_has_sigil: true,
    });
    expect((await agent.post('/sigil/check', { partner_ref: '0'.repeat(16) })).status).toBe(400);
  });

  it('are not served in the dialect service', async () => {
    await deployment.close();
    deployment = await Deployment.start();
    const agent = await deployment.agent();
    for (const path of ['/skill/bootstrap', '/sigil/check', '/agent/heartbeat/batch']) {
      expect((await agent.post(path, {})).status).toBe(404);
    }
    expect((await deployment.get(`/agent/lineage/${agent.hash}`)).status).toBe(404);
    expect((await deployment.send('GET', '/.well-known/provenonce-authority.json')).status).toBe(404);
  });
});
