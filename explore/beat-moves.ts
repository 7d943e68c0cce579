/** The moves of a small world that show beats: submissions and resyncs. No beat is computed. */

import { latestHash } from '../reference/registry/beat-status.js';
import { beatsSubmit } from '../reference/registry/beats-submit.js';
import type { NamedPayment } from '../reference/registry/payment.js';
import { penaltyBeats, resync } from '../reference/registry/resync.js';
import { resyncChallenge, resyncProve } from '../reference/registry/resync-challenge.js';
import { resyncLamports } from '../reference/registry/resync-payment.js';
import { FROZEN, missedAnchors } from '../reference/registry/state.js';
import type { BeatProof } from '../spec/endpoints/proof-schemas.js';
import * as F from './fields.js';
import { type Cost, type Move, type Outcome, own, pay, payment } from './move.js';
import { HASH, type World } from './world.js';

/** Every hash that a proof shows is right. */
const checkBeat = (): boolean => true;

const proofs = new Map<number, ReturnType<typeof provenBeats>>();

/** `provenBeats` of a chain as a world writes it; made once, since it is the same in every state. */
function firstBeats(world: World, agent: number, beats: number) {
  if (world.registry.agents.columns.latestBeat[agent] !== 0) return provenBeats(world, agent, beats);
  const known = proofs.get(beats) ?? provenBeats(world, agent, beats);
  proofs.set(beats, known);
  return known.proof.from_hash === latestHash(world.registry, agent) ? known : provenBeats(world, agent, beats);
}

/** A proof that continues the chain of an agent by a number of beats. */
export function provenBeats({ registry }: World, agent: number, beats: number, gap = 0) {
  const from = registry.agents.columns.latestBeat[agent]! + gap;
  const from_hash = latestHash(registry, agent);
  const shown = Math.min(3, beats);
  const spot_checks = Array.from({ length: shown }, (_, nth) => {
    const index = from + beats - shown + 1 + nth;
    return { index, hash: HASH, prev: index === from + 1 ? from_hash : HASH };
  });
  const proof: BeatProof = {
    ...{ from_beat: from, to_beat: from + beats, from_hash, to_hash: HASH, beats_computed: beats },
    ...{ global_anchor: 0, anchor_hash: HASH, spot_checks },
  };
  return { proof, anchorHash: HASH, checkBeat };
}

export const SUBMITTED_BEATS = 3;

/** Submits beats that continue the chain. */
export function submit(world: World, agent: number): Outcome {
  return beatsSubmit(world.registry, { agent, ...firstBeats(world, agent, SUBMITTED_BEATS) });
}

/** The ways back from a freeze: receipts and proofs, right and wrong. */
export function resyncMoves(world: World, agent: number): Move[] {
  const { registry } = world;
  const at = world.fields.agent(agent);
  const owed = (): number => penaltyBeats(registry, missedAnchors(registry, agent));
  // A change may give a resync a fee and a deposit; nobody pays one of nothing.
  const paid = (): NamedPayment => {
    const lamports = resyncLamports(registry, agent);
    return lamports === 0 ? 'missing' : payment(world, agent, lamports);
  };
  // Nobody computes the beats of a penalty without limit.
  const isPossible = (values: Int32Array): boolean =>
    world.fields.exists(values, agent) &&
    (values[at + F.STATUS] !== FROZEN || penaltyBeats(registry, values[at + F.AGE]!) < Number.MAX_SAFE_INTEGER);
  const again = { isResync: true, isPossible } as const;
  const beats = { ...again, uses: ['beats'] } as const;
  const byReceipt = (cost: Cost, more: number): Outcome => {
    const simulatedBeats = owed() + more;
    const result = resync(registry, { agent, simulatedBeats, payment: paid() }, world.nowMs);
    if (result.ok) cost.beats += result.beatsProven;
    return result.ok ? pay(cost, result) : result;
  };
  const byChallenge = (cost: Cost, more: number): Outcome => {
    const asked = resyncChallenge(registry, { agent }, world.nowMs);
    if (!asked.ok) return asked;
    const proven = Math.max(1, asked.requiredBeats + more);
    const result = resyncProve(
      registry,
      { agent, nonce: asked.nonce, ...firstBeats(world, agent, proven), payment: paid() },
      world.nowMs,
    );
    if (result.ok) cost.beats += proven;
    return result.ok ? pay(cost, result) : result;
  };
  return [
    own(world, agent, 'resync', '', (cost) => byReceipt(cost, 0), { receipt: 'made' }, beats),
    own(world, agent, 'resync', 'with too few beats', (cost) => byReceipt(cost, -1), { receipt: 'short' }, again),
    own(world, agent, 'resync', 'without a receipt', () => resync(registry, { agent }, world.nowMs), {
      receipt: 'none',
    }),
    ...(registry.protocol.parts?.modes?.['resync/challenge'] === false
      ? []
      : [
          own(world, agent, 'resync-challenge', '', (cost) => byChallenge(cost, 0), {}, beats),
          own(
            ...([world, agent, 'resync-challenge', 'with too few beats'] as const),
            (cost) => byChallenge(cost, -1),
            { wrong: 'short' },
            again,
          ),
        ]),
  ];
}
