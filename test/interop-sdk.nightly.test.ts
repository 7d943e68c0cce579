// The published client where it has much to compute: more checks than are taken, and the penalty of a frozen agent.
import { FrozenError } from '@provenonce/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientLab } from './fixtures/published-client.js';

let lab: ClientLab;
beforeAll(async () => {
  lab = await ClientLab.start();
});
afterAll(() => lab.server.stop());

describe('the published client', () => {
  it('shows 26 checks from 24,001 beats on, of which 25 are taken (2.5, 4.8)', async () => {
    const { agent } = lab.agentOf('pvn_nobody.0');
    const { beat_index: anchorIndex, hash: anchorHash } = (await lab.plain('/beat/anchor')).body['anchor'] as {
      beat_index: number;
      hash: string;
    };
    const asked = { anchorHash, anchorIndex, difficulty: 100 };
    const few = await agent.computeWorkProof({ ...asked, beatsNeeded: 500 });
    expect(few).toMatchObject({ ok: true, beats_computed: 500, receipt: { beats_verified: 500, difficulty: 100 } });
    const many = await agent.computeWorkProof({ ...asked, beatsNeeded: 24_001 });
    expect(many).toMatchObject({ ok: false, error: expect.stringContaining('1 to 25 spot_checks') });
  });

  it('freezes after 61 anchors, proves the penalty and beats on', async () => {
    const { agent, errors, hash, wallet } = await lab.livingAgent('eve', 12);
    await lab.control('clock/advance', { anchors: 61 });
    const cold = await agent.heartbeat(await lab.pay(wallet, 500_000));
    expect(cold).toMatchObject({ ok: false });
    expect(await agent.submitBeats(3)).toMatchObject({ ok: false });
    expect(errors.map((error) => error instanceof FrozenError)).toEqual([true, true]);
    expect((await lab.plain(`/status/${hash}`)).body).toMatchObject({ status: 'frozen' });
    expect(await agent.resync()).toEqual({ ok: true, beats_required: 6_100 });
    expect(await agent.heartbeat(await lab.pay(wallet, 500_000))).toMatchObject({ ok: true });
    expect(await agent.resync()).toMatchObject({ ok: false, error: expect.stringContaining('frozen') });
  });
});
