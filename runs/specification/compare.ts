/** Compares two specifications: numbers, what they touch, findings of the lint, and the measured effect on people. */

import { allChecks } from '../../conformance/checks/index.js';
import { derivedMutants } from '../../conformance/mutants/derived.js';
import { type DiffFinding, SPEC_DIFF_SCHEMA, type SpecDiff } from '../../results/spec-diff-result.js';
import { standardScenarios } from '../../simulator/modes/effects.js';
import { changedNumbers, changedParts, touchedClauses, touchedEndpoints, touchedErrors } from '../../spec/change.js';
import { clauseTextUnder } from '../../spec/clause-under.js';
import { clauseById } from '../../spec/clauses/index.js';
import { type Finding, factsOf, lint } from '../../spec/lint/index.js';
import { toleranceOf, worseFindings } from '../../spec/lint/known.js';
import type { Protocol } from '../../spec/protocol.js';
import { clauseChanges } from '../../spec/released.js';
import { Failure } from '../host/failure.js';
import { packageVersion } from '../host/package.js';
import { effectPlan, type MeasuredEffects, measureEffects } from './effects.js';
import type { SpecSide } from './spec-side.js';

/** How the effects are measured; `replicates` 0 measures none. */
interface EffectOptions {
  readonly replicates: number;
  readonly seed: number;
  /** Plays the scenarios too that the change cannot reach. */
  readonly full?: boolean;
}

const LIMITS_UNSEEN = {
  scenario: 'limits',
  reason: 'agents are simulated without rate limits, so that no effect here shows a change of limits; lint does',
};

/** The reason of scenarios that are not played. */
const OUT_OF_REACH = 'the change makes no difference to these runs; --full plays them all the same';

/** Compares two specifications. `effects` are those that were measured already; absent: they are measured here. */
export function compareSpecs(
  from: SpecSide,
  to: SpecSide,
  { replicates, seed, full = false }: EffectOptions,
  effects?: MeasuredEffects,
): SpecDiff {
  const numbers = changedNumbers(from.protocol, to.protocol);
  const statements = clauseChanges(from.clauses, to.clauses);
  const parts = changedParts(from.protocol, to.protocol);
  const touched = touchedClauses(numbers, parts);
  const concerned = new Set([...touched, ...statements.changed]);
  const { names } = effectPlan(from, to, { replicates, full });
  const measured = effects ?? measureEffects(names, from, to, { replicates, seed });
  // Rate limits belong to the HTTP service, which the simulator plays without.
  const unseen = numbers.some(({ path }) => path.startsWith('limits.')) ? [LIMITS_UNSEEN] : [];
  return {
    schema: SPEC_DIFF_SCHEMA,
    tool_version: packageVersion(),
    from: from.name,
    to: to.name,
    numbers,
    ...(parts.length === 0 ? {} : { parts: parts.map(({ path, from, to }) => ({ path, from, to })) }),
    statements,
    clauses: touched.map(clauseById).map(({ id, section, text }) => {
      const after = clauseTextUnder(id, text, numbers);
      return { id, section, text, ...(after === undefined ? {} : { after }) };
    }),
    errors: touchedErrors(touched),
    endpoints: touchedEndpoints(from.protocol, to.protocol, touched),
    checks: allChecks.filter(({ clauses }) => clauses.some((id) => concerned.has(id))).map(({ id }) => id),
    mutants: derivedMutants.filter(({ clause }) => concerned.has(clause)).map(({ id }) => id),
    findings: changedFindings(from.protocol, to.protocol),
    replicates,
    seed,
    effects: measured.effects,
    unmeasured: [...unseen, ...measured.unmeasured, ...(replicates === 0 ? [] : unplayed(names))],
  };
}

/** The standard scenarios that are not among those that are played, with the reason. */
export function unplayed(names: readonly string[]): SpecDiff['unmeasured'] {
  const left = standardScenarios.filter((name) => !names.includes(name));
  return left.length === 0 ? [] : [{ scenario: left.join(', '), reason: OUT_OF_REACH }];
}

const brief = ({ id, severity, arithmetic }: Finding): DiffFinding => ({ id, severity, arithmetic });

/** A finding with other arithmetic is the same finding, but may be worse. */
function changedFindings(one: Protocol, other: Protocol): SpecDiff['findings'] {
  const [from, to] = [lint(factsOf(one)), lint(factsOf(other))];
  const onlyIn = (findings: readonly Finding[], others: readonly Finding[]): DiffFinding[] =>
    findings.filter((each) => !others.some((other) => other.id === each.id)).map(brief);
  const worse = worseFindings(from, to, toleranceOf(one, other)).map(({ now, was }) => ({
    ...brief(now),
    was: was.arithmetic,
  }));
  return { appear: onlyIn(to, from), vanish: onlyIn(from, to), ...(worse.length === 0 ? {} : { worse }) };
}

/** Checks the flags of a measurement. */
export function effectOptions({ replicates, seed, full = false }: EffectOptions): EffectOptions {
  const whole = Number.isSafeInteger(replicates) && replicates >= 0 && replicates !== 1;
  if (!whole) throw new Failure('--replicates must be 2 or more, or 0 to measure no effects.');
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Failure('--seed must be a whole number, 0 or more.');
  return { replicates, seed, full };
}
