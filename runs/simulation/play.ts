/** Plays a simulation in pieces, so that progress shows and Ctrl-C is heard. The run itself is in simulator/run. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { BehaviourFault } from '../../scenarios/behaviours/own-behaviour.js';
import { InvariantViolation } from '../../simulator/invariants/violation.js';
import { advance, isOver, type Run, stopRun } from '../../simulator/run/run.js';
import { progressOf, type RunCost } from '../../simulator/run/simulate.js';
import { MintLimitReached } from '../../simulator/world/mint.js';
import { totalOperations } from '../../simulator/world/operations.js';
import { changedBuiltIns } from '../behaviours/surroundings.js';
import { Failure } from '../host/failure.js';
import { type Interrupt, interruptOf } from '../host/interrupt.js';
import { progressBar, silentProgress } from '../host/progress.js';

/** Wall time of one piece of a run, about: Ctrl-C is noticed between two pieces. */
const PIECE_MS = 100;
/** The shortest piece, in seconds of protocol time. */
export const PIECE_SEC_MIN = 60;
const PIECE_SEC_MAX = 604_800;

/** Options of playing a run. */
interface Playing {
  /** Up to this second; absent: to the end. */
  readonly untilSec?: number;
  /** Called with the run at every multiple of `everySec`, and when it is interrupted. Infinity: only then. */
  readonly checkpoint?: { readonly everySec: number; readonly save: (run: Run) => void };
  /** Whether no progress is shown: the caller shows its own. */
  readonly quiet?: boolean;
  /** Interrupts the run; absent: Ctrl-C. */
  readonly interrupt?: Pick<Interrupt, 'isRequested'>;
}

/** The cost of a run, and whether it was interrupted. */
export interface Played extends RunCost {
  readonly interrupted: boolean;
}

/**
 * Plays a run to its end or until it is interrupted, and shows progress on a terminal. An interrupted run is sampled where
 * it is. A violated invariant is a Failure that names seed, time and the events before it.
 */
export async function playRun(run: Run, playing: Playing = {}): Promise<Played> {
  const own = playing.interrupt === undefined ? interruptOf() : null;
  const interrupt = playing.interrupt ?? own;
  const bar = playing.quiet === true ? silentProgress : progressBar('simulated', 100);
  const before = { ms: Date.now(), operations: totalOperations(run.world.counts) };
  let interrupted = false;
  try {
    interrupted = await playPieces(run, playing, () => interrupt?.isRequested() ?? false, bar.to);
  } catch (error) {
    if (error instanceof InvariantViolation || error instanceof BehaviourFault) throw new Failure(error.message);
    if (!(error instanceof MintLimitReached)) {
      const changed = changedBuiltIns();
      throw changed === undefined ? error : new Failure(`a behaviour made the run fail: ${changed}`);
    }
    console.error(error.message);
    interrupted = true;
  } finally {
    own?.forget();
    bar.stop();
  }
  const changed = changedBuiltIns();
  if (changed !== undefined) throw new Failure(`a behaviour made the results useless: ${changed}`);
  if (interrupted) stopRun(run);
  return {
    interrupted,
    wallSec: (Date.now() - before.ms) / 1_000,
    peakRssMb: peakRssMb(),
    operations: totalOperations(run.world.counts) - before.operations,
  };
}

/** Returns whether the run was interrupted. */
async function playPieces(
  run: Run,
  { untilSec = run.world.scenario.durationSec, checkpoint }: Playing,
  isInterrupted: () => boolean,
  show: (share: number, what: string) => void,
): Promise<boolean> {
  const { world } = run;
  let pieceSec = PIECE_SEC_MIN;
  while (!isOver(run) && (world.second < untilSec || run.nextSampleSec <= untilSec)) {
    if (isInterrupted()) {
      checkpoint?.save(run);
      return true;
    }
    const pieceMs = Date.now();
    const next = checkpoint === undefined ? untilSec : nextMultiple(world.second, checkpoint.everySec);
    advance(run, Math.min(world.second + pieceSec, next, untilSec));
    if (checkpoint !== undefined && world.second === next) checkpoint.save(run);
    pieceSec = nextPiece(pieceSec, Date.now() - pieceMs);
    const { simulatedMs, totalMs } = progressOf(run);
    show(simulatedMs / totalMs, '');
    await nextTurn();
  }
  return false;
}

function nextMultiple(second: number, every: number): number {
  return every === Number.POSITIVE_INFINITY ? every : (Math.floor(second / every) + 1) * every;
}

/** The length of the next piece, after one that took so long. */
export function nextPiece(pieceSec: number, tookMs: number): number {
  if (tookMs > PIECE_MS) return Math.max(PIECE_SEC_MIN, Math.floor(pieceSec / 2));
  return tookMs < PIECE_MS / 3 ? Math.min(PIECE_SEC_MAX, pieceSec * 2) : pieceSec;
}

/** The peak memory of this process, in megabytes. */
export function peakRssMb(): number {
  return process.resourceUsage().maxRSS / 1_024;
}
