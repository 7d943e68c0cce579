import { setTimeout } from 'node:timers/promises';
import { BeatAgent, computeBeat, computeBeatsLite } from '@provenonce/sdk';
import { createHeartbeatPaymentFn, createPayer, SolanaPayer } from '@provenonce/sdk/solana';
import { base58 } from '@scure/base';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ClientLab, SIGIL, walletOf } from './fixtures/published-client.js';

/**
 * The SDK's payments and background work, over TCP against `aips serve --dialect provenonce`, whose ledger is open by
 * JSON-RPC: the payer, the heartbeat loop, and what it keeps of an agent. The rest is in interop-sdk.slow.test.ts.
 */
let lab: ClientLab;
let rpcUrl: string;
let ticking = true;
let clock: Promise<void>;
/** Lets protocol time pass, a call after the other, until it is asked to end: none is under way when the server stops. */
async function tick(): Promise<void> {
  while (ticking) {
    await lab.control('clock/advance', { ms: 400 });
    await setTimeout(50);
  }
}
beforeAll(async () => {
  lab = await ClientLab.start(['--ledger-port', '0']);
  rpcUrl = lab.server.rpcUrl ?? '';
  // The payer waits for slots to pass; it looks every three seconds, of which nothing is learnt.
  Object.assign(SolanaPayer, { POLL_INTERVAL_MS: 20 });
  clock = tick();
});
afterAll(async () => {
  ticking = false;
  await clock;
  await lab.server.stop();
});

const BYTE = 50;
const wallet = walletOf(BYTE);

/** A payer as the SDK makes it: of a secret key in base58. */
async function payer() {
  const secret = Buffer.concat([Buffer.alloc(32, BYTE), Buffer.from(wallet.publicKeyHex, 'hex')]);
  await lab.control('ledger/wallets', { address: wallet.publicKeyBase58, lamports: 2_000_000_000 });
  return createPayer(base58.encode(secret), lab.registryUrl, rpcUrl);
}

describe('the SDK', () => {
  it('pays by Solana JSON-RPC: SIGIL, heartbeat, reissue; and beats by itself', async () => {
    const pays = await payer();
    expect(pays.publicKey).toBe(wallet.publicKeyBase58);
    expect(await pays.getBalance()).toBeGreaterThan(0);
    expect((await pays.getFees()).schedule.heartbeat_tiers[0]).toMatchObject({ from: 1, to: 100, lamports: 500_000 });
    const { api_key: key } = await lab.registerOperator('payer', wallet);
    const { agent, errors } = lab.agentOf(key);
    expect(await agent.init()).toMatchObject({ ok: true });
    const { signature, lamports } = await pays.paySigil('autonomous');
    expect(lamports).toBe(150_000_000);
    expect(await agent.purchaseSigil({ ...SIGIL, payment_tx: signature })).toMatchObject({ ok: true });
    expect(agent.getPassport()).toEqual(agent.getLatestPassport());
    expect(agent.getLatestProof()).toMatchObject({ identity_class: 'autonomous', last_heartbeat_beat: 0 });
    expect(await agent.heartbeat((await pays.payHeartbeat()).signature)).toMatchObject({ ok: true, fee: { tier: 1 } });
    const reissued = await agent.reissueProof((await pays.payPassportReissue()).signature);
    const { body } = await lab.plain('/.well-known/authority-key');
    const authority = String(body['authority_public_key_hex']);
    expect(BeatAgent.verifyProofLocally(reissued.passport as never, authority)).toMatchObject({ valid: true });
    expect(await agent.getStatus()).toMatchObject({ already_initialized: true, status: 'active' });

    await lab.control('clock/advance', { anchors: 10 });
    const done = vi.fn();
    const loop = new BeatAgent({
      apiKey: key,
      registryUrl: lab.registryUrl,
      beatsUrl: lab.beatsUrl,
      heartbeatIntervalSec: 1,
      onHeartbeat: done,
    });
    loop.startHeartbeat(createHeartbeatPaymentFn(pays));
    await vi.waitFor(() => expect(done).toHaveBeenCalled(), { timeout: 60_000 });
    loop.stopHeartbeat();
    expect(done.mock.calls[0]?.[0]).toMatchObject({ ok: true, heartbeat_count_epoch: 2 });
    expect(errors).toEqual([]);
  });

  it('buys no SIGIL by its deprecated form, which names no principal (4.6)', async () => {
    const { api_key: key } = await lab.registerOperator('older', walletOf(51));
    const { agent } = lab.agentOf(key);
    expect(await agent.purchaseSigil('autonomous', 'devnet-skip')).toMatchObject({
      ok: false,
      error: expect.stringContaining('principal'),
    });
  });

  it('computes beats that the service recomputes: computeBeat, computeBeatsLite', async () => {
    const from = 'ab'.repeat(32);
    const one = computeBeat(from, 1, 100);
    const { lastBeat } = computeBeatsLite(from, 1, 2, 100);
    const beats = [one, lastBeat].map((beat) => ({ index: beat?.index, hash: beat?.hash, prev: beat?.prev }));
    const { body } = await lab.plain('/beat/verify', { mode: 'chain', beats, difficulty: 100 });
    expect(body).toMatchObject({ ok: true, valid: true, beats_checked: 2 });
  });
});
