/** Lookups by hash: what is unknown or malformed, and their limits. The checks of what they show are in status.ts, verify.ts and beat-status.ts. */

import { type EndpointId, endpointOf } from '../../spec/endpoint-ids.js';
import type { Reply } from '../assertions/reply.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

const base = { needs: [], registers: 1, writes: true } as const;

/** Looks an agent up by its hash. */
export const look = (t: Trial, id: EndpointId, hash: string): Promise<Reply> => t.call(id, { params: { hash } });

/** Looks up what no agent has: a 404 is no sign that there is no such lookup. */
const lookInVain = (t: Trial, id: EndpointId, hash: string): Promise<Reply> =>
  t.call(id, { params: { hash }, mayMiss: true });

const unknownBodies = {
  status: { exists: false, status: 'not_found' },
  verify: { verified: false },
  'beat-status': {},
} as const;

/** Whether a lookup tells that there is no such agent: it is refused, or says so in its body. How is not shown. */
const tellsNone = (reply: Reply): boolean =>
  (reply.status >= 400 && reply.status < 500) ||
  ['exists', 'verified', 'found', 'beat_initialized'].some((field) => reply.get(field) === false);

/** An unknown hash and a malformed one, on a lookup by hash; the twin is an agent that exists. */
export const lookupRefusals = (id: keyof typeof unknownBodies): readonly Check[] => [
  {
    ...base,
    id: `${id}/unknown`,
    shares: true,
    title: `${id} of a hash that no agent has is refused`,
    clauses: id === 'beat-status' ? ['beat-status.purpose'] : [`${id}.error.not-found`, `${id}.purpose`],
    requests: 3,
    refusal: true,
    async run(t) {
      const hash = `0x${t.hex(t.protocol.agent.hashBytes)}`;
      const reply = await lookInVain(t, id, hash);
      const none = tellsNone(reply);
      t.shows(`${id}.purpose`).of(reply, 'a hash of nobody', none, 'that there is no such agent', reply.excerpt());
      if (id !== 'beat-status') {
        const unknown = t.shows(`${id}.error.not-found`);
        unknown.status(reply, 404);
        for (const [field, value] of Object.entries(unknownBodies[id])) unknown.field(reply, field, value);
        unknown.field(reply, 'hash', hash);
      }
      t.accepted(await look(t, id, (await t.root()).hash));
    },
  },
  {
    ...base,
    id: `${id}/malformed`,
    shares: true,
    title: `${id} of what is no agent hash is refused`,
    clauses: id === 'status' ? ['status.error.invalid-hash', 'convention.agent-hash'] : ['convention.agent-hash'],
    requests: 5,
    refusal: true,
    async run(t) {
      // Nearly the hash of an agent that exists: not even a part of it names the agent.
      const { hash: own } = await t.root();
      for (const hash of [own.slice(0, -1), `${own}0`, `${own.slice(0, -1)}g`]) {
        const reply = await lookInVain(t, id, hash);
        const none = tellsNone(reply);
        t.shows('convention.agent-hash').of(reply, 'a malformed hash', none, 'no agent', reply.excerpt());
        if (id === 'status') t.refused(reply, 'status/INVALID_HASH', 'status.error.invalid-hash');
      }
      t.accepted(await look(t, id, own));
    },
  },
];

/** The check of a lookup's limit: 60 a minute an address (D-23, D-08). `id` is that of the check where it differs. */
export function lookupLimit(endpoint: EndpointId, clause: string, id = `${endpoint}/limit`): Check {
  return {
    id,
    title: `An address makes 60 calls of ${endpoint} a minute`,
    clauses: [clause, 'limit.window', 'limit.retry-after'],
    needs: [...(endpointOf(endpoint).service === 'beats' ? (['beats'] as const) : []), 'clock', 'client-ip'],
    registers: 0,
    requests: 67,
    writes: false,
    refusal: true,
    runsAlone: true,
    waits: windowOf('lookup'),
    async run(t) {
      const other = t.newAddress();
      const params = { hash: `0x${t.hex(t.protocol.agent.hashBytes)}` };
      const send = (address?: string): Promise<Reply> =>
        t.call(endpoint, { params, mayLimit: true, mayMiss: true, address });
      await judgeLimit(t, {
        limit: 'lookup',
        clause,
        send: () => send(),
        other: other === undefined ? undefined : () => send(other),
      });
    },
  };
}
