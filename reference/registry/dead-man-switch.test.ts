import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ANCHOR_MS,
  codeOf,
  nowMsOf,
  passAnchors,
  paymentOf,
  testAgent,
  testRegistry,
} from '../../test/fixtures/registry.js';
import { heartbeat } from './heartbeat.js';
import { init } from './init.js';
import { resync } from './resync.js';
import type { Registry } from './state.js';

function sendHeartbeat(registry: Registry, agent: number): string {
  return codeOf(heartbeat(registry, { agent, payment: paymentOf(registry, agent, 500_000, null) }, nowMsOf(registry)));
}

describe("the Dead Man's Switch (3.1, D-24)", () => {
  it('an init before the first anchor counts from there', () => {
    const registry = testRegistry();
    registry.anchorIndex = -1;
    const agent = testAgent(registry);
    expect(passAnchors(registry, 60)).toEqual([]);
    expect(passAnchors(registry, 1)).toEqual([agent]);
  });

  it('freezes at anchors further ahead than its ring is long', () => {
    const registry = testRegistry({ overlay: { dms: { missedAnchorsMax: 10_000, warningAnchors: 48 } } });
    expect(registry.wheel.heads.length).toBeLessThan(10_000);
    const [first, second] = [testAgent(registry), testAgent(registry)];
    passAnchors(registry, 7_000);
    expect(sendHeartbeat(registry, second)).toBe('accepted');
    expect(passAnchors(registry, 3_000)).toEqual([]);
    expect(passAnchors(registry, 1)).toEqual([first]);
    expect(passAnchors(registry, 6_999)).toEqual([]);
    expect(passAnchors(registry, 1)).toEqual([second]);
  });

  it('does not reserve memory for a freeze that is as good as never', () => {
    const registry = testRegistry({ overlay: { dms: { missedAnchorsMax: Number.MAX_SAFE_INTEGER } } });
    testAgent(registry);
    expect(passAnchors(registry, 10_000)).toEqual([]);
  });
});

/** One step of a life: `who` heartbeats, resyncs or starts, or an anchor passes. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'anchor' } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('init', 'beat', 'resync' as const),
      who: fc.integer({ min: 0, max: 7 }),
    }),
  },
);

describe('the wheel against a scan of everyone', () => {
  it('freezes the same agents at the same anchors, whatever they do', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 }), fc.array(step, { minLength: 50, maxLength: 400 }), (max, steps) => {
        const registry = testRegistry({
          overlay: { dms: { missedAnchorsMax: max, warningAnchors: 0 }, heartbeat: { intervalBeatsMin: 0 } },
          policy: { lineage: false },
        });
        const agents = Array.from({ length: 8 }, () => testAgent(registry, { init: false }));
        /** A naive registry: the anchor of each agent's latest sync, or the reason why it has none. */
        const scan = new Map<number, { sync: number; frozen: boolean }>();
        let now = 0;
        for (const one of steps) {
          const agent = one.kind === 'anchor' ? -1 : agents[one.who]!;
          const known = scan.get(agent);
          switch (one.kind) {
            case 'anchor': {
              now += 1;
              const due = [...scan].filter(([, { sync, frozen }]) => !frozen && now - sync > max).map(([who]) => who);
              for (const who of due) scan.set(who, { sync: scan.get(who)?.sync ?? 0, frozen: true });
              expect(passAnchors(registry, 1).toSorted((a, b) => a - b)).toEqual(due.toSorted((a, b) => a - b));
              break;
            }
            case 'init':
              init(registry, { agent }, nowMsOf(registry));
              if (known === undefined) scan.set(agent, { sync: now, frozen: false });
              break;
            case 'beat': {
              const alive = known !== undefined && !known.frozen;
              expect(sendHeartbeat(registry, agent) === 'accepted').toBe(alive);
              if (alive) scan.set(agent, { sync: now, frozen: false });
              break;
            }
            case 'resync': {
              const done = resync(registry, { agent, simulatedBeats: 10_000 }, nowMsOf(registry));
              expect(done.ok).toBe(known?.frozen === true);
              if (done.ok) scan.set(agent, { sync: now, frozen: false });
              break;
            }
            default:
              one satisfies never;
          }
        }
      }),
      { seed: 24, numRuns: 150 },
    );
  });
});

describe('an anchor', () => {
  it('forgets expired nonces and receipts that are too old to be accepted, and no others', () => {
    const registry = testRegistry();
    const nowMs = nowMsOf(registry);
    registry.oneTime.set('old', { flow: 'x', expiresAtMs: nowMs + ANCHOR_MS - 1 });
    registry.oneTime.set('last moment', { flow: 'x', expiresAtMs: nowMs + ANCHOR_MS });
    registry.usedReceipts.set('void', registry.anchorIndex);
    registry.usedReceipts.set('still good', registry.anchorIndex + 1);
    passAnchors(registry, 1);
    expect([...registry.oneTime.keys()]).toEqual(['last moment']);
    expect([...registry.usedReceipts.keys()]).toEqual(['still good']);
  });
});
