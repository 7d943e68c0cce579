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
import { registerChild } from './register-child.js';
import { type SpawnInput, spawn } from './spawn.js';
import type { Registry } from './state.js';

function authorized(registry: Registry, input: SpawnInput, nowMs = GENESIS_MS) {
  const outcome = spawn(registry, input, nowMs);
  if (!outcome.ok) throw new Error(outcome.row.code);
  if (outcome.kind !== 'authorized') throw new Error(outcome.kind);
  return outcome;
}

const credit = (registry: Registry, agent: number, beats: number): void => {
  registry.agents.columns.availableBeats[agent] = beats;
};
const canSpend = (registry: Registry, agent: number, nowMs: number): number =>
  beatStatus(registry, agent, nowMs).gestation.beats_accumulated;

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

describe('credited beats', () => {
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
});
