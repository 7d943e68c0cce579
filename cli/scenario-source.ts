/**
 * Reads a scenario file with its seed and its settings, and names its origin for the results. The schema is in
 * scenarios/.
 */

import { createHash } from 'node:crypto';
import type { Scenario } from '../scenarios/scenario.js';
import { parseScenario } from '../scenarios/schema.js';
import type { CheckpointSource } from '../simulator/modes/checkpoint.js';
import type { RunSource } from '../simulator/run/simulate.js';
import { mergedOverlay, type Overlay, overlayOf, overlaySchema, parseOverlay } from '../spec/overlay.js';
import { changesOf } from '../spec/overlay-changes.js';
import { protocolNumbers } from '../spec/protocol.js';
import { Failure } from './failure.js';
import { packageVersion, parsedOrFail, readText } from './files.js';

/** Numbers of the protocol by their path, as `--set protocol.dms.missedAnchorsMax=90` gives them. */
export type Settings = Readonly<Record<string, number>>;

/** A scenario file that has been read, with the seed and the settings of a run. */
export interface ScenarioSource {
  readonly scenario: Scenario;
  readonly text: string;
  /** The file's name in the results. */
  readonly file: string;
  readonly seed: number;
  /** The settings of the whole run. */
  readonly set: Settings;
}

/** Options of a run besides its file. */
export interface ScenarioOptions {
  readonly seed?: number | undefined;
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
  { seed, set = {}, label: file }: ScenarioOptions & { readonly label: string },
): ScenarioSource {
  const scenario = parsedOrFail(parseScenario(text, file, overlayOfSettings(set)));
  return { scenario, text, file, set, seed: seed === undefined ? scenario.seed : seedOf(seed) };
}

/** The seed of `--seed`, or a Failure. */
export function seedOf(seed: number): number {
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Failure('--seed must be a whole number, 0 or more.');
  return seed;
}

/** Reads `protocol.x=y`, several of them with commas between. Failure for a number that the protocol does not have. */
export function parseSettings(text: string): Settings {
  const settings: Record<string, number> = {};
  for (const part of text.split(',')) {
    const [, path, value] = /^protocol\.([\w.]+)=(-?\d+(?:\.\d+)?)$/.exec(part.trim()) ?? [];
    if (path === undefined || value === undefined) {
      throw new Failure(`--set ${part}: must have the form protocol.dms.missedAnchorsMax=90.`);
    }
    settings[path] = Number(value);
  }
  const parsed = overlaySchema.safeParse(overlayOfSettings(settings));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const keys = issue?.code === 'unrecognized_keys' ? issue.keys : [];
    const path = [...(issue?.path ?? []), ...keys].join('.');
    const message = keys.length > 0 ? `is not a number of the protocol; known: ${knownBeside(path)}` : issue?.message;
    throw new Failure(`--set protocol.${path}: ${message}.`);
  }
  return settings;
}

/** The known names in place of an unknown path: the numbers of its group, or the groups. */
function knownBeside(path: string): string {
  const group = `${path.split('.')[0]}.`;
  const paths = protocolNumbers().map((number) => number.path);
  const within = paths.filter((each) => each.startsWith(group));
  return (within.length > 0 ? within : [...new Set(paths.map((each) => each.split('.')[0]))]).join(', ');
}

/** The numbers of an overlay file, as settings. */
export function settingsOfFile(path: string): Settings {
  return changesOf(parsedOrFail(parseOverlay(readText(path, 'overlay file'), path)));
}

/** The overlay of some settings. */
export function overlayOfSettings(settings: Settings): Overlay {
  return Object.entries(settings).reduce<Overlay>(
    (overlay, [path, value]) => mergedOverlay(overlay, overlayOf(path, value)),
    {},
  );
}

/** Settings as `--set` takes them. */
export function settingsText(settings: Settings): string {
  return Object.entries(settings)
    .map(([path, value]) => `protocol.${path}=${value}`)
    .join(',');
}

/** The origin of a run, as the results show it. */
export function runSourceOf({ file, text, seed, set }: ScenarioSource): RunSource & { readonly command: string } {
  const changed = Object.keys(set).length === 0 ? '' : ` --set ${settingsText(set)}`;
  return {
    source: { file, sha256: createHash('sha256').update(text).digest('hex') },
    versions: { aips_lab: packageVersion(), node: process.versions.node },
    command: `aips simulate ${file} --seed ${seed}${changed}`,
  };
}

/** The origin of a run, as a checkpoint keeps it. */
export function checkpointSourceOf({ file, text, seed, set }: ScenarioSource): CheckpointSource {
  return { file, scenario: text, set, seed, version: packageVersion() };
}
