import { describe, expect, it } from 'vitest';
import { isoOf } from '../../spec/formats.js';
import { nowMsOf, passAnchors, putAgent, testAgent, testRegistry } from '../../test/fixtures/registry.js';
import { registerRoot } from './register.js';
import { recordBirth } from './sigil.js';
import { hashOf } from './state.js';
import { status } from './status.js';

describe('the status of an agent (D-19)', () => {
  it('that has only been registered', () => {
    const registry = testRegistry();
    passAnchors(registry, 1);
    const { agent } = registerRoot(registry, { name: ' bare ' }, nowMsOf(registry));
    expect(status(registry, agent, registry.anchorAtMs)).toEqual({
      exists: true,
      status: 'registered',
      hash: hashOf(registry, agent),
      type: 'root',
      depth: 0,
      name: 'bare',
      // D-45: metadata that was never sent is null in lookups.
      metadata: null,
      wallet: null,
      wallet_model: 'self-custody',
      wallet_chain: null,
      identity_class: null,
      sigil: null,
      sigil_issued_at: null,
      tier: null,
      principal: null,
      registered: '2026-01-01T00:01:00.000Z',
      registered_by: null,
      tx_signature: null,
      heartbeat_refused: false,
      heartbeat_refused_reason: null,
      beat_state: null,
    });
  });

  it('with a wallet, a SIGIL and a started chain', () => {
    const registry = testRegistry();
    const agent = testAgent(registry, { sigil: 'orchestrator' });
    recordBirth(registry, { agent, birthTx: 'birth' });
    passAnchors(registry, 49);
    expect(status(registry, agent, registry.anchorAtMs)).toMatchObject({
      status: 'warning',
      wallet: 'wallet-0',
      wallet_model: 'self-custody',
      wallet_chain: 'solana',
      identity_class: 'orchestrator',
      sigil: expect.stringMatching(/^auto-[0-9a-f]{8}\*tests\*org$/),
      sigil_issued_at: 0,
      tier: 'org',
      principal: 'tests',
      tx_signature: 'birth',
      beat_state: {
        beat_count: 0,
        lifetime_beats: 0,
        available_beats: 0,
        latest_beat: 0,
        last_checkin_beat: 0,
        last_global_sync: 0,
        total_heartbeats: 0,
        difficulty: 1_000,
        status: 'active',
      },
    });
  });

  it('under a sustained complaint, and of a child', () => {
    const registry = testRegistry();
    const [parent, child] = [testAgent(registry), testAgent(registry)];
    putAgent(registry, child, { complaints: 1, parent, depth: 1 });
    expect(status(registry, child, registry.anchorAtMs)).toMatchObject({
      status: 'refused',
      type: 'agent',
      depth: 1,
      registered_by: hashOf(registry, parent),
      heartbeat_refused: true,
      heartbeat_refused_reason: expect.stringContaining('complaint'),
    });
  });
});

it('times are ISO 8601 in UTC to the millisecond', () => {
  expect(isoOf(1_767_225_600_000)).toBe('2026-01-01T00:00:00.000Z');
  expect(isoOf(253_402_300_799_999)).toBe('9999-12-31T23:59:59.999Z');
});
