import { beforeEach, describe, expect, it } from 'vitest';
import { nowMsOf, passAnchors, paymentOf, putAgent, testAgent, testRegistry } from '../../test/fixtures/registry.js';
import { genesisHash } from '../beats/beat.js';
import { beatStatus, latestHash } from './beat-status.js';
import { heartbeat } from './heartbeat.js';
import { lineageChainHash } from './lineage.js';
import { hashOf, type Registry } from './state.js';

let registry: Registry;

beforeEach(() => {
  registry = testRegistry();
});

describe('beat-status (D-21)', () => {
  it('before init has nulls for what no chain has', () => {
    const agent = testAgent(registry, { init: false, sigil: null });
    passAnchors(registry, 5);
    expect(beatStatus(registry, agent, registry.anchorAtMs)).toEqual({
      agent_hash: hashOf(registry, agent),
      beat_initialized: false,
      sigil: null,
      heartbeat: {
        status: 'registered',
        genesis_hash: null,
        latest_beat: null,
        latest_hash: null,
        total_beats: 0,
        available_beats: 0,
        difficulty: 1_000,
        frozen_since: null,
        refused: false,
      },
      heartbeat_epoch: {
        billing_epoch: 0,
        count_in_epoch: 0,
        volume_cap: 1_000,
        remaining: 1_000,
        lineage_chain_hash: lineageChainHash(registry, agent),
      },
      whitelist: {
        standing: 'registered',
        last_global_sync: null,
        current_global_beat: 5,
        beats_behind: 0,
        beats_until_freeze: null,
        deadline_anchors: 60,
      },
      gestation: {
        depth: 0,
        children_spawned: 0,
        next_child_cost: 1_000,
        beats_accumulated: 0,
        progress_pct: 0,
        can_spawn: false,
        deficit: 1_000,
      },
    });
  });

  it('counts the heartbeats of this epoch alone', () => {
    const agent = testAgent(registry, { sigil: 'autonomous' });
    heartbeat(registry, { agent, payment: paymentOf(registry, agent, 500_000, null) }, nowMsOf(registry));
    expect(beatStatus(registry, agent, registry.anchorAtMs).heartbeat_epoch).toMatchObject({
      count_in_epoch: 1,
      remaining: 4_999,
    });
    registry.anchorIndex = 100_000;
    expect(beatStatus(registry, agent, registry.anchorAtMs).heartbeat_epoch).toMatchObject({
      billing_epoch: 1,
      count_in_epoch: 0,
      remaining: 5_000,
    });
  });

  it.each([
    [0, 61],
    [1, 60],
    [60, 1],
    [61, 0],
    [90, 0],
  ])('%i anchors behind, the freeze is %i beats away', (behind, left) => {
    const agent = testAgent(registry);
    passAnchors(registry, behind);
    expect(beatStatus(registry, agent, registry.anchorAtMs).whitelist).toMatchObject({
      beats_behind: behind,
      beats_until_freeze: left,
      last_global_sync: 0,
    });
    expect(beatStatus(registry, agent, registry.anchorAtMs).heartbeat.frozen_since).toBe(behind > 60 ? 61 : null);
  });

  it.each([
    [0, 0, false, 1_200],
    [599, 49, false, 601],
    [1_199, 99, false, 1],
    [1_200, 100, true, 0],
    [5_000, 100, true, 0],
  ])('with %i beats and one child, the next is %i %% paid', (available, percent, can, deficit) => {
    const agent = testAgent(registry);
    putAgent(registry, agent, { availableBeats: available, children: 1 });
    expect(beatStatus(registry, agent, registry.anchorAtMs).gestation).toMatchObject({
      next_child_cost: 1_200,
      progress_pct: percent,
      can_spawn: can,
      deficit,
    });
  });

  it('shows the genesis hash until beats are submitted', () => {
    const agent = testAgent(registry);
    expect(latestHash(registry, agent)).toBe(genesisHash(hashOf(registry, agent)));
    registry.latestHashes.set(agent, 'cd'.repeat(32));
    expect(beatStatus(registry, agent, registry.anchorAtMs).heartbeat.latest_hash).toBe('cd'.repeat(32));
    expect(beatStatus(registry, agent, registry.anchorAtMs).heartbeat.genesis_hash).toBe(
      genesisHash(hashOf(registry, agent)),
    );
  });
});
