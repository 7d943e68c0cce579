import { describe, expect, it } from 'vitest';
import {
  anchorsTo,
  codeOfOutcome,
  GENESIS_MS,
  putAgent,
  receipt,
  testRegistry,
  walletRoot,
} from '../../test/fixtures/registry.js';
import { beatStatus } from './beat-status.js';
import { fingerprint } from './fingerprint.js';
import { lineageChainHash } from './lineage.js';
import { registerChild } from './register-child.js';
import { type SpawnInput, spawn } from './spawn.js';
import type { Registry } from './state.js';

function authorized(registry: Registry, input: SpawnInput, nowMs = GENESIS_MS) {
  const outcome = spawn(registry, input, nowMs);
  if (!outcome.ok) throw new Error(outcome.row.code);
  if (outcome.kind !== 'authorized') throw new Error(outcome.kind);
  return outcome;
}

function born(registry: Registry, agent: number, name: string, authorization: string, nowMs = GENESIS_MS): number {
  const made = registerChild(registry, { agent, name, authorization }, nowMs);
  if (!made.ok) throw new Error(`${made.row.code} ${made.detail}`);
  return made.agent;
}

const credit = (registry: Registry, agent: number, beats: number): void => {
  registry.agents.columns.availableBeats[agent] = beats;
};
const canSpend = (registry: Registry, agent: number, nowMs: number): number =>
  beatStatus(registry, agent, nowMs).gestation.beats_accumulated;

describe('the probe', () => {
  it('returns the cost of the child and the progress of the parent', () => {
    const registry = testRegistry();
    const { agent } = walletRoot(registry, 'parent');
    credit(registry, agent, 250);
    const outcome = spawn(registry, { agent, childName: 'kid' }, GENESIS_MS);
    expect(outcome.ok === false && outcome.row.status).toBe(402);
    expect(outcome).toMatchObject({
      row: { code: 'RECEIPT_REQUIRED' },
      fields: { required_beats: 1_000, depth: 0, siblings: 0, eligible: false, progress_pct: 25, deficit: 750 },
    });
  });

  it('changes nothing', () => {
    const registry = testRegistry();
    const { agent } = walletRoot(registry, 'parent');
    const before = fingerprint(registry);
    expect(codeOfOutcome(spawn(registry, { agent, childName: 'kid' }, GENESIS_MS))).toBe('RECEIPT_REQUIRED');
    expect(fingerprint(registry)).toBe(before);
  });

  it('rises with depth and siblings: 1,000, then 1,200 for the second and 1,500 for a grandchild', () => {
    const registry = testRegistry();
    const { agent } = walletRoot(registry, 'parent');
    const first = born(
      registry,
      agent,
      'a',
      authorized(registry, { agent, childName: 'a', receipt: receipt() }).authorization,
    );
    const cost = (row: number): unknown => {
      const outcome = spawn(registry, { agent: row, childName: 'next' }, GENESIS_MS);
      return outcome.ok ? undefined : outcome.fields?.['required_beats'];
    };
    expect(cost(agent)).toBe(1_200);
    expect(cost(first)).toBe(1_500);
  });
});

describe('a child whose cost no number can say', () => {
  it.each([
    ['too deep', { depth: 74 }],
    ['of too many siblings', { children: 164 }],
  ])('%s is refused, probe and receipt alike, and the receipt is not used up', (_name, values) => {
    const registry = testRegistry();
    const { agent } = walletRoot(registry, 'parent');
    credit(registry, agent, Number.MAX_SAFE_INTEGER);
    const paid = receipt({ beats: Number.MAX_SAFE_INTEGER });
    putAgent(registry, agent, values);
    const before = fingerprint(registry);
    for (const proof of [undefined, paid]) {
      const outcome = spawn(registry, { agent, childName: 'kid', receipt: proof }, GENESIS_MS);
      expect(outcome).toMatchObject({ ok: false, row: { status: 400, code: 'VALIDATION' } });
      expect(outcome.ok ? '' : outcome.detail).toContain('more than 2^53 - 1 beats');
    }
    expect(fingerprint(registry)).toBe(before);
    expect(beatStatus(registry, agent, GENESIS_MS).gestation).toMatchObject({
      next_child_cost: null,
      progress_pct: 0,
      can_spawn: false,
      deficit: null,
    });
    putAgent(registry, agent, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value - 1])));
    expect(codeOfOutcome(spawn(registry, { agent, childName: 'kid', receipt: paid }, GENESIS_MS))).toBe('ok');
  });
});

describe('a receipt', () => {
  const cases: [string, () => unknown, string][] = [
    ['that is a text', () => 'x', 'VALIDATION'],
    ['of a beat too few', () => receipt({ beats: 999 }), 'INSUFFICIENT_BEATS'],
    ['of a difficulty below 100', () => receipt({ difficulty: 99 }), 'VALIDATION'],
    ['of an anchor to come', () => receipt({ anchorIndex: 1 }), 'VALIDATION'],
    ['that was changed', () => ({ ...receipt(), beats_verified: 5_000 }), 'VALIDATION'],
    ['of exactly the cost', () => receipt({ beats: 1_000 }), 'ok'],
    ['of difficulty 100', () => receipt({ difficulty: 100 }), 'ok'],
  ];
  it.each(cases)('%s', (_name, make, code) => {
    const registry = testRegistry();
    const { agent } = walletRoot(registry, 'parent');
    expect(codeOfOutcome(spawn(registry, { agent, childName: 'kid', receipt: make() }, GENESIS_MS))).toBe(code);
  });

  it('is valid for 60 anchors, and once', () => {
    const registry = testRegistry();
    const { agent } = walletRoot(registry, 'parent');
    const nowMs = anchorsTo(registry, 60);
    const old = receipt({ anchorIndex: 0 });
    expect(authorized(registry, { agent, childName: 'kid', receipt: old }, nowMs).receiptBased).toBe(true);
    expect(codeOfOutcome(spawn(registry, { agent, childName: 'two', receipt: old }, nowMs))).toBe('SPAWN_CONFLICT');
    registry.agents.line.setStatus(agent, 1);
    const aged = receipt({ anchorIndex: 0 });
    anchorsTo(registry, 61);
    registry.agents.line.setStatus(agent, 1);
    expect(codeOfOutcome(spawn(registry, { agent, childName: 'two', receipt: aged }, nowMs))).toBe('VALIDATION');
  });
});

describe('credited beats', () => {
  it('are reserved by the authorization, spent by the registration', () => {
    const registry = testRegistry();
    const { agent } = walletRoot(registry, 'parent');
    credit(registry, agent, 1_500);
    const given = authorized(registry, { agent, childName: 'kid' });
    expect(given).toMatchObject({ receiptBased: false, requiredBeats: 1_000 });
    expect(canSpend(registry, agent, GENESIS_MS)).toBe(500);
    expect(spawn(registry, { agent, childName: 'two' }, GENESIS_MS)).toMatchObject({ fields: { deficit: 500 } });
    born(registry, agent, 'kid', given.authorization);
    expect(canSpend(registry, agent, GENESIS_MS)).toBe(500);
    expect(registry.agents.columns.availableBeats[agent]).toBe(500);
  });

  it('are free again the millisecond after the authorization expires, with no anchor between', () => {
    const registry = testRegistry();
    const { agent } = walletRoot(registry, 'parent');
    credit(registry, agent, 1_000);
    const { authorization } = authorized(registry, { agent, childName: 'kid' });
    expect(canSpend(registry, agent, GENESIS_MS + 300_000)).toBe(0);
    expect(canSpend(registry, agent, GENESIS_MS + 300_001)).toBe(1_000);
    const late = registerChild(registry, { agent, name: 'kid', authorization }, GENESIS_MS + 300_001);
    expect(codeOfOutcome(late)).toBe('SPAWN_CONFLICT');
    expect(authorized(registry, { agent, childName: 'kid' }, GENESIS_MS + 300_001).receiptBased).toBe(false);
    anchorsTo(registry, 6);
    expect(registry.reservations.get(agent)).toHaveLength(1);
    anchorsTo(registry, 11);
    expect(registry.reservations.size).toBe(0);
    expect(registry.agents.columns.availableBeats[agent]).toBe(1_000);
  });

  it('are left alone by a child that a receipt paid for', () => {
    const registry = testRegistry();
    const { agent } = walletRoot(registry, 'parent');
    credit(registry, agent, 1_000);
    const given = authorized(registry, { agent, childName: 'kid', receipt: receipt() });
    born(registry, agent, 'kid', given.authorization);
    expect(registry.agents.columns.availableBeats[agent]).toBe(1_000);
  });
});

describe('child registration', () => {
  function ready() {
    const registry = testRegistry();
    const { agent } = walletRoot(registry, 'parent');
    const { authorization } = authorized(registry, { agent, childName: ' kid ', receipt: receipt() });
    return { registry, agent, authorization, other: walletRoot(registry, 'other').agent };
  }

  it('makes a child one deeper, under its parent, without a wallet', () => {
    const { registry, agent, authorization } = ready();
    const child = born(registry, agent, 'kid', authorization);
    const { columns, line } = registry.agents;
    expect([line.depth(child), columns.parent[child], line.wallet(child)]).toEqual([1, agent, -1]);
    expect(columns.children[agent]).toBe(1);
  });

  it.each<[string, (s: ReturnType<typeof ready>) => object, string]>([
    ['of another name', () => ({ name: 'other' }), 'SPAWN_CONFLICT'],
    ["with another parent's authorization", ({ other }) => ({ agent: other }), 'SPAWN_CONFLICT'],
    ['with an authorization that was never given', () => ({ authorization: 'ab'.repeat(32) }), 'SPAWN_CONFLICT'],
    ['that names another parent', ({ other }) => ({ parent: other }), 'VALIDATION'],
    ['that names a parent nobody is', () => ({ parent: -1 }), 'AGENT_NOT_FOUND'],
    ['that names its parent', ({ agent }) => ({ parent: agent }), 'ok'],
    ['that leaves its parent out', () => ({}), 'ok'],
  ])('%s', (_name, change, code) => {
    const scene = ready();
    const { registry, agent, authorization } = scene;
    const input = { agent, name: 'kid', authorization, ...change(scene) };
    expect(codeOfOutcome(registerChild(registry, input, GENESIS_MS))).toBe(code);
  });

  it('takes an authorization once, and a name once', () => {
    const { registry, agent, authorization } = ready();
    const second = authorized(registry, { agent, childName: 'kid', receipt: receipt() }).authorization;
    born(registry, agent, 'kid', authorization);
    const again = (value: string) =>
      codeOfOutcome(registerChild(registry, { agent, name: 'kid', authorization: value }, GENESIS_MS));
    expect(again(authorization)).toBe('SPAWN_CONFLICT');
    expect(again(second)).toBe('SPAWN_CONFLICT');
    expect(codeOfOutcome(spawn(registry, { agent, childName: 'kid' }, GENESIS_MS))).toBe('SPAWN_CONFLICT');
  });
});

describe('finalize', () => {
  function withChild() {
    const registry = testRegistry();
    const { agent } = walletRoot(registry, 'parent');
    const { authorization } = authorized(registry, { agent, childName: 'kid', receipt: receipt() });
    return { registry, agent, child: born(registry, agent, 'kid', authorization) };
  }

  it('links once, writes it to the lineage of the parent, and may be repeated', () => {
    const { registry, agent, child } = withChild();
    const before = lineageChainHash(registry, agent);
    expect(registry.agents.columns.linked[child]).toBe(0);
    expect(spawn(registry, { agent, child }, GENESIS_MS)).toEqual({ ok: true, kind: 'linked', child });
    const after = lineageChainHash(registry, agent);
    expect(after).not.toBe(before);
    expect(codeOfOutcome(spawn(registry, { agent, child, childName: ' kid' }, GENESIS_MS))).toBe('ok');
    expect(lineageChainHash(registry, agent)).toBe(after);
    expect(registry.agents.columns.linked[child]).toBe(1);
  });

  it('refuses an unknown hash, the child of another agent, another name, and a frozen parent', () => {
    const { registry, agent, child } = withChild();
    const other = walletRoot(registry, 'other').agent;
    expect(codeOfOutcome(spawn(registry, { agent, child: -1 }, GENESIS_MS))).toBe('VALIDATION');
    expect(codeOfOutcome(spawn(registry, { agent: other, child }, GENESIS_MS))).toBe('SPAWN_CONFLICT');
    expect(codeOfOutcome(spawn(registry, { agent, child, childName: 'x' }, GENESIS_MS))).toBe('VALIDATION');
    registry.agents.line.setStatus(agent, 2);
    expect(codeOfOutcome(spawn(registry, { agent, child }, GENESIS_MS))).toBe('AGENT_FROZEN');
  });
});
