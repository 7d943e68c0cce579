import {
  AuthError,
  BeatAgent,
  NotFoundError,
  ProvenonceError,
  RateLimitError,
  register,
  SigilRequiredError,
  StateError,
  ValidationError,
  verifyAnchorHash,
} from '@provenonce/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ethereumWallet } from './fixtures/ethereum-wallet.js';
import { ClientLab, SIGIL, walletOf } from './fixtures/published-client.js';

/**
 * The published client over TCP, as it is, against `aips serve` in a process of its own: its fetch, timers and clock are
 * Node's. Payments and the passing of time are the control API's. What the client lacks is done by plain calls, and
 * listed in docs/interop.md. What takes it seconds of work is in interop-sdk.nightly.
 */
let lab: ClientLab;
let registryUrl: string;
beforeAll(async () => {
  lab = await ClientLab.start();
  registryUrl = lab.registryUrl;
});
afterAll(() => lab.server.stop());

describe('the published client registers', () => {
  it('a root without a wallet, by token too', async () => {
    const { token } = (await lab.plain('/register/token', {})).body;
    const made = await register('root', { registryUrl, registrationToken: String(token), metadata: { a: 1 } });
    expect(made).toMatchObject({ ok: true, type: 'root', depth: 0, parent: null, metadata: { a: 1 } });
    const again = register('root', { registryUrl, registrationToken: String(token) });
    await expect(again).rejects.toThrow(AuthError);
  });

  it('a root with the wallet of an operator', async () => {
    const wallet = walletOf(1);
    const made = await lab.registerOperator('operated', wallet);
    expect(made).toMatchObject({ wallet_model: 'operator', wallet: { address: wallet.publicKeyBase58 } });
    const { body } = await lab.plain(`/status/${made.hash}`);
    expect(body).toMatchObject({ wallet: wallet.publicKeyBase58, metadata: { team: 'lab' } });
  });

  it('a root with an Ethereum wallet', async () => {
    const { address, sign } = ethereumWallet(2);
    const made = await register('ether', {
      registryUrl,
      walletChain: 'ethereum',
      walletAddress: address,
      walletSignFn: async (message) => sign(message),
    });
    expect(made).toMatchObject({ wallet_chain: 'ethereum', wallet: { address } });
    const forged = { walletAddress: address, walletSignFn: async (message: string) => ethereumWallet(3).sign(message) };
    const refused = register('ether', { registryUrl, walletChain: 'ethereum', ...forged });
    await expect(refused).rejects.toThrow(ProvenonceError);
  });

  it('no child: it sends no spawn_authorization (4.2)', async () => {
    const parent = await lab.registerOperator('childless', walletOf(4));
    const child = register('child', { registryUrl, parentHash: parent.hash, parentApiKey: parent.api_key });
    await expect(child).rejects.toMatchObject({ statusCode: 400, message: expect.stringContaining('spawn_auth') });
  });

  it('no self-custody wallet, and links none (4.2, 4.12): plain calls do', async () => {
    const wallet = walletOf(5);
    const { nonce } = (await lab.plain('/register', { name: 'own', action: 'challenge' })).body;
    const made = await lab.plain('/register', {
      name: 'own',
      wallet_nonce: nonce,
      wallet_public_key: wallet.publicKeyHex,
      wallet_signature: wallet.signHex(`provenonce-register:${nonce}:${wallet.publicKeyHex}:own`),
    });
    const { agent } = lab.agentOf(String(made.body['api_key']));
    expect(await agent.init()).toMatchObject({ ok: true });

    const late = await register('late', { registryUrl });
    const asked = (await lab.plain('/agent/wallet', { action: 'challenge' }, late.api_key)).body['nonce'];
    const linked = await lab.plain(
      '/agent/wallet',
      {
        wallet_nonce: asked,
        wallet_public_key: wallet.publicKeyHex,
        wallet_signature: wallet.signHex(`provenonce-link-wallet:${asked}:${wallet.publicKeyHex}:${late.hash}`),
      },
      late.api_key,
    );
    expect(linked.body).toMatchObject({ ok: true, wallet: wallet.publicKeyBase58 });
  });
});

describe('the published client keeps a chain', () => {
  it('init, submitBeats, and goes on where another instance stopped', async () => {
    const { api_key: key, hash } = await lab.registerOperator('prover', walletOf(6));
    const { agent, errors } = lab.agentOf(key);
    const { anchor } = (await lab.plain('/beat/anchor')).body;
    expect(verifyAnchorHash(anchor as Parameters<typeof verifyAnchorHash>[0])).toBe(true);
    const born = await agent.init();
    expect(await agent.submitBeats(12)).toEqual({
      ok: true,
      beats_accepted: 12,
      total_beats: 12,
      latest_beat_index: 12,
    });
    const heir = lab.agentOf(key);
    expect(await heir.agent.init()).toEqual(born);
    expect(await heir.agent.submitBeats(3)).toMatchObject({ ok: true, total_beats: 15, latest_beat_index: 15 });
    expect(heir.agent.getLocalState()).toMatchObject({ status: 'active', difficulty: 1_000, totalBeats: 15 });
    expect([...errors, ...heir.errors]).toEqual([]);
    const { body } = await lab.plain(`/agent/beat-status/${hash}`);
    expect(body).toMatchObject({ heartbeat: { latest_beat: 15, total_beats: 15, available_beats: 15 } });
  });
});

describe('the published client lives', () => {
  it('SIGIL, heartbeat, metadata, passports, which it verifies', async () => {
    const { agent, errors, hash, wallet, bought } = await lab.livingAgent('ada', 10);
    expect(agent.hasSigil()).toBe(true);
    expect(bought.sigil).toMatchObject({ identity_class: 'autonomous', principal: 'lab', tier: 'org' });
    const beaten = await agent.heartbeat(await lab.pay(wallet, 500_000), 0);
    expect(beaten).toMatchObject({ ok: true, heartbeat_count_epoch: 1, fee: { tier: 1, amount_lamports: 500_000 } });
    expect(await agent.updateMetadata({ substrate: 'frontier', tools: ['grep'], generation_trigger: 'new' })).toEqual({
      ok: true,
      sigil: bought.sigil?.sigil,
      generation: 2,
      updated_fields: ['substrate', 'tools', 'generation_trigger'],
    });
    const reissued = await agent.reissuePassport(await lab.pay(wallet, 200_000));
    const exported = await agent.exportPassport();
    const { body: authority } = await lab.plain('/.well-known/authority-key');
    const key = String(authority['authority_public_key_hex']);
    for (const passport of [bought.passport, beaten.passport, reissued.passport, exported?.passport]) {
      if (passport === undefined) throw new Error('a passport is missing');
      expect(passport).toMatchObject({ agent_hash: hash, agent_public_key: wallet.publicKeyBase58 });
      expect(BeatAgent.verifyPassportLocally(passport, key)).toMatchObject({ valid: true, expired: false });
      const forged = { ...passport, registered_at_beat: passport.registered_at_beat + 1 };
      expect(BeatAgent.verifyPassportLocally(forged, key)).toMatchObject({ valid: false, signatureValid: false });
    }
    const own = BeatAgent.proofToPassportVC(exported?.passport as never);
    expect(exported?.passport_vc).toEqual(own);
    expect(errors).toEqual([]);
  });

  it('spawns with a proof of beats and sponsors; the child is registered by a plain call', async () => {
    const { agent, errors, hash, key, wallet } = await lab.livingAgent('bob', 11);
    const allowed = await agent.requestSpawnWithBeatsProof({ childName: 'bit' });
    expect(allowed, JSON.stringify(allowed)).toMatchObject({ ok: true, eligible: true, receipt_based: true });
    const { spawn_authorization } = allowed as { spawn_authorization?: string };
    const made = await lab.plain('/register', { name: 'bit', parent: hash, spawn_authorization }, key);
    expect(made.body).toMatchObject({ ok: true, type: 'agent', parent: hash, depth: 1 });
    const childHash = String(made.body['hash']);
    expect(await agent.requestSpawn('bit', childHash)).toMatchObject({
      ok: true,
      eligible: true,
      child_hash: childHash,
    });

    const child = lab.agentOf(String(made.body['api_key']));
    expect(await child.agent.init()).toMatchObject({ ok: true });
    expect(await agent.sponsorChild(childHash, { maxHeartbeatsEpoch: 7, expiresInHours: 1 })).toMatchObject({
      ok: true,
      sponsorship: { child_hash: childHash, status: 'active', max_heartbeats_epoch: 7 },
    });
    const beaten = await child.agent.heartbeat(await lab.pay(wallet, 500_000), undefined, { sponsoredBy: hash });
    expect(beaten).toMatchObject({ ok: true, passport: { agent_hash: childHash, identity_class: null } });
    expect(await agent.listSponsorships()).toMatchObject({ ok: true, sponsorships: [{ heartbeats_used_epoch: 1 }] });
    expect(await agent.revokeSponsor(childHash)).toEqual({ ok: true });
    expect([...errors, ...child.errors]).toEqual([]);
  });
});

describe('the published client knows the errors', () => {
  /** The last error in the words of the client's own classes. */
  const last = (errors: readonly unknown[]) => {
    const error = errors.at(-1) as ProvenonceError;
    return { name: error.name, code: error.code, status: error.statusCode };
  };

  it('of a living agent', async () => {
    const { agent, errors, wallet, key } = await lab.livingAgent('fay', 13);
    const paid = await lab.pay(wallet, 500_000);
    expect(await agent.heartbeat(paid)).toMatchObject({ ok: true });
    await agent.heartbeat(await lab.pay(wallet, 500_000));
    expect(errors.at(-1)).toBeInstanceOf(RateLimitError);
    await lab.control('clock/advance', { anchors: 10 });
    await agent.heartbeat(paid);
    expect(last(errors)).toEqual({ name: 'ProvenonceError', code: 'SERVER_ERROR', status: 409 });
    await agent.heartbeat(await lab.pay(wallet, 400_000));
    expect(last(errors)).toEqual({ name: 'ProvenonceError', code: 'SERVER_ERROR', status: 400 });
    await agent.purchaseSigil({ ...SIGIL, payment_tx: await lab.pay(wallet, 150_000_000) });
    expect(last(errors)).toEqual({ name: 'ProvenonceError', code: 'SERVER_ERROR', status: 409 });
    await agent.sponsorChild(`0x${'0'.repeat(64)}`);
    expect(errors.at(-1)).toBeInstanceOf(NotFoundError);
    expect(await agent.getSigilAttribution('a'.repeat(16))).toMatchObject({ ok: false });
    expect(last(errors)).toEqual({ name: 'ProvenonceError', code: 'SERVER_ERROR', status: 400 });
    await agent.updateMetadata({ substrate: 'steam' } as never);
    expect(last(errors)).toEqual({ name: 'ProvenonceError', code: 'SERVER_ERROR', status: 400 });
    const wrong = await agent.requestSpawn('kid', undefined, {} as never).catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(ProvenonceError);
    const challenge = await lab.plain('/agent/resync', { action: 'challenge' }, key);
    expect(challenge).toMatchObject({ status: 409, body: { code: 'AGENT_WRONG_STATE' } });
  });

  it('of an agent that lacks key, SIGIL or chain', async () => {
    const nobody = lab.agentOf('pvn_nobody.0');
    expect(await nobody.agent.init()).toMatchObject({ ok: false });
    expect(last(nobody.errors)).toEqual({ name: 'AuthError', code: 'AUTH_MISSING', status: 401 });
    const wallet = walletOf(14);
    const { api_key: key } = await lab.registerOperator('gus', wallet);
    const { agent, errors } = lab.agentOf(key);
    await agent.heartbeat(await lab.pay(wallet, 500_000));
    expect(errors.at(-1)).toBeInstanceOf(StateError);
    expect(last(errors)).toMatchObject({ code: 'AGENT_NOT_INITIALIZED' });
    expect(await agent.init()).toMatchObject({ ok: true });
    expect(await agent.heartbeat(await lab.pay(wallet, 500_000))).toMatchObject({ ok: false, sigil_required: true });
    await agent.updateMetadata({ substrate: 'open' });
    expect(errors.at(-1)).toBeInstanceOf(SigilRequiredError);
    await expect(agent.heartbeat('')).rejects.toThrow(ValidationError);
  });
});
