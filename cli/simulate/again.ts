/** `aips simulate again MANIFEST`: plays a published run again from its manifest, and compares the events. It trusts no number in it. */

import { createHash } from 'node:crypto';
import type { Argv, InferredOptionTypes } from 'yargs';
import { shellWord } from '../../reports/text/shell-word.js';
import {
  SIMULATION_SCHEMA,
  type SimulationManifest,
  simulationManifestSchema,
} from '../../results/simulation-result.js';
import { oneLine } from '../../results/visible.js';
import { type OwnBehaviours, requireSameModule } from '../../runs/behaviours/behaviours-file.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { ensureFolder } from '../../runs/host/files.js';
import { readOwnFile } from '../../runs/host/own-file.js';
import { packageVersion } from '../../runs/host/package.js';
import { deliver, type Output, SIMULATION_FILES } from '../../runs/simulation/outputs.js';
import { type Played, playRun } from '../../runs/simulation/play.js';
import { runSourceOf, type ScenarioSource, sourceOfText } from '../../runs/simulation/scenario-source.js';
import { overlayOfSettings } from '../../runs/simulation/settings.js';
import { changeWorldProtocol } from '../../simulator/play/change-protocol.js';
import { type Run, startRun } from '../../simulator/run/run.js';
import { type RunSource, resultOf } from '../../simulator/run/simulate.js';
import type { Command } from '../flags/command.js';
import { behavioursFile, json, out } from '../flags/common-options.js';
import { behavioursOf } from './options.js';

/** The manifest of a run. */
const MANIFEST_FILE = {
  kind: 'manifest',
  what: 'the manifest.json of a simulation',
  format: ['schema', SIMULATION_SCHEMA],
  schema: simulationManifestSchema,
  by: 'aips simulate --out',
} as const;

const options = { ...out, ...json, ...behavioursFile } as const;

/** `aips simulate again MANIFEST`: exit 0 if every event is the same, 1 if not. */
export const againCommand: Command<InferredOptionTypes<typeof options> & { readonly manifest: string }> = {
  builder: (args: Argv) =>
    args
      .positional('manifest', { type: 'string', demandOption: true, describe: 'The manifest.json of a run' })
      .options(options)
      .example('$0 simulate again out/a/manifest.json', 'whether a published run can be reproduced'),
  handler: async ({ manifest, out, json, behaviours }) => {
    if (out !== undefined) ensureFolder(out, SIMULATION_FILES);
    process.exitCode = await playAgain(manifest, { out, json }, await behavioursOf(behaviours));
  },
};

async function playAgain(path: string, output: Output, behaviours?: OwnBehaviours): Promise<number> {
  const manifest = manifestAt(path);
  const source = sourceOf(manifest, path, behaviours);
  const run = startRun(source.scenario, source.seed, behaviours?.byName);
  const played = await playFork(run, manifest);
  if (played.interrupted) throw new Failure('Interrupted: the run was not played to its end.');
  const { fork } = manifest;
  const origin: RunSource = { ...runSourceOf(source), ...(fork === undefined ? {} : { fork }) };
  const result = resultOf(run, origin, played);
  if (output.out !== undefined || output.json) deliver(result, output);
  const { event_hash } = result.manifest;
  const same = event_hash === manifest.event_hash;
  if (!output.json) {
    if (same) console.log(`reproduced: ${event_hash}`);
    else console.log(oneLine(`not reproduced: ${event_hash} where ${manifest.event_hash} was published`));
  }
  if (!same) console.error(oneLine(hint(manifest)));
  return same ? EXIT.clean : EXIT.unclean;
}

function manifestAt(path: string): SimulationManifest {
  return readOwnFile(path, MANIFEST_FILE);
}

/** The scenario of a manifest, from its text. */
function sourceOf(manifest: SimulationManifest, path: string, behaviours: OwnBehaviours | undefined): ScenarioSource {
  const { scenario, seed, resolved, partial } = manifest;
  if (partial) throw new Failure(`${path}: is of a run that was interrupted, which nothing can be compared with.`);
  const { text, file, sha256 } = scenario;
  if (text === undefined)
    throw new Failure(`${path}: does not hold the text of its scenario; it is of an older version.`);
  if (createHash('sha256').update(text).digest('hex') !== sha256) {
    throw new Failure(`${path}: the text of its scenario was changed: it does not have the SHA-256 beside it.`);
  }
  requireSameModule(manifest.behaviours, behaviours, 'the run');
  return sourceOfText(text, { label: file, seed, overlay: resolved.overlay, set: resolved.set, behaviours });
}

/** Plays a run to its end; one that was forked with the numbers of its future from that moment on. */
async function playFork(run: Run, { fork }: SimulationManifest): Promise<Played> {
  if (fork === undefined) return playRun(run);
  const prefix = await playRun(run, { untilSec: fork.at_ms / 1_000 });
  if (prefix.interrupted) return prefix;
  if (Object.keys(fork.set).length > 0) changeWorldProtocol(run.world, overlayOfSettings(fork.set));
  return playRun(run);
}

function hint({ versions }: SimulationManifest): string {
  const here = packageVersion();
  if (versions.aips_lab !== here)
    return `It was played by version ${versions.aips_lab}; this is ${here}. Try: npx ${shellWord(`aips-lab@${versions.aips_lab}`)}`;
  return 'It was played by this very version: the manifest was changed, or the rules were.';
}
