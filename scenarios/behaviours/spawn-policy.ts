/** Which children a parent wants, and how it sponsors them. Prices and caps are the registry's rules (4.8, 4.13). */

import type { DurationDistribution } from './duration.js';

/** A policy of making children. */
export interface SpawnPolicy {
  /** The population that its children belong to. */
  readonly into: string;
  /** The wait before each child. */
  readonly every: DurationDistribution;
  readonly childrenMax: number;
  /** The greatest depth of a wanted child; roots have depth 0. */
  readonly depthMax: number;
  /** The highest price of a wanted child, in beats. */
  readonly beatsMax: number;
  /** Null: it sponsors no children. */
  readonly sponsor: SponsorPolicy | null;
}

/** The terms on which a parent sponsors its children. */
export interface SponsorPolicy {
  /** The most heartbeats that it pays in each epoch. */
  readonly heartbeatsEpochMax: number;
  /** Null: no expiry. */
  readonly expiresInHours: number | null;
  /** How many generations of its descendants it sponsors; 1: its own children. */
  readonly generations: number;
  /** Whether it renews when a child asks, and how long that takes. */
  readonly renew: boolean;
  readonly answerSec: number;
}

/** The answer to a probe (4.8), with the parent's depth and children. */
export interface SpawnView {
  readonly requiredBeats: number;
  readonly depth: number;
  readonly children: number;
}

/** Whether a parent wants another child at this price. Prices only grow, so a parent that declines is done. */
export function wantsChild(policy: SpawnPolicy, { requiredBeats, depth, children }: SpawnView): boolean {
  return children < policy.childrenMax && depth + 1 <= policy.depthMax && requiredBeats <= policy.beatsMax;
}

/**
 * The beats that are computed for a proof of `beats`: a forger computes only the spot checks, which it picks itself
 * (D-07).
 */
export function beatsComputed(beats: number, forges: boolean, spotChecksMin: number): number {
  return forges ? Math.min(beats, spotChecksMin) : beats;
}
