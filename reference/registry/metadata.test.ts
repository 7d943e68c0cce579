import { describe, expect, it } from 'vitest';
import { codeOfOutcome, GENESIS_MS, testRegistry, walletRoot, withSigil } from '../../test/fixtures/registry.js';
import { setMetadata } from './metadata.js';
import { verify } from './verify.js';

describe('mutable metadata', () => {
  it('needs a SIGIL', () => {
    const registry = testRegistry();
    const { agent } = walletRoot(registry, 'bare');
    expect(codeOfOutcome(setMetadata(registry, { agent, fields: { substrate: 'open' } }))).toBe('SIGIL_REQUIRED');
  });

  it('is merged, returned in the order of 2.8, and shown by verify', () => {
    const registry = testRegistry();
    const made = walletRoot(registry, 'named');
    withSigil(registry, made);
    const { agent } = made;
    const set = (fields: Parameters<typeof setMetadata>[1]['fields']) => setMetadata(registry, { agent, fields });
    expect(set({ tools: ['a'], substrate: 'open' })).toEqual({
      ok: true,
      generation: 1,
      updated: ['substrate', 'tools'],
    });
    expect(set({ generation_trigger: 'retrained' })).toEqual({
      ok: true,
      generation: 2,
      updated: ['generation_trigger'],
    });
    expect(set({ generation_trigger: 'retrained', tools: [] })).toMatchObject({ generation: 3 });
    expect(set({ endpoint: 'x' })).toMatchObject({ generation: 3 });
    const fields = { substrate: 'open', tools: [], generation_trigger: 'retrained', endpoint: 'x', generation: 3 };
    expect(verify(registry, agent, GENESIS_MS).sigil).toMatchObject(fields);
  });
});
