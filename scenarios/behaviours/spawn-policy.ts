/** Which children a parent wants, and how it sponsors them. Prices and caps are the registry's rules (4.8, 4.13). */

import type { DurationDistribution } from './duration.js';

/** The limits of a policy that names none. */
export const CHILDREN_MAX = 10_000;
export const DEPTH_MAX = 1_000;
export const BEATS_MAX = Number.MAX_SAFE_INTEGER;
/** The time in which a sponsor answers, unless its policy says another. */
export const ANSWER_SEC = 600;

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

/**
 * The limits of a policy that keep a parent from another child at this price, by their names in a scenario; empty if it wants another. Prices
 * only grow, so a parent that declines once never spawns again.
 */
export function limitsReached(
  { childrenMax, depthMax, beatsMax }: SpawnPolicy,
  { requiredBeats, depth, children }: SpawnView,
): readonly ('children_max' | 'depth_max' | 'beats_max')[] {
  const reached = {
    children_max: children >= childrenMax,
    depth_max: depth >= depthMax,
    beats_max: requiredBeats > beatsMax,
  };
  return (['children_max', 'depth_max', 'beats_max'] as const).filter((name) => reached[name]);
}

/**
 * The beats that are computed for a proof of `beats`: a forger computes only the spot checks, which it picks itself
 * (D-07).
 */
export function beatsComputed(beats: number, forges: boolean, spotChecksMin: number): number {
  return forges ? Math.min(beats, spotChecksMin) : beats;
}
