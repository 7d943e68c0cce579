import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { verifyEd25519 } from '../../beats/signing.js';

let deployment: Deployment;
let agent: TestAgent;

beforeEach(async () => {
  deployment = await Deployment.start();
  agent = await deployment.agent();
});
afterEach(() => deployment.close());

const codeOf = (reply: { readonly status: number; readonly body: { readonly code?: string } }): string =>
  reply.status === 200 ? '200' : `${reply.status} ${reply.body.code}`;
const sendHeartbeat = (payment_tx: unknown, over: object = {}) =>
  agent.post('/agent/heartbeat', { payment_tx, ...over });

describe('a heartbeat (4.5)', () => {
  it('answers with a passport that its authority has signed, and the alias of it', async () => {
    deployment.advance(600_000);
    const payment_tx = agent.pay(500_000);
    const { body } = await sendHeartbeat(payment_tx);
    expect(body).toMatchObject({
      ok: true,
      agent_hash: agent.hash,
      total_heartbeats: 1,
      heartbeat_count_epoch: 1,
      billing_epoch: 0,
      current_beat: 10,
      fee: { amount_sol: 0.0005, amount_lamports: 500_000, tier: 1, payment_tx },
    });
    expect(body.lineage_proof).toEqual(body.passport);
    const { service_signature: signature, ...signed } = body.passport;
    expect(signed).toMatchObject({ last_heartbeat_beat: 10, agent_public_key: agent.key.publicKeyBase58 });
    expect(signed.valid_until - signed.issued_at).toBe(86_400_000);
    const authority = (await deployment.get('/.well-known/authority-key')).body;
    expect(signed.authority_key_id).toBe(authority.key_id);
    expect(verifyEd25519(authority.authority_public_key_hex, JSON.stringify(signed), signature)).toBe(true);
  });

  it.each([
    ['a number', 5, '400 VALIDATION'],
    ['null', null, '400 VALIDATION'],
    ['a list', ['x'], '400 VALIDATION'],
    ['absent', undefined, '400 PAYMENT_REQUIRED'],
    ['empty', '', '400 PAYMENT_REQUIRED'],
    ['unknown', 'x', '400 PAYMENT_INVALID'],
    ['a name of every object', '__proto__', '400 PAYMENT_INVALID'],
    ['60,000 characters', 'x'.repeat(60_000), '400 PAYMENT_INVALID'],
  ])('with a payment_tx that is %s: %s', async (_what, payment, outcome) => {
    expect(codeOf(await sendHeartbeat(payment))).toBe(outcome);
  });

  it.each([
    [0, '200'],
    [1_000_000, '200'],
    [9_007_199_254_740_991, '200'],
    [9_007_199_254_740_992, '400 VALIDATION'],
    [-1, '400 VALIDATION'],
    [0.5, '400 VALIDATION'],
    ['0', '400 VALIDATION'],
    [null, '400 VALIDATION'],
  ])('with global_anchor %j: %s (D-50)', async (global_anchor, outcome) => {
    expect(codeOf(await sendHeartbeat(agent.pay(500_000), { global_anchor }))).toBe(outcome);
  });

  it('takes a payment of the exact fee, confirmed, to the service, from the agent itself (D-27)', async () => {
    const other = await deployment.register();
    expect(codeOf(await sendHeartbeat(agent.pay(499_999)))).toBe('400 PAYMENT_INVALID');
    expect(codeOf(await sendHeartbeat(agent.pay(500_001)))).toBe('400 PAYMENT_INVALID');
    expect(codeOf(await sendHeartbeat(agent.pay(500_000, { status: 'pending' })))).toBe('400 PAYMENT_INVALID');
    expect(codeOf(await sendHeartbeat(agent.pay(500_000, { status: 'failed' })))).toBe('400 PAYMENT_INVALID');
    expect(codeOf(await sendHeartbeat(agent.pay(500_000, { to: other.key.publicKeyBase58 })))).toBe(
      '400 PAYMENT_INVALID',
    );
    expect(codeOf(await sendHeartbeat(other.pay(500_000)))).toBe('400 PAYMENT_SENDER_MISMATCH');
    const payment = agent.pay(500_000);
    expect(codeOf(await sendHeartbeat(` ${payment}`))).toBe('400 PAYMENT_INVALID');
    expect(codeOf(await sendHeartbeat(payment))).toBe('200');
    deployment.advance(600_000);
    expect(codeOf(await sendHeartbeat(payment))).toBe('409 PAYMENT_ALREADY_USED');
  });

  it('one payment named by several calls at once pays once', async () => {
    const payment = agent.pay(200_000);
    const calls = [1, 2, 3].map(() => agent.post('/agent/reissue-proof', { payment_tx: payment }));
    const outcomes = (await Promise.all(calls)).map(codeOf);
    expect(outcomes.toSorted()).toEqual(['200', '409 PAYMENT_ALREADY_USED', '409 PAYMENT_ALREADY_USED']);
  });

  it('of an agent that the last anchor froze is refused, one millisecond before it is not', async () => {
    const frozen = await deployment.agent();
    deployment.advance(61 * 60_000 - 1);
    expect(codeOf(await agent.heartbeat())).toBe('200');
    deployment.advance(1);
    expect(codeOf(await frozen.heartbeat())).toBe('403 AGENT_FROZEN');
  });

  it('returns when the next is due', async () => {
    await agent.heartbeat();
    deployment.advance(599_999);
    const early = await agent.heartbeat();
    expect([early.body.code, early.body.next_eligible_beat]).toEqual(['HEARTBEAT_TOO_SOON', 10]);
    expect(early.headers['retry-after']).toBeUndefined();
    deployment.advance(1);
    expect(codeOf(await agent.heartbeat())).toBe('200');
  });
});

describe('without a wallet (D-28)', () => {
  it('paid calls are 403 WALLET_REQUIRED, but a root is first asked for its SIGIL', async () => {
    const { api_key } = (await deployment.post('/register', { name: 'x' })).body;
    const headers = { Authorization: `Bearer ${api_key}` };
    await deployment.post('/agent/init', {}, headers);
    const sigil = { identity_class: 'narrow_task', principal: 'x', tier: 'org', payment_tx: 'x' };
    expect(codeOf(await deployment.post('/sigil', sigil, headers))).toBe('403 WALLET_REQUIRED');
    expect(codeOf(await deployment.post('/agent/heartbeat', { payment_tx: 'x' }, headers))).toBe('403 SIGIL_REQUIRED');
    expect(codeOf(await deployment.post('/agent/reissue-proof', { payment_tx: 'x' }, headers))).toBe(
      '403 SIGIL_REQUIRED',
    );
  });
});
