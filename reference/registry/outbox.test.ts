import { beforeEach, describe, expect, it } from 'vitest';
import { partnerEvents } from '../../spec/vocabulary.js';
import {
  anchorsTo,
  GENESIS_MS,
  payment,
  receipt,
  testChild,
  testRegistry,
  walletRoot,
  withSigil,
} from '../../test/fixtures/registry.js';
import { heartbeat } from './heartbeat.js';
import { dueDeliveries, nextDueMs, settleDelivery } from './outbox.js';
import { addPartner, suspendPartner } from './partner.js';
import { setWebhook } from './partner-webhook.js';
import { resync } from './resync.js';
import { sponsor } from './sponsor.js';
import { hashOf, type Registry } from './state.js';

let registry: Registry;
let ref: string;
let parent: { agent: number; wallet: number };

beforeEach(() => {
  registry = testRegistry();
  ref = addPartner(registry, 'Acme').ref;
  expect(setWebhook(registry, { partner: 0, url: 'https://hooks.example.com/', events: partnerEvents }).ok).toBe(true);
  parent = walletRoot(registry, 'parent', { ref });
});

/** The deliveries that wait, by lane and in order, with the parts of their bodies. */
const waiting = () =>
  [...registry.outbox.lanes.values()].flat().map(({ body }) => {
    const { event, data, agent_hash, occurred_at } = JSON.parse(body);
    return { event, data, agent_hash, occurred_at };
  });

const beatOf = (agent: number) =>
  heartbeat(registry, { agent, payment: payment(parent.wallet, 500_000) }, registry.anchorAtMs);

describe('the events of section 6', () => {
  it('sigil.purchased and heartbeat.recorded', () => {
    withSigil(registry, parent);
    expect(beatOf(parent.agent).ok).toBe(true);
    const { name, paymentTx } = registry.sigils.get(parent.agent) ?? {};
    const agent_hash = hashOf(registry, parent.agent);
    expect(waiting()).toEqual([
      {
        event: 'sigil.purchased',
        agent_hash,
        occurred_at: '2026-01-01T00:00:00.000Z',
        data: {
          sigil: `${name}*tests*org`,
          identity_class: 'narrow_task',
          tier: 'org',
          payment_tx: paymentTx,
          fee_lamports: 50_000_000,
        },
      },
      {
        event: 'heartbeat.recorded',
        agent_hash,
        occurred_at: '2026-01-01T00:00:00.000Z',
        data: {
          beat: 0,
          billing_epoch: 0,
          heartbeat_count_epoch: 1,
          payment_tx: expect.stringMatching(/^payment-\d+$/),
          fee_lamports: 500_000,
          sponsor: null,
        },
      },
    ]);
  });

  it('of a descendant too, with the sponsor that paid', () => {
    const child = testChild(registry, parent.agent);
    expect(sponsor(registry, { agent: parent.agent, child }, GENESIS_MS).ok).toBe(true);
    expect(beatOf(child).ok).toBe(true);
    expect(waiting()).toMatchObject([
      { agent_hash: hashOf(registry, child), data: { sponsor: hashOf(registry, parent.agent) } },
    ]);
  });

  it('agent.frozen and agent.unfrozen', () => {
    const nowMs = anchorsTo(registry, 61);
    const proven = receipt({ beats: 9_000, anchorIndex: 61 });
    expect(resync(registry, { agent: parent.agent, receipt: proven }, nowMs).ok).toBe(true);
    expect(waiting().map(({ event, data }) => [event, data])).toEqual([
      ['agent.frozen', { missed_anchors: 61, last_global_sync: 0, frozen_at_beat: 61 }],
      ['agent.unfrozen', { gap_anchors: 61, beats_proven: 9_000 }],
    ]);
  });

  it('nothing of a refused call, nor of a partner that is suspended', () => {
    expect(heartbeat(registry, { agent: parent.agent, payment: 'missing' }, GENESIS_MS).ok).toBe(false);
    expect(waiting()).toEqual([]);
    suspendPartner(registry, 0);
    anchorsTo(registry, 61);
    expect(waiting()).toEqual([]);
    expect(nextDueMs(registry)).toBeUndefined();
  });
});

describe('settling', () => {
  it('is for the first of a lane: a later one, or one that is gone, is not settled', () => {
    withSigil(registry, parent);
    beatOf(parent.agent);
    const [lane, deliveries] = [...registry.outbox.lanes][0] ?? ['', []];
    const [first, second] = deliveries.map(({ id }) => id);
    expect(dueDeliveries(registry, GENESIS_MS).map(({ id }) => id)).toEqual([first]);
    expect(settleDelivery(registry, { lane, id: second as string, delivered: true }, GENESIS_MS)).toBe(false);
    expect(settleDelivery(registry, { lane, id: first as string, delivered: true }, GENESIS_MS)).toBe(true);
    expect(settleDelivery(registry, { lane, id: first as string, delivered: true }, GENESIS_MS)).toBe(false);
    expect(settleDelivery(registry, { lane, id: second as string, delivered: false }, GENESIS_MS)).toBe(true);
    expect(dueDeliveries(registry, GENESIS_MS + 59_999)).toEqual([]);
    expect(nextDueMs(registry)).toBe(GENESIS_MS + 60_000);
    expect(dueDeliveries(registry, GENESIS_MS + 60_000).map(({ id }) => id)).toEqual([second]);
  });

  it('that is dead is kept, and given up for newer ones when there are 10,000', () => {
    withSigil(registry, parent);
    expect(beatOf(parent.agent).ok).toBe(true);
    const [[lane, [first]] = ['', []]] = [...registry.outbox.lanes];
    if (first === undefined) throw new Error('nothing waits');
    const { dead } = registry.outbox;
    for (let i = 0; i < 10_000; i++) dead.push({ ...first, id: `dead ${i}` });
    for (let tries = 0; tries < 6; tries++)
      settleDelivery(registry, { lane, id: first.id, delivered: false }, GENESIS_MS);
    expect([dead.length, dead[0]?.id, dead.at(-1)?.id]).toEqual([10_000, 'dead 1', first.id]);
  });
});
