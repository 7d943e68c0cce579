import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deployment, type DeploymentSetUp } from '../../../test/fixtures/http.js';
import { withSigil } from '../../../test/fixtures/registry.js';
import { computeBeat, computeChain } from '../../beats/beat.js';
import { canonicalJson } from '../../beats/canonical-json.js';
import { verifyEd25519 } from '../../beats/signing.js';
import { intern } from '../../registry/columns/interner.js';
import { linkWallet } from '../../registry/register.js';
import { rowOf } from '../../registry/state.js';

let deployment: Deployment;
const others: Deployment[] = [];
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => Promise.all([deployment, ...others.splice(0)].map((each) => each.close())));

async function another(options: DeploymentSetUp): Promise<Deployment> {
  const made = await Deployment.start(options);
  others.push(made);
  return made;
}

const from = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}` });

async function root(name: string, ip = 1): Promise<{ hash: string; key: string }> {
  const { body } = await deployment.call('POST /register', { name }, undefined, from(ip));
  return { hash: body.hash, key: body.api_key };
}

/** A root with a wallet and a SIGIL, made by the rules alone. */
async function sigilAgent(name: string, ip = 1) {
  const made = await root(name, ip);
  const { registry } = deployment.host.service;
  const agent = rowOf(registry, made.hash);
  const wallet = intern(registry.wallets, `wallet of ${name}`);
  linkWallet(registry, agent, { wallet, model: 'operator', chain: 'solana' }, registry.anchorAtMs);
  withSigil(registry, { agent });
  return made;
}

describe('child registration', () => {
  const body = { name: 'kid', spawn_authorization: 'ab'.repeat(32) };

  it.each<[string, object, (parent: string) => string | undefined, number, string]>([
    ['without a key', body, () => undefined, 401, 'AUTH_MISSING'],
    ['with a key of nobody', body, () => 'pvn_YQ.00', 401, 'AUTH_MISSING'],
    ['with an unknown authorization', body, (key) => key, 409, 'SPAWN_CONFLICT'],
    ['with an unknown parent', { ...body, parent: `0x${'ab'.repeat(32)}` }, (key) => key, 404, 'AGENT_NOT_FOUND'],
    ['without an authorization', { name: 'kid', parent: `0x${'ab'.repeat(32)}` }, (key) => key, 400, 'VALIDATION'],
    ['without a name', { spawn_authorization: 'x' }, (key) => key, 400, 'VALIDATION'],
  ])('%s', async (_name, sent, keyOf, status, code) => {
    const parent = await root('parent');
    const reply = await deployment.call('POST /register', sent, keyOf(parent.key), from(2));
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  it('asks for no registration secret on mainnet: the key of the parent is the credential', async () => {
    const main = await another({ policy: { network: 'mainnet', registrationSecret: 's' } });
    const bare = await main.call('POST /register', { name: 'root' });
    expect([bare.status, bare.body.code]).toEqual([401, 'AUTH_MISSING']);
    const secret = { 'x-registration-secret': 's' };
    const parent = (await main.call('POST /register', { name: 'root' }, undefined, secret)).body;
    expect((await main.call('POST /register', body, parent.api_key)).status).toBe(409);
    const chained = { action: 'challenge', wallet_chain: 'ethereum' };
    const refused = await main.call('POST /register', chained, undefined, secret);
    expect([refused.status, refused.body.code]).toEqual([400, 'WALLET_CHAIN_UNSUPPORTED']);
  });
});

describe('the limits of flags', () => {
  const flag = async (reporter: { key: string }, target: string, ip: number) => {
    const body = { target_hash: target, asserted_class: 'orchestrator', reason: 'r' };
    const reply = await deployment.call('POST /agent/flag', body, reporter.key, from(ip));
    return { ...reply, retryAfter: Number(reply.headers['retry-after']) };
  };

  it('3 an hour by reporter, and the Retry-After holds', async () => {
    const reporter = await sigilAgent('reporter');
    const target = await root('target');
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await flag(reporter, target.hash, 10 + i)).status);
    expect(statuses).toEqual([200, 409, 409, 429]);
    const { retryAfter } = await flag(reporter, target.hash, 20);
    expect(retryAfter).toBe(3_600);
    await deployment.control('POST', '/clock/advance', { ms: retryAfter * 1_000 - 1 });
    expect((await flag(reporter, target.hash, 21)).status).toBe(429);
    await deployment.control('POST', '/clock/advance', { ms: 1 });
    expect((await flag(reporter, target.hash, 22)).status).toBe(409);
  });

  it('10 an hour by target, whatever the case of its hash; requests without a key fill nobody else up', async () => {
    const target = await root('target', 3);
    const upper = `0x${target.hash.slice(2).toUpperCase()}`;
    for (let i = 0; i < 12; i++)
      expect((await flag({ key: 'pvn_YQ.00' }, target.hash, 50)).status).toBe(i < 3 ? 401 : 429);
    for (let i = 0; i < 10; i++) {
      const reporter = await sigilAgent(`reporter ${i}`, 30 + i);
      expect((await flag(reporter, i % 2 === 0 ? target.hash : upper, 60 + i)).status).toBe(200);
    }
    const last = await sigilAgent('reporter 10', 29);
    expect((await flag(last, upper, 80)).status).toBe(429);
    const elsewhere = await root('other', 28);
    expect((await flag(last, elsewhere.hash, 81)).status).toBe(200);
  });
});

describe('the retired check-in', () => {
  it.each([undefined, 'pvn_YQ.00'])('answers 410 with the key %s', async (key) => {
    const reply = await deployment.call('POST /agent/checkin', { any: 'thing' }, key);
    expect(reply.status).toBe(410);
    expect(reply.body).toEqual({ error: expect.any(String), code: 'GONE', deprecated: true });
    expect(deployment.commands).toEqual([]);
  });
});

describe.each(['', 'beats:'])('POST %s/beat/verify', (service) => {
  const ask = async (body: object) =>
    (await deployment.call(`POST ${service}/beat/verify`, body, undefined, from(1))).body;
  const prev = '11'.repeat(32);
  const beat = { index: 7, prev, hash: computeBeat({ prev, index: 7, difficulty: 100 }) };

  it('checks a beat, a chain and a proof', async () => {
    expect(await ask({ beat, difficulty: 100 })).toEqual({ ok: true, mode: 'beat', valid: true, beats_checked: 1 });
    expect(await ask({ beat })).toMatchObject({ valid: false, reason: 'hash_mismatch' });
    const run = computeChain({ fromHash: prev, fromIndex: 6, beats: 4, difficulty: 100, keep: { every: 1 } });
    expect(await ask({ mode: 'chain', beats: run.spotChecks, difficulty: 100 })).toMatchObject({
      valid: true,
      beats_checked: 4,
    });
    const gap = run.spotChecks.toSpliced(1, 1);
    expect(await ask({ mode: 'chain', beats: gap, difficulty: 100 })).toMatchObject({
      valid: false,
      reason: 'index_gap',
    });
  });

  it('checks proofs as the services take them: with an anchor of the latest five', async () => {
    const { anchor } = (await deployment.call('GET /beat/anchor')).body;
    const run = computeChain({
      fromHash: prev,
      fromIndex: 6,
      beats: 4,
      difficulty: 100,
      anchorHash: anchor.hash,
      keep: { every: 1 },
    });
    const common = { from_hash: prev, to_hash: run.toHash, beats_computed: 4, anchor_hash: anchor.hash };
    const proof = { ...common, from_beat: 6, to_beat: 10, global_anchor: 0, spot_checks: run.spotChecks };
    const work = { ...common, difficulty: 100, anchor_index: 0, spot_checks: run.spotChecks };
    const mode = 'proof';
    expect(await ask({ mode, proof, difficulty: 100 })).toEqual({ ok: true, mode, valid: true, beats_checked: 4 });
    expect(await ask({ mode, proof: work })).toEqual({ ok: true, mode, valid: true, beats_checked: 4 });
    expect(await ask({ mode, proof })).toMatchObject({ valid: false, reason: 'check_failed' });
    await deployment.control('POST', '/clock/advance', { anchors: 5 });
    expect(await ask({ mode, proof, difficulty: 100 })).toMatchObject({ valid: false, reason: 'stale_anchor' });
    expect(await ask({ mode, proof: work })).toMatchObject({ valid: false, reason: 'stale_anchor' });
  });

  it('refuses what is no question, and changes nothing', async () => {
    expect((await deployment.call(`POST ${service}/beat/verify`, { mode: 'x' })).body.code).toBe('VALIDATION');
    expect(deployment.commands).toEqual([]);
  });
});

describe('POST /beat/timestamp', () => {
  it('writes a memo and signs when', async () => {
    const hash = 'AB'.repeat(32);
    const { body } = await deployment.call('POST beats:/beat/timestamp', { hash });
    expect(body.timestamp).toMatchObject({ type: 'timestamp', hash, anchor_index: 0, utc: 1_767_225_600_000 });
    const { service } = deployment.host;
    expect(service.ledger.transactions.get(body.timestamp.tx_signature)).toMatchObject({
      kind: 'memo',
      text: `timestamp ${hash}`,
    });
    const keys = (await deployment.call('GET beats:/beat/key')).body.keys.timestamp;
    const signature = Buffer.from(body.receipt.signature, 'base64');
    expect(verifyEd25519(keys.public_key_hex, canonicalJson(body.timestamp), signature)).toBe(true);
    expect((await deployment.call('POST beats:/beat/timestamp', { hash: 'x' })).body.code).toBe('VALIDATION');
  });
});

describe('POST /verify/batch', () => {
  it('answers hashes in their order and journals nothing', async () => {
    const { hash } = await sigilAgent('known');
    const journaled = deployment.commands.length;
    const unknown = `0x${'ab'.repeat(32)}`;
    const { body } = await deployment.call('POST /verify/batch', { hashes: [unknown, hash] });
    expect(body.summary).toEqual({ total: 2, verified: 1, not_found: 1 });
    expect(body.results[1].sigil.generation).toBe(1);
    expect((await deployment.call('POST /verify/batch', {})).body.code).toBe('INVALID_INPUT');
    expect(deployment.commands.length).toBe(journaled);
  });
});

describe('PATCH /agent/metadata', () => {
  it.each<[object, number]>([
    [{ capability: 'witness' }, 200],
    [{ capability: 'witness', unknown: 1 }, 200],
    [{}, 400],
    [{ capability: 'king' }, 400],
    [{ capability: 'witness', tier: 'org' }, 400],
    [{ sigil_name: 'x' }, 400],
    [{ tools: Array(33).fill('a') }, 400],
  ])('%j is answered %s', async (body, status) => {
    const { key } = await sigilAgent('named');
    expect((await deployment.call('PATCH /agent/metadata', body, key)).status).toBe(status);
  });

  it('needs a SIGIL', async () => {
    const { key } = await root('bare');
    const reply = await deployment.call('PATCH /agent/metadata', { capability: 'witness' }, key);
    expect([reply.status, reply.body.code]).toEqual([403, 'SIGIL_REQUIRED']);
  });
});
