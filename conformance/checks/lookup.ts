/** Lookups by hash: unknown and malformed hashes, and limits. The contents of their replies are in status.ts, verify.ts and beat-status.ts. */

import { type EndpointId, endpointOf } from '../../spec/endpoint-ids.js';
import type { Reply } from '../assertions/reply.js';
import { judgeLimit } from '../steps/limit.js';
import { windowOf } from '../steps/waits.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Trial } from '../trial/trial.js';

/** Looks an agent up by its hash. */
export const look = (t: Trial, id: EndpointId, hash: string): Promise<Reply> => t.call(id, { params: { hash } });

/** Looks up an unknown hash: its 404 does not mean that the endpoint is missing. */
const lookUpUnknown = (t: Trial, id: EndpointId, hash: string): Promise<Reply> =>
  t.call(id, { params: { hash }, mayMiss: true });

/** The check of a lookup by hash: unknown and malformed hashes are refused, the hash of an existing agent is accepted. */
export const lookupRefusals = (id: 'status' | 'verify' | 'beat-status'): readonly WrittenCheck[] => [
  {
    id: `${id}/malformed`,
    shares: true,
    title: `A lookup by ${id} of an unknown or invalid hash is refused`,
    async run(t) {
      await lookUpUnknown(t, id, `0x${t.hex(t.protocol.agent.hashBytes)}`);
      const { hash: own } = await t.root();
      // Altered hashes of an existing agent, which do not name the agent.
      for (const hash of [own.slice(0, -1), `${own}0`, `${own.slice(0, -1)}g`]) await lookUpUnknown(t, id, hash);
      t.mustSucceed(await look(t, id, own));
    },
  },
];

/** The check of a lookup's limit: 60 a minute an address (D-23, D-08). `id`: the id of the check, if it is not `<endpoint>/limit`. */
export function lookupLimit(endpoint: EndpointId, clause: string, id = `${endpoint}/limit`): WrittenCheck {
  return {
    id,
    title: `The 61st call of ${endpoint} from an address in a minute is refused`,
    needs: [...(endpointOf(endpoint).service === 'beats' ? (['beats'] as const) : []), 'clock', 'client-ip'],
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
