/**
 * Reads a scenario file with its seed and its settings, and names its origin for the results. The schema is in
 * scenarios/.
 */

import { createHash } from 'node:crypto';
import type { Scenario } from '../../scenarios/scenario.js';
import type { CheckpointSource } from '../../simulator/modes/checkpoint.js';
import type { OverlayNumbers, RunSource, Settings } from '../../simulator/run/simulate.js';
import { problemIn } from '../../spec/document.js';
import { didYouMean } from '../../spec/nearest-name.js';
import { type OwnBehaviours, originOf } from '../behaviours/behaviours-file.js';
import { Failure } from '../host/failure.js';
import { parsedOrFail } from '../host/files.js';
import { packageVersion } from '../host/package.js';
import { withRules } from '../host/with-rules.js';
import { readScenarioText } from './scenario-text.js';
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
  /** The user's own behaviours, if the run was given any. */
  readonly behaviours: OwnBehaviours | undefined;
}

/** Options of a run besides its file. */
export interface ScenarioOptions {
  readonly seed?: number | undefined;
  readonly overlay?: OverlayNumbers | null | undefined;
  readonly set?: Settings | undefined;
  /** The user's own behaviours. A scenario that needs one which is not there is a Failure. */
  readonly behaviours?: OwnBehaviours | undefined;
  /** The name of the file in the results; absent: its path. */
  readonly label?: string | undefined;
}

/** Reads a scenario file. A mistake is a Failure with line, key and what is allowed. */
export async function scenarioSource(path: string, options: ScenarioOptions = {}): Promise<ScenarioSource> {
  return sourceOfText(await readScenarioText(path), { ...options, label: options.label ?? path });
}

/** The same for a text that has been read. */
export function sourceOfText(
  text: string,
  { seed, overlay = null, set = {}, behaviours, label: file }: ScenarioOptions & { readonly label: string },
): ScenarioSource {
  const scenario = scenarioUnder(text, file, { overlay, set });
  refuseMissingBehaviours(scenario, { file, text }, behaviours);
  refuseUnusedBehaviours([scenario], file, behaviours);
  return { scenario, text, file, overlay, set, behaviours, seed: seed === undefined ? scenario.seed : seedOf(seed) };
}

/** Throws a Failure for a module of behaviours of which no population of these scenarios has one. */
export function refuseUnusedBehaviours(scenarios: readonly Scenario[], file: string, given?: OwnBehaviours): void {
  if (given === undefined) return;
  if (scenarios.some(({ populations }) => populations.some(({ heartbeat }) => heartbeat.policy === 'own'))) return;
  throw new Failure(`${file}: no population has heartbeat: { policy: own }: leave out --behaviours.`);
}

/** Throws a Failure for a scenario that names a behaviour which is not among these, with its line and key. */
export function refuseMissingBehaviours(
  { populations }: Scenario,
  { file, text }: { readonly file: string; readonly text: string },
  given?: OwnBehaviours,
): void {
  const problems = populations.flatMap(({ heartbeat }, i) => {
    if (heartbeat.policy !== 'own' || given?.byName.has(heartbeat.behaviour)) return [];
    const { behaviour } = heartbeat;
    const known = [...(given?.byName.keys() ?? [])];
    const how =
      given === undefined
        ? 'name its module with --behaviours, which aips simulate and aips experiment sweep take'
        : `${given.file} has ${known.join(', ')}${didYouMean(behaviour, known)}`;
    const path = ['populations', i, 'heartbeat', 'behaviour'];
    return [problemIn(text, file, path, `needs the behaviour ${behaviour}: ${how}`)];
  });
  if (problems.length > 0) parsedOrFail({ ok: false, problems });
}

/** The seed of `--seed`, or a Failure. */
function seedOf(seed: number): number {
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Failure('--seed must be a whole number, 0 or more.');
  return seed;
}

/** The origin of a run, as the results show it. */
export function runSourceOf(source: ScenarioSource): RunSource & { readonly command: string } {
  const { file, text, seed, overlay, set, behaviours } = source;
  // A flag sets numbers alone.
  const isFile = overlay?.formulas !== undefined;
  const changes = isFile ? set : { ...overlay?.numbers, ...set };
  const named = isFile ? ` --protocol ${overlay.file}` : '';
  const changed = named + (Object.keys(changes).length === 0 ? '' : ` --set ${settingsText(changes)}`);
  const own = behaviours === undefined ? '' : ` --behaviours ${behaviours.file}`;
  return {
    source: { file, sha256: createHash('sha256').update(text).digest('hex'), text },
    versions: { aips_lab: packageVersion(), node: process.versions.node },
    settings: { overlay, set },
    ...(behaviours === undefined ? {} : { behaviours: originOf(behaviours) }),
    command: withRules(`aips simulate ${file} --seed ${seed}${changed}${own}`),
  };
}

/** The origin of a run, as a checkpoint keeps it. */
export function checkpointSourceOf({ file, text, seed, overlay, set, behaviours }: ScenarioSource): CheckpointSource {
  const own = behaviours === undefined ? {} : { behaviours: originOf(behaviours) };
  return { file, scenario: text, overlay, set, seed, version: packageVersion(), ...own };
}
