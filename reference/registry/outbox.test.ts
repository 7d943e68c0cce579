import { beforeEach, describe, expect, it } from 'vitest';
import { partnerEvents } from '../../spec/vocabulary.js';
import { GENESIS_MS, payment, testRegistry, walletRoot, withSigil } from '../../test/fixtures/registry.js';
import { heartbeat } from './heartbeat.js';
import { dueDeliveries, nextDueMs, settleDelivery } from './outbox.js';
import { addPartner } from './partner.js';
import { setWebhook } from './partner-webhook.js';
import type { Registry } from './state.js';

let registry: Registry;
let ref: string;
let parent: { agent: number; wallet: number };

beforeEach(() => {
  registry = testRegistry();
  ref = addPartner(registry, 'Acme').ref;
  expect(setWebhook(registry, { partner: 0, url: 'https://hooks.example.com/', events: partnerEvents }).ok).toBe(true);
  parent = walletRoot(registry, 'parent', { ref });
});

const beatOf = (agent: number) =>
  heartbeat(registry, { agent, payment: payment(parent.wallet, 500_000) }, registry.anchorAtMs);

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
