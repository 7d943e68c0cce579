/**
 * Requests without a key, or with a bad one, on every route that takes an agent's key (section 5). Revoked keys are met
 * by all operations.
 */

import { anyOf, near, type Operation, place, request } from '../operation.js';
import type { Own } from '../player.js';
import type { Request } from '../requests.js';

function partsOf(key: string): readonly [payload: string, signature: string] {
  const dot = key.lastIndexOf('.');
  return [key.slice(0, dot), key.slice(dot + 1)];
}

type BadKey = Pick<Request, 'key' | 'headers'>;

/** Replacements of a key, by the name that an action has. */
const BAD_KEYS = {
  none: (): BadKey => ({}),
  word: (): BadKey => ({ key: 'not-a-key' }),
  basic: ({ key }: Own): BadKey => ({ headers: { authorization: `Basic ${key}` } }),
  bare: ({ key }: Own): BadKey => ({ headers: { authorization: key } }),
  signature: ({ key }: Own): BadKey => {
    const [payload, signature] = partsOf(key);
    return { key: `${payload}.${near(signature)}` };
  },
  'end-of-signature': ({ key }: Own): BadKey => {
    const [payload, signature] = partsOf(key);
    return {
      key: `${payload}.${signature.slice(0, signature.length / 2)}${near(signature.slice(signature.length / 2))}`,
    };
  },
  'short-signature': ({ key }: Own): BadKey => ({ key: key.slice(0, -2) }),
  payload: ({ key }: Own): BadKey => {
    const [payload, signature] = partsOf(key);
    return { key: `${near(payload)}.${signature}` };
  },
  'of-another': ({ key }: Own, other: Own): BadKey => ({
    key: `${partsOf(key)[0]}.${partsOf(other.key)[1]}`,
  }),
} as const;

/** 5, rule 2: a missing or invalid key is refused with 401, whatever it asks for. `keyed`: operations that send a key. */
export function intrude(keyed: readonly Operation[]): Operation {
  const byName = new Map(keyed.map((each) => [each.name, each]));
  const bad = Object.keys(BAD_KEYS) as (keyof typeof BAD_KEYS)[];
  return request(
    'intrude',
    { agent: place, other: place, route: anyOf('init', ...byName.keys()), bad: anyOf('none', ...bad) },
    async (player, { agent, other, route, bad: how }) => {
      const [own, stranger] = [player.agent(agent), player.agent(other)];
      if (how === 'of-another' && own === stranger) return undefined;
      const right = { agent, child: other, target: other, tx: 'unknown' };
      const ready = await byName.get(route)?.prepare?.(player, right);
      if (ready === undefined) return undefined;
      const { key: _, ...sent } = ready.request;
      return { request: { ...sent, ...BAD_KEYS[how](own, stranger) } };
    },
  );
}
