/**
 * The limits of section 8: one address or one agent sends one valid request more than a limit admits. Then another agent or address
 * sends one, which the limit does not count.
 */

import type { LimitName } from '../../../spec/protocol.js';
import { anyOf, type Operation, place, sequence } from '../operation.js';

/** A limit: the subject of its bucket, the operation that fills it, and fields of the nth action. */
type Filling = readonly [
  by: 'agent' | 'address' | 'all',
  operation: string,
  fields?: (agent: number, nth: number) => object,
];

/** How each limit is filled. */
export const fillings: Partial<Readonly<Record<LimitName, Filling>>> = {
  init: ['agent', 'init'],
  metadata: ['agent', 'metadata'],
  sponsorGet: ['agent', 'sponsor-list'],
  sponsorDelete: ['agent', 'sponsor-delete', (agent) => ({ child: agent + 1 })],
  sponsorPost: ['agent', 'sponsor', (agent) => ({ child: agent + 1 })],
  reissueProof: ['agent', 'reissue-proof'],
  sigil: ['agent', 'sigil'],
  heartbeat: ['agent', 'heartbeat'],
  spawn: ['agent', 'spawn'],
  beatsSubmit: ['agent', 'beats-submit'],
  passport: ['agent', 'passport'],
  register: ['address', 'register'],
  registerToken: ['address', 'register-token'],
  registerTokenGlobal: ['all', 'register-token'],
  registerWalletFlow: [
    'address',
    'register-wallet',
    (_, nth) => ({ kind: nth % 2 === 0 ? 'self-custody' : 'operator' }),
  ],
  verifyBatch: ['address', 'verify-batch'],
  wallet: ['address', 'wallet', () => ({ kind: 'operator', wrong: 'nonce' })],
  resyncReceipt: ['address', 'resync'],
  resyncChallenge: ['address', 'resync-challenge'],
  flag: ['address', 'flag', (agent, nth) => ({ agent: agent + (nth % 2), target: agent + 1 + (nth % 4) })],
  subsidy: ['address', 'subsidy', (agent, nth) => ({ agent: agent + nth })],
};

/** The largest limit that a sequence fills. A change of the specification may set a larger one. */
const FILLED_MAX = 100;

/** Fills a bucket and sends one more request (8). Then sends one to another bucket, which is not full, and later fills the first again. */
export function fill(operationOf: (name: string) => Operation): Operation {
  const [first = 'init', ...others] = Object.keys(fillings) as LimitName[];
  return sequence(
    'fill',
    { limit: anyOf<LimitName>(first, ...others), agent: place, again: anyOf(false, true) },
    async (player, { limit, agent, again }) => {
      const [by, name, fieldsOf] = fillings[limit] ?? [];
      if (by === undefined || name === undefined) throw new RangeError(`there is no limit ${limit}`);
      const { count, windowSec } = player.target.protocol.limits[limit];
      if (count < 1 || count > FILLED_MAX) return;
      const play = (who: number, nth: number): Promise<unknown> =>
        operationOf(name).run(player, { agent: who, ...fieldsOf?.(who, nth) });
      const shared = (): string | null => (by === 'all' ? null : player.newAddress());
      const once = async (): Promise<void> => {
        for (let nth = 0; nth <= count; nth += 1) await play(agent, nth);
      };
      const own = shared();
      player.sharedAddress = own;
      try {
        await once();
        if (by === 'address') player.sharedAddress = shared();
        if (by !== 'all') await play(by === 'agent' ? agent + 1 : agent, 0);
        player.sharedAddress = own;
        if (again && count <= 30) {
          await player.advance({ ms: (windowSec * 1_000) / 10 });
          await once();
        }
        await player.advance({ ms: windowSec * 1_000 + 1_000 });
        await play(agent, 0);
      } finally {
        player.sharedAddress = null;
      }
    },
  );
}
