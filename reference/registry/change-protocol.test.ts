import { describe, expect, it } from 'vitest';
import { withOverlay } from '../../spec/overlay.js';
import { changesOf, unchangeable } from '../../spec/overlay-changes.js';
import { codeOf, nowMsOf, passAnchors, paymentOf, testAgent, testRegistry } from '../../test/fixtures/registry.js';
import { changeProtocol } from './change-protocol.js';
import { advanceAnchor } from './dead-man-switch.js';
import { feeTotals } from './fee-book.js';
import { setFeeTable } from './fee-table.js';
import { heartbeat } from './heartbeat.js';
import { FROZEN, type Registry } from './state.js';

const sendHeartbeat = (registry: Registry, agent: number, lamports: number): string =>
  codeOf(heartbeat(registry, { agent, payment: paymentOf(registry, agent, lamports, null) }, nowMsOf(registry)));

describe('a change of the protocol while a registry is in use', () => {
  it('changes the fee of the next heartbeat, and leaves what the fee table sets', () => {
    const registry = testRegistry();
    const agent = testAgent(registry);
    changeProtocol(registry, withOverlay({ heartbeat: { tier1FeeLamports: 700_000 } }));
    expect(sendHeartbeat(registry, agent, 500_000)).toBe('heartbeat/PAYMENT_INVALID');
    expect(sendHeartbeat(registry, agent, 700_000)).toBe('accepted');
    setFeeTable(registry.feeTable, { heartbeat_tier1: 5 });
    changeProtocol(registry, withOverlay({ heartbeat: { tier1FeeLamports: 800_000 } }));
    passAnchors(registry, 10);
    expect(sendHeartbeat(registry, agent, 5)).toBe('accepted');
  });

  it('changes the split of the next fee', () => {
    const registry = testRegistry();
    const agent = testAgent(registry);
    sendHeartbeat(registry, agent, 500_000);
    const before = feeTotals(registry.feeBook, 'heartbeat').shares;
    changeProtocol(registry, withOverlay({ feeSplit: { operationsBps: 2_000, treasuryStartBps: 2_500 } }));
    passAnchors(registry, 10);
    sendHeartbeat(registry, agent, 500_000);
    const { shares } = feeTotals(registry.feeBook, 'heartbeat');
    expect([before.operations, shares.operations - before.operations]).toEqual([150_000, 100_000]);
    expect([before.treasury, shares.treasury - before.treasury]).toEqual([75_000, 125_000]);
  });

  it.each([
    [30, 20, [21]],
    [30, 50, [51]],
    // An agent that has missed too many already freezes at the next anchor.
    [30, 10, [31]],
  ])('after %i anchors to at most %i missed ones freezes at anchor %j', (at, missedAnchorsMax, frozenAt) => {
    const registry = testRegistry();
    const agent = testAgent(registry);
    const first = registry.anchorIndex;
    if (missedAnchorsMax === 20)
      changeProtocol(registry, withOverlay({ dms: { missedAnchorsMax, warningAnchors: 5 } }));
    const frozen: number[] = [];
    for (let anchor = 1; anchor <= 60; anchor++) {
      if (advanceAnchor(registry, nowMsOf(registry) + 60_000).includes(agent))
        frozen.push(registry.anchorIndex - first);
      if (anchor === at) changeProtocol(registry, withOverlay({ dms: { missedAnchorsMax, warningAnchors: 5 } }));
    }
    expect(frozen).toEqual(frozenAt);
    expect(registry.agents.line.status(agent)).toBe(FROZEN);
  });

  it('cannot touch the numbers by which time is counted, or that give the state its shape', () => {
    const registry = testRegistry();
    expect(() => changeProtocol(registry, withOverlay({ anchor: { intervalSec: 30 } }))).toThrow('anchor.intervalSec');
    expect(unchangeable({ heartbeat: { epochBeats: 5, intervalBeatsMin: 1 }, agent: { hashBytes: 16 } })).toEqual([
      'heartbeat.epochBeats',
      'agent.hashBytes',
    ]);
    expect(changesOf({ heartbeat: { intervalBeatsMin: 1 }, dms: { missedAnchorsMax: 2 } })).toEqual({
      'heartbeat.intervalBeatsMin': 1,
      'dms.missedAnchorsMax': 2,
    });
  });
});
