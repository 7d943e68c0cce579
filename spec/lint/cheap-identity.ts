/** Lint: harm that a cheap identity can do to a dear one, or to everyone. */

import { formulaOf } from '../formula/formulas.js';
import { classesOf } from '../parts.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { shown, sigilFee, sol, time } from './quantities.js';

/** The breaker of complaints is shared by all reporters: an agent that fills it silences the others. */
function breaker({ protocol }: LintFacts): Finding[] {
  const { breakerPendingMax, breakerWindowSec } = protocol.flag;
  const { flagReporter } = protocol.limits;
  const fees = classesOf(protocol).map((each) => sigilFee(protocol, each));
  const [cheap, dear] = [Math.min(...fees), Math.max(...fees)];
  const flags = breakerPendingMax + 1;
  const each = Math.floor(breakerWindowSec / flagReporter.windowSec) * flagReporter.count;
  if (each === 0) return [];
  const reporters = Math.ceil(flags / each);
  if (reporters * cheap >= dear) return [];
  const windows = Math.ceil(flags / reporters / flagReporter.count);
  return [
    {
      id: 'cheap-identity/flag-breaker',
      severity: 'error',
      clauses: ['limit.flag.breaker', 'limit.flag.reporter', 'fee.sigil.narrow-task'],
      arithmetic: `${shown(flags)} pending flags stop every complaint of everybody; ${shown(reporters)} SIGIL of ${sol(cheap)} files ${shown(flagReporter.count)} in ${time(flagReporter.windowSec)}, so in ${time((windows - 1) * flagReporter.windowSec)}, for ${time(breakerWindowSec)}; the dearest SIGIL is ${sol(dear)}`,
      harm: each / flags,
      remedy: 'a breaker for each reporter or principal in place of one for all, or flags that cost something',
    },
  ];
}

/** Refused requests count against a target's limit, and their sender needs no SIGIL. */
function shield({ protocol, endpoints }: LintFacts): Finding[] {
  const flag = endpoints.find(({ id }) => id === 'flag');
  const byTarget = flag?.buckets.find(({ by }) => by === 'target');
  if (byTarget === undefined) return [];
  const [target, reporter] = [protocol.limits[byTarget.limit], protocol.limits.flagReporter];
  const agents = Math.ceil(target.count / Math.max(1, reporter.count));
  const registered = protocol.limits.register;
  if (target.count === 0 || reporter.count === 0 || agents > registered.count) return [];
  return [
    {
      id: 'cheap-identity/flag-shield',
      severity: 'error',
      clauses: ['limit.flag.target', 'limit.flag.reporter', 'limit.refused-count', 'flag.rule.reporter-sigil'],
      arithmetic: `refused flags count too: ${shown(agents)} agents without a SIGIL × ${shown(reporter.count)} fill the ${shown(target.count)} in ${time(target.windowSec)} of a target, and nobody else can complain about it; they cost 0, and one address registers ${shown(registered.count)} in ${time(registered.windowSec)}`,
      harm: registered.count / agents,
      remedy: 'count against a target what was filed, not what was refused',
    },
  ];
}

/** A factor below 1 makes each further child, or each generation, cheaper than the last, until it costs nothing. */
function families({ protocol }: LintFacts): Finding[] {
  if (formulaOf(protocol, 'spawn.costBeats') !== undefined) return [];
  const { spawn } = protocol;
  const factors = [
    ['siblings', spawn.siblingFactorNumerator, spawn.siblingFactorDenominator, 'child'],
    ['depth', spawn.depthFactorNumerator, spawn.depthFactorDenominator, 'generation'],
  ] as const;
  return factors
    .filter(([, numerator, denominator]) => numerator < denominator)
    .map(([name, numerator, denominator, word]) => {
      // The first power of the factor that leaves less than a beat, which is rounded down.
      const free = Math.max(0, Math.floor(Math.log(spawn.baseBeats) / Math.log(denominator / numerator)) + 1);
      return {
        id: `cheap-identity/${name}`,
        severity: 'error',
        clauses: [`spawn.cost.${name}`],
        arithmetic: `each ${word} costs ${shown(numerator)} / ${shown(denominator)} of the last: of ${shown(spawn.baseBeats)} beats nothing is left after ${shown(free)}, and any further ${word} is free`,
        harm: 1 / (free + 1),
        remedy: `spawn.${name === 'depth' ? 'depth' : 'sibling'}FactorNumerator of at least ${shown(denominator)}`,
      };
    });
}

export const cheapIdentity: LintRule = {
  kind: 'cheap-identity',
  says: 'What a cheap identity can do to a dear one.',
  find: (facts) => [...breaker(facts), ...shield(facts), ...families(facts)],
};
