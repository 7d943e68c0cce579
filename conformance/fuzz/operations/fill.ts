/**
 * The limits of section 8: requests that are taken, one more than the limit, from one address and by one agent. Another agent or
 * address is not held to it. What a bucket holds, and when it has to refuse, is in state.ts.
 */

import * as fc from 'fast-check';
import type { LimitName } from '../../../spec/protocol.js';
import { type Action, type Operation, place, sequence } from '../operation.js';
import type { Player } from '../player.js';

/** A limit, and the action that fills its bucket. */
interface Filling {
  readonly limit: LimitName;
  readonly by: 'agent' | 'address' | 'all';
  /** The action of an agent, the nth. */
  readonly action: (agent: number, nth: number) => Action;
  /** Requests that one action sends into the bucket. */
  readonly each?: number;
}

const paid = { payer: 'own', amount: 'right', tx: 'made' } as const;
const bought = {
  ...paid,
  identityClass: 'narrow_task',
  tier: 'ind',
  principal: 'word',
  name: 'absent',
  omit: 'nothing',
};
const root = { metadata: 'none', drawn: {}, name: 'word', token: 'none', secret: 'right', json: true, address: null };
const granted = { unknown: false, bps: 'half', floor: undefined, until: 'never', key: 'right', omit: 'nothing' };

const FILLINGS: readonly Filling[] = [
  { limit: 'init', by: 'agent', action: (agent) => ({ op: 'init', agent }) },
  { limit: 'metadata', by: 'agent', action: (agent) => ({ op: 'metadata', agent, change: 0 }) },
  { limit: 'sponsorGet', by: 'agent', action: (agent) => ({ op: 'sponsor-list', agent }) },
  {
    limit: 'sponsorDelete',
    by: 'agent',
    action: (agent) => ({ op: 'sponsor-delete', agent, child: agent + 1, unknown: 'known' }),
  },
  {
    limit: 'sponsorPost',
    by: 'agent',
    action: (agent) => ({ op: 'sponsor', agent, child: agent + 1, unknown: 'known', max: undefined, hours: undefined }),
  },
  { limit: 'reissueProof', by: 'agent', action: (agent) => ({ op: 'reissue-proof', agent, ...paid }) },
  { limit: 'sigil', by: 'agent', action: (agent) => ({ op: 'sigil', agent, ...bought }) },
  { limit: 'heartbeat', by: 'agent', action: (agent) => ({ op: 'heartbeat', agent, ...paid, claim: 'none' }) },
  {
    limit: 'spawn',
    by: 'agent',
    action: (agent) => ({ op: 'spawn', agent, shortBy: 0, receipt: 'none', name: 'word' }),
  },
  {
    limit: 'beatsSubmit',
    by: 'agent',
    action: (agent) => ({ op: 'beats-submit', agent, beats: 3, wrong: 'nothing' }),
  },
  { limit: 'register', by: 'address', action: () => ({ op: 'register', ...root }) },
  { limit: 'registerToken', by: 'address', action: () => ({ op: 'register-token', json: true, address: null }) },
  { limit: 'registerTokenGlobal', by: 'all', action: () => ({ op: 'register-token', json: true, address: null }) },
  {
    limit: 'registerWalletFlow',
    by: 'address',
    each: 2,
    action: (_, nth) => ({ op: 'register-wallet', kind: nth % 2 === 0 ? 'self-custody' : 'operator', proof: 'right' }),
  },
  {
    limit: 'verifyBatch',
    by: 'address',
    action: (agent) => ({ op: 'verify-batch', agents: [agent], wrong: 'nothing', address: null }),
  },
  { limit: 'wallet', by: 'address', action: (agent) => ({ op: 'wallet', agent, kind: 'operator', wrong: 'nonce' }) },
  { limit: 'resyncReceipt', by: 'address', action: (agent) => ({ op: 'resync', agent, receipt: 'made' }) },
  {
    limit: 'resyncChallenge',
    by: 'address',
    action: (agent) => ({ op: 'resync-challenge', agent, waits: 'no', wrong: 'nothing' }),
  },
  {
    limit: 'flag',
    by: 'address',
    action: (agent, nth) => ({
      op: 'flag',
      agent: agent + (nth % 2),
      target: agent + 1 + (nth % 4),
      unknown: false,
      asserted: 'autonomous',
      reason: 'some',
      address: null,
    }),
  },
  {
    limit: 'subsidy',
    by: 'address',
    action: (agent, nth) => ({
      op: 'subsidy',
      agent: agent + nth,
      feeType: ['sigil', 'heartbeat', 'reissuance'][nth % 3],
      ...granted,
    }),
  },
];

/** A change may make a limit larger than a sequence can fill. */
const FILLED_MAX = 100;

/** 8: a bucket is filled and asked once more; another one is not full; a while later it lets no more through than it may. */
export function fill(operationOf: (name: string) => Operation): Operation {
  const named = new Map(FILLINGS.map((each) => [each.limit, each]));
  const play = (player: Player, action: Action): Promise<void> => operationOf(action.op).run(player, action);
  return sequence<{ readonly limit: LimitName; readonly agent: number; readonly again: boolean }>(
    'fill',
    { limit: fc.constantFrom(...named.keys()), agent: place, again: fc.boolean() },
    async (player, { limit, agent, again }) => {
      const filling = named.get(limit);
      if (filling === undefined) throw new RangeError(`there is no limit ${limit}`);
      const { by, action, each = 1 } = filling;
      const { count, windowSec } = player.state.protocol.limits[limit];
      if (count < 1 || count > FILLED_MAX) return;
      const times = Math.ceil((count + 1) / each);
      const shared = (): string | null => (by === 'all' ? null : player.newAddress());
      const once = async (): Promise<void> => {
        for (let nth = 0; nth < times; nth += 1) await play(player, action(agent, nth));
      };
      const own = shared();
      player.sharedAddress = own;
      try {
        await once();
        if (by === 'address') player.sharedAddress = shared();
        if (by !== 'all') await play(player, action(by === 'agent' ? agent + 1 : agent, 0));
        player.sharedAddress = own;
        if (again && count <= 30) {
          await player.advance({ ms: (windowSec * 1_000) / 10 });
          await once();
        }
        await player.advance({ ms: windowSec * 1_000 + 1_000 });
        await play(player, action(agent, 0));
      } finally {
        player.sharedAddress = null;
      }
    },
  );
}
