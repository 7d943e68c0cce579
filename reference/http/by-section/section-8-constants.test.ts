import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { receiptOf, walletFinish } from '../../../test/fixtures/family.js';
import { Deployment } from '../../../test/fixtures/http.js';
import { walletless } from '../../../test/fixtures/parties.js';
import { computeBeat } from '../../beats/beat.js';

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment.close());

const anchors = (count: number) => deployment.control('POST', '/clock/advance', { anchors: count });

describe('the constants of section 8, as the wire shows them', () => {
  it('[constant.billing-epoch] an epoch has 100,000 beats', async () => {
    await anchors(99_999);
    const [last, first] = [await deployment.agent(), await deployment.agent()];
    const before = await last.heartbeat();
    expect(before.body).toMatchObject({ current_beat: 99_999, billing_epoch: 0, heartbeat_count_epoch: 1 });
    await anchors(1);
    expect((await first.heartbeat()).body).toMatchObject({ current_beat: 100_000, billing_epoch: 1 });
  });

  it('[constant.passport-validity] a passport is valid for 24 hours', async () => {
    const { passport } = (await (await deployment.agent()).heartbeat()).body;
    expect(passport.issued_at).toBe(1_767_225_600_000);
    expect(passport.valid_until - passport.issued_at).toBe(86_400_000);
  });

  it('[constant.dms-threshold] 60 anchors may be missed, and the 61st freezes', async () => {
    const agent = await deployment.agent();
    const status = async () => (await deployment.get(`/status/${agent.hash}`)).body.beat_state.status;
    await anchors(60);
    expect(await status()).toBe('active');
    await anchors(1);
    expect(await status()).toBe('frozen');
  });

  it.each([
    [61, 6_100],
    [62, 6_200],
    [99, 9_900],
    [100, 10_000],
    [101, 10_000],
    [1_000, 10_000],
  ])(
    '[constant.resync-penalty] [constant.resync-penalty-cap] %i missed anchors cost %i beats',
    async (missed, beats) => {
      const agent = await deployment.register();
      await agent.post('/agent/init');
      await anchors(missed);
      expect((await agent.post('/agent/resync')).body).toMatchObject({ required_beats: beats, gap_anchors: missed });
      const few = await agent.post('/agent/resync', { beats_receipt: receiptOf(deployment, beats - 1) });
      expect([few.status, few.body.code]).toEqual([402, 'INVALID_RECEIPT']);
      const back = await agent.post('/agent/resync', { beats_receipt: receiptOf(deployment, beats) });
      expect(back.body).toMatchObject({ ok: true, required_beats: beats, beats_proven: beats });
    },
  );

  it('[constant.nonce-single-use.wallet] a wallet-link nonce that was used is no longer valid', async () => {
    const agent = await walletless(deployment);
    const body = await walletFinish(deployment, agent);
    expect((await agent.post('/agent/wallet', body)).status).toBe(200);
    // With a linked wallet the refusal would be about that; without one it is about the nonce.
    deployment.host.service.registry.agents.line.setWallet(agent.row, -1);
    expect((await agent.post('/agent/wallet', body)).body.code).toBe('NONCE_INVALID');
  });

  it('[constant.nonce-ttl.wallet] a wallet-link nonce is valid for 300 seconds, as it states', async () => {
    const agent = await walletless(deployment);
    expect((await agent.post('/agent/wallet', { action: 'challenge' })).body.expires_in).toBe(300);
    const link = await walletFinish(deployment, agent);
    deployment.advance(300_000);
    expect((await agent.post('/agent/wallet', link)).status).toBe(200);
  });

  it('[constant.beats-difficulty] a beat costs 1000 hashes after that of its seed', async () => {
    const agent = await deployment.register();
    expect((await agent.post('/agent/init')).body.difficulty).toBe(1_000);
    const prev = '11'.repeat(32);
    const beat = { index: 1, prev, hash: computeBeat({ prev, index: 1, difficulty: 1_000 }) };
    expect((await deployment.post('/beat/verify', { beat })).body).toMatchObject({ valid: true });
    const lighter = { ...beat, hash: computeBeat({ prev, index: 1, difficulty: 999 }) };
    expect((await deployment.post('/beat/verify', { beat: lighter })).body).toMatchObject({ valid: false });
  });
});
