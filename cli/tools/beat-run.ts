/**
 * Computes a run of beats for a user who waits, with progress on a terminal. A beat is defined in reference/beats.
 */

import { hash } from 'node:crypto';
import { computeChain, type HashSteps } from '../../reference/beats/beat.js';
import { progressBar } from '../../runs/host/progress.js';
import { fastestKernels, kernelsOf, measureKernels, programs } from '../../sha256/kernels.js';
import type { SpotCheck } from '../../spec/endpoints/proof-schemas.js';

/** A run of beats to compute for a user who waits. */
export interface BeatRun {
  readonly fromBeat: number;
  readonly fromHash: string;
  readonly beats: number;
  readonly difficulty: number;
  readonly anchorHash?: string | undefined;
  /** Indexes of the beats to keep as spot checks. */
  readonly keep: readonly number[];
}

export interface FinishedRun {
  readonly toBeat: number;
  readonly toHash: string;
  readonly checks: readonly SpotCheck[];
  readonly wallSec: number;
  readonly beatsPerSec: number;
}

/** Milliseconds between two updates of the progress bar. */
const REPORT_EVERY_MS = 100;

/** A run of fewer hashes would not win back the time in which the ways to hash are measured. */
const MEASURED_HASHES_MIN = 500_000;

/** The way to hash one chain that is fastest on this machine, by a measurement of some milliseconds. */
export function fastestSteps(): HashSteps {
  const kernels = kernelsOf(hash, programs());
  const { kernel } = fastestKernels(
    kernels,
    measureKernels(kernels, () => performance.now()),
  ).one;
  return (text, steps) => kernel.advance([hash('sha256', text, 'hex')], steps)[0] as string;
}

/** Computes a run of beats. A terminal sees the beats pass, how many a second, and the time left. */
export function computeRun({ fromBeat, fromHash, beats, difficulty, anchorHash, keep }: BeatRun): FinishedRun {
  const checks: SpotCheck[] = [];
  const bar = progressBar('beats', beats);
  const startMs = performance.now();
  const elapsedMs = (): number => performance.now() - startMs;
  const last = fromBeat + beats;
  const steps = beats * (difficulty + 1) < MEASURED_HASHES_MIN ? undefined : fastestSteps();
  let at = { toIndex: fromBeat, toHash: fromHash };
  let slice = 1;
  while (at.toIndex < last) {
    const end = Math.min(at.toIndex + slice, last);
    const indexes = keep.filter((index) => index > at.toIndex && index <= end);
    const run = { fromHash: at.toHash, fromIndex: at.toIndex, beats: end - at.toIndex };
    const { spotChecks, ...reached } = computeChain({ ...run, difficulty, anchorHash, keep: { indexes }, steps });
    checks.push(...spotChecks);
    at = reached;
    const done = at.toIndex - fromBeat;
    const perMs = done / Math.max(elapsedMs(), 1e-3);
    bar.to(done / beats, `${Math.round(perMs * 1_000)} beats/s, ${timeLeft((beats - done) / perMs)} left`);
    slice = Math.max(1, Math.round(perMs * REPORT_EVERY_MS));
  }
  bar.stop();
  const wallSec = elapsedMs() / 1_000;
  return { toBeat: at.toIndex, toHash: at.toHash, checks, wallSec, beatsPerSec: beats / Math.max(wallSec, 1e-6) };
}

function timeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * Which beats of a run to show: `count` of them, spread evenly. The first binds the run to its start, and the last binds
 * it to its end, as D-07 requires.
 */
export function spreadIndexes(fromBeat: number, beats: number, count: number): readonly number[] {
  const shown = Math.min(count, beats);
  if (shown <= 1) return [fromBeat + beats];
  return Array.from({ length: shown }, (_, i) => fromBeat + 1 + Math.floor((i * (beats - 1)) / (shown - 1)));
}
