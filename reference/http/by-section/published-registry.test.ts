import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import { childOf, receiptOf } from '../../../test/fixtures/family.js';
import { Deployment } from '../../../test/fixtures/http.js';
import { signingKey } from '../../beats/signing.js';

/** D-57 over HTTP: what the registry of the dialect provenonce does otherwise, fact by fact. */
let deployment: Deployment;

beforeEach(async () => {
  deployment = await Deployment.start({
    dialect: dialects.provenonce,
    overlay: { limits: { spawn: { count: 100 } } },
  });
});
afterEach(() => deployment.close());

const register = (name: string, ip: string) => deployment.post('/register', { name }, { 'X-Forwarded-For': ip });

describe('registrations', () => {
  it('without a wallet number five an hour', async () => {
    for (let i = 0; i < 5; i++) expect((await register(`a${i}`, '10.8.8.8')).status).toBe(200);
    expect((await register('a5', '10.8.8.8')).status).toBe(429);
  });

  it('with one number ten an hour, in both phases', async () => {
    const ask = () =>
      deployment.post('/register', { name: 'w', action: 'challenge' }, { 'X-Forwarded-For': '10.8.8.9' });
    for (let i = 0; i < 10; i++) expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });

  it('count by the last entry of X-Forwarded-For', async () => {
    for (let i = 0; i < 5; i++) expect((await register(`a${i}`, `10.7.0.${i}, 10.8.8.8`)).status).toBe(200);
    expect((await register('b', '10.7.1.1, 10.8.8.8')).status).toBe(429);
    expect((await register('c', '10.8.8.8, 10.7.1.2')).status).toBe(200);
  });
});

describe('names', () => {
  it('lose other characters before their signature is checked', async () => {
    const key = signingKey(new Uint8Array(32).fill(3));
    const sent = 'Zoë <script> O’Brien';
    const kept = 'Zo script OBrien';
    const { nonce } = (await deployment.post('/register', { name: sent, action: 'challenge' })).body;
    const signed = (name: string) => key.signHex(`provenonce-register:${nonce}:${key.publicKeyHex}:${name}`);
    const body = { name: sent, wallet_nonce: nonce, wallet_public_key: key.publicKeyHex };
    expect((await deployment.post('/register', { ...body, wallet_signature: signed(sent) })).status).toBe(400);
    const made = (await deployment.post('/register', { ...body, wallet_signature: signed(kept) })).body;
    expect(made.name).toBe(kept);
    expect((await deployment.get(`/status/${made.hash}`)).body.name).toBe(kept);
    expect((await deployment.post('/register', { name: 'ë’' })).body).toMatchObject({ code: 'VALIDATION' });
  });

  it('of SIGILs have up to 63 characters', async () => {
    const buy = async (name: string) => {
      const agent = await deployment.register();
      const body = { identity_class: 'narrow_task', principal: 'tests', tier: 'org', name };
      return agent.post('/sigil', { ...body, payment_tx: agent.pay(50_000_000) });
    };
    expect((await buy('n'.repeat(63))).status).toBe(200);
    expect((await buy('n'.repeat(64))).status).toBe(400);
  });
});

describe('a SIGIL', () => {
  it('is bought together with its mutable fields, of which a wrong one is refused', async () => {
    const agent = await deployment.register();
    const body = { identity_class: 'narrow_task', principal: 'tests', tier: 'org' };
    const fields = { substrate: 'frontier', tools: ['grep'], generation_trigger: 'born' };
    const wrong = await agent.post('/sigil', { ...body, substrate: 'steam', payment_tx: agent.pay(50_000_000) });
    expect(wrong.status).toBe(400);
    expect((await agent.post('/sigil', { ...body, ...fields, payment_tx: agent.pay(50_000_000) })).status).toBe(200);
    expect((await deployment.get(`/verify/${agent.hash}`)).body.sigil).toMatchObject({ ...fields, generation: 2 });
  });

  it('has a birth memo in JSON', async () => {
    const agent = await deployment.agent();
    const { sigil } = (await deployment.get(`/verify/${agent.hash}`)).body;
    const record = deployment.host.service.ledger.transactions.get(sigil.birth_tx);
    const memo = record?.kind === 'memo' ? JSON.parse(record.text) : undefined;
    expect(memo).toMatchObject({ v: 1, type: 'birth', agent_hash: agent.hash, sigil: sigil.sigil });
  });
});

describe('the lineage chain', () => {
  it('is the hash of event hashes, joined by colons', async () => {
    const agent = await deployment.agent();
    deployment.advance(10 * 60_000);
    await agent.heartbeat();
    const sha = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`;
    const hashes: string[] = [];
    for (const [type, beat] of [
      ['registered', 0],
      ['wallet_linked', 0],
      ['sigil', 0],
      ['heartbeat', 10],
    ] as const) {
      hashes.push(sha(`${agent.hash}:${type}:${beat}:${hashes.at(-1) ?? `0x${'0'.repeat(64)}`}`));
    }
    const { body } = await deployment.get(`/agent/beat-status/${agent.hash}`);
    expect(body.heartbeat_epoch.lineage_chain_hash).toBe(sha(hashes.join(':')));
    const { body: line } = await deployment.get(`/agent/lineage/${agent.hash}`);
    expect(line).toMatchObject({ lineage_chain_hash: sha(hashes.join(':')), lineage: [{ hash: agent.hash }] });
  });
});

describe('children', () => {
  it('cost one beat less than exactly with three siblings', async () => {
    const parent = await deployment.agent();
    for (const name of ['a', 'b', 'c']) await childOf(deployment, parent, name);
    expect((await parent.post('/agent/spawn', { child_name: 'd' })).body).toMatchObject({
      code: 'RECEIPT_REQUIRED',
      required_beats: 1_727,
      siblings: 3,
    });
  });

  it('are at most ten levels deep', async () => {
    let parent = await deployment.agent();
    for (let depth = 1; depth <= 10; depth++) parent = await childOf(deployment, parent, `d${depth}`);
    const body = { child_name: 'd11', beats_receipt: receiptOf(deployment, 1_000_000) };
    expect((await parent.post('/agent/spawn', body)).body).toMatchObject({ code: 'VALIDATION' });
  });
});

describe('what can be looked up', () => {
  it('has tiers of heartbeats with from and to', async () => {
    const { schedule } = (await deployment.get('/fees/summary')).body;
    expect(schedule.heartbeat_tiers).toEqual([
      { from: 1, to: 100, sol: 0.0005, lamports: 500_000 },
      { from: 101, to: 1_000, sol: 0.0003, lamports: 300_000 },
      { from: 1_001, to: null, sol: 0.0002, lamports: 200_000 },
    ]);
  });

  it('has the authority key at a path of its own', async () => {
    const reply = await deployment.send('GET', '/.well-known/provenonce-authority.json');
    const { authority_public_key_hex } = (await deployment.get('/.well-known/authority-key')).body;
    expect(reply.body).toEqual({ authority_public_key: authority_public_key_hex });
  });

  it('has credentials under its own names', async () => {
    const agent = await deployment.agent();
    const { passport_vc } = (await agent.get('/agent/passport')).body;
    const keyId = passport_vc.issuer.authority_key_id;
    expect(passport_vc).toMatchObject({
      issuer: { id: 'https://provenonce.io' },
      credentialSubject: { id: `provenonce:agent:${agent.hash}` },
      proof: { verificationMethod: `https://provenonce.io/.well-known/provenonce-authority.json#${keyId}` },
    });
  });
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
