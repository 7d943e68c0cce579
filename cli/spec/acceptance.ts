/** Which faults of the suite and of mutants an author may accept: those that follow from a finding of the lint that the change brings. */

import { allChecks } from '../../conformance/checks/index.js';
import { derivedMutants } from '../../conformance/mutants/derived.js';
import type { AcceptableEntry, CheckedFault, CheckStep } from '../../results/spec-check-result.js';
import type { SpecSide } from '../../runs/specification/spec-side.js';
import type { AcceptedChanges } from '../../spec/accepted-changes.js';
import { type Finding, factsOf, lint } from '../../spec/lint/index.js';
import { isWorse, type Known } from '../../spec/lint/known.js';
import { acceptanceOf } from './lint.js';

/** The findings that a change brings or makes worse, the most severe first. */
export function broughtFindings({ protocol }: SpecSide, { stated, tolerance }: Known): readonly Finding[] {
  const brought = lint(factsOf(protocol)).filter((finding) => {
    const was = stated.find(({ id }) => id === finding.id);
    return was === undefined || isWorse(finding, was, tolerance);
  });
  return (['error', 'warning', 'note'] as const).flatMap((severity) =>
    brought.filter((each) => each.severity === severity),
  );
}

/** The rows of a step that can be accepted: how an entry names one, and the clauses that a row is about. */
interface Rows {
  readonly entry: (id: string, finding: string) => AcceptableEntry;
  readonly listed: (accepted: AcceptedChanges) => readonly { id: string; finding: string; reason: string }[];
  readonly clausesOf: (id: string) => readonly string[];
}

const ROWS: Readonly<Record<'checks' | 'mutants', Rows>> = {
  checks: {
    entry: (check, finding) => ({ check, finding }),
    listed: ({ checks }) => checks.map(({ check, ...rest }) => ({ id: check, ...rest })),
    clausesOf: (check) => allChecks.find(({ id }) => id === check)?.clauses ?? [],
  },
  mutants: {
    entry: (mutant, finding) => ({ mutant, finding }),
    listed: ({ mutants }) => mutants.map(({ mutant, ...rest }) => ({ id: mutant, ...rest })),
    clausesOf: (mutant) => derivedMutants.filter(({ id }) => id === mutant).map(({ clause }) => clause),
  },
};

/** The step with what is accepted of its faults, and for the others the entry that would accept them, where a finding explains one. */
export function withAcceptance(
  step: CheckStep,
  which: keyof typeof ROWS,
  { brought, accepted }: { readonly brought: readonly Finding[]; readonly accepted: AcceptedChanges },
): CheckStep {
  const { entry, listed, clausesOf } = ROWS[which];
  // An error that is not accepted explains nothing yet.
  const open = brought.filter((each) => each.severity !== 'error' || acceptanceOf(each, accepted) !== undefined);
  const faults = step.faults.map((fault): CheckedFault => {
    const given = listed(accepted).find(({ id }) => id === fault.id);
    if (given !== undefined && open.some(({ id }) => id === given.finding)) return { ...fault, accepted: given.reason };
    const clauses = clausesOf(fault.id);
    const near = brought.find((each) => each.clauses.some((id) => clauses.includes(id))) ?? brought[0];
    if (near === undefined) return { ...fault, text: `${fault.text}; no finding of the lint explains it: report it` };
    const wrong = given === undefined ? '' : `; the change brings no finding ${given.finding} that is accepted`;
    return { ...fault, text: `${fault.text}${wrong}`, entry: entry(fault.id, near.id) };
  });
  return { ...step, faults };
}
