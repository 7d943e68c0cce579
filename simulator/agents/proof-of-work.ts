/** The time and the hashes that beats cost an agent, and the fate of forged proofs. No hash is computed here. */

import { beatsComputed } from '../../scenarios/behaviours/spawn-policy.js';
import { workDifficulty } from '../../scenarios/behaviours/work-difficulty.js';
import { earn } from '../world/adaptation.js';
import { CAUGHT } from '../world/features.js';
import { ACCEPTED, FORGERY, FORGERY_CAUGHT } from '../world/operations.js';
import { hashesLamports } from '../world/profit.js';
import { hashesPerSecOf } from '../world/traits.js';
import { populationOf, type World } from '../world/world.js';
import { recordEvent } from './calls.js';

/** Whether an agent forges its proofs: it does until one of them is refused. */
export function forges(world: World, agent: number): boolean {
  const { features } = world;
  return features !== null && (features.marks[agent]! & CAUGHT) === 0 && populationOf(world, agent).forges;
}

/** The difficulty that an agent works at now. */
export function difficultyOf(world: World, agent: number): number {
  return workDifficulty(world.registry.protocol, populationOf(world, agent).difficulty);
}

/** Seconds that an agent needs for `beats` beats. A beat costs difficulty + 1 hashes (D-02). */
export function workSec(world: World, agent: number, beats: number): number {
  return Math.max(1, Math.ceil(hashesFor(world, agent, beats) / hashesPerSecOf(world, agent)));
}

function hashesFor(world: World, agent: number, beats: number): number {
  const { proof } = world.registry.protocol;
  return beatsComputed(beats, forges(world, agent), proof.spotChecksMin) * (difficultyOf(world, agent) + 1);
}

/**
 * Submits work to the beats service, and counts its hashes. False: the proof was forged and is refused, because the service
 * names the beats to check. Where the prover picks them a forged proof passes (D-07).
 */
export function submitWork(world: World, agent: number, beats: number): boolean {
  const { agents, cells, features, registry } = world;
  const hashes = hashesFor(world, agent, beats);
  cells.hashes[agents.cell(agent)]! += hashes;
  earn(world, agent, -hashesLamports(hashes, populationOf(world, agent).economics.gigahashLamports));
  if (features === null || !forges(world, agent)) return true;
  const caught = registry.protocol.proof.challengeChecks > 0;
  const what = caught ? FORGERY_CAUGHT : FORGERY;
  features.eventCounts[what]! += 1;
  recordEvent(world, agent, what, ACCEPTED, 0);
  if (caught) features.marks[agent]! |= CAUGHT;
  return !caught;
}
