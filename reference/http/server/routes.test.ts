import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import type { Endpoint } from '../../../spec/endpoint.js';
import { endpoints } from '../../../spec/endpoints/index.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { computeChain } from '../../beats/beat.js';
import { beatsRoutes, registryRoutes } from './routes.js';

const served = [...registryRoutes, ...beatsRoutes].map(({ endpoint }) => endpoint);
const byId = new Map<string, Endpoint>(served.map((endpoint) => [endpoint.id, endpoint]));

/** A receipt for so many beats, at the lowest difficulty that the registry accepts. */
async function earnReceipt(deployment: Deployment, beats: number): Promise<Response> {
  const { anchor } = (await deployment.send('GET', '/api/v1/beat/anchor', {}, 'beats')).body;
  const run = { fromHash: '00'.repeat(32), fromIndex: 0, beats, difficulty: 100, anchorHash: anchor.hash as string };
  const { toHash, spotChecks } = computeChain({ ...run, keep: { indexes: [1, 2, beats] } });
  const work_proof = {
    from_hash: run.fromHash,
    to_hash: toHash,
    beats_computed: beats,
    difficulty: 100,
    anchor_hash: anchor.hash,
    anchor_index: anchor.beat_index,
    spot_checks: spotChecks,
  };
  return deployment.send('POST', '/api/v1/beat/work-proof', { body: { work_proof } }, 'beats');
}

describe.each(['service', 'provenonce'] as const)('in the dialect %s every served endpoint', (dialect) => {
  let deployment: Deployment;
  let agent: TestAgent;
  const seen = new Set<string>();

  beforeAll(async () => {
    deployment = await Deployment.start({ dialect: dialects[dialect] });
    agent = await deployment.register();
  });
  afterAll(() => deployment.close());

  /** Records a reply, which the deployment has checked against the endpoint's schemas, and returns its body. */
  const expectReply = (id: string, reply: Response, status: number): Record<string, unknown> => {
    expect(reply.status, reply.text).toBe(status);
    expect(byId.has(id), id).toBe(true);
    seen.add(`${id} ${status}`);
    return reply.body as Record<string, unknown>;
  };

  it('register and register-token', async () => {
    expectReply('register-token', await deployment.post('/register/token'), 200);
    expectReply('register', await deployment.post('/register', { name: 'root', metadata: { a: 1 } }), 200);
    expectReply('register', await deployment.post('/register', { name: 'root', action: 'challenge' }), 200);
    expectReply('register', await deployment.post('/register', {}), 400);
    expectReply('register', await deployment.post('/register', { name: 'x' }, { 'x-registration-token': 'no' }), 401);
  });

  it('lookups of an agent that has only been registered', async () => {
    expectReply('status', await deployment.get(`/status/${agent.hash}`), 200);
    expectReply('verify', await deployment.get(`/verify/${agent.hash}`), 200);
    expectReply('beat-status', await deployment.get(`/agent/beat-status/${agent.hash}`), 200);
  });

  it('init, first and repeated', async () => {
    expect(expectReply('init', await agent.post('/agent/init'), 200)).toHaveProperty('genesis');
    expect(expectReply('init', await agent.post('/agent/init'), 200)).toMatchObject({ already_initialized: true });
    expectReply('init', await deployment.post('/agent/init'), 401);
  });

  it('sigil', async () => {
    expectReply('passport', await agent.get('/agent/passport'), 403);
    expectReply('sigil', await agent.post('/sigil', { principal: 'x' }), 400);
    expectReply('sigil', await agent.buySigil(), 200);
    expectReply('sigil', await agent.buySigil(), 409);
  });

  it('heartbeat, reissue-proof and passport', async () => {
    expectReply('heartbeat', await agent.heartbeat(), 200);
    expect(expectReply('heartbeat', await agent.heartbeat(), 429)).toMatchObject({ next_eligible_beat: 10 });
    expectReply('heartbeat', await agent.post('/agent/heartbeat'), 400);
    expectReply('reissue-proof', await agent.post('/agent/reissue-proof', { payment_tx: agent.pay(200_000) }), 200);
    expectReply('reissue-proof', await agent.post('/agent/reissue-proof', { payment_tx: 'no' }), 400);
    expectReply('passport', await agent.get('/agent/passport'), 200);
  });

  it('without lineage_proof once it is past its day', async () => {
    const late = await Deployment.start({ dialect: dialects[dialect] });
    late.host.service.stalled = true;
    late.advance(Date.parse('2026-09-02T00:00:00Z') - late.clock.nowMs());
    const old = await late.agent();
    for (const [id, reply] of [
      ['heartbeat', await old.heartbeat()],
      ['reissue-proof', await old.post('/agent/reissue-proof', { payment_tx: old.pay(200_000) })],
      ['passport', await old.get('/agent/passport')],
    ] as const) {
      expect(expectReply(id, reply, 200)).not.toHaveProperty('lineage_proof');
    }
    late.close();
  });

  it('lookups of an agent with everything, and of none', async () => {
    expectReply('status', await deployment.get(`/status/${agent.hash}`), 200);
    expectReply('verify', await deployment.get(`/verify/${agent.hash}`), 200);
    expectReply('beat-status', await deployment.get(`/agent/beat-status/${agent.hash}`), 200);
    const nobody = `0x${'0'.repeat(64)}`;
    for (const [id, path] of [
      ['status', '/status'],
      ['verify', '/verify'],
      ['beat-status', '/agent/beat-status'],
    ] as const) {
      expectReply(id, await deployment.get(`${path}/${nobody}`), 404);
      expectReply(id, await deployment.get(`${path}/0x12`), 400);
    }
  });

  it('work-proof, resync and the rest of the beats service', async () => {
    expectReply('resync', await agent.post('/agent/resync'), 409);
    deployment.advance(61 * 60_000);
    expect(expectReply('resync', await agent.post('/agent/resync'), 402)).toMatchObject({ required_beats: 6_100 });
    expectReply('resync', await agent.post('/agent/resync', { beats_receipt: 'no' }), 402);
    const refused = await deployment.send('POST', '/api/v1/beat/work-proof', { body: { work_proof: {} } }, 'beats');
    expectReply('work-proof.post', refused, 400);
    const few = expectReply('work-proof.post', await earnReceipt(deployment, 10), 200);
    expectReply('resync', await agent.post('/agent/resync', { beats_receipt: few['receipt'] }), 402);
    const enough = expectReply('work-proof.post', await earnReceipt(deployment, 6_100), 200);
    const back = expectReply('resync', await agent.post('/agent/resync', { beats_receipt: enough['receipt'] }), 200);
    expect(back).toMatchObject({ status: 'active', gap_anchors: 61, required_beats: 6_100, beats_proven: 6_100 });
    for (const [id, path] of [
      ['work-proof.get', '/api/v1/beat/work-proof'],
      ['beat-key', '/api/v1/beat/key'],
      ['beats.beat-anchor', '/api/v1/beat/anchor'],
      ['health', '/api/health'],
    ] as const) {
      expectReply(id, await deployment.send('GET', path, {}, 'beats'), 200);
    }
  });

  it('a work proof that does not hold', async () => {
    const zeros = '00'.repeat(32);
    const proof = { from_hash: zeros, to_hash: zeros, beats_computed: 3, difficulty: 100, anchor_hash: zeros };
    const checks = [1, 2, 3].map((index) => ({ index, hash: zeros, prev: zeros }));
    const body = { ...proof, anchor_index: 999, spot_checks: checks };
    const failed = await deployment.send('POST', '/api/v1/beat/work-proof', { body }, 'beats');
    const expected = { valid: false, reason: 'stale_anchor' };
    const alone = deployment.host.service.registry.dialect.workProofReply === 'valid-alone';
    expect(expectReply('work-proof.post', failed, 200)).toEqual(alone ? expected : { ok: false, ...expected });
  });

  it('the public reads of the registry', async () => {
    expectReply('beat-anchor', await deployment.get('/beat/anchor'), 200);
    expectReply('authority-key', await deployment.get('/.well-known/authority-key'), 200);
    expectReply('fees-summary', await deployment.get('/fees/summary'), 200);
  });

  it('spawn, child registration and sponsor', async () => {
    expectReply('spawn', await agent.post('/agent/spawn', { child_name: 'kid' }), 402);
    const { receipt } = (await earnReceipt(deployment, 1_000)).body;
    const given = expectReply(
      'spawn',
      await agent.post('/agent/spawn', { child_name: 'kid', beats_receipt: receipt }),
      200,
    );
    const { spawn_authorization } = given;
    const kid = expectReply('register', await agent.post('/register', { name: 'kid', spawn_authorization }), 200);
    const child_hash = kid['hash'];
    expectReply('spawn', await agent.post('/agent/spawn', { child_hash }), 200);
    expectReply('sponsor.post', await agent.post('/agent/sponsor', { child_hash }), 200);
    expectReply('sponsor.get', await agent.get('/agent/sponsor'), 200);
    const end = { headers: agent.authorization, body: { child_hash } };
    expectReply('sponsor.delete', await deployment.send('DELETE', '/api/v1/agent/sponsor', end), 200);
    expectReply('sponsor.delete', await deployment.send('DELETE', '/api/v1/agent/sponsor', end), 404);
  });

  it('beats-submit, metadata, flag and wallet', async () => {
    const { anchor } = (await deployment.get('/beat/anchor')).body;
    const { heartbeat } = (await deployment.get(`/agent/beat-status/${agent.hash}`)).body;
    const from = { fromHash: heartbeat.latest_hash as string, fromIndex: heartbeat.latest_beat as number };
    const run = computeChain({ ...from, beats: 3, difficulty: 1_000, anchorHash: anchor.hash, keep: { every: 1 } });
    const proof = {
      from_beat: from.fromIndex,
      to_beat: run.toIndex,
      from_hash: from.fromHash,
      to_hash: run.toHash,
      beats_computed: 3,
      global_anchor: anchor.beat_index,
      anchor_hash: anchor.hash,
      spot_checks: run.spotChecks,
    };
    expectReply('beats-submit', await agent.post('/agent/beats/submit', { proof }), 200);
    expectReply('beats-submit', await agent.post('/agent/beats/submit', proof), 409);
    const patch = { headers: agent.authorization, body: { substrate: 'open', generation_trigger: 'x' } };
    expectReply('metadata', await deployment.send('PATCH', '/api/v1/agent/metadata', patch), 200);
    const target = (await deployment.post('/register', { name: 'target' })).body as { hash: string; api_key: string };
    const flag = { target_hash: target.hash, asserted_class: 'autonomous', reason: 'r' };
    expectReply('flag', await agent.post('/agent/flag', flag), 200);
    expectReply('flag', await agent.post('/agent/flag', flag), 409);
    const key = { Authorization: `Bearer ${target.api_key}` };
    expectReply('wallet', await deployment.post('/agent/wallet', { action: 'challenge' }, key), 200);
    expectReply('wallet', await deployment.post('/agent/wallet', {}, key), 400);
  });

  it('checkin, verify-batch, beat-verify and beat-timestamp', async () => {
    expectReply('checkin', await deployment.post('/agent/checkin'), 410);
    expectReply('verify-batch', await deployment.post('/verify/batch', { hashes: [agent.hash] }), 200);
    const beat = { index: 1, hash: '00'.repeat(32), prev: '00'.repeat(32) };
    expectReply('beat-verify', await deployment.post('/beat/verify', { beat }), 200);
    const asked = { body: { mode: 'chain', beats: [beat] } };
    const onBeats = await deployment.send('POST', '/api/v1/beat/verify', asked, 'beats');
    expectReply('beats.beat-verify', onBeats, 200);
    const stamp = { body: { hash: '00'.repeat(32) } };
    expectReply('beat-timestamp', await deployment.send('POST', '/api/v1/beat/timestamp', stamp, 'beats'), 200);
  });

  it('subsidy and partner-webhook', async () => {
    const admin = (await deployment.control('POST', '/admin-keys', {})).body.key as string;
    const grant = { agent_hash: agent.hash, fee_type: 'sigil', discount_bps: 1, reason: 'r' };
    const headers = { Authorization: `Bearer ${admin}` };
    expectReply('subsidy.post', await deployment.post('/admin/agent/subsidy', grant, headers), 200);
    const end = { headers, body: { agent_hash: agent.hash, fee_type: 'sigil' } };
    expectReply('subsidy.delete', await deployment.send('DELETE', '/api/v1/admin/agent/subsidy', end), 200);
    const partner = {
      Authorization: `Bearer ${(await deployment.control('POST', '/partners', { name: 'p' })).body.key}`,
    };
    expectReply('partner-webhook.get', await deployment.get('/partner/webhook', partner), 200);
    const hook = { headers: partner, body: { url: 'https://hooks.example.com/', events: ['agent.frozen'] } };
    expectReply('partner-webhook.put', await deployment.send('PUT', '/api/v1/partner/webhook', hook), 200);
    expectReply('partner-webhook.get', await deployment.get('/partner/webhook', partner), 200);
    const gone = await deployment.send('DELETE', '/api/v1/partner/webhook', { headers: partner });
    expectReply('partner-webhook.delete', gone, 200);
  });

  it('has been seen to succeed', () => {
    // 4.15: the retired check-in has no other reply.
    const success = (id: string): string => `${id} ${id === 'checkin' ? 410 : 200}`;
    expect([...byId.keys()].filter((id) => !seen.has(success(id)))).toEqual([]);
  });
});

describe('what is served', () => {
  it('is of its own service, each endpoint once', () => {
    expect(registryRoutes.every(({ endpoint }) => endpoint.service === 'registry')).toBe(true);
    expect(beatsRoutes.every(({ endpoint }) => endpoint.service === 'beats')).toBe(true);
    expect(new Set(served.map(({ id }) => id)).size).toBe(served.length);
    expect(served.filter((endpoint) => !endpoints.includes(endpoint))).toEqual([]);
  });
});
