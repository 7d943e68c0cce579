/** The moves of a small world about complaints. */

import type { Flag } from '../reference/registry/columns/records.js';
import { type FlagOutcome, flag, reviewFlag } from '../reference/registry/flag.js';
import * as F from './fields.js';
import { COMPLAINT, FURTHER, type Move, OK, own, script } from './move.js';
import type { World } from './world.js';

/** The complaint of one agent about another, and its reviews. */
export function flagMoves(world: World, by: number, of: number): Move[] {
  const { registry, fields } = world;
  const isOpen = (values: Int32Array): boolean =>
    fields.exists(values, by) &&
    fields.exists(values, of) &&
    values[fields.flag(by, of)] !== F.SUSTAINED &&
    values[fields.agent(of) + F.REVOKED] === 0;
  const review = (outcome: FlagOutcome, from: number): Move => ({
    name: `review: ${outcome} the flag by the ${F.nameOf(by)} on the ${F.nameOf(of)}`,
    op: 'review',
    ...FURTHER,
    actor: -1,
    uses: ['review'],
    isPossible: (values) => values[fields.flag(by, of)] === from,
    play: () => {
      const status = from === F.PENDING ? 'pending' : 'sustained';
      const isMeant = (each: Flag): boolean => each.reporter === by && each.target === of && each.status === status;
      const found = registry.flags.list.find(isMeant);
      const result = found === undefined ? undefined : reviewFlag(registry, found.id, outcome);
      if (result?.ok !== true) throw new Error(`${F.nameOf(by)} has no flag on the ${F.nameOf(of)} to ${outcome}`);
      return OK;
    },
    actions: () => [{ op: 'review', outcome, by: script(by), of: script(of) }],
  });
  return [
    own(
      ...([world, by, 'flag', `the ${F.nameOf(of)}`] as const),
      () => flag(registry, { agent: by, target: of, ...COMPLAINT }, world.nowMs),
      { target: script(of) },
      { ...FURTHER, isPossible: isOpen },
    ),
    review('sustain', F.PENDING),
    review('dismiss', F.PENDING),
    review('resolve', F.SUSTAINED),
  ];
}
