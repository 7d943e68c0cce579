import { createPublicKey, verify as verifySignature } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ethereumWallet } from '../../../test/fixtures/ethereum-wallet.js';
import { authorizationFor, childOf, linkWallet, receiptOf } from '../../../test/fixtures/family.js';
import { Deployment } from '../../../test/fixtures/http.js';
import { freshKey, walletless } from '../../../test/fixtures/parties.js';
import { expectAccepted, expectRefusal } from '../../../test/fixtures/refusals.js';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

describe('an agent key (5)', () => {
  it('[key.agent.form] [key.agent.payload] reads pvn_<payload>.<signature>, and its payload names the agent', async () => {
    const made = (await deployment.post('/register', { name: 'x' })).body;
    const [, payload = ''] = /^pvn_([A-Za-z0-9_-]+)\.[0-9a-f]{64}$/.exec(made.api_key) ?? [];
    const told = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(told).toEqual({ h: made.hash, k: expect.anything(), iat: 1_767_225_600_000 });
  });

  it('[key.secret.kept] stands, with the secret, in the reply that issues it and in no other', async () => {
    const { hash, api_key, secret } = (await deployment.post('/register', { name: 'x' })).body;
    const key = { Authorization: `Bearer ${api_key}` };
    const replies = [
      await deployment.get(`/status/${hash}`),
      await deployment.get(`/verify/${hash}`),
      await deployment.get(`/agent/beat-status/${hash}`),
      await deployment.post('/verify/batch', { hashes: [hash] }),
      await deployment.post('/agent/init', {}, key),
      await deployment.post('/agent/heartbeat', {}, key),
      await deployment.post('/agent/init', {}, { Authorization: `Bearer ${api_key}0` }),
    ];
    for (const { body } of replies) {
      expect(JSON.stringify(body)).not.toContain(api_key);
      expect(JSON.stringify(body)).not.toContain(secret);
    }
  });

  it('[key.agent.bound] acts for its own agent, whatever the body says', async () => {
    const [one, other] = [await deployment.agent(), await deployment.agent()];
    const body = { payment_tx: one.pay(500_000), agent_hash: other.hash, hash: other.hash };
    expect((await one.post('/agent/heartbeat', body)).body.agent_hash).toBe(one.hash);
    const heartbeats = async (hash: string) =>
      (await deployment.get(`/status/${hash}`)).body.beat_state.total_heartbeats as number;
    expect([await heartbeats(one.hash), await heartbeats(other.hash)]).toEqual([1, 0]);
  });

  it('[key.agent.bound] a payload with the signature of another belongs to nobody', async () => {
    const [one, other] = [await deployment.agent(), await deployment.agent()];
    const mixed = `${one.apiKey.split('.')[0]}.${other.apiKey.split('.')[1]}`;
    const reply = await deployment.get('/agent/passport', { Authorization: `Bearer ${mixed}` });
    expect([reply.status, reply.body.code]).toEqual([401, 'AUTH_MISSING']);
  });
});

describe('the parent key (5)', () => {
  it('[key.parent.register] registers a child of its own agent, and of no other', async () => {
    const [parent, other] = [await deployment.register(), await deployment.register()];
    const body = {
      name: 'kid',
      parent: parent.hash,
      spawn_authorization: await authorizationFor(deployment, parent, 'kid'),
    };
    expect((await other.post('/register', body)).status).toBe(400);
    const made = await parent.post('/register', body);
    expectAccepted(made);
    expect(made.body).toMatchObject({ parent: parent.hash, depth: 1 });
  });

  it('[key.parent.spawn] spawns for its own agent: the child can be registered under it alone', async () => {
    const [parent, other] = [await deployment.register(), await deployment.register()];
    const preflight = { child_name: 'kid', beats_receipt: receiptOf(deployment, 1_000) };
    expectRefusal(await deployment.post('/agent/spawn', preflight), [401, 'AUTH_MISSING']);
    const given = await parent.post('/agent/spawn', preflight);
    expectAccepted(given);
    const { spawn_authorization } = given.body;
    expect((await other.post('/register', { name: 'kid', spawn_authorization })).status).toBe(409);
    expect((await parent.post('/register', { name: 'kid', spawn_authorization })).status).toBe(200);
  });

  it('[key.parent.sponsor] sponsors for its own agent', async () => {
    const parent = await deployment.register();
    const child = await childOf(deployment, parent, 'kid');
    const body = { child_hash: child.hash };
    expectRefusal(await deployment.post('/agent/sponsor', body), [401, 'AUTH_MISSING']);
    const given = await parent.post('/agent/sponsor', body);
    expectAccepted(given);
    expect(given.body.sponsorship.parent_hash).toBe(parent.hash);
  });
});

describe('a wallet signature (5)', () => {
  const finish = (body: object) => deployment.post('/register', { name: 'signer', ...body });
  const nonceOf = async (body: object): Promise<string> =>
    (await deployment.post('/register', { name: 'signer', ...body })).body.nonce;

  it('[key.wallet-signature.ed25519] [key.wallet-signature.use] is Ed25519 over the nonce message at registration', async () => {
    const key = freshKey();
    const wallet_nonce = await nonceOf({ action: 'challenge' });
    const body = { wallet_nonce, wallet_public_key: key.publicKeyHex };
    const message = `service-register:${wallet_nonce}:${key.publicKeyHex}:signer`;
    const wrong = await finish({ ...body, wallet_signature: key.signHex(`${message} `) });
    expectRefusal(wrong, [400, 'SIGNATURE_INVALID']);
    const made = await finish({ ...body, wallet_signature: key.signHex(message) });
    expectAccepted(made);
    expect((await deployment.get(`/status/${made.body.hash}`)).body.wallet).toBe(key.publicKeyBase58);
  });

  it('[key.wallet-signature.ethereum] [key.wallet-signature.use] of Ethereum is secp256k1 under EIP-191', async () => {
    const { address, sign } = ethereumWallet(3);
    const wallet_nonce = await nonceOf({ action: 'challenge', wallet_chain: 'ethereum' });
    const body = { wallet_chain: 'ethereum', wallet_address: address, wallet_nonce };
    const message = `service-register-ethereum:${wallet_nonce}:${address}:signer`;
    for (const wrong of [ethereumWallet(4).sign(message), sign(`${message} `), freshKey().signHex(message)]) {
      const refused = await finish({ ...body, wallet_signature: wrong });
      expectRefusal(refused, [400, 'SIGNATURE_INVALID']);
    }
    const made = await finish({ ...body, wallet_signature: sign(message) });
    expectAccepted(made);
    expect((await deployment.get(`/status/${made.body.hash}`)).body).toMatchObject({
      wallet: address,
      wallet_chain: 'ethereum',
    });
  });

  it("[key.wallet-signature.operator] [key.wallet-signature.use] proves an operator's address, and no more is sent", async () => {
    const key = freshKey();
    const address = key.publicKeyBase58;
    const wallet_nonce = await nonceOf({ wallet_model: 'operator' });
    const body = { wallet_model: 'operator', operator_wallet_address: address, wallet_nonce };
    const message = `service-register-operator:${wallet_nonce}:${address}:signer`;
    const theirs = await finish({ ...body, wallet_signature: freshKey().signHex(message) });
    expectRefusal(theirs, [400, 'SIGNATURE_INVALID']);
    const made = await finish({ ...body, wallet_signature: key.signHex(message) });
    expectAccepted(made);
    expect((await deployment.get(`/status/${made.body.hash}`)).body).toMatchObject({
      wallet: address,
      wallet_model: 'operator',
    });
  });

  it('[key.wallet-signature.use] links a wallet', async () => {
    const agent = await walletless(deployment);
    await linkWallet(deployment, agent);
    expect((await deployment.get(`/status/${agent.hash}`)).body.wallet).toBe(agent.key.publicKeyBase58);
  });
});

describe('what needs no credential (5, rule 1)', () => {
  const known = `0x${'ab'.repeat(32)}`;
  it.each<[string, string, string, number, object?]>([
    ['auth.public.status', 'GET', '/status/:hash', 200],
    ['auth.public.verify', 'GET', '/verify/:hash', 200],
    ['auth.public.verify-batch', 'POST', '/verify/batch', 200, { hashes: [known] }],
    ['auth.public.beat-status', 'GET', '/agent/beat-status/:hash', 200],
    ['auth.public.beat-anchor', 'GET', '/beat/anchor', 200],
    [
      'auth.public.beat-verify',
      'POST',
      '/beat/verify',
      200,
      {
        beat: { index: 1, prev: '00'.repeat(32), hash: '00'.repeat(32) },
      },
    ],
    ['auth.public.authority-key', 'GET', '/.well-known/authority-key', 200],
    ['auth.public.fees-summary', 'GET', '/fees/summary', 200],
    ['auth.public.register-token', 'POST', '/register/token', 200, {}],
  ])(
    '[%s] %s %s is answered %i, on mainnet too, and to a forged key alike',
    async (_id, method, path, status, body) => {
      deployment.close();
      deployment = await Deployment.start({ policy: { network: 'mainnet', registrationSecret: 's' } });
      const made = await deployment.post('/register', { name: 'x' }, { 'x-registration-secret': 's' });
      const at = `/api/v1${path.replace(':hash', made.body.hash)}`;
      const sent = body === undefined ? {} : { body };
      expect((await deployment.send(method, at, sent)).status).toBe(status);
      const forged = { ...sent, headers: { Authorization: 'Bearer pvn_x.00' } };
      expect((await deployment.send(method, at, forged)).status).toBe(status);
    },
  );
});

describe('a passport (5, rule 4)', () => {
  it('[auth.passport.offline] verifies offline under the published key, and no changed one does', async () => {
    const agent = await deployment.agent();
    const { passport } = (await agent.heartbeat()).body;
    const { service_signature, ...signed } = passport;
    const published = (await deployment.get('/.well-known/authority-key')).body.authority_public_key_hex;
    const der = Buffer.from(`302a300506032b6570032100${published}`, 'hex');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const holds = (fields: object): boolean =>
      verifySignature(null, Buffer.from(JSON.stringify(fields)), key, Buffer.from(service_signature, 'hex'));
    expect(holds(signed)).toBe(true);
    for (const [name, value] of Object.entries(signed)) {
      expect(holds({ ...signed, [name]: typeof value === 'number' ? value + 1 : `${value}0` }), name).toBe(false);
    }
  });
});
