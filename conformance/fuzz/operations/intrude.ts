/** Requests without a key, or with an invalid one, on every route that takes an agent key (section 5). Revoked keys occur in all operations. */

import { type BadKey, badKeys, nearlyKeys } from '../../moves/agent-key.js';
import { namesOf } from '../../moves/move.js';
import { anyOf, type Operation, place, request } from '../operation.js';

/** Replacements of a key, by the name that an action has. */
const BAD_KEYS: Readonly<Record<string, BadKey>> = {
  ...badKeys,
  ...Object.fromEntries(
    Object.entries(nearlyKeys).map(([name, change]) => [name, (key: string) => ({ key: change(key) })]),
  ),
};

/** 5, rule 2: a missing or invalid key is refused with 401, whatever the request is. `keyed`: operations that send a key. */
export function intrude(keyed: readonly Operation[]): Operation {
  const byName = new Map(keyed.map((each) => [each.name, each]));
  return request(
    'intrude',
    {
      agent: place,
      other: place,
      route: anyOf('init', ...byName.keys()),
      bad: anyOf('none', ...namesOf(BAD_KEYS)),
    },
    async (player, { agent, other, route, bad: how }) => {
      const [own, stranger] = [player.agent(agent), player.agent(other)];
      if (how === 'of-another' && own === stranger) return undefined;
      const right = { agent, child: other, target: other, tx: 'unknown' };
      const ready = await byName.get(route)?.prepare?.(player, right);
      return ready === undefined ? undefined : { ...ready, ...BAD_KEYS[how]?.(own.key, stranger.key) };
    },
  );
}
