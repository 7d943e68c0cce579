import { heartbeatFee } from '../../reference/registry/fee-resolution.js';
import type { HeartbeatView } from '../../scenarios/behaviours/heartbeat-policy.js';
import type { World } from './world.js';

/**
 * What an agent knows: `of(world, agent)` points this at one, and policies that want to know look. One object serves them
 * all, and nothing is worked out that nobody asks for.
 */
export class AgentView implements HeartbeatView {
  private world: World | null = null;
  private agent = 0;

  of(world: World, agent: number): this {
    this.world = world;
    this.agent = agent;
    return this;
  }

  get epoch(): number {
    return this.requireWorld().epoch;
  }

  get epochEndsSec(): number {
    const world = this.requireWorld();
    return secondOfBeat(world, (world.epoch + 1) * world.registry.protocol.heartbeat.epochBeats);
  }

  get freezeAfterSec(): number {
    const { dms, anchor } = this.requireWorld().registry.protocol;
    return (dms.missedAnchorsMax + 1) * anchor.intervalSec;
  }

  /** 4.5: tier by tier, since a schedule has three. */
  costLamports(count: number): number {
    const { registry, agents, nowMs } = this.requireWorld();
    const { tier1HeartbeatsMax, tier2HeartbeatsMax } = registry.protocol.heartbeat;
    const made = agents.epochBeats(this.agent);
    const row = agents.row(this.agent);
    const within = (from: number, to: number): number => Math.max(0, Math.min(made + count, to) - Math.max(made, from));
    return (
      within(0, tier1HeartbeatsMax) * heartbeatFee(registry, row, 1, nowMs) +
      within(tier1HeartbeatsMax, tier2HeartbeatsMax) * heartbeatFee(registry, row, 2, nowMs) +
      within(tier2HeartbeatsMax, Number.POSITIVE_INFINITY) * heartbeatFee(registry, row, 3, nowMs)
    );
  }

  private requireWorld(): World {
    if (this.world === null) throw new Error('nobody is looked at');
    return this.world;
  }
}

/** When the anchor comes that brings a global beat (D-04), as far as anybody can tell. */
export function secondOfBeat({ registry, anchorShiftSec }: World, beat: number): number {
  const { beatsPerAnchor, intervalSec } = registry.protocol.anchor;
  return Math.ceil(beat / beatsPerAnchor) * intervalSec + anchorShiftSec;
}
