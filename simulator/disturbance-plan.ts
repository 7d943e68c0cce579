import { planAct } from './agenda.js';
import { NONE } from './features.js';
import type { World } from './world.js';

/** What an entry of the agenda is about: of an agent, or (from FAULT on) of the world. */
export const DEPART = 0;
export const PROBE = 1;
export const HATCH = 2;
export const ANSWER = 3;
export const COMPLAIN = 4;
export const REVIEWED = 5;
export const RESOLVED = 6;
export const FAULT = 7;
export const FAULT_OVER = 8;
export const INTERVENE = 9;

/** Plans what befalls the world: each fault and each intervention of its scenario, in the order in which they stand there. */
export function planDisturbances({ scenario, features }: World): void {
  if (features === null) return;
  scenario.faults.forEach((fault, i) => {
    planAct(features.agenda, fault.kind === 'outages' ? 0 : fault.atSec, FAULT, NONE, i);
  });
  scenario.interventions.forEach(({ atSec }, i) => {
    planAct(features.agenda, atSec, INTERVENE, NONE, i);
  });
}
