/** Lint: documented flows that a rate limit stops before their end. */

import { clausesOfMode } from '../change.js';
import type { Flow } from '../flows.js';
import { optionalModes, servesMode } from '../parts.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { callsByLimit, isOff } from './flow-gaps.js';
import { shown, time } from './quantities.js';

function stopsOf(flow: Flow, facts: LintFacts): Finding[] {
  return [...callsByLimit(flow, facts)].flatMap(([name, calls]) => {
    const { count, windowSec } = facts.protocol.limits[name];
    const whole = Math.floor(count / calls);
    const left = count % calls;
    // Once a flow has begun, a wait of minutes is no harm: what it holds lives as long.
    const waits = left > 0 && windowSec > facts.protocol.spawn.authorizationTtlSec;
    if (whole > 0 && !waits) return [];
    const stop = `${flow.title} takes ${shown(calls)} calls that limits.${name} counts, ${shown(count)} in ${time(windowSec)}`;
    return [
      {
        id: `stopped-flow/${flow.id}`,
        severity: whole === 0 ? ('error' as const) : ('warning' as const),
        clauses: flow.clauses,
        arithmetic:
          whole === 0
            ? `${stop}: it can never finish`
            : `${stop}: ${shown(whole)} is done, and the next stops after ${shown(left)} of its ${shown(calls)} and leaves ${flow.half} for up to ${time(windowSec)}`,
        harm: whole === 0 ? calls / count : windowSec,
        remedy: `limits.${name}.count as a multiple of ${calls}`,
      },
    ];
  });
}

/** A mode that is disabled on purpose is a note: its clauses promise what no client gets. */
function switchedOff({ protocol }: LintFacts): Finding[] {
  return optionalModes
    .filter((mode) => !servesMode(protocol, mode))
    .map((mode) => ({
      id: `stopped-flow/${mode.replace('/', '-')}`,
      severity: 'note' as const,
      clauses: clausesOfMode(mode),
      arithmetic: `modes.${mode} is false: of its calls 0 are accepted, and ${shown(clausesOfMode(mode).length)} clauses speak of it`,
      harm: 1,
      remedy: 'say in these clauses that the mode is gone',
    }));
}

export const stoppedFlow: LintRule = {
  kind: 'stopped-flow',
  says: 'A documented flow that a rate limit stops.',
  find: (facts) => [
    ...facts.flows.filter((flow) => !isOff(flow, facts)).flatMap((flow) => stopsOf(flow, facts)),
    ...switchedOff(facts),
  ],
};
