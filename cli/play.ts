import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvariantViolation } from '../simulator/invariants.js';
import { advance, isOver, type Run, stopRun } from '../simulator/run.js';
import { progressOf, type RunCost } from '../simulator/simulate.js';
import { Failure } from './failure.js';
import { progressBar } from './progress.js';

/** A run is played in pieces about this long, so that Ctrl-C is heard between two of them. */
const PIECE_MS = 100;
const PIECE_SEC_MIN = 60;
const PIECE_SEC_MAX = 604_800;

/** What is to be done while a run is played. */
export interface Playing {
  /** Up to this second; absent: to the end. */
  readonly untilSec?: number;
  /** Called with the run at every multiple of so many seconds. */
  readonly checkpoint?: { readonly everySec: number; readonly save: (run: Run) => void };
  /** Called after each piece. */
  readonly afterPiece?: () => void;
}

/** How a run was played: what it cost, and whether somebody broke it off. */
export interface Played extends RunCost {
  readonly interrupted: boolean;
}

/** Whether Ctrl-C was pressed since this was made. A second one ends the process as ever. */
export function interruptOf(): { readonly isRequested: () => boolean; readonly forget: () => void } {
  let requested = false;
  const note = (): void => {
    requested = true;
  };
  process.once('SIGINT', note);
  return { isRequested: () => requested, forget: () => process.removeListener('SIGINT', note) };
}

/**
 * Plays a run to its end or until Ctrl-C, and shows its progress on a terminal. A run that was broken off is sampled where it
 * stands. A violated invariant is a Failure that tells seed, moment and what led to it.
 */
export async function playRun(run: Run, playing: Playing = {}): Promise<Played> {
  const { untilSec = run.world.scenario.durationSec, checkpoint, afterPiece } = playing;
  const interrupt = interruptOf();
  const bar = progressBar('simulated', 100);
  const startedMs = Date.now();
  let pieceSec = PIECE_SEC_MIN;
  const { world } = run;
  try {
    while (!isOver(run) && (world.second < untilSec || run.nextSampleSec <= untilSec) && !interrupt.isRequested()) {
      const pieceMs = Date.now();
      const next = checkpoint === undefined ? untilSec : nextMultiple(world.second, checkpoint.everySec);
      advance(run, Math.min(world.second + pieceSec, next, untilSec));
      if (checkpoint !== undefined && world.second === next) checkpoint.save(run);
      pieceSec = nextPiece(pieceSec, Date.now() - pieceMs);
      afterPiece?.();
      const { simulatedMs, totalMs } = progressOf(run);
      bar.to(simulatedMs / totalMs, '');
      await nextTurn();
    }
    const interrupted = interrupt.isRequested() && !isOver(run);
    if (interrupted) {
      checkpoint?.save(run);
      stopRun(run);
      afterPiece?.();
    }
    return { interrupted, wallSec: (Date.now() - startedMs) / 1_000, peakRssMb: peakRssMb() };
  } catch (error) {
    throw error instanceof InvariantViolation ? new Failure(error.message) : error;
  } finally {
    interrupt.forget();
    bar.stop();
  }
}

function nextMultiple(second: number, every: number): number {
  return (Math.floor(second / every) + 1) * every;
}

function nextPiece(pieceSec: number, tookMs: number): number {
  if (tookMs > PIECE_MS) return Math.max(PIECE_SEC_MIN, Math.floor(pieceSec / 2));
  return tookMs < PIECE_MS / 3 ? Math.min(PIECE_SEC_MAX, pieceSec * 2) : pieceSec;
}

/** The most memory that this process has ever held, in megabytes. */
function peakRssMb(): number {
  return process.resourceUsage().maxRSS / 1_024;
}
