/**
 * Requests without a key, or with a bad one, on every route that takes an agent's key (section 5). Revoked keys are met
 * by all operations.
 */

import { anyOf, near, type Operation, place, request } from '../operation.js';
import type { Own } from '../player.js';
import type { Request } from '../requests.js';

type BadKey = Pick<Request, 'key' | 'headers'>;
type Parts = Own & { readonly payload: string; readonly signature: string };

function partsOf(own: Own): Parts {
  const dot = own.key.lastIndexOf('.');
  return { ...own, payload: own.key.slice(0, dot), signature: own.key.slice(dot + 1) };
}

/** Replacements of a key, by the name that an action has. */
const BAD_KEYS: Readonly<Record<string, (own: Parts, other: Parts) => BadKey>> = {
  none: () => ({}),
  word: () => ({ key: 'not-a-key' }),
  basic: ({ key }) => ({ headers: { authorization: `Basic ${key}` } }),
  bare: ({ key }) => ({ headers: { authorization: key } }),
  signature: ({ payload, signature }) => ({ key: `${payload}.${near(signature)}` }),
  'end-of-signature': ({ payload, signature }) => {
    return { key: `${payload}.${near(signature, Math.floor((signature.length * 3) / 4))}` };
  },
  'short-signature': ({ key }) => ({ key: key.slice(0, -2) }),
  payload: ({ payload, signature }) => ({ key: `${near(payload)}.${signature}` }),
  'of-another': ({ payload }, { signature }) => ({ key: `${payload}.${signature}` }),
};

/** 5, rule 2: a missing or invalid key is refused with 401, whatever it asks for. `keyed`: operations that send a key. */
export function intrude(keyed: readonly Operation[]): Operation {
  const byName = new Map(keyed.map((each) => [each.name, each]));
  return request(
    'intrude',
    {
      agent: place,
      other: place,
      route: anyOf('init', ...byName.keys()),
      bad: anyOf('none', ...Object.keys(BAD_KEYS)),
    },
    async (player, { agent, other, route, bad: how }) => {
      const [own, stranger] = [player.agent(agent), player.agent(other)];
      if (how === 'of-another' && own === stranger) return undefined;
      const right = { agent, child: other, target: other, tx: 'unknown' };
      const ready = await byName.get(route)?.prepare?.(player, right);
      if (ready === undefined) return undefined;
      const { key: _, ...sent } = ready.request;
      return { request: { ...sent, ...BAD_KEYS[how]?.(partsOf(own), partsOf(stranger)) } };
    },
  );
}
