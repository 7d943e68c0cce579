/** Plays one run from where it is to its end, with checkpoints and a trace, and delivers its result. */

import { withRules } from '../../runs/host/with-rules.js';
import { saveCheckpoint } from '../../runs/simulation/checkpoint-file.js';
import { eventTrace } from '../../runs/simulation/event-trace.js';
import { deliver, exitStatusOf, type Output, warnOfNoEffects, writeTables } from '../../runs/simulation/outputs.js';
import { type Played, playRun } from '../../runs/simulation/play.js';
import { runSourceOf, type ScenarioSource } from '../../runs/simulation/scenario-source.js';
import { agentRows } from '../../simulator/run/agent-rows.js';
import type { Run } from '../../simulator/run/run.js';
import { resultOf } from '../../simulator/run/simulate.js';

/** Where the result of a run goes, and what is written with it. */
interface Delivery extends Output {
  readonly tables: boolean;
  readonly trace?: boolean;
  /** Seconds of protocol time between two checkpoints; infinity: only when the run is interrupted. */
  readonly checkpointSec?: number | undefined;
}

/** Plays a run to its end, and returns the exit status. Checkpoints, trace and tables need a folder. */
export async function playAndDeliver(run: Run, source: ScenarioSource, delivery: Delivery): Promise<number> {
  const { out, tables, checkpointSec } = delivery;
  const trace = delivery.trace && out !== undefined ? eventTrace(out, run.world) : undefined;
  if (trace !== undefined) run.world.observer = trace.observer;
  const save = (at: Run): void => saveCheckpoint(out as string, at, source);
  let played: Played;
  try {
    played = await playRun(run, checkpointSec === undefined ? {} : { checkpoint: { everySec: checkpointSec, save } });
  } finally {
    trace?.close();
  }
  const result = resultOf(run, runSourceOf(source), played);
  if (tables && out !== undefined) writeTables(out, result, () => agentRows(run.world));
  deliver(result, delivery);
  warnOfNoEffects([result.manifest]);
  if (played.interrupted && checkpointSec !== undefined)
    console.error(`interrupted: continue with ${withRules(`aips simulate resume ${out}`)}`);
  return exitStatusOf([result]);
}
