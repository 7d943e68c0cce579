/** Whether the agents of a scenario depend on each other. Those that do not can be simulated in parts; this is done in simulator/run/parts.ts. */

import { variantsOf } from './adaptation.js';
import type { Scenario } from './scenario.js';

/**
 * The part of a scenario by which one agent's events can depend on another's, in words; null if there is none. Faults and interventions
 * couple no agents, since each agent draws for itself whether they affect it, unless numbers answer what all of them do.
 */
export function couplingOf({
  populations,
  reviews,
  interventions,
}: Pick<Scenario, 'populations' | 'reviews' | 'interventions'>): string | null {
  if (populations.some(({ adapts }) => adapts !== undefined && adapts.revision !== null)) return 'agents that choose';
  if (interventions.some(({ kind }) => kind === 'hold')) return 'held measures';
  if (populations.some(({ arrivals }) => arrivals.pattern === 'entry')) return 'entry by profit';
  const variants = variantsOf(populations).map(({ population }) => population);
  if (variants.some(({ spawning, spawned }) => spawning !== null || spawned)) return 'families';
  if (reviews !== null || variants.some(({ flagging }) => flagging !== null)) return 'complaints';
  if (variants.some(({ economics }) => economics.sharedDayLamports !== undefined)) return 'a shared income';
  // A module may remember one agent when it decides for another.
  return variants.some(({ heartbeat }) => heartbeat.policy === 'own') ? 'behaviours of your own' : null;
}
