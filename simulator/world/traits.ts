/** Numbers that differ from agent to agent. Each is drawn again whenever it is needed, from the same place of the agent's streams, so none is stored. */

import type { HeartbeatPolicy } from '../../scenarios/behaviours/heartbeat-policy.js';
import type { TraitDistribution, TraitName } from '../../scenarios/behaviours/trait.js';
import { namedPurpose } from '../chance/counter-random.js';
import { logNormal, pareto, weibull } from '../chance/samplers.js';
import { populationOf, type World } from './world.js';

const PURPOSES: Readonly<Record<TraitName, number>> = {
  hashesPerSec: namedPurpose('trait', 'hash_rate'),
  walletLamports: namedPurpose('trait', 'wallet'),
  worthLamports: namedPurpose('trait', 'worth'),
};

/** The hash rate of an agent. */
export function hashesPerSecOf(world: World, agent: number): number {
  const { hashesPerSec, traits } = populationOf(world, agent);
  return traits === undefined ? hashesPerSec : drawnOr(world, agent, 'hashesPerSec', hashesPerSec);
}

/** The first balance of an agent, in whole lamports. */
export function walletLamportsOf(world: World, agent: number): number {
  const { budget, traits } = populationOf(world, agent);
  if (traits === undefined) return budget.walletLamports;
  return Math.round(drawnOr(world, agent, 'walletLamports', budget.walletLamports));
}

/** The heartbeat policy of an agent: that of its population, with the worth that heartbeats have for this agent. */
export function heartbeatPolicyOf(world: World, agent: number): HeartbeatPolicy {
  const { heartbeat, traits } = populationOf(world, agent);
  if (traits?.worthLamports === undefined || heartbeat.policy !== 'thrifty') return heartbeat;
  return { ...heartbeat, worthLamports: drawnOr(world, agent, 'worthLamports', heartbeat.worthLamports) };
}

function drawnOr(world: World, agent: number, trait: TraitName, same: number): number {
  const distribution = populationOf(world, agent).traits?.[trait];
  if (distribution === undefined) return same;
  return Math.min(Number.MAX_SAFE_INTEGER, sampleOf(distribution, world.streams.uniformAt(agent, PURPOSES[trait], 0)));
}

/** The value below which a share `u` of agents lies. */
function sampleOf(of: TraitDistribution, u: number): number {
  switch (of.distribution) {
    case 'lognormal':
      return logNormal(u, of.mean, of.sigma);
    case 'pareto':
      return pareto(u, of.mean, of.shape);
    case 'weibull':
      return weibull(u, of.mean, of.shape);
    default:
      return of satisfies never;
  }
}
