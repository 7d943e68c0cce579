/** `aips spec check`: judges a change of the specification, for CI: one summary, one exit status. */

import { existsSync } from 'node:fs';
import type { Argv, CommandModule } from 'yargs';
import { allChecks } from '../../conformance/checks/index.js';
import { selectChecks } from '../../conformance/run/select.js';
import {
  absentMarkdown,
  specCheckConsole,
  specCheckJson,
  stepFails,
} from '../../reports/specification/spec-check-text.js';
import { annotationLines } from '../../reports/text/annotations.js';
import { countText } from '../../results/numbers.js';
import {
  type CheckStep,
  SPEC_CHECK_FILES as FILES,
  SPEC_CHECK_SCHEMA,
  type SpecCheck,
} from '../../results/spec-check-result.js';
import { Failure } from '../../runs/host/failure.js';
import { ensureFolder, writeFiles } from '../../runs/host/files.js';
import { interruptOf } from '../../runs/host/interrupt.js';
import { packageVersion } from '../../runs/host/package.js';
import { progressBar } from '../../runs/host/progress.js';
import { CheckTeller } from '../../runs/specification/check-progress.js';
import { compareSpecs, effectOptions } from '../../runs/specification/compare.js';
import { effectPlan, type MeasuredEffects } from '../../runs/specification/effects.js';
import { measureInThread } from '../../runs/specification/effects-thread.js';
import { exploreStep } from '../../runs/specification/explore-difference.js';
import { PRESENT, type SpecSide } from '../../runs/specification/spec-side.js';
import { tapesIn } from '../../runs/suite/tape-files.js';
import type { StandardScenario } from '../../simulator/modes/effects.js';
import { json, out, pairs, seed } from '../flags/common-options.js';
import { broughtFindings, withAcceptance } from './acceptance.js';
import { acceptedChanges, acceptedFile } from './accepted-file.js';
import { clientStep, serverStep, strictly } from './break-steps.js';
import { reportOfFailure, reportsOf } from './check-reports.js';
import {
  conformStep,
  interrupted,
  lintStep,
  nearStep,
  reachedChecks,
  scenarioStep,
  staleEntries,
  unjudgedStep,
} from './check-steps.js';
import { libraryNames } from './library.js';
import { knownFindings } from './lint.js';
import { mutantStep, touchedMutants } from './mutant-step.js';
import { isFile, sideAt, sideOf } from './side.js';

interface Flags {
  readonly overlay: string;
  readonly accepted: string | undefined;
  readonly base: string | undefined;
  readonly 'fail-on': 'error' | 'warning';
  readonly recordings: readonly string[] | undefined;
  readonly only: readonly string[] | undefined;
  readonly full: boolean;
  readonly 'if-present': boolean;
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

/** Seconds of one core, measured: for the start of the servers, a check, a scenario, and a mutant with its server. */
const EXPECTED_SEC = { start: 10, check: 0.2, scenario: 0.5, mutant: 1 } as const;

/** Says what is about to run, and about how much work that is: an estimate, from seconds that were measured once on one machine. */
function expectedTime(counts: {
  readonly recordings: number;
  readonly checks: number;
  readonly scenarios: number;
  readonly mutants: number;
  /** Of the effects. */
  readonly seconds: number;
}): string {
  const { recordings, checks, scenarios, mutants, seconds } = counts;
  const { start, check, scenario, mutant } = EXPECTED_SEC;
  const all = Math.ceil(start + checks * check + scenarios * scenario + mutants * mutant + seconds);
  const work = `${countText(checks, 'check')}, ${countText(scenarios, 'scenario')}, ${countText(mutants, 'mutant')} and the effects`;
  const rest = recordings === 0 ? '' : `, without ${countText(recordings, 'recording')}, whose time is not known`;
  return `to run, estimated and not measured: ${work}${rest}: about ${all} s of one core.`;
}

async function checked({
  overlay,
  accepted: acceptedFile,
  only = [],
  full,
  replicates,
  seed,
  base,
  recordings = [],
  'fail-on': failOn,
}: Flags): Promise<SpecCheck> {
  const options = { ...effectOptions({ replicates, seed }), full };
  const [from, to] = [base === undefined ? sideOf(PRESENT) : sideAt(base, overlay), sideOf(overlay)];
  const tapes = tapesIn(recordings);
  const missing = tapes.find((file) => !existsSync(file));
  if (missing !== undefined) throw new Failure(`${missing}: there is no such recording.`);
  const accepted = acceptedChanges(acceptedFile);
  const names = libraryNames(only);
  const nameless = only.find(
    (one) => libraryNames([one]).length + selectChecks(allChecks, { only: [one] }).length === 0,
  );
  if (nameless !== undefined) {
    throw new Failure(`--only ${nameless}: no check, clause, section or scenario has such a name.`);
  }
  const reached = full || only.length > 0 || overlay === PRESENT ? undefined : reachedChecks(to);
  const chosen = selectChecks(allChecks, { only: reached ?? only });
  const plan = effectPlan(from, to, options);
  const bar = progressBar('scenarios', names.length);
  const interrupt = interruptOf();
  const { signal } = interrupt;
  try {
    const teller = new CheckTeller();
    let begun = 0;
    const onScenario = (name: string): void => {
      bar.step(name);
      teller.at('scenarios', begun++, names.length);
    };
    const counts = {
      ...{ recordings: tapes.length, checks: chosen.length, scenarios: names.length },
      mutants: touchedMutants(to, only).length,
    };
    process.stderr.write(`${expectedTime({ ...counts, seconds: plan.seconds })}\n`);
    const known = knownFindings(to.protocol);
    const explained = { brought: broughtFindings(to, known), accepted };
    const lintResult = teller.ended(lintStep(to, known, accepted), 'lint');
    // The mutants are judged on threads meanwhile.
    teller.at('mutants', 0, counts.mutants);
    const mutants = mutantStep(to, { only, signal }).then((step) =>
      teller.ended(withAcceptance(step, 'mutants', explained), 'mutants'),
    );
    const scenarios = scenarioStep(to, accepted, { names, onScenario, signal })
      .finally(() => bar.stop())
      .then((step) => teller.ended(step, 'scenarios'));
    const file = overlay === PRESENT ? undefined : overlay;
    const run = { seed, signal };
    const [played, found] = await Promise.all([scenarios, mutants]);
    teller.at('checks', 0, chosen.length);
    const agreed = signal.aborted
      ? unjudgedStep(signal)
      : reached === undefined
        ? await conformStep(file, { ...run, only })
        : await nearStep(to, { ...run, ids: reached });
    const about = tapes.length === 0 ? undefined : await recorded(tapes, { from, to, signal, teller });
    // Nothing of it can be interrupted, so it is short unless all is wanted.
    const small =
      overlay === PRESENT || signal.aborted || only.length > 0
        ? []
        : [
            teller.ended(
              exploreStep(from, to, { toolVersion: packageVersion(), agents: 2, quick: !full }),
              'small world',
            ),
          ];
    const told = [
      ...[lintResult, ...small, clientStep(from, to), played],
      ...[teller.ended(withAcceptance(agreed, 'checks', explained), 'checks'), found],
      ...(about === undefined ? [] : about.steps),
    ];
    const steps = failOn === 'warning' ? strictly(told, accepted) : told;
    const effects = await measured(plan.names, { from, to, pairs: options, signal, teller });
    // Interrupted, it keeps what it has seen, and says that the rest could not be judged.
    const ran = chosen.map(({ id }) => id);
    const stale = only.length > 0 || signal.aborted ? [] : staleEntries(steps, accepted, ran);
    return {
      schema: SPEC_CHECK_SCHEMA,
      tool_version: packageVersion(),
      change: to.name,
      steps,
      stale,
      diff: compareSpecs(from, to, options, effects),
      ...(about === undefined ? {} : { blast: about.blast }),
      exit_status: checkStatus(steps, stale),
    };
  } finally {
    bar.stop();
    interrupt.forget();
  }
}

/** The step about recorded servers. */
function recorded(
  files: readonly string[],
  { from, to, signal, teller }: Pick<Parameters<typeof measured>[1], 'from' | 'to' | 'signal' | 'teller'>,
) {
  let begun = 0;
  teller.at('recordings', begun, files.length);
  const onFile = (): void => teller.at('recordings', ++begun, files.length);
  return serverStep(files, { from, to }, { toolVersion: packageVersion(), signal, onFile }).then(
    ({ steps, blast }) => ({ steps: steps.map((step) => teller.ended(step, 'recordings')), blast }),
  );
}

/** The effects of standard scenarios, each played in a thread, so that a signal is heard meanwhile. */
async function measured(
  names: readonly StandardScenario[],
  given: {
    readonly from: SpecSide;
    readonly to: SpecSide;
    readonly pairs: { readonly replicates: number; readonly seed: number };
    readonly signal: AbortSignal;
    readonly teller: CheckTeller;
  },
): Promise<MeasuredEffects> {
  const { from, to, pairs, signal, teller } = given;
  const all: MeasuredEffects[] = [];
  for (const [at, name] of names.entries()) {
    teller.at('effects', at, names.length);
    const one = signal.aborted ? undefined : await measureInThread([name, from, to, pairs], signal);
    all.push(one ?? { effects: [], unmeasured: [{ scenario: name, reason: interrupted(signal) }] });
  }
  return {
    effects: all.flatMap((each) => each.effects),
    unmeasured: all.flatMap((each) => each.unmeasured),
  };
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
      .option('base', {
        type: 'string',
        describe:
          'Git ref: compare with the same file at this ref, such as main, in place of the specification as it stands',
      })
      .option('recordings', {
        type: 'string',
        array: true,
        describe: 'Recordings of conform --record, or folders of them: which servers would begin to fail or to pass',
      })
      .option('fail-on', {
        choices: ['error', 'warning'] as const,
        default: 'error' as const,
        describe:
          'The least severity that ends with 1; warnings are breaks of clients and servers, and findings of that severity',
      })
      .option('if-present', {
        type: 'boolean',
        default: false,
        describe: 'End with 0 where there is no overlay file: in CI, a change that was merged or withdrawn',
      })
      .option('full', {
        type: 'boolean',
        default: false,
        describe: 'Run every check of the suite and measure every effect, not only those that the change can reach',
      })
      .example('$0 spec check change.yaml', 'is the change sound?')
      .example('$0 spec check change.yaml --base main --recordings recordings', 'which servers would it break?')
      .example('$0 spec check change.yaml --accepted accepted.yaml --out out', 'in CI, with what it is meant to do'),
  handler: async (flags) => {
    const { overlay, out } = flags;
    if (out !== undefined) ensureFolder(out, Object.values(FILES));
    const write = (files: Readonly<Record<string, string>>): void => {
      if (out !== undefined) writeFiles(out, files);
    };
    if (flags['if-present'] && isFile(overlay) && !existsSync(overlay)) {
      const text = `${overlay} is not there: there is no change to judge`;
      write({ [FILES.annotations]: annotationLines([{ level: 'warning', title: 'AIPS', text }]) });
      write({ [FILES.summary]: absentMarkdown(overlay) });
      console.log(`${text}.`);
      return;
    }
    try {
      const check = await checked(flags);
      write(reportsOf(overlay, check));
      console.log(flags.json ? specCheckJson(check).trimEnd() : specCheckConsole(check));
      process.exitCode = check.exit_status;
    } catch (error) {
      if (error instanceof Failure) write(reportOfFailure(overlay, error));
      throw error;
    }
  },
};
