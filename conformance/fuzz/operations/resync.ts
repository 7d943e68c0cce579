/** POST /agent/resync (4.10), by receipt and by challenge. */

import type { Agent } from '../../../model/facts/state.js';
import { penalty, resyncPrice } from '../../../model/operations/resync.js';
import { at } from '../../../model/reading/values.js';
import { type Move, near } from '../../moves/move.js';
import { resyncChallenge as challengeMove, resync as resyncMove, resyncProof } from '../../moves/resync.js';
import { beatProofOf } from '../../protocol/beats.js';
import { mostly, place, request, sequence } from '../operation.js';
import type { Player } from '../player.js';

const owed = (player: Player, { syncAnchor }: Agent): number =>
  penalty(player.state, player.anchorIndex - (syncAnchor ?? 0)) ?? 0;

/** POST /agent/resync with a receipt. */
export const resync = request(
  'resync',
  { agent: place, receipt: mostly('made', 'more', 'short', 'none', 'forged', 'near', 'last') },
  async (player, { agent, receipt: kind }) => {
    const known = player.known(agent);
    if (kind === 'none' && player.target.beatsRequired !== true) return undefined;
    const needed = known.frozen !== false ? owed(player, known) : 100;
    const receipt = async (more: number): Promise<unknown> => player.receipt(needed + more);
    const forged = player.draws.hex(32);
    async function receiptOf(): Promise<unknown> {
      if (kind === 'none') return undefined;
      if (kind === 'forged') return forged;
      if (kind === 'last') return player.receipts.at(-1);
      const made = await receipt({ made: 0, more: 7, short: -1, near: 0 }[kind]);
      return kind === 'near' ? (typeof made === 'string' ? near(made) : forged) : made;
    }
    const move = resyncMove(player.agent(agent), await receiptOf());
    return { ...(await withPayment(player, known, move)), address: player.address() };
  },
);

/** A resync with the payment that a change asks for, from a wallet of nobody's. */
async function withPayment(player: Player, known: Agent, move: Move): Promise<Move> {
  const lamports = resyncPrice(player.state, known);
  if (lamports === 0) return move;
  const payment_tx = await player.pay(player.wallet().address, lamports);
  return { ...move, body: { ...Object(move.body), payment_tx } };
}

/** Reactivates all frozen agents, since a run without active agents shows little. */
export const revive = sequence('revive', {}, async (player) => {
  for (const agent of player.agents.keys()) {
    const { frozen, revoked } = player.known(agent);
    if (frozen !== false && !revoked) await resync.run(player, { agent });
  }
});

/** The challenge form, which may be refused where receipts are required. */
export const resyncChallenge = sequence(
  'resync-challenge',
  {
    agent: place,
    waits: mostly('no', 'to-the-end', 'beyond'),
    wrong: mostly('nothing', 'short', 'nonce', 'near-nonce', 'of-another', 'twice'),
  },
  async (player, { agent, waits, wrong }) => {
    const { nonceTtlSec } = player.target.protocol.resync;
    const known = player.known(agent);
    const [own, address] = [player.agent(agent), player.address()];
    const asked = await player.send({ ...challengeMove(own), address });
    if (asked.status >= 300) return;
    const required = owed(player, known);
    const fresh = String(at(asked.json, 'challenge.nonce'));
    const others = player.ticket('resync', ({ of, used }) => of !== known.hash && !used)?.id;
    const wrongly = { nonce: player.draws.hex(32), 'near-nonce': near(fresh), 'of-another': others ?? near(fresh) };
    const waitSec = { no: 0, 'to-the-end': nonceTtlSec - 1, beyond: nonceTtlSec + 1 }[waits];
    if (waitSec > 0) await player.advance({ ms: waitSec * 1_000 });
    const beats = Math.max(1, required - (wrong === 'short' ? 1 : 0));
    const { beat = 0, hash = '' } = known.chain;
    const proof = beatProofOf(await player.work(beats, hash, beat), beat);
    const nonce = wrongly[wrong as keyof typeof wrongly] ?? fresh;
    for (let nth = 0; nth < (wrong === 'twice' ? 2 : 1); nth += 1)
      await player.send({ ...(await withPayment(player, known, resyncProof(own, nonce, proof))), address });
  },
);
