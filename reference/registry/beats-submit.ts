/**
 * Crediting of submitted beats (4.9, D-42), and the parts of it that resync by challenge shares. The proof itself is
 * checked in beats/beat-proof.ts.
 */

import type { BeatProof } from '../../spec/endpoints/proof-schemas.js';
import type { BeatCheck } from '../beats/beat.js';
import { checkBeatProof } from '../beats/beat-proof.js';
import { latestHash } from './beat-status.js';
import { type Refusal, refuse } from './refusal.js';
import { FROZEN, REGISTERED, type Registry } from './state.js';

/** A beat proof, and the hash of the anchor that it names. */
export interface ProvenBeats {
  readonly proof: BeatProof;
  /** Hash of the anchor `global_anchor` if it is one of the latest (D-06); otherwise undefined. */
  readonly anchorHash: string | undefined;
  /** Checks the hash of a spot check; absent: it is recomputed at once. */
  readonly checkBeat?: BeatCheck | undefined;
}

interface BeatsSubmitInput extends ProvenBeats {
  readonly agent: number;
}

interface BeatsAccepted {
  readonly ok: true;
  readonly beatsAccepted: number;
  readonly spotChecksVerified: number;
}

/** 4.9: credits a run of beats that continues the agent's chain. Credited beats can be spent on spawning. */
export function beatsSubmit(registry: Registry, input: BeatsSubmitInput): BeatsAccepted | Refusal {
  const { agent, proof } = input;
  const { columns, line } = registry.agents;
  if (line.status(agent) === REGISTERED) return refuse('beats-submit/AGENT_NOT_INITIALIZED');
  if (line.status(agent) === FROZEN) return refuse('beats-submit/AGENT_FROZEN');
  if (!continuesChain(registry, agent, proof)) return refuse('beats-submit/CHAIN_MISMATCH');
  const { submitBeatsMax } = registry.protocol.proof;
  if (proof.beats_computed > submitBeatsMax) {
    return refuse('beats-submit/PROOF_INVALID', `a call takes at most ${submitBeatsMax} beats`);
  }
  const held = checkChainProof(registry, input);
  if (!held.ok) return refuse('beats-submit/PROOF_INVALID', held.reason);
  extendChain(registry, agent, proof);
  columns.availableBeats[agent] = columns.availableBeats[agent]! + proof.beats_computed;
  return { ok: true, beatsAccepted: proof.beats_computed, spotChecksVerified: held.spotChecksVerified };
}

/** D-07: whether the proof starts at the latest beat of the agent's chain. */
export function continuesChain(registry: Registry, agent: number, proof: BeatProof): boolean {
  const { latestBeat } = registry.agents.columns;
  return proof.from_beat === latestBeat[agent] && proof.from_hash === latestHash(registry, agent);
}

/** D-07: checks a proof at the difficulty of agents' chains. */
export function checkChainProof({ protocol }: Registry, { proof, anchorHash, checkBeat }: ProvenBeats) {
  return checkBeatProof(proof, { protocol, difficulty: protocol.beat.difficulty, anchorHash, checkBeat });
}

/** D-42: extends the agent's chain by a valid proof. */
export function extendChain(registry: Registry, agent: number, proof: BeatProof): void {
  const { columns } = registry.agents;
  columns.latestBeat[agent] = proof.to_beat;
  columns.totalBeats[agent] = columns.totalBeats[agent]! + proof.beats_computed;
  registry.latestHashes.set(agent, proof.to_hash);
}
