import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { childOf, linkWallet } from '../../../test/fixtures/family.js';
import { Deployment, type TestAgent } from '../../../test/fixtures/http.js';
import { partnerOf, thaw, walletless } from '../../../test/fixtures/parties.js';
import { type Receiver, startReceiver } from '../../../test/webhook-receiver.js';

let deployment: Deployment;
let hook: Receiver;
beforeEach(async () => {
  deployment = await Deployment.start({ policy: { allowLoopbackWebhooks: true } });
  hook = await startReceiver(false);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await deployment.close();
  await hook.close();
});

const MINUTE = 60_000;
const DAY = 86_400_000;
const ALL = ['sigil.purchased', 'heartbeat.recorded', 'agent.frozen', 'agent.unfrozen'];
const flush = async () => (await deployment.control('POST', '/webhooks/flush', {})).body;

async function subscribed(events: readonly string[] = ALL) {
  const partner = await partnerOf(deployment);
  const sent = { headers: partner.headers, body: { url: hook.url, events } };
  expect((await deployment.send('PUT', '/api/v1/partner/webhook', sent)).status).toBe(200);
  return partner;
}

/** A root with a wallet, registered with this ref, if any. */
async function under(ref?: string): Promise<TestAgent> {
  const agent = await walletless(deployment, 'agent', ref === undefined ? {} : { ref });
  await linkWallet(deployment, agent);
  return agent;
}

/** The events that the partner got since the last call. */
async function told() {
  await flush();
  return hook.got.splice(0).map(({ text }) => JSON.parse(text));
}

/** The life of an agent: a SIGIL, a heartbeat, a freeze and a resync. */
async function live(agent: TestAgent): Promise<void> {
  expect((await agent.post('/agent/init')).status).toBe(200);
  expect((await agent.buySigil()).status).toBe(200);
  expect((await agent.heartbeat()).status).toBe(200);
  deployment.advance(61 * MINUTE);
  await thaw(agent);
}

describe('the events of section 6', () => {
  it('[event.sigil-purchased] [event.sigil-purchased.data] sigil.purchased, by POST /sigil', async () => {
    const agent = await under((await subscribed()).ref);
    expect(await told()).toEqual([]);
    const payment_tx = agent.pay(150_000_000);
    const body = { identity_class: 'autonomous', principal: 'acme', tier: 'ind', name: 'ada', payment_tx };
    expect((await agent.post('/sigil', body)).status).toBe(200);
    const data = { sigil: 'ada*acme*ind', identity_class: 'autonomous', tier: 'ind' };
    expect(await told()).toEqual([
      {
        id: expect.any(String),
        event: 'sigil.purchased',
        agent_hash: agent.hash,
        occurred_at: '2026-01-01T00:00:00.000Z',
        data: { ...data, payment_tx, fee_lamports: 150_000_000 },
      },
    ]);
    expect((await agent.post('/sigil', body)).status).toBe(409);
    expect(await told()).toEqual([]);
  });

  it('[event.heartbeat-recorded] [event.heartbeat-recorded.data] heartbeat.recorded, by an accepted heartbeat', async () => {
    const agent = await under((await subscribed(['heartbeat.recorded'])).ref);
    await agent.post('/agent/init');
    await agent.buySigil();
    deployment.advance(7 * MINUTE);
    const payment_tx = agent.pay(500_000);
    expect((await agent.post('/agent/heartbeat', { payment_tx })).status).toBe(200);
    const [recorded, ...more] = await told();
    expect(more).toEqual([]);
    const { data, occurred_at, agent_hash } = recorded;
    expect([agent_hash, occurred_at]).toEqual([agent.hash, '2026-01-01T00:07:00.000Z']);
    const counts = { beat: 7, billing_epoch: 0, heartbeat_count_epoch: 1 };
    expect(data).toEqual({ ...counts, payment_tx, fee_lamports: 500_000, sponsor: null });
    expect((await agent.heartbeat()).status).toBe(429);
    expect(await told()).toEqual([]);
  });

  it('[event.agent-frozen] [event.agent-frozen.data] agent.frozen, when the DMS freezes it', async () => {
    const agent = await under((await subscribed()).ref);
    await agent.post('/agent/init');
    deployment.advance(60 * MINUTE);
    expect(await told()).toEqual([]);
    deployment.advance(MINUTE);
    const [frozen, ...more] = await told();
    expect(more).toEqual([]);
    expect(frozen).toMatchObject({ event: 'agent.frozen', agent_hash: agent.hash });
    expect(frozen.data).toEqual({ missed_anchors: 61, last_global_sync: 0, frozen_at_beat: 61 });
  });

  it('[event.agent-unfrozen] [event.agent-unfrozen.data] agent.unfrozen, when a resync brings it back', async () => {
    const agent = await under((await subscribed(['agent.unfrozen'])).ref);
    await agent.post('/agent/init');
    deployment.advance(61 * MINUTE);
    expect(await told()).toEqual([]);
    await thaw(agent);
    const [back, ...more] = await told();
    expect(more).toEqual([]);
    expect(back).toMatchObject({ event: 'agent.unfrozen', agent_hash: agent.hash });
    expect(back.data).toEqual({ gap_anchors: 61, beats_proven: 10_000 });
  });

  it('[event.ref] [event.scope] of the agents whose registration carried the ref of the partner, and no others', async () => {
    const [partner, other] = [await subscribed(), await partnerOf(deployment)];
    expect(partner.ref).toMatch(/^[0-9a-f]{16}$/);
    const [own, nobodys, theirs] = [await under(partner.ref), await under(), await under(other.ref)];
    for (const each of [nobodys, theirs, own]) await live(each);
    const events = await told();
    expect(events.map(({ event }) => event)).toEqual(ALL);
    expect(new Set(events.map(({ agent_hash }) => agent_hash))).toEqual(new Set([own.hash]));
  });

  it('[event.ref.descendants] [event.heartbeat-recorded.data] of a child and a grandchild too, with the sponsor that paid', async () => {
    const parent = await under((await subscribed(['heartbeat.recorded'])).ref);
    const child = await childOf(deployment, parent, 'child');
    const grandchild = await childOf(deployment, child, 'grandchild');
    for (const kid of [child, grandchild]) {
      expect((await parent.post('/agent/sponsor', { child_hash: kid.hash })).status).toBe(200);
      expect((await kid.post('/agent/heartbeat', { payment_tx: parent.pay(500_000) })).status).toBe(200);
    }
    const seen = (await told()).map(({ agent_hash, data }) => [agent_hash, data.sponsor]);
    expect(new Map(seen as [string, string][])).toEqual(
      new Map([
        [child.hash, parent.hash],
        [grandchild.hash, parent.hash],
      ]),
    );
  });

  it.each(ALL)('[delivery.subscribed] only %s where only that was asked for', async (event) => {
    const agent = await under((await subscribed([event])).ref);
    await live(agent);
    expect((await told()).map((each) => each.event)).toEqual([event]);
  });

  it('go on after the key of the partner has expired, and end when it is suspended', async () => {
    const { ref, key } = await subscribed(['heartbeat.recorded']);
    const agent = await under(ref);
    await agent.post('/agent/init');
    await agent.buySigil();
    await deployment.control('POST', '/partner-keys/expire', { key });
    await agent.heartbeat();
    expect(await told()).toHaveLength(1);
    await deployment.control('POST', `/partners/${ref}/suspend`, {});
    deployment.advance(10 * MINUTE);
    expect((await agent.heartbeat()).status).toBe(200);
    expect(await told()).toEqual([]);
  });
});

describe('an attempt', () => {
  async function frozenUnderPartner(): Promise<void> {
    const agent = await under((await subscribed()).ref);
    await agent.post('/agent/init');
    deployment.advance(61 * MINUTE);
  }

  it.each([200, 201, 202, 204, 299])('[delivery.success] that is answered with %i is over', async (status) => {
    await frozenUnderPartner();
    hook.answers.push(status);
    expect(await flush()).toMatchObject({ delivered: 1, failed: 0, pending: 0 });
    deployment.advance(DAY);
    expect(await flush()).toMatchObject({ delivered: 0, pending: 0 });
    expect(hook.got).toHaveLength(1);
  });

  it('[delivery.timeout] [constant.webhook-timeout] [delivery.dead-letter] is given 3 seconds, then it has failed and is tried again', async () => {
    const asked = vi.spyOn(globalThis, 'setTimeout');
    await frozenUnderPartner();
    hook.answers.push('hang');
    const flushed = flush();
    await expect.poll(() => hook.got).toHaveLength(1);
    const [timeUp, ...others] = asked.mock.calls.filter(([, ms]) => ms === 3_000);
    expect(others).toEqual([]);
    timeUp?.[0]();
    expect(await flushed).toMatchObject({ delivered: 0, failed: 1, pending: 1 });
    asked.mockRestore();
    deployment.advance(MINUTE);
    expect(await flush()).toMatchObject({ delivered: 1, pending: 0 });
    expect(hook.got[1]?.text).toBe(hook.got[0]?.text);
  });
});
