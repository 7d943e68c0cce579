/**
 * The smallest state that a journal can be kept for: it remembers every command that it was given. What a recovery brings
 * back can be held against what was acknowledged, command by command.
 */
import { createHash } from 'node:crypto';
import type { Command } from '../../reference/store/command.js';
import type { Replica, SavedState } from '../../reference/store/saved-state.js';

export class CounterReplica implements Replica {
  bodies: number[] = [];

  readonly apply = ({ body }: Command): void => {
    this.bodies.push((body as { n: number }).n);
  };

  readonly stateAfter = (): string => `${this.bodies.length}:${this.bodies.at(-1) ?? ''}`;

  readonly columns = (): string => createHash('sha256').update(this.bodies.join()).digest('hex');

  readonly save = (): SavedState => ({
    tables: { count: this.bodies.length },
    lists: { halves: this.bodies.slice(0, this.bodies.length >> 1) },
    columns: { rest: Float64Array.from(this.bodies.slice(this.bodies.length >> 1)) },
  });

  readonly load = ({ lists, columns }: SavedState): void => {
    this.bodies = [...(lists['halves'] as number[]), ...(columns['rest'] as Float64Array)];
  };
}

/** A command that carries a number, and some weight. */
export function numbered(n: number, weight: number): Command {
  return { at: n, name: 'count', agent: -1, body: { n, pad: 'x'.repeat(weight) }, given: {} };
}
