import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestAgent } from '../../../test/fixtures/http.js';
import { putAgent } from '../../../test/fixtures/registry.js';
import { Session } from '../../../test/fixtures/session.js';
import { type Delivered, startReceiver } from '../../../test/webhook-receiver.js';

let session: Session;
beforeEach(async () => {
  session = await Session.start({ policy: { allowLoopbackWebhooks: true } });
});
afterEach(() => session.close());

describe('what the service does (1)', () => {
  it('[service.register.records] [service.register.free] a registration is the service’s own record and moves no lamport', async () => {
    const { ledger } = session.deployment.host.service;
    const { hash, row } = await session.walletless('recorded');
    expect(ledger.transactions.size).toBe(0);
    expect(session.registry.names[row]).toBe('recorded');
    expect(await session.ok(`GET /status/${hash}`)).toMatchObject({ exists: true, tx_signature: null });
    await session.deployment.register('with a wallet');
    const transfers = [...ledger.transactions.values()].filter(({ kind }) => kind === 'transfer');
    expect(transfers).toEqual([]);
    const { total_lamports, by_type } = await session.ok('GET /fees/summary');
    expect([total_lamports, by_type.map(({ count }: { count: number }) => count)]).toEqual([0, by_type.map(() => 0)]);
  });

  it('[service.beats.proven] beats that are proved are credited', async () => {
    const agent = await session.root();
    const proof = await session.proof(agent, 40);
    const submitted = await session.ok('POST /agent/beats/submit', proof, agent.authorization);
    expect(submitted).toMatchObject({ beats_accepted: 40, total_beats: 40, latest_beat_index: 40 });
    const { heartbeat } = await session.ok(`GET /agent/beat-status/${agent.hash}`);
    expect(heartbeat).toMatchObject({ total_beats: 40, available_beats: 40, latest_hash: proof.to_hash });
  });

  it.each([
    [999, '402 RECEIPT_REQUIRED'],
    [1_000, '200'],
  ])('[service.beats.spawn] after %i proven beats a spawn is answered %s', async (beats, outcome) => {
    const agent = await session.root();
    await session.ok('POST /agent/beats/submit', await session.proof(agent, beats), agent.authorization);
    expect(await session.outcome('POST /agent/spawn', { child_name: 'kid' }, agent.authorization)).toBe(outcome);
  });

  it.each([
    ['narrow_task', 1_000, 300_000, 200_000],
    ['autonomous', 5_000, 200_000, 200_000],
    ['orchestrator', 20_000, 200_000, 200_000],
  ] as const)('[service.class.cap] %s: %i heartbeats in an epoch', async (identityClass, cap, fee, next) => {
    const agent = await session.sigilAgent(identityClass);
    putAgent(session.registry, agent.row, { epochHeartbeats: cap - 1 });
    expect((await session.heartbeat(agent, fee)).body.heartbeat_count_epoch).toBe(cap);
    session.pass(10);
    const refused = await session.heartbeat(agent, next);
    expect([refused.status, refused.body.code]).toEqual([429, 'VOLUME_CAP_REACHED']);
  });

  it.each([
    ['narrow_task', 50_000_000],
    ['autonomous', 150_000_000],
    ['orchestrator', 350_000_000],
  ] as const)('[service.class.fee] %s costs %i lamports', async (identity_class, lamports) => {
    const agent = await session.root();
    const buy = (paid: number) => {
      const body = { identity_class, principal: 'acme', tier: 'org', payment_tx: agent.pay(paid) };
      return session.call('POST /sigil', body, agent.authorization);
    };
    expect((await buy(lamports - 1)).body.code).toBe('PAYMENT_INVALID');
    expect((await buy(lamports + 1)).body.code).toBe('PAYMENT_INVALID');
    expect((await buy(lamports)).body.fee.amount_lamports).toBe(lamports);
  });

  it('[service.heartbeat.paid] a heartbeat is accepted with a transaction that pays for it, and refused without one', async () => {
    const agent = await session.sigilAgent();
    const sendHeartbeat = (body: object) => session.outcome('POST /agent/heartbeat', body, agent.authorization);
    expect(await sendHeartbeat({})).toBe('400 PAYMENT_REQUIRED');
    expect(await sendHeartbeat({ payment_tx: agent.pay(500_000, { status: 'failed' }) })).toBe('400 PAYMENT_INVALID');
    const balance = async () => (await session.ok('GET /fees/summary')).total_lamports;
    const before = await balance();
    expect(await sendHeartbeat({ payment_tx: agent.pay(500_000) })).toBe('200');
    expect((await balance()) - before).toBe(500_000);
  });

  it('[service.heartbeat.passport] a heartbeat returns a passport for 24 hours', async () => {
    session.deployment.advance(777);
    const { passport } = (await session.heartbeat(await session.sigilAgent())).body;
    expect(passport.issued_at).toBe(1_767_225_600_777);
    expect(passport.valid_until).toBe(1_767_312_000_777);
  });

  it('[service.flag] a holder of a SIGIL can complain about another agent, and nobody else can', async () => {
    const [holder, target] = [await session.sigilAgent(), await session.sigilAgent()];
    const complain = (by: TestAgent) => {
      const body = { target_hash: target.hash, asserted_class: 'orchestrator', reason: 'spawns' };
      return session.outcome('POST /agent/flag', body, by.authorization);
    };
    expect(await complain(await session.root())).toBe('403 FLAG_REPORTER_INELIGIBLE');
    expect(await complain(holder)).toBe('200');
  });

  it('[service.subsidy] an administrator can make the fees of one agent lower, and of that agent alone', async () => {
    const [agent, other] = [await session.sigilAgent(), await session.sigilAgent()];
    const body = { agent_hash: agent.hash, fee_type: 'heartbeat', discount_bps: 5_000, reason: 'launch' };
    expect(await session.outcome('POST /admin/agent/subsidy', body, agent.authorization)).toBe('401 AUTH_INVALID');
    await session.ok('POST /admin/agent/subsidy', body, await session.admin());
    expect((await session.heartbeat(agent, 250_000)).body.fee.amount_lamports).toBe(250_000);
    expect((await session.heartbeat(other, 250_000)).body.code).toBe('PAYMENT_INVALID');
  });

  it('[service.webhook] a partner is notified of its agents, signed with its secret', async () => {
    const receiver = await startReceiver(false);
    try {
      const partner = await session.partner();
      const hook = { url: receiver.url, events: ['sigil.purchased'] };
      const { webhook_secret } = await session.ok('PUT /partner/webhook', hook, partner.authorization);
      const agent = await session.rootUnder(partner);
      await session.buySigil(agent);
      await session.sigilAgent();
      await session.control('/webhooks/flush');
      expect(receiver.got).toHaveLength(1);
      const { headers, text } = receiver.got[0] as Delivered;
      const signature = createHmac('sha256', webhook_secret).update(text).digest('hex');
      expect(headers['x-service-signature']).toBe(`sha256=${signature}`);
      expect(JSON.parse(text)).toMatchObject({ event: 'sigil.purchased', agent_hash: agent.hash });
    } finally {
      await receiver.close();
    }
  });

  it('[versioning.checkin] the check-in is retired for the heartbeat, whose place it does not take', async () => {
    const agent = await session.sigilAgent();
    const before = await session.fingerprint();
    const { status, body } = await session.call(
      'POST /agent/checkin',
      await session.proof(agent, 5),
      agent.authorization,
    );
    expect([status, body.deprecated]).toEqual([410, true]);
    expect(body.error).toContain('/api/v1/agent/heartbeat');
    expect(await session.fingerprint()).toBe(before);
    expect((await session.heartbeat(agent)).status).toBe(200);
  });
});
