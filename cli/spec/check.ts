/** `aips spec check`: judges a change of the specification, for CI: one summary, one exit status. */

import type { Argv, CommandModule } from 'yargs';
import { allChecks } from '../../conformance/checks/index.js';
import { selectChecks } from '../../conformance/run/select.js';
import { countText } from '../../reports/numbers.js';
import type { PathLine } from '../../reports/source-line.js';
import { type CheckStep, SPEC_CHECK_SCHEMA, type SpecCheck } from '../../reports/spec-check-result.js';
import { specCheckAnnotations, specCheckSarif } from '../../reports/spec-check-sarif.js';
import { specCheckConsole, specCheckJson, specCheckMarkdown, stepFails } from '../../reports/spec-check-text.js';
import { Failure } from '../../runs/host/failure.js';
import { ensureFolder, writeFiles } from '../../runs/host/files.js';
import { interruptOf } from '../../runs/host/interrupt.js';
import { packageVersion } from '../../runs/host/package.js';
import { progressBar } from '../../runs/host/progress.js';
import { sourceLines } from '../../runs/host/source-lines.js';
import { compareSpecs, effectOptions } from '../../runs/specification/compare.js';
import { effectPlan } from '../../runs/specification/effects.js';
import { PRESENT } from '../../runs/specification/spec-side.js';
import { json, out, pairs, seed } from '../flags/common-options.js';
import {
  conformStep,
  libraryNames,
  lintStep,
  mutantStep,
  nearStep,
  reachedChecks,
  scenarioStep,
  staleEntries,
} from './check-steps.js';
import { acceptedChanges, acceptedFile, knownFindings } from './lint.js';
import { isFile, sideOf } from './side.js';

interface Flags {
  readonly overlay: string;
  readonly accepted: string | undefined;
  readonly only: readonly string[] | undefined;
  readonly full: boolean;
  readonly json: boolean;
  readonly out: string | undefined;
  readonly replicates: number;
  readonly seed: number;
}

/** The exit status that steps and stale entries lead to: a fault counts more than what could not be judged. */
export function checkStatus(steps: readonly CheckStep[], stale: readonly string[]): SpecCheck['exit_status'] {
  if (steps.some(stepFails) || stale.length > 0) return 1;
  return steps.some(({ unable }) => unable !== undefined) ? 2 : 0;
}

/** Seconds on two cores, measured: for the start of the servers, a check, and a scenario. */
const EXPECTED_SEC = { start: 6, check: 0.1, scenario: 0.25 } as const;

/** Says what is about to run, and about how long it takes. */
function expectedTime(counts: {
  readonly checks: number;
  readonly scenarios: number;
  /** Of the effects. */
  readonly seconds: number;
}): string {
  const { checks, scenarios, seconds } = counts;
  const { start, check, scenario } = EXPECTED_SEC;
  const all = Math.ceil(start + checks * check + scenarios * scenario + seconds);
  const work = `${countText(checks, 'check')}, ${countText(scenarios, 'scenario')} and the effects`;
  return `${work}: about ${all} s on two cores.`;
}

async function checked({
  overlay,
  accepted: acceptedFile,
  only = [],
  full,
  replicates,
  seed,
}: Flags): Promise<SpecCheck> {
  const options = { ...effectOptions({ replicates, seed }), full };
  const [from, to] = [sideOf(PRESENT), sideOf(overlay)];
  const accepted = acceptedChanges(acceptedFile);
  const names = libraryNames(only);
  const nameless = only.find(
    (one) => libraryNames([one]).length + selectChecks(allChecks, { only: [one] }).length === 0,
  );
  if (nameless !== undefined) {
    throw new Failure(`--only ${nameless}: no check, clause, section or scenario has such a name.`);
  }
  const reached = full || only.length > 0 || overlay === PRESENT ? undefined : reachedChecks(to);
  const { seconds } = effectPlan(from, to, options);
  const bar = progressBar('scenarios', names.length);
  const interrupt = interruptOf();
  try {
    const onScenario = (name: string): void => bar.step(name);
    process.stderr.write(
      `${expectedTime({ checks: selectChecks(allChecks, { only: reached ?? only }).length, scenarios: names.length, seconds })}\n`,
    );
    // The mutants are judged on threads meanwhile.
    const mutants = mutantStep(to, { only });
    const scenarios = scenarioStep(to, accepted, { names, onScenario }).finally(() => bar.stop());
    const file = overlay === PRESENT ? undefined : overlay;
    const run = { seed, signal: interrupt.signal };
    const [played, found] = await Promise.all([scenarios, mutants]);
    const first = [lintStep(to, knownFindings(), accepted), played];
    const agreed =
      reached === undefined ? await conformStep(file, { ...run, only }) : await nearStep(to, { ...run, ids: reached });
    // Interrupted, it keeps what it has seen, and says that the rest could not be judged.
    const isCut = interrupt.isRequested();
    const steps = [...first, agreed, found];
    const stale = only.length > 0 || isCut ? [] : staleEntries(steps, accepted);
    return {
      schema: SPEC_CHECK_SCHEMA,
      tool_version: packageVersion(),
      change: to.name,
      steps,
      stale,
      diff: compareSpecs(from, to, isCut ? { ...options, replicates: 0 } : options),
      exit_status: checkStatus(steps, stale),
    };
  } finally {
    bar.stop();
    interrupt.forget();
  }
}

/** The lines of the overlay that change something. */
function changedLines(overlay: string, { diff: { numbers, parts = [] } }: SpecCheck): readonly PathLine[] {
  if (!isFile(overlay)) return [];
  return sourceLines(
    overlay,
    [...numbers, ...parts].map(({ path }) => path),
  );
}

/** `aips spec check <overlay>`: exit 0 if the change passes, 1 if it fails, 2 if it could not be judged. */
export const checkCommand: CommandModule<object, Flags> = {
  command: 'check <overlay>',
  describe: 'Judge a change for CI: lint, reference and suite, scenarios, effects; exit 0, 1 or 2',
  builder: (args: Argv) =>
    args
      .positional('overlay', {
        type: 'string',
        demandOption: true,
        describe: `YAML overlay: the change; ${PRESENT} for the specification as it stands`,
      })
      .options({ ...acceptedFile, ...pairs, ...seed, ...out, ...json })
      .option('only', {
        type: 'string',
        array: true,
        describe: 'Globs over check ids, clause ids and sections, and over scenarios: no other is looked at',
      })
      .option('full', {
        type: 'boolean',
        default: false,
        describe: 'Run every check of the suite and measure every effect, not only those that the change can reach',
      })
      .example('$0 spec check change.yaml', 'is the change sound?')
      .example('$0 spec check change.yaml --accepted accepted.yaml --out out', 'in CI, with what it is meant to do'),
  handler: async (flags) => {
    if (flags.out !== undefined) ensureFolder(flags.out);
    const check = await checked(flags);
    if (flags.out !== undefined) {
      const lines = changedLines(flags.overlay, check);
      writeFiles(flags.out, {
        'spec-check.json': specCheckJson(check),
        'spec-check.sarif': specCheckSarif(check, lines),
        'annotations.txt': specCheckAnnotations(check, lines),
        'summary.md': specCheckMarkdown(check),
      });
    }
    console.log(flags.json ? specCheckJson(check).trimEnd() : specCheckConsole(check));
    process.exitCode = check.exit_status;
  },
};
