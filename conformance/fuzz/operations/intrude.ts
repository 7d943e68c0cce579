/** Requests without a key, or with a bad one, on every route that takes an agent's key (section 5). Revoked keys are met by all operations. */

import * as fc from 'fast-check';
import { settle } from '../expectation.js';
import { type Operation, place, request } from '../operation.js';
import type { Player, Request } from '../player.js';
import type { AgentState } from '../state.js';

/** A text with one character exchanged, that in its middle: at an end some encodings have bits that mean nothing. */
function flipped(text: string): string {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + (text[middle] === '0' ? '1' : '0') + text.slice(middle + 1);
}

function partsOf(key: string): readonly [payload: string, signature: string] {
  const dot = key.lastIndexOf('.');
  return [key.slice(0, dot), key.slice(dot + 1)];
}

type BadKey = Pick<Request, 'key' | 'headers'>;

/** Replacements of a key, by the name that an action has. */
const BAD_KEYS = {
  none: (): BadKey => ({}),
  word: (): BadKey => ({ key: 'not-a-key' }),
  basic: ({ key }: AgentState): BadKey => ({ headers: { authorization: `Basic ${key}` } }),
  bare: ({ key }: AgentState): BadKey => ({ headers: { authorization: key } }),
  signature: ({ key }: AgentState): BadKey => {
    const [payload, signature] = partsOf(key);
    return { key: `${payload}.${flipped(signature)}` };
  },
  'end-of-signature': ({ key }: AgentState): BadKey => {
    const [payload, signature] = partsOf(key);
    return {
      key: `${payload}.${signature.slice(0, signature.length / 2)}${flipped(signature.slice(signature.length / 2))}`,
    };
  },
  'short-signature': ({ key }: AgentState): BadKey => ({ key: key.slice(0, -2) }),
  payload: ({ key }: AgentState): BadKey => {
    const [payload, signature] = partsOf(key);
    return { key: `${flipped(payload)}.${signature}` };
  },
  'of-another': ({ key }: AgentState, other: AgentState): BadKey => ({
    key: `${partsOf(key)[0]}.${partsOf(other.key)[1]}`,
  }),
} as const;

interface Route {
  readonly method: string;
  readonly path: string;
  readonly body?: (player: Player, own: AgentState, other: AgentState) => unknown;
  /** 7 shows no code for it. */
  readonly silent?: true;
}

const flagged = (_: Player, _own: AgentState, other: AgentState): unknown => ({
  target_hash: other.hash,
  asserted_class: 'autonomous',
  reason: 'a model test',
});

const ROUTES: Readonly<Record<string, Route>> = {
  init: { method: 'POST', path: '/agent/init', body: () => ({}), silent: true },
  heartbeat: { method: 'POST', path: '/agent/heartbeat', body: ({ draws }) => ({ payment_tx: draws.hex(32) }) },
  sigil: {
    method: 'POST',
    path: '/sigil',
    body: ({ draws }) => ({
      identity_class: 'narrow_task',
      principal: `p${draws.hex(6)}`,
      tier: 'ind',
      payment_tx: draws.hex(32),
    }),
  },
  'reissue-proof': {
    method: 'POST',
    path: '/agent/reissue-proof',
    body: ({ draws }) => ({ payment_tx: draws.hex(32) }),
  },
  spawn: { method: 'POST', path: '/agent/spawn', body: ({ draws }) => ({ child_name: draws.word() }) },
  metadata: { method: 'PATCH', path: '/agent/metadata', body: () => ({ substrate: 'open' }), silent: true },
  wallet: { method: 'POST', path: '/agent/wallet', body: () => ({ action: 'challenge' }), silent: true },
  resync: { method: 'POST', path: '/agent/resync', body: () => ({ action: 'challenge' }) },
  passport: { method: 'GET', path: '/agent/passport' },
  sponsor: { method: 'POST', path: '/agent/sponsor', body: (_, _own, { hash }) => ({ child_hash: hash }) },
  'sponsor-delete': { method: 'DELETE', path: '/agent/sponsor', body: (_, _own, { hash }) => ({ child_hash: hash }) },
  'sponsor-list': { method: 'GET', path: '/agent/sponsor' },
  flag: { method: 'POST', path: '/agent/flag', body: flagged },
};

interface Intruding {
  readonly agent: number;
  readonly other: number;
  readonly route: string;
  readonly bad: keyof typeof BAD_KEYS;
}

/** 5, rule 2: a missing or invalid key is refused with 401, whatever it asks for. */
export const intrude: Operation = request<Intruding>(
  'intrude',
  {
    agent: place,
    other: place,
    route: fc.constantFrom(...Object.keys(ROUTES)),
    bad: fc.constantFrom(...(Object.keys(BAD_KEYS) as (keyof typeof BAD_KEYS)[])),
  },
  (player, { agent, other, route: name, bad }) => {
    const route = ROUTES[name];
    const [own, stranger] = [player.agent(agent), player.agent(other)];
    if (route === undefined || (bad === 'of-another' && own === stranger)) return undefined;
    const { method, path, body } = route;
    return {
      request: {
        method,
        path,
        ...BAD_KEYS[bad](own, stranger),
        ...(body === undefined ? {} : { body: body(player, own, stranger) }),
      },
      judge: (state, answer) => {
        const code = route.silent === undefined ? { code: 'AUTH_MISSING' } : {};
        settle(state, answer, { faults: [{ why: `the key is bad (${bad})`, status: 401, ...code }] });
      },
    };
  },
);
