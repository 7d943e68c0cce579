import { describe, expect, it } from 'vitest';
import { dialects } from '../../spec/dialect.js';
import { verification } from '../../spec/endpoints/identity-schemas.js';
import { protocol } from '../../spec/protocol.js';
import { GENESIS_MS, nowMsOf, passAnchors, putAgent, testAgent, testRegistry } from '../../test/fixtures/registry.js';
import { recordBirth } from './sigil.js';
import { hashOf } from './state.js';
import { anchorDegraded, verify } from './verify.js';

describe('a verification (4.14, D-20)', () => {
  it('lists the lineage from the agent up to its root', () => {
    const registry = testRegistry();
    const [root, child, grandchild] = ['root', 'child', 'grandchild'].map((name) => testAgent(registry, { name })) as [
      number,
      number,
      number,
    ];
    putAgent(registry, child, { parent: root, depth: 1 });
    putAgent(registry, grandchild, { parent: child, depth: 2 });
    const found = verify(registry, grandchild, nowMsOf(registry));
    expect(found.lineage.map(({ name, type, depth }) => [name, type, depth])).toEqual([
      ['grandchild', 'agent', 2],
      ['child', 'agent', 1],
      ['root', 'root', 0],
    ]);
    expect(found.root).toEqual({ hash: hashOf(registry, root), registered: '2026-01-01T00:00:00.000Z' });
    expect(found.agent.parent).toBe(hashOf(registry, child));
    expect(verify(registry, root, nowMsOf(registry))).toMatchObject({
      lineage: [{ depth: 0 }],
      agent: { parent: null },
    });
  });

  it('has the documented shape, with and without a SIGIL', () => {
    const registry = testRegistry();
    const schema = verification({ protocol, dialect: dialects.service });
    const agent = testAgent(registry);
    recordBirth(registry, { agent, birthTx: 'birth' });
    const full = verify(registry, agent, nowMsOf(registry));
    expect(schema.parse(full)).toEqual(full);
    expect(full).toMatchObject({ standing: 'active', passport: null, sigil: { generation: 1, birth_tx: 'birth' } });
    const bare = verify(registry, testAgent(registry, { sigil: null, wallet: false, init: false }), nowMsOf(registry));
    expect(schema.parse(bare)).toEqual(bare);
    expect(bare).toMatchObject({ standing: 'registered', sigil: null, beat_state: null });
  });

  it.each([
    [0, false],
    [180_000, false],
    [180_001, true],
  ])('an anchor %i ms old is degraded: %s', (ageMs, degraded) => {
    expect(anchorDegraded(testRegistry(), GENESIS_MS + ageMs)).toBe(degraded);
  });

  it('returns the current anchor', () => {
    const registry = testRegistry();
    const agent = testAgent(registry);
    passAnchors(registry, 7);
    expect(verify(registry, agent, nowMsOf(registry)).network).toEqual({
      current_anchor_index: 7,
      anchor_degraded: false,
    });
  });
});
