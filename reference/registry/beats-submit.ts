import type { BeatProof } from '../../spec/endpoints/proof-schemas.js';
import type { BeatCheck } from '../beats/beat.js';
import { checkBeatProof } from '../beats/beat-proof.js';
import { latestHash } from './beat-status.js';
import { type Refusal, refuse } from './refusal.js';
import { FROZEN, REGISTERED, type Registry } from './state.js';

/** A proof, and what the service knows of the anchor that it names. */
export interface ProvenBeats {
  readonly proof: BeatProof;
  /** Hash of the anchor `global_anchor`, while that is one of the latest (D-06). */
  readonly anchorHash: string | undefined;
  /** Recomputes a spot check; absent: here and now. */
  readonly checkBeat?: BeatCheck | undefined;
}

export interface BeatsSubmitInput extends ProvenBeats {
  readonly agent: number;
}

export interface BeatsAccepted {
  readonly ok: true;
  readonly beatsAccepted: number;
  readonly spotChecksVerified: number;
}

/** 4.9: credits a run of beats that continues the agent's chain; they may be spent on spawning. */
export function beatsSubmit(registry: Registry, input: BeatsSubmitInput): BeatsAccepted | Refusal {
  const { agent, proof } = input;
  const { columns, line } = registry.agents;
  if (line.status(agent) === REGISTERED) return refuse('beats-submit/AGENT_NOT_INITIALIZED');
  if (line.status(agent) === FROZEN) return refuse('beats-submit/AGENT_FROZEN');
  if (!continuesChain(registry, agent, proof)) return refuse('beats-submit/CHAIN_MISMATCH');
  const { submitBeatsMax } = registry.protocol.proof;
  if (proof.beats_computed > submitBeatsMax) {
    return refuse('beats-submit/PROOF_INVALID', `${submitBeatsMax} beats are taken at a time`);
  }
  const held = checkChainProof(registry, input);
  if (!held.ok) return refuse('beats-submit/PROOF_INVALID', held.reason);
  extendChain(registry, agent, proof);
  columns.availableBeats[agent] = columns.availableBeats[agent]! + proof.beats_computed;
  return { ok: true, beatsAccepted: proof.beats_computed, spotChecksVerified: held.spotChecksVerified };
}

/** D-07: whether the proof starts where the agent's chain ends. */
export function continuesChain(registry: Registry, agent: number, proof: BeatProof): boolean {
  const { latestBeat } = registry.agents.columns;
  return proof.from_beat === latestBeat[agent] && proof.from_hash === latestHash(registry, agent);
}

/** D-07: whether a proof holds at the difficulty of agents' chains. */
export function checkChainProof({ protocol }: Registry, { proof, anchorHash, checkBeat }: ProvenBeats) {
  return checkBeatProof(proof, { protocol, difficulty: protocol.beat.difficulty, anchorHash, checkBeat });
}

/** D-42: moves the agent's chain on by a proof that holds. */
export function extendChain(registry: Registry, agent: number, proof: BeatProof): void {
  const { columns } = registry.agents;
  columns.latestBeat[agent] = proof.to_beat;
  columns.totalBeats[agent] = columns.totalBeats[agent]! + proof.beats_computed;
  registry.latestHashes.set(agent, proof.to_hash);
}
