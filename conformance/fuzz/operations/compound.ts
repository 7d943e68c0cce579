/** Operations that combine others: agents with all they need, time, two requests at once, and repeated requests. */

import * as fc from 'fast-check';
import { HOUR_MS } from '../../../spec/time.js';
import { type Action, anyOf, type Field, mostly, type Operation, sequence } from '../operation.js';
import type { Player } from '../player.js';
import { init } from './init.js';
import { registerRoot, registerWallet } from './register.js';
import { buySigil } from './sigil.js';

/** A root with a wallet, a chain and a SIGIL, or without some of these. */
export const makeAgent = sequence(
  'agent',
  {
    wallet: mostly('self-custody', 'operator', 'ethereum', 'none'),
    sigil: mostly('narrow_task', 'autonomous', 'orchestrator', 'none'),
    tier: mostly('ind', 'sbx', 'sov'),
  },
  async (player, { wallet, sigil, tier }) => {
    const agent = player.agents.length;
    const isOff = player.target.network === 'mainnet' && wallet === 'ethereum';
    if (wallet === 'none') await registerRoot.run(player, {});
    else await registerWallet.run(player, { kind: isOff ? 'operator' : wallet });
    if (player.agents.length === agent) return;
    await init.run(player, { agent });
    if (sigil !== 'none') await buySigil.run(player, { agent, identityClass: sigil, tier });
  },
);

/** Moves of the clock: to either side of every duration of the text. */
type Move =
  | { readonly ms: number }
  | { readonly anchors: number }
  | { readonly epochEndBut: number }
  | { readonly interval: number }
  | { readonly missed: number }
  | { readonly nonceTtlMs: number };

/** The move in anchors or milliseconds, under the numbers of the service. */
function moveOf(
  by: Move,
  { target: { protocol }, anchorIndex: anchor }: Player,
): { readonly ms: number } | { readonly anchors: number } {
  const { intervalBeatsMin, epochBeats } = protocol.heartbeat;
  if ('interval' in by) return { anchors: Math.max(1, intervalBeatsMin + by.interval) };
  if ('missed' in by) return { anchors: Math.max(1, protocol.dms.missedAnchorsMax + by.missed) };
  if ('nonceTtlMs' in by) return { ms: Math.max(1_000, protocol.wallet.nonceTtlSec * 1_000 + by.nonceTtlMs) };
  if ('epochEndBut' in by) return { anchors: Math.max(1, epochBeats - (anchor % epochBeats) - by.epochEndBut) };
  return by;
}

const MOVES: readonly (readonly [weight: number, ...moves: readonly Move[]])[] = [
  [72, { interval: -1 }, { interval: 0 }, { interval: 1 }],
  [36, { anchors: 1 }, { anchors: 30 }, { anchors: 49 }],
  [36, { missed: 0 }, { missed: 1 }, { missed: 2 }, { anchors: 101 }],
  [36, { ms: 30_000 }, { ms: 61_000 }, { nonceTtlMs: -1_000 }, { nonceTtlMs: 1_000 }],
  [12, { ms: HOUR_MS + 1_000 }, { ms: 25 * HOUR_MS }],
  [1, { epochEndBut: 0 }, { epochEndBut: 5 }],
];
const move: Field<Move> = {
  usual: { anchors: 1 },
  arbitrary: fc.oneof(...MOVES.map(([weight, ...moves]) => ({ weight, arbitrary: fc.constantFrom(...moves) }))),
};

/** Moves the clock. */
export const wait = sequence('wait', { by: move }, (player, { by }) => player.advance(moveOf(by, player)));

/** Two operations sent at the same moment, of the same or of different kinds, in either order. `single`: those of one request. */
export function together(single: readonly Operation[]): Operation {
  const byName = new Map(single.map((each) => [each.name, each]));
  const action = fc.oneof(...single.map(({ arbitrary }) => arbitrary));
  const first: Field<Action> = { usual: { op: 'init' }, arbitrary: action };
  const second: Field<Action | null> = { usual: null, arbitrary: fc.option(action, { freq: 1 }) };
  return sequence('together', { first, second }, async (player, { first, second }) => {
    const one = await byName.get(first.op)?.prepare?.(player, first);
    if (one === undefined) return;
    const other = second === null ? one : await byName.get(second.op)?.prepare?.(player, second);
    await player.atOnce(other === undefined ? [one] : [one, other]);
  });
}

/** The operations that `burst` sends many times, from one address and without a payment. */
const REPEATED =
  'heartbeat reissue-proof init spawn sponsor register register-token verify-batch flag metadata sponsor-list';

/** The same request, often enough to reach its limit. */
export function burst(single: readonly Operation[]): Operation {
  const byName = new Map(
    single.filter(({ name }) => REPEATED.split(' ').includes(name)).map((each) => [each.name, each]),
  );
  const action: Field<Action> = {
    usual: { op: 'init' },
    arbitrary: fc.oneof(...[...byName.values()].map(({ arbitrary }) => arbitrary)),
  };
  return sequence('burst', { action, times: anyOf(4, 6, 11, 31, 61) }, async (player, { action: drawn, times }) => {
    const fixed = { ...drawn, ...('address' in drawn && { address: 0 }), ...('tx' in drawn && { tx: 'none' }) };
    for (let nth = 0; nth < times; nth += 1) await byName.get(drawn.op)?.run(player, fixed);
  });
}

/** The two agents that every run begins with. */
export async function firstAgents(player: Player): Promise<void> {
  await makeAgent.run(player, {});
  await makeAgent.run(player, { wallet: 'operator', sigil: 'autonomous' });
}
