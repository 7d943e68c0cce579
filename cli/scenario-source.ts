/**
 * Reads a scenario file with its seed and its settings, and names its origin for the results. The schema is in
 * scenarios/.
 */

import { createHash } from 'node:crypto';
import type { Scenario } from '../scenarios/scenario.js';
import type { CheckpointSource } from '../simulator/modes/checkpoint.js';
import type { OverlayNumbers, RunSource, Settings } from '../simulator/run/simulate.js';
import { Failure } from './failure.js';
import { readText } from './files.js';
import { packageVersion } from './package.js';
import { scenarioUnder, settingsText } from './settings.js';

/** A scenario file that has been read, with the seed and the settings of a run. */
export interface ScenarioSource {
  readonly scenario: Scenario;
  readonly text: string;
  /** The file's name in the results. */
  readonly file: string;
  readonly seed: number;
  /** The overlay file of `--protocol`, and the settings of `--set` over it. */
  readonly overlay: OverlayNumbers | null;
  readonly set: Settings;
}

/** Options of a run besides its file. */
export interface ScenarioOptions {
  readonly seed?: number | undefined;
  readonly overlay?: OverlayNumbers | null | undefined;
  readonly set?: Settings | undefined;
  /** The name of the file in the results; absent: its path. */
  readonly label?: string | undefined;
}

/** Reads a scenario file. A mistake is a Failure with line, key and what is allowed. */
export function scenarioSource(path: string, options: ScenarioOptions = {}): ScenarioSource {
  return sourceOfText(readText(path, 'scenario file'), { ...options, label: options.label ?? path });
}

/** The same for a text that has been read. */
export function sourceOfText(
  text: string,
  { seed, overlay = null, set = {}, label: file }: ScenarioOptions & { readonly label: string },
): ScenarioSource {
  const scenario = scenarioUnder(text, file, { overlay, set });
  return { scenario, text, file, overlay, set, seed: seed === undefined ? scenario.seed : seedOf(seed) };
}

/** The seed of `--seed`, or a Failure. */
export function seedOf(seed: number): number {
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Failure('--seed must be a whole number, 0 or more.');
  return seed;
}

/** The origin of a run, as the results show it. */
export function runSourceOf(source: ScenarioSource): RunSource & { readonly command: string } {
  const { file, text, seed, overlay, set } = source;
  const changes = { ...overlay?.numbers, ...set };
  const changed = Object.keys(changes).length === 0 ? '' : ` --set ${settingsText(changes)}`;
  return {
    source: { file, sha256: createHash('sha256').update(text).digest('hex') },
    versions: { aips_lab: packageVersion(), node: process.versions.node },
    settings: { overlay, set },
    command: `aips simulate ${file} --seed ${seed}${changed}`,
  };
}

/** The origin of a run, as a checkpoint keeps it. */
export function checkpointSourceOf({ file, text, seed, overlay, set }: ScenarioSource): CheckpointSource {
  return { file, scenario: text, overlay, set, seed, version: packageVersion() };
}
