import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestAgent } from '../../../test/fixtures/http.js';
import { putAgent } from '../../../test/fixtures/registry.js';
import { once, Session } from '../../../test/fixtures/session.js';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let session: Session;
beforeAll(async () => {
  session = await Session.start();
});
afterAll(() => session.close());

describe('a fee (2.9)', () => {
  let agent: TestAgent;
  let sigil: Record<string, unknown>;
  let heartbeat: Record<string, unknown>;
  let reissue: Record<string, unknown>;
  let payments: readonly string[];
  beforeEach(
    once(async () => {
      agent = await session.root();
      payments = [agent.pay(350_000_000), agent.pay(500_000), agent.pay(200_000)];
      const fields = { identity_class: 'orchestrator', principal: 'acme', tier: 'org', payment_tx: payments[0] };
      sigil = (await session.ok('POST /sigil', fields, agent.authorization)).fee;
      heartbeat = (await session.ok('POST /agent/heartbeat', { payment_tx: payments[1] }, agent.authorization)).fee;
      reissue = (await session.ok('POST /agent/reissue-proof', { payment_tx: payments[2] }, agent.authorization)).fee;
    }),
  );

  it.each<[clause: string, actual: () => unknown, value: () => unknown]>([
    ['fee.field.amount-sol', () => heartbeat['amount_sol'], () => 0.0005],
    ['fee.field.amount-sol', () => sigil['amount_sol'], () => 0.35],
    ['fee.field.amount-sol', () => reissue['amount_sol'], () => 0.0002],
    ['fee.field.amount-lamports', () => heartbeat['amount_lamports'], () => 500_000],
    ['fee.field.amount-lamports', () => sigil['amount_lamports'], () => 350_000_000],
    ['fee.field.amount-lamports', () => reissue['amount_lamports'], () => 200_000],
    ['fee.field.payment-tx', () => sigil['payment_tx'], () => payments[0]],
    ['fee.field.payment-tx', () => heartbeat['payment_tx'], () => payments[1]],
    ['fee.field.payment-tx', () => reissue['payment_tx'], () => payments[2]],
    ['fee.field.no-tier.sigil', () => Object.keys(sigil), () => ['amount_sol', 'amount_lamports', 'payment_tx']],
    [
      'fee.field.no-tier.reissue-proof',
      () => Object.keys(reissue),
      () => ['amount_sol', 'amount_lamports', 'payment_tx'],
    ],
  ])('[%s]', (_clause, actual, value) => {
    expect(actual()).toEqual(value());
  });

  it.each([
    [0, 500_000, 1, 0.0005],
    [99, 500_000, 1, 0.0005],
    [100, 300_000, 2, 0.0003],
    [999, 300_000, 2, 0.0003],
    [1_000, 200_000, 3, 0.0002],
  ])(
    '[fee.field.tier] after %i heartbeats of the epoch: %i lamports, tier %i, %f SOL',
    async (count, lamports, tier, sol) => {
      const payer = await session.sigilAgent('orchestrator');
      putAgent(session.registry, payer.row, { epochHeartbeats: count });
      const { fee } = (await session.heartbeat(payer, lamports)).body;
      expect(fee).toMatchObject({ amount_lamports: lamports, amount_sol: sol, tier });
    },
  );

  it.each([
    [1, '1e-9'],
    [5_000, '0.000005'],
    [123_456_789, '0.123456789'],
    [1_000_000_000, '1'],
    [1_100_000_000, '1.1'],
    [9_007_199_100_000_001, '9007199.100000001'],
  ])('[fee.amount-sol.decimal] [fee.amount-lamports.integer] %i lamports read %s SOL', async (lamports, sol) => {
    const rich = await Session.start();
    try {
      await rich.control('/fees', { reissuance: lamports });
      const payer = await rich.sigilAgent();
      const response = await rich.call(
        'POST /agent/reissue-proof',
        { payment_tx: payer.pay(lamports) },
        payer.authorization,
      );
      expect(response.text).toContain(`"amount_sol":${sol},"amount_lamports":${lamports},`);
    } finally {
      await rich.close();
    }
  });

  it('[fee.amount-lamports.integer] of 2^53 and above, or with a fraction, cannot be set', async () => {
    for (const reissuance of [9_007_199_254_740_992, 0.5]) {
      expect((await session.deployment.control('PUT', '/fees', { reissuance })).status).toBe(400);
    }
  });
});

describe('a sponsorship (2.10)', () => {
  let parent: TestAgent;
  let child: TestAgent;
  let made: Record<string, unknown>;
  let listed: Record<string, unknown>;
  beforeEach(
    once(async () => {
      parent = await session.root();
      child = await session.child(parent);
      session.deployment.advance(1_500);
      made = (await session.sponsor(parent, child, { max_heartbeats_epoch: 7, expires_in_hours: 2 })).sponsorship;
      expect((await session.heartbeat(child)).status).toBe(200);
      listed = (await session.sponsorships(parent))[0];
    }),
  );
  const at = (ms: number) => new Date(session.deployment.clock.nowMs() + ms).toISOString();

  it.each<[clause: string, actual: () => unknown, value: () => unknown]>([
    ['sponsor.field.parent-hash', () => made['parent_hash'], () => parent.hash],
    ['sponsor.field.parent-hash', () => listed['parent_hash'], () => parent.hash],
    ['sponsor.field.child-hash', () => made['child_hash'], () => child.hash],
    ['sponsor.field.child-hash', () => listed['child_hash'], () => child.hash],
    ['sponsor.field.status', () => made['status'], () => 'active'],
    ['sponsor.field.max-heartbeats-epoch', () => made['max_heartbeats_epoch'], () => 7],
    ['sponsor.field.max-heartbeats-epoch', () => listed['max_heartbeats_epoch'], () => 7],
    ['sponsor.field.heartbeats-used-epoch', () => made['heartbeats_used_epoch'], () => 0],
    ['sponsor.field.heartbeats-used-epoch', () => listed['heartbeats_used_epoch'], () => 1],
    ['sponsor.field.expires-at', () => made['expires_at'], () => at(7_200_000)],
    ['sponsor.field.created-at', () => listed['created_at'], () => at(0)],
    ['sponsor.field.created-at', () => listed['created_at'], () => expect.stringMatching(ISO)],
    ['sponsor.created-at.listing', () => Object.keys(made).includes('created_at'), () => false],
    ['sponsor.created-at.listing', () => Object.keys(listed).includes('created_at'), () => true],
  ])('[%s]', (_clause, actual, value) => {
    expect(actual()).toEqual(value());
  });
});

describe('a subsidy (2.11)', () => {
  const terms = {
    discount_bps: 2_500,
    floor_lamports: 6_000,
    reason: 'launch',
    valid_until: '2026-03-01T12:00:00+02:00',
  };
  let agent: TestAgent;
  let subsidy: Record<string, unknown>;
  beforeEach(
    once(async () => {
      agent = await session.walletless();
      const body = { agent_hash: agent.hash, fee_type: 'heartbeat', ...terms };
      ({ subsidy } = await session.ok('POST /admin/agent/subsidy', body, await session.admin()));
    }),
  );

  it.each<[clause: string, field: string, value: () => unknown]>([
    ['subsidy.field.agent-hash', 'agent_hash', () => agent.hash],
    ['subsidy.field.fee-type', 'fee_type', () => 'heartbeat'],
    ['subsidy.field.discount-bps', 'discount_bps', () => 2_500],
    ['subsidy.field.floor-lamports', 'floor_lamports', () => 6_000],
    ['subsidy.field.reason', 'reason', () => 'launch'],
    ['subsidy.field.valid-until', 'valid_until', () => '2026-03-01T10:00:00.000Z'],
    ['subsidy.valid-until.iso', 'valid_until', () => expect.stringMatching(ISO)],
  ])('[%s] %s', (_clause, field, value) => {
    expect(subsidy[field]).toEqual(value());
  });

  it.each([
    ['sigil', '200'],
    ['heartbeat', '200'],
    ['reissuance', '200'],
    ['spawn', '400 SUBSIDY_INVALID'],
  ])('[subsidy.field.fee-type] for %s: %s', async (fee_type, outcome) => {
    const body = { agent_hash: agent.hash, fee_type, ...terms };
    expect(await session.outcome('POST /admin/agent/subsidy', body, await session.admin())).toBe(outcome);
  });

  it.each([
    ['subsidy.field.agent-hash', { agent_hash: undefined }],
    ['subsidy.field.discount-bps', { discount_bps: '2500' }],
    ['subsidy.field.floor-lamports', { floor_lamports: '6000' }],
    ['subsidy.field.reason', { reason: 5 }],
    ['subsidy.field.valid-until', { valid_until: 1_772_323_200_000 }],
    ['subsidy.valid-until.iso', { valid_until: 'next year' }],
  ])('[%s] %j is refused', async (_clause, over) => {
    const body = { agent_hash: agent.hash, fee_type: 'sigil', ...terms, ...over };
    expect(await session.outcome('POST /admin/agent/subsidy', body, await session.admin())).toBe('400 SUBSIDY_INVALID');
  });
});

describe('a flag (2.12)', () => {
  it('[flag.field.flag-id] [flag.field.status] [flag.field.target-hash] [flag.field.asserted-class] [flag.field.reason] is kept as it was filed', async () => {
    const [reporter, target] = [await session.sigilAgent(), await session.root()];
    const body = { target_hash: target.hash, asserted_class: 'autonomous', reason: 'acts alone' };
    const filed = await session.ok('POST /agent/flag', body, reporter.authorization);
    expect(filed).toEqual({ flagged: true, flag_id: expect.any(String), status: 'pending' });
    expect(filed.flag_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    const kept = session.registry.flags.list.find(({ id }) => id === filed.flag_id);
    const row = { reporter: reporter.row, target: target.row, assertedClass: 'autonomous', reason: 'acts alone' };
    expect(kept).toMatchObject({ ...row, status: 'pending' });
  });

  it.each([
    ['flag.field.target-hash', { target_hash: 'somebody' }],
    ['flag.field.target-hash', { target_hash: undefined }],
    ['flag.field.asserted-class', { asserted_class: 'royal' }],
    ['flag.field.asserted-class', { asserted_class: undefined }],
    ['flag.field.reason', { reason: 7 }],
    ['flag.field.reason', { reason: undefined }],
  ])('[%s] without a good one is refused: %j', async (_clause, over) => {
    const [reporter, target] = [await session.sigilAgent(), await session.root()];
    const body = { target_hash: target.hash, asserted_class: 'autonomous', reason: 'acts alone' };
    expect(await session.outcome('POST /agent/flag', { ...body, ...over }, reporter.authorization)).toBe(
      '400 VALIDATION',
    );
    expect(await session.outcome('POST /agent/flag', body, reporter.authorization)).toBe('200');
  });
});

describe('the configuration of a webhook (2.13)', () => {
  const hook = { url: 'https://hooks.example.com/in?x=1', events: ['agent.frozen', 'agent.unfrozen'] };

  it('[partner-webhook.field.webhook-url] [partner-webhook.field.events] [partner-webhook.field.webhook-secret] is answered with a secret of 32 bytes', async () => {
    const { authorization } = await session.partner();
    const put = await session.ok('PUT /partner/webhook', hook, authorization);
    const webhook_secret = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(put).toEqual({ webhook_url: hook.url, events: hook.events, webhook_secret });
    const shown = await session.ok('GET /partner/webhook', undefined, authorization);
    expect(shown).toEqual({ webhook_url: hook.url, events: hook.events, configured: true });
  });

  it.each([
    ['partner-webhook.field.webhook-url', { url: 'http://hooks.example.com/in' }],
    ['partner-webhook.field.webhook-url', { url: 5 }],
    ['partner-webhook.field.events', { events: 'agent.frozen' }],
    ['partner-webhook.field.events', { events: [1] }],
  ])('[%s] %j is refused', async (_clause, over) => {
    const { authorization } = await session.partner();
    const outcome = await session.outcome('PUT /partner/webhook', { ...hook, ...over }, authorization);
    expect(outcome).toBe('400 WEBHOOK_INVALID');
  });

  it('[partner-webhook.field.webhook-secret.when] [partner-webhook.field.configured] shows the secret when set and when updated, and never by GET', async () => {
    const { authorization } = await session.partner();
    const shown = () => session.ok('GET /partner/webhook', undefined, authorization);
    expect((await shown()).configured).toBe(false);
    const secrets = [];
    for (const events of [hook.events, ['sigil.purchased']]) {
      secrets.push((await session.ok('PUT /partner/webhook', { ...hook, events }, authorization)).webhook_secret);
      expect(await shown()).toEqual({ webhook_url: hook.url, events, configured: true });
    }
    expect(secrets).toEqual([expect.any(String), expect.any(String)]);
    expect(JSON.stringify(await shown())).not.toContain(secrets[1]);
    expect(await session.ok('DELETE /partner/webhook', undefined, authorization)).toEqual({ ok: true });
    expect((await shown()).configured).toBe(false);
  });
});
