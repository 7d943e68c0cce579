/** `aips spec explore`: every state of a small world under the specification or a change of it. The search is in explore/. */

import type { Argv, CommandModule } from 'yargs';
import { dotOf } from '../../explore/dot.js';
import { type Withheld, withheld } from '../../explore/move.js';
import { outsideSmallWorld } from '../../explore/small-numbers.js';
import { exploreConsole, exploreJson, exploreMarkdown } from '../../reports/specification/explore-text.js';
import { specCheckSarif } from '../../reports/specification/spec-check-sarif.js';
import { type ExploredScript, type ExploreResult, EXPLORE_FILES as FILES } from '../../results/explore-result.js';
import type { CheckStep } from '../../results/spec-check-result.js';
import { EXIT, Failure } from '../../runs/host/failure.js';
import { ensureFolder, writeFiles } from '../../runs/host/files.js';
import { packageVersion } from '../../runs/host/package.js';
import { sourceLines } from '../../runs/host/source-lines.js';
import { overlayOfSettings } from '../../runs/simulation/settings.js';
import { exploredSide } from '../../runs/specification/explore.js';
import { exploreDifferences, smallWorldStep } from '../../runs/specification/explore-difference.js';
import { PRESENT, presentSide, type SpecSide } from '../../runs/specification/spec-side.js';
import { changedNumbers, changedParts } from '../../spec/change.js';
import { fileOfOverlay } from '../../spec/overlay.js';
import { type Protocol, protocol } from '../../spec/protocol.js';
import { json, out } from '../flags/common-options.js';
import { requireWhole } from '../flags/option-values.js';
import { changeArgument, isFile, sideOf } from './side.js';

interface Flags {
  readonly overlay: string;
  readonly agents: 2 | 3;
  readonly states: number | undefined;
  readonly scale: 1 | 2;
  readonly quick: boolean;
  readonly without: readonly Withheld[] | undefined;
  readonly json: boolean;
  readonly out: string | undefined;
}

/** With three agents the search is bounded, since their world is too large. */
const STATES_OF_THREE = 300_000;

/** `aips spec explore [overlay]`: exit 0; 1 if an invariant is broken, or a change brings a trap. */
export const exploreCommand: CommandModule<object, Flags> = {
  command: 'explore [overlay]',
  describe: 'Play every state of a small world: traps, dead errors, invariants, each with the shortest script',
  builder: (args: Argv) =>
    args
      .positional('overlay', changeArgument)
      .option('agents', { choices: [2, 3] as const, default: 2 as const, describe: 'A root with one child or two' })
      .option('states', { type: 'number', describe: 'Stop after this many states; the rest is open' })
      .option('scale', {
        choices: [1, 2] as const,
        default: 1 as const,
        describe: 'Anchors that the minimum interval takes: no verdict should depend on it',
      })
      .option('without', {
        choices: withheld,
        array: true,
        describe: 'Parts of the service to withhold from the way back, each by itself',
      })
      .option('quick', {
        type: 'boolean',
        default: false,
        describe: 'Without complaints and revocations: a few seconds',
      })
      .options({ ...out, ...json })
      .example('$0 spec explore', 'the specification as it stands')
      .example('$0 spec explore change.yaml --out out', 'a change, with its scripts as files'),
  handler: ({ overlay, agents, states, scale, quick, without = [], json, out }) => {
    if (states !== undefined) requireWhole(states, '--states');
    if (states === 0) throw new Failure('--states must be at least 1.');
    if (out !== undefined) ensureFolder(out, Object.values(FILES));
    const statesMax = states ?? (agents === 3 ? STATES_OF_THREE : undefined);
    const options = { agents, statesMax, scale, quick, without, toolVersion: packageVersion() };
    const side = sideOf(overlay);
    const outside = outsideSmallWorld(side.protocol);
    if (outside !== undefined) throw new Failure(`${side.name}: cannot be explored: ${outside}.`);
    const { answers, graph } = exploredSide(side, options);
    const result =
      overlay === PRESENT
        ? answers
        : { ...answers, differences: exploreDifferences(exploredSide(presentSide(), options), { answers, graph }) };
    const step = smallWorldStep(result);
    const isBroken = result.invariants.some(({ broken }) => broken !== undefined);
    const exit_status = isBroken || step.faults.length > 0 ? EXIT.unclean : EXIT.clean;
    if (out !== undefined)
      writeFiles(out, {
        ...filesOf(result, graph.world.registry.protocol),
        [FILES.dot]: dotOf(graph),
        ...sarifOf(overlay, side, step, exit_status),
      });
    console.log(json ? exploreJson(result).trimEnd() : exploreConsole(result));
    process.exitCode = exit_status;
  },
};

/** The differences of a change at its lines. */
function sarifOf(
  overlay: string,
  side: SpecSide,
  step: CheckStep,
  exit_status: 0 | 1,
): Readonly<Record<string, string>> {
  const numbers = [...changedNumbers(protocol, side.protocol), ...changedParts(protocol, side.protocol)];
  const lines = isFile(overlay)
    ? sourceLines(
        overlay,
        numbers.map(({ path }) => path),
      )
    : [];
  const judged = { steps: [step], stale: [], tool_version: packageVersion(), exit_status };
  return { [FILES.sarif]: specCheckSarif(judged, lines) };
}

/** The files of a result: the answers, the small numbers and the parts of a change as an overlay, and each script. */
function filesOf(result: ExploreResult, { parts }: Protocol): Readonly<Record<string, string>> {
  const { invariants, goals, without, world, races, rows, transitions, prices, differences = [] } = result;
  const numbers = { ...overlayOfSettings(world.numbers), ...(parts === undefined ? {} : { parts }) };
  const scripts: ExploredScript[] = [
    ...invariants.flatMap(({ broken }) => (broken === undefined ? [] : [broken])),
    ...[...goals, ...without.flatMap(({ goals: left }) => left)].flatMap(({ traps }) =>
      traps.map(({ script }) => script),
    ),
    ...races.map(({ script }) => script),
    ...[rows, transitions].flatMap((steps) => Object.values(steps.scripts)),
    ...prices.flatMap(({ best, worst }) => [...best, ...worst].map(({ script }) => script)),
    ...differences.flatMap(({ script }) => (script === undefined ? [] : [script])),
  ];
  return {
    [FILES.json]: exploreJson(result),
    [FILES.summary]: exploreMarkdown(result),
    [FILES.numbers]: `${JSON.stringify(fileOfOverlay(numbers), null, 2)}\n`,
    ...Object.fromEntries(
      scripts.map(({ name, moves, sequence }) => [
        `scripts/${name}.json`,
        `${JSON.stringify({ version: 1, message: moves.join('; '), sequence }, null, 2)}\n`,
      ]),
    ),
  };
}
