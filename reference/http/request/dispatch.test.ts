import { createHmac } from 'node:crypto';
import { globalAgent } from 'node:https';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dialects } from '../../../spec/dialect.js';
import { Deployment, type DeploymentSetUp } from '../../../test/fixtures/http.js';
import { certificate, type Delivered, type Receiver, startReceiver } from '../../../test/webhook-receiver.js';
import { fingerprint } from '../../registry/fingerprint.js';
import { init } from '../../registry/init.js';
import { registerRoot } from '../../registry/register.js';
import { hashOf } from '../../registry/state.js';
import { runningClock } from './clock.js';
import { postWebhook } from './webhook-request.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function receiver(secure = false): Promise<Receiver> {
  const made = await startReceiver(secure);
  closing.push(made.close);
  return made;
}

async function start(options: DeploymentSetUp = {}): Promise<Deployment> {
  const deployment = await Deployment.start({ ...options, policy: { allowLoopbackWebhooks: true, ...options.policy } });
  closing.push(() => deployment.close());
  return deployment;
}

const ALL = ['sigil.purchased', 'heartbeat.recorded', 'agent.frozen', 'agent.unfrozen'];

async function subscribed(deployment: Deployment, url: string, events: readonly string[] = ALL) {
  const partner = (await deployment.control('POST', '/partners', { name: 'Acme' })).body;
  const put = await deployment.call('PUT /partner/webhook', { url, events }, partner.key);
  expect(put.status).toBe(200);
  return { key: partner.key as string, ref: partner.ref as string, secret: put.body.webhook_secret as string };
}

/** Makes agents with started chains under a partner, so that they freeze when the clock moves on. */
function agentsUnder(deployment: Deployment, ref: string | undefined, count: number): string[] {
  const { registry } = deployment.host.service;
  return Array.from({ length: count }, (_, i) => {
    const { agent } = registerRoot(registry, { name: `agent ${i}`, ref }, registry.anchorAtMs);
    init(registry, { agent }, registry.anchorAtMs);
    return hashOf(registry, agent);
  });
}

const eventsOf = ({ got }: Receiver) => got.map(({ text }) => JSON.parse(text));
const flush = async (deployment: Deployment) => (await deployment.control('POST', '/webhooks/flush', {})).body;

describe('a delivery', () => {
  it.each(['service', 'provenonce'] as const)(
    '[dialect.webhook-signature-header] [delivery.signature.header] [delivery.signature.value] [delivery.body] is signed under the header of the dialect %s',
    async (name) => {
      const [deployment, hook] = [await start({ dialect: dialects[name] }), await receiver()];
      const { ref, secret } = await subscribed(deployment, hook.url);
      const [hash] = agentsUnder(deployment, ref, 1);
      await deployment.control('POST', '/clock/advance', { anchors: 61 });
      expect(await flush(deployment)).toMatchObject({ pending: 0, dead: 0 });
      expect(hook.got).toHaveLength(1);
      const { method, headers, text, path } = hook.got[0] as Delivered;
      expect([method, path]).toEqual(['POST', '/hook']);
      expect(headers['content-type']).toBe('application/json');
      expect(headers[`x-${name}-signature`]).toBe(`sha256=${createHmac('sha256', secret).update(text).digest('hex')}`);
      expect(JSON.parse(text)).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        event: 'agent.frozen',
        agent_hash: hash,
        occurred_at: '2026-01-01T01:01:00.000Z',
        data: { missed_anchors: 61, last_global_sync: 0, frozen_at_beat: 61 },
      });
    },
  );

  it('is made once for an event, however often the outbox is read', async () => {
    const [deployment, hook] = [await start(), await receiver()];
    const { ref } = await subscribed(deployment, hook.url);
    agentsUnder(deployment, ref, 100);
    await deployment.control('POST', '/clock/advance', { anchors: 61 });
    await Promise.all([flush(deployment), flush(deployment), flush(deployment)]);
    expect(hook.got).toHaveLength(100);
    expect(new Set(eventsOf(hook).map(({ id }) => id)).size).toBe(100);
  });
});

describe('a delivery that fails', () => {
  it('[delivery.retry] [delivery.dead] is tried six times over the schedule, and then kept as dead', async () => {
    const [deployment, hook] = [await start(), await receiver()];
    const { ref } = await subscribed(deployment, hook.url);
    agentsUnder(deployment, ref, 1);
    hook.answers.push(...Array<number>(20).fill(503));
    await deployment.control('POST', '/clock/advance', { anchors: 61 });
    await flush(deployment);
    for (const [i, waitSec] of [60, 300, 1_800, 7_200, 43_200].entries()) {
      await deployment.control('POST', '/clock/advance', { ms: waitSec * 1_000 - 1 });
      await flush(deployment);
      expect(hook.got).toHaveLength(i + 1);
      await deployment.control('POST', '/clock/advance', { ms: 1 });
      await flush(deployment);
      expect(hook.got).toHaveLength(i + 2);
    }
    expect(await flush(deployment)).toEqual({ delivered: 0, failed: 0, pending: 0, dead: 1 });
    await deployment.control('POST', '/clock/advance', { ms: 10 * 86_400_000 });
    await flush(deployment);
    expect(hook.got).toHaveLength(6);
  });

  it('holds back the later events of its agent, and of no other', async () => {
    const [deployment, hook] = [await start({ policy: { beatsRequired: false } }), await receiver()];
    const { ref } = await subscribed(deployment, hook.url);
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const one = (await deployment.call('POST /register', { name: 'one', ref }, undefined, from)).body;
    const two = (await deployment.call('POST /register', { name: 'two', ref }, undefined, from)).body;
    for (const { api_key } of [one, two]) await deployment.call('POST /agent/init', {}, api_key);
    hook.failing.add(one.hash);
    await deployment.control('POST', '/clock/advance', { anchors: 61 });
    for (const { api_key } of [one, two]) await deployment.call('POST /agent/resync', {}, api_key, from);
    expect(await flush(deployment)).toMatchObject({ pending: 2 });
    hook.failing.clear();
    expect(await flush(deployment)).toMatchObject({ delivered: 0, pending: 2 });
    const told = (hash: string) => eventsOf(hook).flatMap((each) => (each.agent_hash === hash ? [each.event] : []));
    expect(told(two.hash)).toEqual(['agent.frozen', 'agent.unfrozen']);
    expect(told(one.hash)).toEqual(['agent.frozen']);
    await deployment.control('POST', '/clock/advance', { ms: 60_000 });
    expect(await flush(deployment)).toMatchObject({ pending: 0 });
    expect(told(one.hash)).toEqual(['agent.frozen', 'agent.frozen', 'agent.unfrozen']);
  });

  it('and no request waits for one that is under way', async () => {
    // Nobody waits for the end of this attempt.
    const overlay = { webhook: { timeoutSec: 100_000 } };
    const [deployment, hook] = [await start({ overlay }), await receiver()];
    const { ref } = await subscribed(deployment, hook.url);
    agentsUnder(deployment, ref, 1);
    hook.answers.push('hang');
    await deployment.control('POST', '/clock/advance', { anchors: 61 });
    expect((await deployment.call('GET /fees/summary')).status).toBe(200);
    expect(deployment.host.deliveries.attempts.size).toBe(1);
  });
});

describe('what the partner changes', () => {
  it.each(['DELETE', 'suspend'])('%s drops what waits', async (how) => {
    const [deployment, hook] = [await start(), await receiver()];
    const { ref, key } = await subscribed(deployment, hook.url);
    agentsUnder(deployment, ref, 2);
    hook.answers.push(500, 500);
    await deployment.control('POST', '/clock/advance', { anchors: 61 });
    expect((await flush(deployment)).pending).toBe(2);
    if (how === 'DELETE') await deployment.call('DELETE /partner/webhook', undefined, key);
    else await deployment.control('POST', `/partners/${ref}/suspend`, {});
    expect((await flush(deployment)).pending).toBe(0);
    await deployment.control('POST', '/clock/advance', { anchors: 5 });
    await flush(deployment);
    expect(hook.got).toHaveLength(2);
  });
});

describe('over HTTPS', () => {
  beforeAll(() => {
    globalAgent.options.ca = certificate;
    return () => {
      delete globalAgent.options.ca;
    };
  });

  it('[delivery.post] delivers to a server with a valid certificate', async () => {
    const [deployment, hook] = [await start(), await receiver(true)];
    const { ref } = await subscribed(deployment, hook.url);
    agentsUnder(deployment, ref, 1);
    await deployment.control('POST', '/clock/advance', { anchors: 61 });
    expect(await flush(deployment)).toMatchObject({ pending: 0 });
    expect(eventsOf(hook).map(({ event }) => event)).toEqual(['agent.frozen']);
    expect(hook.got.map(({ method, path }) => [method, path])).toEqual([['POST', '/hook']]);
  });

  it('does not connect to a name that resolves to loopback, unless that is allowed', async () => {
    const hook = await receiver(true);
    const url = hook.url.replace('127.0.0.1', 'localhost');
    const attempt = { url, body: '{}', headers: {}, timeoutMs: 600_000, signal: new AbortController().signal };
    expect(await postWebhook({ ...attempt, allowLoopback: false })).toBe(false);
    expect(hook.got).toEqual([]);
    expect(await postWebhook({ ...attempt, allowLoopback: true })).toBe(true);
    expect(hook.got).toHaveLength(1);
  });
});

it('HTTPS to a server with an unknown certificate fails', async () => {
  const hook = await receiver(true);
  const signal = new AbortController().signal;
  const attempt = { url: hook.url, body: '{}', headers: {}, timeoutMs: 600_000, signal, allowLoopback: true };
  expect(await postWebhook(attempt)).toBe(false);
  expect(hook.got).toEqual([]);
});

describe('the journal', () => {
  it('keeps what became of deliveries: what failed is tried again after a restart, what arrived is not', async () => {
    const [deployment, hook] = [await start(), await receiver()];
    const { ref } = await subscribed(deployment, hook.url);
    const from = { 'x-forwarded-for': '203.0.113.7' };
    for (const name of ['a', 'b', 'c']) {
      const { api_key } = (await deployment.call('POST /register', { name, ref }, undefined, from)).body;
      await deployment.call('POST /agent/init', {}, api_key);
    }
    hook.answers.push(200, 500, 200);
    await deployment.control('POST', '/clock/advance', { anchors: 61 });
    expect(await flush(deployment)).toMatchObject({ pending: 1 });
    const state = fingerprint(deployment.host.service.registry);
    const again = await start({ commands: deployment.commands });
    expect(fingerprint(again.host.service.registry)).toBe(state);
    expect(await flush(again)).toEqual({ delivered: 0, failed: 0, pending: 1, dead: 0 });
    await again.control('POST', '/clock/advance', { anchors: 1 });
    await flush(again);
    expect(hook.got).toHaveLength(4);
    expect(new Set(eventsOf(hook).map(({ id }) => id)).size).toBe(3);
  });
});

describe('a clock that moves by itself', () => {
  it('freezes and delivers without any request', async () => {
    const hook = await receiver();
    // A minute of protocol time in a hundredth of a second.
    const clock = runningClock(1_767_225_600_000, 6_000);
    const deployment = await start({ clock });
    const { ref } = await subscribed(deployment, hook.url);
    agentsUnder(deployment, ref, 1);
    while (hook.got.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(eventsOf(hook)[0]).toMatchObject({ event: 'agent.frozen', data: { missed_anchors: 61 } });
  });
});
