import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, outcomeOf } from '../../../test/fixtures/ask.js';
import { childOf } from '../../../test/fixtures/family.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { verifyEd25519 } from '../../beats/signing.js';

let deployment: Deployment;
let agent: TestAgent;

beforeEach(async () => {
  deployment = await Deployment.start({ overlay: { limits: { spawn: { count: 100 } } } });
  agent = await deployment.agent('autonomous');
});
afterEach(() => deployment.close());

const MINUTE_MS = 60_000;
const NOBODY = `0x${'0'.repeat(64)}`;
const words = (text: string): string[] => text.split(' ');
const look = async (path: string) => (await ask(deployment, `GET ${path}`)).body;

/** Another agent files a complaint, which is sustained. */
async function sustainComplaint(target: TestAgent): Promise<string> {
  const reporter = await deployment.agent();
  const body = { target_hash: target.hash, asserted_class: 'orchestrator', reason: 'r' };
  const { flag_id } = (await ask(deployment, 'POST /agent/flag', { as: reporter, body })).body;
  expect((await deployment.control('POST', `/flags/${flag_id}/review`, { outcome: 'sustain' })).status).toBe(200);
  return flag_id;
}

describe('GET /status/:hash (D-19)', () => {
  it('[status.purpose] [status.reply] describes the agent that its path names, field by field', async () => {
    const other = await deployment.register('other');
    const reply = await look(`/status/${agent.hash}`);
    expect(Object.keys(reply)).toEqual(
      words(
        'exists status hash type depth name metadata wallet wallet_model wallet_chain identity_class sigil ' +
          'sigil_issued_at tier principal registered registered_by tx_signature heartbeat_refused ' +
          'heartbeat_refused_reason beat_state',
      ),
    );
    expect(reply).toMatchObject({ exists: true, status: 'active', hash: agent.hash, name: 'tester', tier: 'org' });
    const registered = { exists: true, status: 'registered', hash: other.hash, name: 'other', sigil: null };
    expect(await look(`/status/${other.hash}`)).toMatchObject(registered);
  });

  it('[status.reply.beat-state] has the state of a started chain', async () => {
    deployment.advance(3 * MINUTE_MS);
    expect(outcomeOf(await agent.heartbeat())).toBe('200');
    expect((await look(`/status/${agent.hash}`)).beat_state).toEqual({
      beat_count: 0,
      lifetime_beats: 0,
      available_beats: 0,
      latest_beat: 0,
      last_checkin_beat: 3,
      last_global_sync: 3,
      total_heartbeats: 1,
      difficulty: 1_000,
      status: 'active',
    });
  });

  it.each([
    ['[status.reply.status]', 'active', '48 anchors behind', 48],
    ['[status.reply.status] [status.reply.status.warning]', 'warning', '49 anchors behind', 49],
    ['[status.reply.status]', 'warning', '60 anchors behind', 60],
    ['[status.reply.status]', 'frozen', '61 anchors behind', 61],
  ])('%s reads %s %s', async (_clause, status, _what, anchors) => {
    deployment.advance(anchors * MINUTE_MS);
    expect((await look(`/status/${agent.hash}`)).status).toBe(status);
  });

  it('[status.reply.status] [status.reply.status.refused] reads refused while a complaint is sustained', async () => {
    const flag = await sustainComplaint(agent);
    expect(await look(`/status/${agent.hash}`)).toMatchObject({ status: 'refused', heartbeat_refused: true });
    expect((await deployment.control('POST', `/flags/${flag}/review`, { outcome: 'resolve' })).status).toBe(200);
    expect(await look(`/status/${agent.hash}`)).toMatchObject({ status: 'active', heartbeat_refused: false });
  });

  it('[status.error.not-found] of no agent is 404 with exists, status and hash', async () => {
    const reply = await ask(deployment, `GET /status/${NOBODY}`);
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({ exists: false, status: 'not_found', hash: NOBODY });
  });

  it.each(['0x12', '0'.repeat(66), `0x${'g'.repeat(64)}`])(
    '[status.error.invalid-hash] of %s is 400 INVALID_HASH',
    async (hash) => {
      expect(outcomeOf(await ask(deployment, `GET /status/${hash}`))).toBe('400 INVALID_HASH');
    },
  );
});

describe('GET /verify/:hash (D-20)', () => {
  it('[verify.purpose] [verify.reply] [verify.reply.lineage] [verify.reply.root] shows all agents from this one up to its root', async () => {
    deployment.advance(1_000);
    const child = await childOf(deployment, agent, 'kid');
    const grandchild = await childOf(deployment, child, 'grandkid');
    const reply = await look(`/verify/${grandchild.hash}`);
    const result = 'verified standing agent sigil passport beat_state network lineage root';
    expect(Object.keys(reply).toSorted()).toEqual([...words(result), 'lineage_depth'].toSorted());
    const at = { registered: '2026-01-01T00:00:01.000Z' };
    const root = { hash: agent.hash, registered: '2026-01-01T00:00:00.000Z' };
    expect(reply).toMatchObject({ verified: true, standing: 'active', lineage_depth: 3 });
    expect(reply.lineage).toEqual([
      { hash: grandchild.hash, type: 'agent', depth: 2, name: 'grandkid', ...at },
      { hash: child.hash, type: 'agent', depth: 1, name: 'kid', ...at },
      { ...root, type: 'root', depth: 0, name: 'tester' },
    ]);
    expect(reply.root).toEqual(root);
    expect((await look(`/verify/${child.hash}`)).lineage).toHaveLength(2);
  });

  it('[verify.reply.agent] [verify.reply.passport] shows the agent, and no passport', async () => {
    const reply = await look(`/verify/${agent.hash}`);
    expect(reply.passport).toBeNull();
    expect(reply.agent).toEqual({
      hash: agent.hash,
      name: 'tester',
      type: 'root',
      depth: 0,
      parent: null,
      metadata: null,
      wallet: agent.key.publicKeyBase58,
      wallet_model: 'self-custody',
      wallet_chain: 'solana',
      registered: '2026-01-01T00:00:00.000Z',
    });
  });

  it('[verify.reply.sigil] shows what was bought, what was set since and the generation, or null', async () => {
    const change = { capability: 'witness', tools: ['a'], generation_trigger: 'retrained' };
    expect((await ask(deployment, 'PATCH /agent/metadata', { as: agent, body: change })).status).toBe(200);
    const { sigil } = await look(`/verify/${agent.hash}`);
    const bought = 'sigil sigil_name principal tier identity_class issued_at_beat birth_tx explorer_url';
    expect(Object.keys(sigil)).toEqual([...words(bought), ...Object.keys(change), 'generation']);
    expect(sigil).toMatchObject({ identity_class: 'autonomous', ...change, generation: 2 });
    expect((await look(`/verify/${(await deployment.register()).hash}`)).sigil).toBeNull();
  });

  it('[verify.reply.beat-state] is that of the status lookup, or null before the chain starts', async () => {
    const { beat_state } = await look(`/verify/${agent.hash}`);
    expect(beat_state).toMatchObject({ difficulty: 1_000, status: 'active' });
    expect(beat_state).toEqual((await look(`/status/${agent.hash}`)).beat_state);
    expect((await look(`/verify/${(await deployment.register()).hash}`)).beat_state).toBeNull();
  });

  it('[verify.reply.anchor-degraded] is true once the latest anchor is older than 3 intervals', async () => {
    deployment.host.service.stalled = true;
    deployment.advance(3 * MINUTE_MS);
    const network = { current_anchor_index: 0, anchor_degraded: false };
    expect((await look(`/verify/${agent.hash}`)).network).toEqual(network);
    deployment.advance(1);
    expect((await look(`/verify/${agent.hash}`)).network).toEqual({ ...network, anchor_degraded: true });
  });

  it('[verify.error.not-found] of no agent is 404 with verified, hash and error', async () => {
    const reply = await ask(deployment, `GET /verify/${NOBODY}`);
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({ verified: false, hash: NOBODY, error: expect.any(String) });
  });
});

describe('GET /agent/beat-status/:hash (D-21)', () => {
  it('[beat-status.purpose] [beat-status.reply] [beat-status.reply.heartbeat] [beat-status.reply.heartbeat-epoch] [beat-status.reply.whitelist] [beat-status.reply.whitelist.deadline-anchors] [beat-status.reply.gestation] describes the chain of the agent that its path names', async () => {
    deployment.advance(2 * MINUTE_MS);
    await agent.heartbeat();
    await childOf(deployment, agent, 'kid');
    deployment.advance(62 * MINUTE_MS);
    const genesis = createHash('sha256').update(`beats:genesis:v1:${agent.hash}`).digest('hex');
    expect(await look(`/agent/beat-status/${agent.hash}`)).toEqual({
      agent_hash: agent.hash,
      beat_initialized: true,
      sigil: expect.stringMatching(/^auto-[0-9a-f]{8}\*tests\*org$/),
      heartbeat: {
        status: 'frozen',
        genesis_hash: genesis,
        latest_beat: 0,
        latest_hash: genesis,
        total_beats: 0,
        available_beats: 0,
        difficulty: 1_000,
        frozen_since: 63,
        refused: false,
      },
      heartbeat_epoch: {
        billing_epoch: 0,
        count_in_epoch: 1,
        volume_cap: 5_000,
        remaining: 4_999,
        lineage_chain_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
      whitelist: {
        standing: 'frozen',
        last_global_sync: 2,
        current_global_beat: 64,
        beats_behind: 62,
        beats_until_freeze: 0,
        deadline_anchors: 60,
      },
      gestation: {
        depth: 0,
        children_spawned: 1,
        next_child_cost: 1_200,
        beats_accumulated: 0,
        progress_pct: 0,
        can_spawn: false,
        deficit: 1_200,
      },
    });
  });
});

describe('GET /fees/summary (D-22)', () => {
  const SHARES = words('operations contributors development treasury referral');

  it('[fees-summary.purpose] [fees-summary.reply] [fees-summary.reply.payment-chain] [fees-summary.reply.schedule] returns the fees that apply now', async () => {
    const reply = await look('/fees/summary');
    const fields = 'ok payment_address payment_chain total_lamports total_sol by_type overall_allocation';
    expect(Object.keys(reply)).toEqual([...words(fields), 'fee_split_bps', 'schedule']);
    expect(reply).toMatchObject({ ok: true, payment_chain: 'solana', total_lamports: 150_000_000, total_sol: 0.15 });
    expect(reply.payment_address).toBe(deployment.host.service.paymentAddress);
    const schedule = {
      sigil_tiers: [
        { identity_class: 'narrow_task', label: expect.any(String), sol: 0.05, lamports: 50_000_000 },
        { identity_class: 'autonomous', label: expect.any(String), sol: 0.15, lamports: 150_000_000 },
        { identity_class: 'orchestrator', label: expect.any(String), sol: 0.35, lamports: 350_000_000 },
      ],
      heartbeat_tiers: [
        { range: '1-100', sol: 0.0005, lamports: 500_000 },
        { range: '101-1000', sol: 0.0003, lamports: 300_000 },
        { range: '1001+', sol: 0.0002, lamports: 200_000 },
      ],
      proof_reissuance_sol: 0.0002,
    };
    expect(reply.schedule).toEqual(schedule);
    await deployment.control('PUT', '/fees', { heartbeat_tier1: 7 });
    expect((await look('/fees/summary')).schedule.heartbeat_tiers[0]).toMatchObject({ lamports: 7, sol: 7e-9 });
  });

  it('[fees-summary.reply.by-type] [fees-summary.reply.allocation] [fees-summary.reply.fee-split-bps] sums what was paid', async () => {
    await agent.heartbeat();
    const reply = await look('/fees/summary');
    const allocation = {
      operations_lamports: 150_000,
      contributors_lamports: 150_000,
      development_lamports: 75_000,
      treasury_lamports: 75_000,
      referral_lamports: 50_000,
    };
    const paid = { count: 1, total_lamports: 500_000, total_sol: 0.0005, allocation };
    expect(reply.by_type[1]).toEqual({ fee_type: 'heartbeat', ...paid });
    expect(reply.by_type.map(({ fee_type }: { fee_type: string }) => fee_type)).toEqual(
      words('sigil heartbeat reissuance'),
    );
    const bps = Object.fromEntries(SHARES.map((share, i) => [share, [3_000, 3_000, 1_500, 1_500, 1_000][i]]));
    expect(reply.fee_split_bps).toEqual(bps);
    expect(Object.keys(reply.overall_allocation)).toEqual(SHARES.map((share) => `${share}_lamports`));
  });
});

describe('GET /.well-known/authority-key and GET /agent/passport (D-12, D-13)', () => {
  it('[authority-key.purpose] [authority-key.reply] [authority-key.reply.schema-version] [authority-key.reply.algorithm] [authority-key.reply.verification] [passport.purpose] [passport.free] publish the key, and a passport that it signed, for nothing', async () => {
    const key = await look('/.well-known/authority-key');
    expect(key).toEqual({
      schema_version: 1,
      algorithm: 'Ed25519',
      key_id: `pvn-ed25519-${key.authority_public_key_hex.slice(0, 16)}`,
      authority_public_key_hex: expect.stringMatching(/^[0-9a-f]{64}$/),
      verification: { proof_signature_field: 'service_signature', verify_function: 'verifyPassport' },
    });
    const fees = (await look('/fees/summary')).total_lamports;
    const { body } = await ask(deployment, 'GET /agent/passport', { as: agent });
    const { service_signature, ...signed } = body.passport;
    expect(verifyEd25519(key.authority_public_key_hex, JSON.stringify(signed), service_signature)).toBe(true);
    expect((await look('/fees/summary')).total_lamports).toBe(fees);
  });

  it('[passport.reply] has four parts, the alias among them', async () => {
    const { body } = await ask(deployment, 'GET /agent/passport', { as: agent });
    expect(Object.keys(body).toSorted()).toEqual(
      words('authority_public_key_hex lineage_proof passport passport_vc').toSorted(),
    );
    expect(body.lineage_proof).toEqual(body.passport);
    const key = await look('/.well-known/authority-key');
    expect(body.authority_public_key_hex).toBe(key.authority_public_key_hex);
  });

  it('[passport.error.sigil-required] is refused to a root without a SIGIL, and given to a child without', async () => {
    const root = await deployment.register();
    expect(outcomeOf(await ask(deployment, 'GET /agent/passport', { as: root }))).toBe('403 SIGIL_REQUIRED');
    const child = await childOf(deployment, agent, 'kid');
    expect(outcomeOf(await ask(deployment, 'GET /agent/passport', { as: child }))).toBe('200');
  });
});
