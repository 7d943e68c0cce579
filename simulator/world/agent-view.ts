/**
 * The facts that an agent can look up before it decides: epoch, deadlines, fees. It reads the world and changes
 * nothing.
 */

import { heartbeatFee, laterHeartbeatFee } from '../../reference/registry/fee-resolution.js';
import { heartbeatTier } from '../../reference/registry/fees.js';
import type { HeartbeatView } from '../../scenarios/behaviours/heartbeat-policy.js';
import type { HeartbeatBehaviour } from '../../scenarios/behaviours/own-behaviour.js';
import { power } from '../chance/exact-math.js';
import { accountOfAgent } from './accounts.js';
import type { World } from './world.js';

/**
 * A view of one agent: `of(world, agent)` points this object at it, and heartbeat policies read what they need. One object
 * serves all agents, and computes only what is read.
 */
export class AgentView implements HeartbeatView {
  #world: World | null = null;
  #agent = 0;

  of(world: World, agent: number): this {
    this.#world = world;
    this.#agent = agent;
    return this;
  }

  get epoch(): number {
    return this.#requireWorld().epoch;
  }

  get epochEndsSec(): number {
    const world = this.#requireWorld();
    return secondOfBeat(world, (world.epoch + 1) * world.registry.protocol.heartbeat.epochBeats);
  }

  get freezeAfterSec(): number {
    const { dms, anchor } = this.#requireWorld().registry.protocol;
    return (dms.missedAnchorsMax + 1) * anchor.intervalSec;
  }

  /** The fees of the next `count` heartbeats of this epoch (4.5), tier by tier. */
  costLamports(count: number): number {
    const { registry, agents, nowMs } = this.#requireWorld();
    const { tier1HeartbeatsMax, tier2HeartbeatsMax } = registry.protocol.heartbeat;
    const made = agents.epochBeats(this.#agent);
    const row = agents.row(this.#agent);
    const within = (from: number, to: number): number => Math.max(0, Math.min(made + count, to) - Math.max(made, from));
    const later = (tier: 1 | 2 | 3): number => laterHeartbeatFee(registry, row, tier, nowMs);
    const first = heartbeatTier(registry.protocol, 1);
    const once = made === 0 && count > 0 ? heartbeatFee(registry, row, first, nowMs) - later(first) : 0;
    return (
      once +
      within(0, tier1HeartbeatsMax) * later(1) +
      within(tier1HeartbeatsMax, tier2HeartbeatsMax) * later(2) +
      within(tier2HeartbeatsMax, Number.POSITIVE_INFINITY) * later(3)
    );
  }

  get walletLamports(): number {
    const world = this.#requireWorld();
    return world.ledger.lamports[accountOfAgent(world, this.#agent)]!;
  }

  get epochHeartbeats(): number {
    return this.#requireWorld().agents.epochBeats(this.#agent);
  }

  power(base: number, exponent: number): number {
    return power(base, exponent);
  }

  behaviour(name: string): HeartbeatBehaviour {
    const found = this.#requireWorld().behaviours.get(name);
    if (found === undefined) throw new Error(`no behaviour is named ${name}`);
    return found;
  }

  #requireWorld(): World {
    if (this.#world === null) throw new Error('the view points at no agent: call of() first');
    return this.#world;
  }
}

/** The second of the anchor that reaches a global beat (D-04), if no stall is to come. */
export function secondOfBeat({ registry, anchorShiftSec }: World, beat: number): number {
  const { beatsPerAnchor, intervalSec } = registry.protocol.anchor;
  return Math.ceil(beat / beatsPerAnchor) * intervalSec + anchorShiftSec;
}
