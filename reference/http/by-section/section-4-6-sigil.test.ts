import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, outcomeOf } from '../../../test/fixtures/ask.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { verifyEd25519 } from '../../beats/signing.js';

let deployment: Deployment;
let agent: TestAgent;

beforeEach(async () => {
  deployment = await Deployment.start({ overlay: { limits: { sigil: { count: 100 } } } });
  agent = await deployment.register();
});
afterEach(() => deployment.close());

const MINUTE_MS = 60_000;
const TERMS = { identity_class: 'narrow_task', principal: 'acme', tier: 'org' };
const buy = (over: object = {}, as = agent, lamports = 50_000_000) =>
  ask(deployment, 'POST /sigil', { as, body: { ...TERMS, payment_tx: as.pay(lamports), ...over } });

/** Whether the registry's key signed a passport, whose last field is the signature. */
async function isGenuine(passport: Record<string, unknown>): Promise<boolean> {
  const { service_signature, ...signed } = passport;
  const key = (await ask(deployment, 'GET /.well-known/authority-key')).body.authority_public_key_hex;
  return verifyEd25519(key, JSON.stringify(signed), service_signature as string);
}

describe('the body of a purchase (4.6)', () => {
  const good: readonly (readonly [string, string, readonly unknown[], readonly unknown[]])[] = [
    ['[sigil.body.identity-class]', 'identity_class', ['narrow_task'], [undefined, 'Narrow_Task', 'sandbox', 1, null]],
    [
      '[sigil.body.principal]',
      'principal',
      ['a', '0-', 'a'.repeat(24)],
      [undefined, '', '-a', 'A', 'a_b', 'a'.repeat(25), 1],
    ],
    ['[sigil.body.tier]', 'tier', ['sov', 'org', 'ind', 'eph', 'sbx'], [undefined, 'ORG', 'any', 1]],
    [
      '[sigil.body.name] [name.sigil.custom]',
      'name',
      ['a', '0-', 'a'.repeat(48), 'auto', undefined],
      ['', '-a', 'A', 'a_b', 'a'.repeat(49), 1, null],
    ],
  ];

  it.each(good.flatMap(([clause, field, values]) => values.map((value) => [clause, field, value] as const)))(
    '%s %s %j is taken',
    async (_clause, field, value) => {
      const reply = await buy({ [field]: value });
      expect(outcomeOf(reply)).toBe('200');
      const shown = field === 'name' ? 'sigil_name' : field;
      if (value !== undefined && value !== 'auto') expect(reply.body.sigil[shown]).toBe(value);
    },
  );

  it.each(good.flatMap(([clause, field, , values]) => values.map((value) => [clause, field, value] as const)))(
    '%s %s %j is 400 VALIDATION',
    async (_clause, field, value) => {
      expect(outcomeOf(await buy({ [field]: value }))).toBe('400 VALIDATION');
    },
  );

  it.each([
    [undefined, '400 PAYMENT_REQUIRED'],
    [1, '400 VALIDATION'],
    ['x', '400 PAYMENT_INVALID'],
  ])('[sigil.body.payment-tx] payment_tx %j: %s', async (payment_tx, outcome) => {
    expect(outcomeOf(await buy({ payment_tx }))).toBe(outcome);
    expect(outcomeOf(await buy())).toBe('200');
  });
});

describe('what a purchase gives (4.6)', () => {
  it('[sigil.reply] [sigil.reply.sigil] [sigil.reply.passport] [sigil.reply.fee] is a SIGIL, a passport and what was paid', async () => {
    deployment.advance(4 * MINUTE_MS);
    const payment_tx = agent.pay(50_000_000);
    const { body } = await buy({ payment_tx, name: 'weather' });
    expect(Object.keys(body)).toEqual(['ok', 'sigil', 'passport', 'fee']);
    expect(body.sigil).toEqual({
      sigil: 'weather*acme*org',
      sigil_name: 'weather',
      principal: 'acme',
      tier: 'org',
      identity_class: 'narrow_task',
      issued_at_beat: 4,
      birth_tx: expect.any(String),
      explorer_url: `https://explorer.solana.com/tx/${body.sigil.birth_tx}?cluster=devnet`,
    });
    const bought = { agent_hash: agent.hash, identity_class: 'narrow_task', sigil_issued_at_beat: 4 };
    expect(body.passport).toMatchObject({ format_version: 1, ...bought, last_heartbeat_beat: 0 });
    expect(await isGenuine(body.passport)).toBe(true);
    expect(body.fee).toEqual({ amount_sol: 0.05, amount_lamports: 50_000_000, payment_tx });
  });

  it.each([
    ['[fee.sigil.narrow-task]', 'narrow_task', 50_000_000, 0.05],
    ['[fee.sigil.autonomous]', 'autonomous', 150_000_000, 0.15],
    ['[fee.sigil.orchestrator]', 'orchestrator', 350_000_000, 0.35],
  ])('%s %s costs %i lamports', async (_clause, identity_class, lamports, sol) => {
    expect(outcomeOf(await buy({ identity_class }, agent, lamports - 1))).toBe('400 PAYMENT_INVALID');
    const { body } = await buy({ identity_class }, agent, lamports);
    expect(body.fee).toMatchObject({ amount_lamports: lamports, amount_sol: sol });
  });

  it.each([
    ['narrow_task', 50_000_000, 1_000],
    ['autonomous', 150_000_000, 5_000],
    ['orchestrator', 350_000_000, 20_000],
  ])('[sigil.caps] %s, at %i lamports, may heartbeat %i times an epoch', async (identity_class, lamports, cap) => {
    await buy({ identity_class }, agent, lamports);
    const { heartbeat_epoch } = (await ask(deployment, `GET /agent/beat-status/${agent.hash}`)).body;
    expect(heartbeat_epoch).toMatchObject({ volume_cap: cap, remaining: cap });
  });

  it.each([undefined, 'auto'])('[name.sigil.auto] named %s is auto- and 8 hex characters (D-17)', async (name) => {
    expect((await buy({ name })).body.sigil.sigil_name).toMatch(/^auto-[0-9a-f]{8}$/);
  });

  it('[sigil.error.sigil-name-taken] [sigil.body.name] a name is taken under its principal alone (D-17)', async () => {
    const other = await deployment.register();
    expect(outcomeOf(await buy({ name: 'weather' }))).toBe('200');
    expect(outcomeOf(await buy({ name: 'weather' }, other))).toBe('409 SIGIL_NAME_TAKEN');
    expect(outcomeOf(await buy({ name: 'weather', principal: 'acme-2' }, other))).toBe('200');
  });
});

describe('a reissue (4.7)', () => {
  const reissue = (payment_tx?: unknown) =>
    ask(deployment, 'POST /agent/reissue-proof', { as: agent, body: { payment_tx } });
  beforeEach(async () => {
    agent = await deployment.agent();
  });

  it('[reissue-proof.reprint] [reissue-proof.reply] [reissue-proof.reply.reissued] [reissue-proof.reply.passport] [reissue-proof.reply.lineage-proof] [reissue-proof.reply.fee] prints the passport again', async () => {
    const before = (await ask(deployment, 'GET /agent/passport', { as: agent })).body.passport;
    deployment.advance(5_000);
    const payment_tx = agent.pay(200_000);
    const { body } = await reissue(payment_tx);
    expect(Object.keys(body)).toEqual(['ok', 'reissued', 'passport', 'lineage_proof', 'fee']);
    expect([body.ok, body.reissued]).toEqual([true, true]);
    const { issued_at, valid_until, service_signature, ...same } = body.passport;
    expect(before).toMatchObject(same);
    expect([issued_at - before.issued_at, valid_until - before.valid_until]).toEqual([5_000, 5_000]);
    expect(await isGenuine({ ...same, issued_at, valid_until, service_signature })).toBe(true);
    expect(body.lineage_proof).toEqual(body.passport);
    expect(body.fee).toEqual({ amount_sol: 0.0002, amount_lamports: 200_000, payment_tx });
  });

  it('[reissue-proof.reply.lineage-proof] has no alias after 2026-09-01', async () => {
    deployment.host.service.stalled = true;
    deployment.advance(Date.parse('2026-09-01T23:59:59.999Z') - deployment.clock.nowMs());
    expect((await reissue(agent.pay(200_000))).body).toHaveProperty('lineage_proof');
    deployment.advance(1);
    const { body } = await reissue(agent.pay(200_000));
    expect(Object.keys(body)).toEqual(['ok', 'reissued', 'passport', 'fee']);
  });

  it('[reissue-proof.no-beat] [reissue-proof.no-heartbeat] extends no chain and keeps no agent from freezing', async () => {
    const view = async () => (await ask(deployment, `GET /agent/beat-status/${agent.hash}`)).body;
    deployment.advance(60 * MINUTE_MS);
    const before = await view();
    expect(outcomeOf(await reissue(agent.pay(200_000)))).toBe('200');
    expect(await view()).toEqual(before);
    expect((await ask(deployment, `GET /status/${agent.hash}`)).body.beat_state.total_heartbeats).toBe(0);
    deployment.advance(MINUTE_MS);
    expect((await view()).heartbeat.status).toBe('frozen');
  });

  it.each([
    [undefined, '400 PAYMENT_REQUIRED'],
    [1, '400 VALIDATION'],
    ['x', '400 PAYMENT_INVALID'],
  ])('[reissue-proof.body.payment-tx] payment_tx %j: %s', async (payment_tx, outcome) => {
    expect(outcomeOf(await reissue(payment_tx))).toBe(outcome);
    expect(outcomeOf(await reissue(agent.pay(200_000)))).toBe('200');
  });

  it('[fee.reissuance] costs 200,000 lamports', async () => {
    expect(outcomeOf(await reissue(agent.pay(199_999)))).toBe('400 PAYMENT_INVALID');
    expect(outcomeOf(await reissue(agent.pay(200_001)))).toBe('400 PAYMENT_INVALID');
    expect((await reissue(agent.pay(200_000))).body.fee.amount_lamports).toBe(200_000);
  });
});
