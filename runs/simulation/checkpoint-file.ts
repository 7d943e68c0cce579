/**
 * Keeps the checkpoint of a simulation in the folder of its results, and reads it back. Its bytes are made in
 * simulator/modes/checkpoint.ts.
 */

import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { checkpointOf, type ReadCheckpoint, readCheckpoint, restoreRun } from '../../simulator/modes/checkpoint.js';
import type { Run } from '../../simulator/run/run.js';
import { type OwnBehaviours, requireSameModule } from '../behaviours/behaviours-file.js';
import { Failure } from '../host/failure.js';
import { readBytes, writeFiles } from '../host/files.js';
import { packageVersion } from '../host/package.js';
import { checkpointSourceOf, type ScenarioSource, sourceOfText } from './scenario-source.js';

/** The file of a run's latest checkpoint in the folder of its results. */
const NAME = 'checkpoint.bin';

/** Writes the checkpoint of a run: under another name first, so that an earlier one stays until the new one is complete. */
export function saveCheckpoint(folder: string, run: Run, source: ScenarioSource): void {
  const path = join(folder, NAME);
  writeFiles(folder, { [`${NAME}.new`]: checkpointOf(run, checkpointSourceOf(source)) });
  renameSync(`${path}.new`, path);
}

/** The run whose latest checkpoint lies in a folder. Failure when there is none, it is damaged or of another version. */
export function loadCheckpoint(
  folder: string,
  behaviours?: OwnBehaviours,
): { readonly run: Run; readonly source: ScenarioSource } {
  const path = join(folder, NAME);
  if (!existsSync(path)) {
    throw new Failure(`${folder}: holds no ${NAME}. Give the folder of a run that was started with --checkpoint.`);
  }
  const read: ReadCheckpoint = readCheckpoint(readBytes(path, 'checkpoint'));
  if (!read.ok)
    throw new Failure(`${path}: cannot be continued: ${read.reason}. Start the run again from its scenario.`);
  const { file, scenario: text, seed, overlay, set, version } = read.source;
  if (version !== packageVersion()) {
    throw new Failure(
      `${path}: was written by version ${version}, and this is ${packageVersion()}. Start the run again from its scenario.`,
    );
  }
  requireSameModule(read.source.behaviours, behaviours, 'the run');
  const source = sourceOfText(text, { seed, overlay, set, label: file, behaviours });
  return { run: restoreRun(source.scenario, seed, read.state, behaviours?.byName), source };
}
