import type { Reply } from '../assertions/reply.js';
import { type EndpointId, endpointOf } from '../protocol/endpoints.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { Check } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

/** Lookups by hash: what is unknown or malformed, and their limits. What they show stands in status.ts, verify.ts, beat-status.ts. */
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
      if (id === 'beat-status') {
        t.shows('beat-status.purpose').refuses(reply);
      } else {
        const unknown = t.shows(`${id}.error.not-found`);
        unknown.status(reply, 404);
        for (const [field, value] of Object.entries(unknownBodies[id])) unknown.field(reply, field, value);
        unknown.field(reply, 'hash', hash);
        t.shows(`${id}.purpose`).refuses(reply);
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
      const digits = t.hex(t.protocol.agent.hashBytes);
      for (const hash of [`0x${digits.slice(1)}`, `0x${digits}0`, `0x${digits.slice(1)}g`]) {
        const reply = await lookInVain(t, id, hash);
        t.shows('convention.agent-hash').refuses(reply);
        if (id === 'status') t.refused(reply, 'status/INVALID_HASH', 'status.error.invalid-hash');
      }
      t.accepted(await look(t, id, (await t.root()).hash));
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
    quiet: true,
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
