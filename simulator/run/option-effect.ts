/** Options of agents that choose, and revisions, that had no effect on a run. Keys of other parts of a scenario are in no-effect.ts. */

import type { NoEffect } from '../../results/simulation-result.js';
import type { Population } from '../../scenarios/scenario.js';
import type { Counter } from '../world/cells.js';
import type { Outcome } from './outcome.js';

/** Options that no agent had, and revisions by which no agent took another. */
export function idleOptions({ adapts }: Population, cells: Outcome['cells'], own: readonly number[]): NoEffect[] {
  if (adapts === undefined) return [];
  const had = (option: number, counter: Counter): number =>
    own.reduce((sum, cell) => sum + (cells.options[cell] === option ? Math.abs(cells[counter][cell]!) : 0), 0);
  const notes = adapts.options.flatMap(({ name, leaves }, option): NoEffect[] => {
    if (had(option, 'registered') + had(option, 'registeredSec') + had(option, 'switches') > 0) return [];
    const first = adapts.start.of[option]! > 0;
    return leaves && first ? [] : [{ key: `adapts.options.${name}`, text: 'no agent had it' }];
  });
  const switches = own.reduce((sum, cell) => sum + cells.switches[cell]!, 0);
  if (adapts.revision === null || switches > 0) return notes;
  return [...notes, { key: 'adapts.by', text: 'no agent took another option' }];
}
