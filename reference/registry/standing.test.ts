import { describe, expect, it } from 'vitest';
import { passAnchors, putAgent, testAgent, testRegistry } from '../../test/fixtures/registry.js';
import { beatState, standingOf } from './standing.js';

describe('standings (D-19, D-43)', () => {
  it.each([
    [0, 'active'],
    [48, 'active'],
    [49, 'warning'],
    [60, 'warning'],
    [61, 'frozen'],
    [200, 'frozen'],
  ])('after %i missed anchors: %s', (missed, standing) => {
    const registry = testRegistry();
    const agent = testAgent(registry);
    passAnchors(registry, missed);
    expect(standingOf(registry, agent)).toBe(standing);
    expect(beatState(registry, agent, registry.anchorAtMs)?.status).toBe(missed > 60 ? 'frozen' : 'active');
  });

  it('before the chain has started it is registered, without beat state', () => {
    const registry = testRegistry();
    const agent = testAgent(registry, { init: false });
    passAnchors(registry, 100);
    expect(standingOf(registry, agent)).toBe('registered');
    expect(beatState(registry, agent, registry.anchorAtMs)).toBeNull();
  });

  it.each([0, 1, 2])('refused wins over the status %i', (status) => {
    const registry = testRegistry();
    const agent = testAgent(registry);
    putAgent(registry, agent, { status, complaints: 1 });
    expect(standingOf(registry, agent)).toBe('refused');
  });

  it('a status that does not exist is a bug, and thrown', () => {
    const registry = testRegistry();
    const agent = testAgent(registry);
    putAgent(registry, agent, { status: 9 });
    expect(() => standingOf(registry, agent)).toThrow(/status 9/);
  });
});
