import type { DurationDistribution } from './outage.js';

/** How an agent makes children. */
export interface SpawnPolicy {
  /** The population that its children belong to. */
  readonly into: string;
  /** How long it waits before a child and after it. */
  readonly every: DurationDistribution;
  readonly childrenMax: number;
  /** Children deeper than this are not wanted; roots have depth 0. */
  readonly depthMax: number;
  /** A child that costs more beats than this is not wanted. */
  readonly beatsMax: number;
  /** Null: its children pay for themselves. */
  readonly sponsor: SponsorPolicy | null;
}

/** What an agent promises a child that it has made. */
export interface SponsorPolicy {
  /** Heartbeats that it pays in each epoch. */
  readonly heartbeatsEpochMax: number;
  /** Null: without end. */
  readonly expiresInHours: number | null;
  /** Whether it promises anew when a child asks for it, and how long that takes. */
  readonly renew: boolean;
  readonly answerSec: number;
}

/** What a probing call told the parent (4.8). */
export interface SpawnView {
  readonly requiredBeats: number;
  readonly depth: number;
  readonly children: number;
}

/** Whether a parent wants another child at this price. Costs grow with depth and siblings, so a no stays one. */
export function wantsChild(policy: SpawnPolicy, { requiredBeats, depth, children }: SpawnView): boolean {
  return children < policy.childrenMax && depth + 1 <= policy.depthMax && requiredBeats <= policy.beatsMax;
}

/** Beats that somebody computes who has to show `beats`: a forger shows three of its own choosing for any number (D-07). */
export function beatsComputed(beats: number, forges: boolean, spotChecksMin: number): number {
  return forges ? Math.min(beats, spotChecksMin) : beats;
}
