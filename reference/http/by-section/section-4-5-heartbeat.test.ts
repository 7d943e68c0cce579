import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Overlay } from '../../../spec/overlay.js';
import { ask, outcomeOf } from '../../../test/fixtures/ask.js';
import { childOf, linkWallet } from '../../../test/fixtures/family.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { putAgent } from '../../../test/fixtures/registry.js';
import type { ServicePolicy } from '../../service.js';

let deployment: Deployment;
let agent: TestAgent;

const START = { overlay: { limits: { spawn: { count: 1_000 } } } };
beforeEach(async () => {
  deployment = await Deployment.start(START);
  agent = await deployment.agent();
});
afterEach(() => deployment.close());

const MINUTE_MS = 60_000;
const sendHeartbeat = (payment_tx?: unknown, over: object = {}, as = agent) =>
  ask(deployment, 'POST /agent/heartbeat', { as, body: { payment_tx, ...over } });
const paidBeat = (lamports = 500_000) => sendHeartbeat(agent.pay(lamports));

/** Restarts the session with other options. */
async function restart(set: { readonly overlay?: Overlay; readonly policy?: Partial<ServicePolicy> }): Promise<void> {
  deployment.close();
  deployment = await Deployment.start({ ...START, ...set });
  agent = await deployment.agent();
}

/** Puts the agent into a state that its own calls would take long to reach. */
function put(values: Readonly<Record<'epochHeartbeats' | 'lastHeartbeatBeat' | 'totalHeartbeats', number>>): void {
  putAgent(deployment.host.service.registry, agent.row, values);
}
const beaten = (epochHeartbeats: number): void =>
  put({ epochHeartbeats, totalHeartbeats: epochHeartbeats, lastHeartbeatBeat: -1 });

describe('POST /agent/init (4.4)', () => {
  const init = (body: unknown, as: TestAgent) => ask(deployment, 'POST /agent/init', { as, body });

  it('[init.body] [init.reply] takes an empty object and answers with the chain', async () => {
    const { body } = await init({}, await deployment.register());
    expect(Object.keys(body)).toEqual(['agent_hash', 'genesis', 'difficulty', 'status', '_next_steps']);
    expect(body.genesis).toMatchObject({ index: 0, prev: '0'.repeat(64) });
    expect(outcomeOf(await init('[]', await deployment.register()))).toBe('400 INVALID_JSON');
  });

  it('[init.idempotent] twice starts one chain', async () => {
    const other = await deployment.register();
    const { genesis } = (await init({}, other)).body;
    deployment.advance(MINUTE_MS);
    const again = { already_initialized: true, genesis_hash: genesis.hash, latest_beat: 0 };
    expect((await init({}, other)).body).toMatchObject(again);
    // The deadline still counts from the first call.
    deployment.advance(60 * MINUTE_MS);
    expect((await ask(deployment, `GET /status/${other.hash}`)).body.status).toBe('frozen');
  });

  it('[init.independent] an agent is registered with or without it, and the same afterwards', async () => {
    const other = await deployment.register();
    const before = (await ask(deployment, `GET /status/${other.hash}`)).body;
    expect(before).toMatchObject({ exists: true, status: 'registered', beat_state: null });
    await init({}, other);
    const after = (await ask(deployment, `GET /status/${other.hash}`)).body;
    expect({ ...after, status: 'registered', beat_state: null }).toEqual(before);
  });
});

describe('the body of a heartbeat (4.5)', () => {
  it('[heartbeat.sigil.root] is looked at for a root with a SIGIL alone', async () => {
    const root = await deployment.register();
    await root.post('/agent/init');
    expect(outcomeOf(await sendHeartbeat(root.pay(500_000), {}, root))).toBe('403 SIGIL_REQUIRED');
    expect((await root.buySigil()).status).toBe(200);
    expect(outcomeOf(await sendHeartbeat(root.pay(500_000), {}, root))).toBe('200');
  });

  it.each([
    ['absent', undefined, '400 PAYMENT_REQUIRED'],
    ['a number', 5, '400 VALIDATION'],
    ['unknown', 'x', '400 PAYMENT_INVALID'],
  ])('[heartbeat.body.payment-tx] payment_tx is %s', async (_what, payment_tx, outcome) => {
    expect(outcomeOf(await sendHeartbeat(payment_tx))).toBe(outcome);
    expect(outcomeOf(await paidBeat())).toBe('200');
  });

  it.each([
    ['[heartbeat.body.global-anchor]', 0, '200'],
    ['[heartbeat.body.global-anchor.own-value]', 1_000_000, '200'],
    ['[heartbeat.body.global-anchor.validated]', -1, '400 VALIDATION'],
    ['[heartbeat.body.global-anchor.validated]', 0.5, '400 VALIDATION'],
    ['[heartbeat.body.global-anchor.validated]', '0', '400 VALIDATION'],
  ])('%s global_anchor %j: %s', async (_clause, global_anchor, outcome) => {
    deployment.advance(3 * MINUTE_MS);
    const answer = await sendHeartbeat(agent.pay(500_000), { global_anchor });
    expect(outcomeOf(answer)).toBe(outcome);
    if (outcome === '200') expect(answer.body).toMatchObject({ current_beat: 3, passport: { last_heartbeat_beat: 3 } });
  });
});

describe('the reply of a heartbeat (4.5)', () => {
  it('[heartbeat.reply] [heartbeat.reply.passport] [heartbeat.reply.lineage-proof] [heartbeat.reply.total-heartbeats] [heartbeat.reply.heartbeat-count-epoch] [heartbeat.reply.billing-epoch] [heartbeat.reply.current-beat] [heartbeat.reply.fee] [clock.current-beat] [heartbeat.sender.own] has nine fields', async () => {
    put({ epochHeartbeats: 4, totalHeartbeats: 9, lastHeartbeatBeat: -1 });
    deployment.advance(7 * MINUTE_MS);
    const payment_tx = agent.pay(500_000);
    const { body } = await sendHeartbeat(payment_tx);
    const { passport, lineage_proof, ...rest } = body;
    expect(rest).toEqual({
      ok: true,
      agent_hash: agent.hash,
      total_heartbeats: 10,
      heartbeat_count_epoch: 5,
      billing_epoch: 0,
      current_beat: 7,
      fee: { amount_sol: 0.0005, amount_lamports: 500_000, payment_tx, tier: 1 },
    });
    expect(lineage_proof).toEqual(passport);
    expect(passport).toMatchObject({ format_version: 1, agent_hash: agent.hash, last_heartbeat_beat: 7 });
    expect(passport.service_signature).toMatch(/^[0-9a-f]{128}$/);
  });

  it('[heartbeat.reply.lineage-proof] has its alias through 2026-09-01 and not a moment longer', async () => {
    deployment.host.service.stalled = true;
    deployment.advance(Date.parse('2026-09-01T23:59:59.999Z') - deployment.clock.nowMs());
    const others = [await deployment.agent(), await deployment.agent()] as const;
    expect((await others[0].heartbeat()).body).toHaveProperty('lineage_proof');
    deployment.advance(1);
    const late = await others[1].heartbeat();
    expect(late.body).toHaveProperty('passport');
    expect(late.body).not.toHaveProperty('lineage_proof');
  });
});

describe('the interval of heartbeats (4.5)', () => {
  it('[heartbeat.interval.min] [heartbeat.interval.reply] [clock.interval] is 10 anchors', async () => {
    await paidBeat();
    deployment.advance(9 * MINUTE_MS + 59_999);
    const early = await paidBeat();
    expect(early.status).toBe(429);
    expect(early.body).toEqual({ error: expect.any(String), code: 'HEARTBEAT_TOO_SOON', next_eligible_beat: 10 });
    deployment.advance(1);
    expect(outcomeOf(await paidBeat())).toBe('200');
  });

  it('[heartbeat.interval.configurable] is what the server is configured to', async () => {
    await restart({ overlay: { heartbeat: { intervalBeatsMin: 3 } } });
    await paidBeat();
    deployment.advance(2 * MINUTE_MS);
    expect((await paidBeat()).body.next_eligible_beat).toBe(3);
    deployment.advance(MINUTE_MS);
    expect(outcomeOf(await paidBeat())).toBe('200');
  });
});

describe('tiers and caps of an epoch (4.5)', () => {
  it.each([
    ['[fee.heartbeat.tier-1]', 1, 1, 500_000],
    ['[fee.heartbeat.tier-1]', 100, 1, 500_000],
    ['[fee.heartbeat.tier-2]', 101, 2, 300_000],
    ['[fee.heartbeat.tier-2]', 1_000, 2, 300_000],
    ['[fee.heartbeat.tier-3]', 1_001, 3, 200_000],
    ['[fee.heartbeat.tier-3]', 20_000, 3, 200_000],
  ])('%s heartbeat %i is of tier %i and costs %i lamports', async (_clause, nth, tier, lamports) => {
    agent = await deployment.agent('orchestrator');
    beaten(nth - 1);
    expect(outcomeOf(await paidBeat(lamports - 1))).toBe('400 PAYMENT_INVALID');
    const { body } = await paidBeat(lamports);
    expect(body.fee).toMatchObject({ tier, amount_lamports: lamports, amount_sol: lamports / 1e9 });
  });

  it.each([
    ['[heartbeat.cap.narrow-task]', 'narrow_task', 1_000, 300_000],
    ['[heartbeat.cap.autonomous]', 'autonomous', 5_000, 200_000],
    ['[heartbeat.cap.orchestrator]', 'orchestrator', 20_000, 200_000],
  ] as const)('[heartbeat.cap.reached] [sigil.caps] %s of %s is %i', async (_clause, identityClass, cap, lamports) => {
    agent = await deployment.agent(identityClass);
    beaten(cap - 1);
    expect((await paidBeat(lamports)).body.heartbeat_count_epoch).toBe(cap);
    deployment.advance(10 * MINUTE_MS);
    expect(outcomeOf(await paidBeat(lamports))).toBe('429 VOLUME_CAP_REACHED');
  });

  it('[fee.heartbeat.epoch] [clock.billing-epoch] [heartbeat.cap.next-epoch] count from 0 again at beat 100,000', async () => {
    const { registry } = deployment.host.service;
    beaten(1_000);
    registry.anchorIndex = 99_999;
    expect(outcomeOf(await paidBeat(300_000))).toBe('429 VOLUME_CAP_REACHED');
    registry.anchorIndex = 100_000;
    const { body } = await paidBeat();
    expect(body).toMatchObject({ billing_epoch: 1, heartbeat_count_epoch: 1, fee: { tier: 1 } });
  });
});

describe('who pays a heartbeat (4.5)', () => {
  const sponsor = (child: TestAgent, over: object = {}) =>
    ask(deployment, 'POST /agent/sponsor', { as: agent, body: { child_hash: child.hash, ...over } });
  const used = async () =>
    (await ask(deployment, 'GET /agent/sponsor', { as: agent })).body.sponsorships.map(
      (each: { heartbeats_used_epoch: number }) => each.heartbeats_used_epoch,
    );

  it('[heartbeat.sender.own] its own wallet, and no stranger', async () => {
    const stranger = await deployment.register();
    expect(outcomeOf(await sendHeartbeat(stranger.pay(500_000)))).toBe('400 PAYMENT_SENDER_MISMATCH');
    expect(outcomeOf(await paidBeat())).toBe('200');
  });

  it('[heartbeat.sender.sponsor] [heartbeat.sender.charged] [heartbeat.child.sponsored] [heartbeat.child.unsponsored] [sponsor.pays] a sponsor, up to its cap, is charged for a child', async () => {
    const child = await childOf(deployment, agent, 'kid');
    expect(outcomeOf(await sendHeartbeat(agent.pay(500_000), {}, child))).toBe('403 WALLET_REQUIRED');
    await sponsor(child, { max_heartbeats_epoch: 1 });
    const stranger = await deployment.register();
    expect(outcomeOf(await sendHeartbeat(stranger.pay(500_000), {}, child))).toBe('400 PAYMENT_SENDER_MISMATCH');
    expect(await used()).toEqual([0]);
    expect(outcomeOf(await sendHeartbeat(agent.pay(500_000), {}, child))).toBe('200');
    expect(await used()).toEqual([1]);
    deployment.advance(10 * MINUTE_MS);
    expect(outcomeOf(await sendHeartbeat(agent.pay(500_000), {}, child))).toBe('429 SPONSOR_CAP_REACHED');
  });

  it('[heartbeat.child.sponsor-frozen] a sponsor that froze is named as the reason, while it is frozen', async () => {
    const child = await childOf(deployment, agent, 'kid');
    await sponsor(child);
    deployment.advance(30 * MINUTE_MS);
    expect(outcomeOf(await sendHeartbeat(agent.pay(500_000), {}, child))).toBe('200');
    deployment.advance(31 * MINUTE_MS);
    expect(outcomeOf(await sendHeartbeat(agent.pay(500_000), {}, child))).toBe('403 SPONSOR_PARENT_FROZEN');
  });

  it('[sponsor.nearest] the nearest sponsor with room, where one wallet sponsors through several', async () => {
    const child = await childOf(deployment, agent, 'kid');
    const { line } = deployment.host.service.registry.agents;
    line.setWallet(child.row, line.wallet(agent.row));
    const grandchild = await childOf(deployment, child, 'grandkid');
    await sponsor(grandchild);
    const near = { child_hash: grandchild.hash, max_heartbeats_epoch: 1 };
    expect(outcomeOf(await ask(deployment, 'POST /agent/sponsor', { as: child, body: near }))).toBe('200');
    expect(outcomeOf(await sendHeartbeat(agent.pay(500_000), {}, grandchild))).toBe('200');
    expect(await used()).toEqual([0]);
    deployment.advance(10 * MINUTE_MS);
    expect(outcomeOf(await sendHeartbeat(agent.pay(500_000), {}, grandchild))).toBe('200');
    expect(await used()).toEqual([1]);
  });

  it('[heartbeat.cap.child] a child without a SIGIL has 1,000 an epoch (D-50)', async () => {
    agent = await childOf(deployment, agent, 'kid');
    await linkWallet(deployment, agent);
    beaten(999);
    expect(outcomeOf(await paidBeat(300_000))).toBe('200');
    deployment.advance(10 * MINUTE_MS);
    expect(outcomeOf(await paidBeat(300_000))).toBe('429 VOLUME_CAP_REACHED');
  });
});
