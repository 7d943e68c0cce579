/** The steps of `aips spec check`: each examines a change in one way, and reports the faults. */

import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { allChecks } from '../../conformance/checks/index.js';
import { conclude } from '../../conformance/judge/conclude.js';
import { checksInReach } from '../../conformance/run/reach.js';
import { selectChecks } from '../../conformance/run/select.js';
import { measuredText } from '../../reports/simulation/simulation-view.js';
import type { ConformanceResult } from '../../results/conformance-result.js';
import { countText } from '../../results/numbers.js';
import type { SimulationResult } from '../../results/simulation-result.js';
import type { CheckedFault, CheckStep } from '../../results/spec-check-result.js';
import { Failure } from '../../runs/host/failure.js';
import { readText } from '../../runs/host/files.js';
import { packageRoot, packageVersion } from '../../runs/host/package.js';
import { runSourceOf, sourceOfText } from '../../runs/simulation/scenario-source.js';
import { overlayNumbersOf, overlayOfSide, requireClasses, type SpecSide } from '../../runs/specification/spec-side.js';
import { judge } from '../../runs/suite/judge.js';
import { judgeSelf, type SelfRecords, selfName } from '../../runs/suite/self.js';
import { judgeSelfInProcess } from '../../runs/suite/self-in-process.js';
import { InvariantViolation } from '../../simulator/invariants/violation.js';
import { simulateScenario } from '../../simulator/run/simulate.js';
import type { AcceptedChanges } from '../../spec/accepted-changes.js';
import { changedNumbers, changedParts, touchedClauses } from '../../spec/change.js';
import { numbersBehindFindings } from '../../spec/lint/caused.js';
import { factsOf, lint } from '../../spec/lint/index.js';
import { arithmeticOf, type Known, newErrors } from '../../spec/lint/known.js';
import { protocol } from '../../spec/protocol.js';
import { broughtFindings } from './acceptance.js';
import { INVARIANTS_HOLD, PLAYABLE } from './library.js';
import { acceptanceOf } from './lint.js';

const accept = (fault: CheckedFault, entry: { readonly reason: string } | undefined): CheckedFault =>
  entry === undefined ? fault : { ...fault, accepted: entry.reason };

/** Step 1: the lint has no error that is not known or is worse than the known one, unless it is accepted. */
export function lintStep(to: SpecSide, known: Known, accepted: AcceptedChanges): CheckStep {
  const findings = lint(factsOf(to.protocol));
  const about = numbersBehindFindings(to.protocol, changedNumbers(protocol, to.protocol));
  const faults = newErrors(findings, known).map((finding) =>
    accept(
      {
        id: finding.id,
        text: arithmeticOf(finding, known),
        about: about(finding),
        remedy: finding.remedy,
        entry: { id: finding.id, arithmetic: finding.arithmetic },
      },
      acceptanceOf(finding, accepted),
    ),
  );
  const warnings = broughtFindings(to, known)
    .filter(({ severity }) => severity === 'warning')
    .map((finding) => ({
      id: finding.id,
      text: arithmeticOf(finding, known),
      about: about(finding),
      remedy: finding.remedy,
      entry: { id: finding.id, arithmetic: finding.arithmetic },
    }));
  const step = { name: 'lint', looked: countText(findings.length, 'finding'), faults };
  return warnings.length === 0 ? step : { ...step, warnings };
}

const AGREE = 'reference and suite agree';

/** Why a step was not judged that a signal ended. */
export const interrupted = ({ reason }: AbortSignal): string => `it was interrupted by ${String(reason)}`;

/** Step 2 where a signal came before it. */
export const unjudgedStep = (signal: AbortSignal): CheckStep => ({
  name: AGREE,
  looked: 'no check',
  faults: [],
  unable: interrupted(signal),
});

/** The ids of the checks that a change can reach; all of them where it touches no clause. */
export function reachedChecks({ protocol: changed }: SpecSide): readonly string[] {
  const numbers = changedNumbers(protocol, changed);
  const touched = new Set(touchedClauses(numbers, changedParts(protocol, changed)));
  return (touched.size === 0 ? allChecks : checksInReach(allChecks, touched)).map(({ id }) => id);
}

/** Step 2: reference and suite agree, both under the change. `overlay` is its file; `only` are globs over checks and clauses. */
export async function conformStep(
  overlay: string | undefined,
  { only, seed, signal }: { readonly only: readonly string[]; readonly seed: number; readonly signal: AbortSignal },
): Promise<CheckStep> {
  if (selectChecks(allChecks, { only }).length === 0)
    return { name: AGREE, looked: 'no check was asked for', faults: [] };
  const options = { seed, only, strict: true, toolVersion: packageVersion(), nowWallMs: Date.now, signal };
  return agreementOf(await judgeSelf(options, judge, overlay));
}

/** Step 2 by the checks that the change can reach, in this process. */
export async function nearStep(
  to: SpecSide,
  { ids, seed, signal }: { readonly ids: readonly string[]; readonly seed: number; readonly signal: AbortSignal },
): Promise<CheckStep> {
  const options = { seed, strict: true, toolVersion: packageVersion(), nowWallMs: Date.now, signal };
  const records = await judgeSelfInProcess(ids, overlayOfSide(to), { options, judge });
  const step = agreementOf(records);
  return { ...step, looked: `${step.looked}; in reach of the change, --full runs all ${allChecks.length}` };
}

const agreementOf = (records: SelfRecords): CheckStep =>
  agreement(conclude(records, { checks: allChecks, strict: true, target: selfName(records) }));

/** The agreement of reference and suite, by a run of the one against the other. */
export function agreement(result: ConformanceResult): CheckStep {
  const faults = result.checks.flatMap((check): CheckedFault[] => {
    if (check.verdict === 'fail' || check.verdict === 'advisory') {
      return [{ id: check.id, text: `${check.about}: expected ${check.expected}, got ${check.actual}` }];
    }
    return [];
  });
  // The suite's own errors say nothing about the change.
  const unjudged = result.checks.flatMap((check) =>
    check.verdict === 'error' || check.verdict === 'inconclusive'
      ? [`${check.id}: ${check.verdict}: ${check.reason}`]
      : [],
  );
  const { judged, held, clauses } = result.coverage;
  const looked = `${result.checks.length} checks; of ${clauses} clauses ${judged} judged: ${held} pass`;
  const step = { name: AGREE, looked, faults };
  if (result.stopped !== undefined) return { ...step, unable: result.stopped };
  if (unjudged.length > 0) return { ...step, unable: unjudged.join('; ') };
  return result.exit_status === 2 && faults.length === 0 ? { ...step, unable: 'the suite could not judge it' } : step;
}

interface ScenarioOptions {
  readonly names: readonly string[];
  readonly onScenario?: (name: string) => void;
  readonly signal?: AbortSignal;
}

/** Step 3: the library's scenarios keep their expectations, unless a change is accepted. */
export async function scenarioStep(
  to: SpecSide,
  { scenarios: accepted }: AcceptedChanges,
  { names, onScenario, signal }: ScenarioOptions,
): Promise<CheckStep> {
  const name = 'scenarios keep their expectations';
  const faults: CheckedFault[] = [];
  for (const [played, scenario] of names.entries()) {
    onScenario?.(scenario);
    // Between two scenarios, other steps have their turn, and a signal its effect.
    await setImmediate();
    if (signal?.aborted === true) {
      const looked = `${played} of ${countText(names.length, 'scenario')}`;
      return { name, looked, faults, unable: interrupted(signal) };
    }
    for (const { expectation, text } of brokenExpectations(scenario, to)) {
      const entry = accepted.find((each) => each.scenario === scenario && each.expectation === expectation);
      faults.push(accept({ id: `${scenario}: ${expectation}`, text, entry: { scenario, expectation } }, entry));
    }
  }
  return { name, looked: countText(names.length, 'scenario'), faults };
}

function brokenExpectations(name: string, side: SpecSide): { expectation: string; text: string }[] {
  const file = `scenarios/library/${name}.yaml`;
  const text = readText(join(packageRoot(), file), 'scenario of the library');
  try {
    const source = sourceOfText(text, { label: file, overlay: overlayNumbersOf(side) });
    const { seed } = source;
    requireClasses(source.scenario, side);
    const result: SimulationResult = simulateScenario(source.scenario, {
      ...runSourceOf(source),
      seed,
      nowWallMs: () => 0,
      rssMb: () => 0,
    });
    return result.expectations
      .filter(({ holds }) => !holds)
      .map(({ text: expectation, measured, no_value }) => ({
        expectation,
        text:
          no_value === true
            ? 'fails: it has no value'
            : `fails: measured ${measuredText({ text: expectation, measured })}`,
      }));
  } catch (error) {
    if (error instanceof InvariantViolation) return [{ expectation: INVARIANTS_HOLD, text: error.message }];
    if (error instanceof Failure) return [{ expectation: PLAYABLE, text: error.message }];
    throw error;
  }
}

/** Entries of the file of accepted changes that no fault of these steps needs; of checks those that were run, by their ids. */
export function staleEntries(
  steps: readonly CheckStep[],
  { findings, scenarios, checks, mutants }: AcceptedChanges,
  ran: readonly string[] = [],
): readonly string[] {
  const needed = new Set(steps.flatMap(({ faults, warnings = [] }) => [...faults, ...warnings].map(({ id }) => id)));
  const entries = [
    ...findings.map(({ id }) => id),
    ...scenarios.map(({ scenario, expectation }) => `${scenario}: ${expectation}`),
    ...checks.map(({ check }) => check).filter((check) => ran.includes(check)),
    ...mutants.map(({ mutant }) => mutant),
  ];
  return entries.filter((entry) => !needed.has(entry));
}
