/** Operations that are made of others: agents that can do something, time, two requests at once, and the same many times. */

import * as fc from 'fast-check';
import { HOUR_MS } from '../../../spec/time.js';
import { Mismatch } from '../expectation.js';
import { type Action, mostly, type Operation, sequence } from '../operation.js';
import type { Player, Ready } from '../player.js';
import type { State } from '../state.js';
import { init } from './init.js';
import { newRoot, type WalletKind } from './register.js';
import { buySigil } from './sigil.js';

interface Making {
  readonly wallet: WalletKind;
  readonly sigil: string;
  readonly tier: string;
}

/** A root with a wallet, a chain and a SIGIL, or without some of these. */
export const makeAgent: Operation = sequence<Making>(
  'agent',
  {
    wallet: mostly('self-custody', 'operator', 'ethereum', 'none'),
    sigil: mostly('narrow_task', 'autonomous', 'orchestrator', 'none'),
    tier: mostly('ind', 'sbx', 'sov'),
  },
  async (player, { wallet, sigil, tier }) => {
    const { state } = player;
    const index = await newRoot(
      player,
      player.target.network === 'mainnet' && wallet === 'ethereum' ? 'operator' : wallet,
    );
    if (state.agents.length === index) return;
    await init.run(player, { op: 'init', agent: index });
    if (sigil === 'none') return;
    const right = { payer: 'own', amount: 'right', tx: 'made', principal: 'word', name: 'absent', omit: 'nothing' };
    await buySigil.run(player, { op: 'sigil', agent: index, identityClass: sigil, tier, ...right });
  },
);

/** How far the clock is moved: to both sides of every limit of the text, some of which are counted from. */
type Move =
  | { readonly ms: number }
  | { readonly anchors: number }
  | { readonly epochEndBut: number }
  | { readonly interval: number }
  | { readonly missed: number }
  | { readonly nonceTtlMs: number };

/** The move in anchors or milliseconds, under the numbers of the service. */
function moveOf(by: Move, { protocol, anchor }: State): { readonly ms: number } | { readonly anchors: number } {
  const { intervalBeatsMin, epochBeats } = protocol.heartbeat;
  if ('interval' in by) return { anchors: Math.max(1, intervalBeatsMin + by.interval) };
  if ('missed' in by) return { anchors: Math.max(1, protocol.dms.missedAnchorsMax + by.missed) };
  if ('nonceTtlMs' in by) return { ms: Math.max(1_000, protocol.wallet.nonceTtlSec * 1_000 + by.nonceTtlMs) };
  if ('epochEndBut' in by) return { anchors: Math.max(1, epochBeats - (anchor % epochBeats) - by.epochEndBut) };
  return by;
}

/** Moves the clock. */
export const wait: Operation = sequence<{ readonly by: Move }>(
  'wait',
  {
    by: fc.oneof(
      { weight: 72, arbitrary: fc.constantFrom<Move[]>({ interval: -1 }, { interval: 0 }, { interval: 1 }) },
      { weight: 36, arbitrary: fc.constantFrom<Move[]>({ anchors: 1 }, { anchors: 30 }, { anchors: 49 }) },
      {
        weight: 36,
        arbitrary: fc.constantFrom<Move[]>({ missed: 0 }, { missed: 1 }, { missed: 2 }, { anchors: 101 }),
      },
      {
        weight: 36,
        arbitrary: fc.constantFrom<Move[]>(
          { ms: 30_000 },
          { ms: 61_000 },
          { nonceTtlMs: -1_000 },
          { nonceTtlMs: 1_000 },
        ),
      },
      { weight: 12, arbitrary: fc.constantFrom<Move[]>({ ms: HOUR_MS + 1_000 }, { ms: 25 * HOUR_MS }) },
      { weight: 1, arbitrary: fc.constantFrom<Move[]>({ epochEndBut: 0 }, { epochEndBut: 5 }) },
    ),
  },
  (player, { by }) => player.advance(moveOf(by, player.state)),
);

/** Two requests at once, judged in either order: whichever the service took first. */
async function atOnce(player: Player, one: Ready, other: Ready): Promise<void> {
  const [first, second] = await Promise.all([player.call(one.request), player.call(other.request)]);
  const oneFirst = (state: State): void => {
    one.judge(state, first);
    other.judge(state, second);
  };
  const otherFirst = (state: State): void => {
    other.judge(state, second);
    one.judge(state, first);
  };
  try {
    oneFirst(structuredClone(player.state));
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    try {
      otherFirst(structuredClone(player.state));
    } catch (otherwise) {
      if (!(otherwise instanceof Mismatch)) throw otherwise;
      throw new Mismatch(`two requests at once: ${error.message}`);
    }
    return otherFirst(player.state);
  }
  oneFirst(player.state);
}

/** Operations that are sent together with one like it, or with another. `single`: those of one request. */
export function together(single: readonly Operation[]): Operation {
  const byName = new Map(single.map((each) => [each.name, each]));
  const action = fc.oneof(...single.map(({ arbitrary }) => arbitrary));
  return sequence<{ readonly first: Action; readonly second: Action | null }>(
    'together',
    { first: action, second: fc.option(action, { freq: 1 }) },
    async (player, { first, second }) => {
      const one = await byName.get(first.op)?.prepare?.(player, first);
      if (one === undefined) return;
      const other = second === null ? one : await byName.get(second.op)?.prepare?.(player, second);
      if (other === undefined) return void (await player.play(one));
      await atOnce(player, one, other);
    },
  );
}

/** The same request again and again: what has a limit reaches it. */
export function burst(single: readonly Operation[]): Operation {
  const often = [
    'heartbeat',
    'reissue-proof',
    'init',
    'spawn',
    'sponsor',
    'register',
    'register-token',
    'verify-batch',
    'flag',
    'metadata',
    'sponsor-list',
  ];
  const named = single.filter(({ name }) => often.includes(name));
  const byName = new Map(named.map((each) => [each.name, each]));
  return sequence<{ readonly action: Action; readonly times: number }>(
    'burst',
    { action: fc.oneof(...named.map(({ arbitrary }) => arbitrary)), times: fc.constantFrom(4, 6, 11, 31, 61) },
    async (player, { action, times }) => {
      for (let nth = 0; nth < times; nth += 1) {
        const fixed = { ...action, ...('address' in action && { address: 0 }), ...('tx' in action && { tx: 'none' }) };
        const ready = await byName.get(action.op)?.prepare?.(player, fixed);
        if (ready !== undefined) await player.play(ready);
      }
    },
  );
}

/** The two agents that every run begins with. */
export async function firstAgents(player: Player): Promise<void> {
  for (const [wallet, sigil] of [
    ['self-custody', 'narrow_task'],
    ['operator', 'autonomous'],
  ] as const) {
    await makeAgent.run(player, { op: 'agent', wallet, sigil, tier: 'ind' });
  }
}
