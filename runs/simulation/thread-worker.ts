/**
 * Plays one share of a run's agents, in a worker thread or in the main one. play-threads.ts starts the threads, and
 * puts the parts together.
 */

import { setImmediate as nextTurn, setTimeout as passed } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { InvariantViolation } from '../../simulator/invariants/violation.js';
import { packedRows } from '../../simulator/run/agent-rows.js';
import { type Part, type PartSample, partOf, partSampleOf } from '../../simulator/run/parts.js';
import { advance, isOver, type Run, startRun, stopRun } from '../../simulator/run/run.js';
import { MintLimitReached } from '../../simulator/world/mint.js';
import { shareOf } from '../../simulator/world/share.js';
import { nextPiece, PIECE_SEC_MIN } from './play.js';
import { type ScenarioOptions, sourceOfText } from './scenario-source.js';

/** The input of one thread: the run, which share of it, and the words that all threads share. */
export interface ThreadTask extends ScenarioOptions {
  readonly role: 'share';
  readonly text: string;
  readonly label: string;
  readonly index: number;
  readonly threads: number;
  /** Whether a row for each agent is wanted. */
  readonly agents: boolean;
  readonly state: SharedArrayBuffer;
  readonly fault?: ThreadFault;
}

/**
 * A fault that a test puts into one thread, from a second on: an error, the end of the thread, or a counter that no longer agrees with the
 * agents.
 */
export interface ThreadFault {
  readonly index: number;
  readonly atSec: number;
  readonly kind: 'error' | 'exit' | 'miscount';
}

/** A message of a thread: what it has played, its part at the end, or why the run has to be played in one thread. */
export type ThreadMessage =
  | { readonly kind: 'played'; readonly samples: readonly PartSample[]; readonly minted: number }
  | { readonly kind: 'part'; readonly part: Part; readonly agents: Float64Array | null }
  | { readonly kind: 'alone'; readonly reason: string; readonly violation: boolean };

/** The words: an order to all threads, how many have come to rest, and the second of each. */
const ORDER = 0;
const RESTING = 1;
const SECONDS = 2;

/** Orders: play on; stop all at one second, since the run is interrupted; give up. */
const PLAY_ON = 0;
const MEET = 1;
const GIVE_UP = 2;

/** Milliseconds between two looks at what other threads do. */
const LOOK_MS = 2;
/** How many pieces a thread may be ahead of another before it waits, so that an interrupted run ends soon. */
const LEAD_PIECES = 10;

/** The initial state that threads share. */
export function threadState(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer((SECONDS + threads) * Int32Array.BYTES_PER_ELEMENT);
}

/** Asks all threads to stop at one second: that of the one that is farthest. */
export function askToMeet(state: SharedArrayBuffer): void {
  Atomics.compareExchange(new Int32Array(state), ORDER, PLAY_ON, MEET);
}

/** Asks all threads to end without a part. */
export function askToGiveUp(state: SharedArrayBuffer): void {
  Atomics.store(new Int32Array(state), ORDER, GIVE_UP);
}

/** The second of the thread that is farthest behind. */
export function leastSecond(state: SharedArrayBuffer): number {
  return Math.min(...new Int32Array(state).subarray(SECONDS));
}

/** Plays a share to its end or until the threads are asked to stop. It is the same in every thread. */
export async function playShare(task: ThreadTask, post: (message: ThreadMessage) => void): Promise<void> {
  const { text, label, overlay, set, seed, index, threads } = task;
  const source = sourceOfText(text, { label, overlay, set, seed });
  const run = startRun(source.scenario, source.seed, undefined, shareOf(index, threads));
  try {
    if (!(await playPieces(run, task, post))) return;
  } catch (error) {
    // In one thread it happens too, after the same events as always, and is reported with all that led to it.
    if (!(error instanceof InvariantViolation || error instanceof MintLimitReached)) throw error;
    post({ kind: 'alone', reason: error.message, violation: error instanceof InvariantViolation });
    return;
  }
  post({ kind: 'part', part: partOf(run), agents: task.agents ? packedRows(run.world) : null });
}

/** Returns whether there is a part: the threads have not given up. */
async function playPieces(run: Run, task: ThreadTask, post: (message: ThreadMessage) => void): Promise<boolean> {
  const words = new Int32Array(task.state);
  const { world } = run;
  let samples: PartSample[] = [];
  run.onSample = () => samples.push(partSampleOf(run));
  const tell = (): void => {
    Atomics.store(words, SECONDS + task.index, world.second);
    const { mintedLamports: minted } = world.ledger;
    post({ kind: 'played', samples, minted });
    samples = [];
  };
  let pieceSec = PIECE_SEC_MIN;
  while (!isOver(run)) {
    const order = Atomics.load(words, ORDER);
    if (order === GIVE_UP) return false;
    if (order === MEET) break;
    if (world.second - leastSecond(task.state) > LEAD_PIECES * pieceSec) {
      await passed(LOOK_MS);
      continue;
    }
    if (task.fault?.index === task.index && world.second >= task.fault.atSec) commit(task.fault, run);
    const pieceMs = Date.now();
    advance(run, world.second + pieceSec);
    pieceSec = nextPiece(pieceSec, Date.now() - pieceMs);
    tell();
    await nextTurn();
  }
  Atomics.add(words, RESTING, 1);
  while (Atomics.load(words, ORDER) !== GIVE_UP) {
    if (Atomics.load(words, RESTING) === task.threads) {
      await finish(run, Math.max(...words.subarray(SECONDS)));
      tell();
      return true;
    }
    if (isOver(run) && Atomics.load(words, ORDER) === PLAY_ON) return true;
    await passed(LOOK_MS);
  }
  return false;
}

function commit({ kind }: ThreadFault, { world }: Run): void {
  if (kind === 'error') throw new Error('this thread was made to fail');
  if (kind === 'exit') process.exit(3);
  world.cells.live[0]! += 1;
}

/** Plays on to the second at which all threads meet, and samples it. */
async function finish(run: Run, untilSec: number): Promise<void> {
  while (run.world.second < untilSec) {
    advance(run, Math.min(run.world.second + PIECE_SEC_MIN, untilSec));
    await nextTurn();
  }
  if (!isOver(run)) stopRun(run);
}

const given = workerData as ThreadTask | null;
if (parentPort !== null && given?.role === 'share') {
  const port = parentPort;
  await playShare(given, (message) => port.postMessage(message));
}
