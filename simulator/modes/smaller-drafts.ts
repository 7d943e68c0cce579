/** The shrinking steps of a swarm: every draft that is one step smaller. Which of them fails is found in swarm.ts. */

import {
  CHILD_POPULATIONS,
  CLASSES,
  type PopulationDraft,
  type ScenarioDraft,
  withoutDanglingReferences,
} from './swarm-scenario.js';

/** A draft with a shorter duration, without faults and interventions after its end. */
function shortened(draft: ScenarioDraft, durationSec: number): ScenarioDraft {
  const before = (each: unknown): boolean => {
    const { at } = each as { readonly at?: string };
    return at === undefined || Number.parseInt(at, 10) * 60 < durationSec;
  };
  const { faults, interventions } = draft;
  return { ...draft, durationSec, faults: faults.filter(before), interventions: interventions.filter(before) };
}

const DROPPABLE = [
  'outages',
  'arrivals',
  'resync',
  'difficulty',
  'lifetime',
  'reissue',
  'spawning',
  'flagging',
  'misbehaves',
  'forges',
  'adapts',
] as const;

/**
 * Every draft that is one step smaller, the largest steps first: populations, duration, features, protocol numbers. `untilSec`:
 * nothing after this second matters to the failure.
 */
export function smallerDrafts(draft: ScenarioDraft, untilSec: number): ScenarioDraft[] {
  const { populations, protocol, durationSec } = draft;
  const withPopulations = (changed: PopulationDraft[]): ScenarioDraft =>
    withoutDanglingReferences({ ...draft, populations: changed });
  const replaced = (i: number, population: PopulationDraft): ScenarioDraft =>
    withPopulations(populations.map((each, j) => (j === i ? population : each)));
  const smaller: ScenarioDraft[] = [];
  if (populations.length > 1) {
    for (let i = 0; i < populations.length; i += 1)
      smaller.push(withPopulations(populations.filter((_, j) => j !== i)));
  }
  populations.forEach((population, i) => {
    for (const count of [Math.floor(population.count / 2), population.count - 1]) {
      if (count >= 1 && count < population.count) smaller.push(replaced(i, { ...population, count }));
    }
  });
  for (const shorter of [Math.floor(durationSec / 2), untilSec, durationSec - 60, durationSec - 1]) {
    if (shorter >= 1 && shorter < durationSec) smaller.push(shortened(draft, shorter));
  }
  for (const key of ['faults', 'interventions'] as const) {
    for (let i = 0; i < draft[key].length; i += 1)
      smaller.push({ ...draft, [key]: draft[key].filter((_, j) => j !== i) });
  }
  if (draft.reviews !== undefined) {
    const { reviews: _reviews, ...rest } = draft;
    smaller.push(rest);
  }
  populations.forEach((population, i) => {
    for (const key of DROPPABLE) {
      if (key === 'arrivals' && (CHILD_POPULATIONS as readonly string[]).includes(population.name)) continue;
      const { [key]: dropped, ...rest } = population;
      if (dropped !== undefined) smaller.push(replaced(i, rest));
    }
    const { top_up: topUp, ...budget } = population.budget;
    if (topUp !== undefined) smaller.push(replaced(i, { ...population, budget }));
    for (const key of ['jitter', 'spread'] as const) {
      const { [key]: dropped, ...heartbeat } = population.heartbeat;
      if (dropped !== undefined) smaller.push(replaced(i, { ...population, heartbeat }));
    }
    if (typeof population.class !== 'string') smaller.push(replaced(i, { ...population, class: CLASSES[0] }));
  });
  for (const [group, numbers] of Object.entries(protocol)) {
    const { [group]: _whole, ...without } = protocol;
    smaller.push({ ...draft, protocol: without });
    for (const key of Object.keys(numbers)) {
      const { [key]: _dropped, ...rest } = numbers;
      const { [group]: _group, ...others } = protocol;
      smaller.push({ ...draft, protocol: Object.keys(rest).length === 0 ? others : { ...others, [group]: rest } });
    }
  }
  // Without parents no child is ever made.
  const isBrood = ({ name }: PopulationDraft): boolean => (CHILD_POPULATIONS as readonly string[]).includes(name);
  return smaller.filter((each) => !each.populations.every(isBrood));
}
