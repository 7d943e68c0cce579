// Random scenarios and those of the library have the same result in parts as in one world.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { couplingOf } from '../../scenarios/coupling.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { parseScenario } from '../../scenarios/schema.js';
import { describeProblem } from '../../spec/document.js';
import { inOne, inParts } from '../../test/fixtures/in-parts.js';
import { draftText, type ScenarioDraft, swarmDraft, withoutDanglingReferences } from '../modes/swarm-scenario.js';

function parsed(text: string, file: string): Scenario {
  const read = parseScenario(text, file);
  if (!read.ok) throw new Error(read.problems.map(describeProblem).join('\n'));
  return read.value;
}

/** A draft without what couples its agents. */
function uncoupled({ reviews: _, ...draft }: ScenarioDraft): ScenarioDraft {
  const populations = draft.populations.map(({ spawning: _s, flagging: _f, adapts: _a, ...population }) => population);
  const interventions = draft.interventions.filter((each) => (each as { kind: string }).kind !== 'hold');
  return withoutDanglingReferences({ ...draft, populations, interventions });
}

describe('a run in parts', () => {
  const free = Array.from({ length: 36 }, (_, i) => uncoupled(swarmDraft(17, i))).flatMap((draft) => {
    const read = parseScenario(draftText(draft), `${draft.name}.yaml`);
    // A fault may name children, which there are none of any more.
    return read.ok ? [read.value] : [];
  });

  it('is possible for many random scenarios, with every kind of disturbance', () => {
    expect(free.length).toBeGreaterThanOrEqual(20);
    expect(free.filter((scenario) => couplingOf(scenario) !== null)).toEqual([]);
    const kinds = free.flatMap(({ faults, interventions }) => [...faults, ...interventions].map(({ kind }) => kind));
    for (const kind of [
      'outage',
      'outages',
      'anchor_stall',
      'payments',
      'protocol',
      'revoke_keys',
      'subsidy',
    ] as const) {
      expect(kinds).toContain(kind);
    }
    expect(free.some(({ populations }) => populations.some(({ arrivals }) => arrivals.pattern === 'poisson'))).toBe(
      true,
    );
  });

  it.each(free.map((scenario) => [scenario.name, scenario] as const))(
    '%s: has the result of the run in one',
    (_, scenario) => {
      const one = inOne(scenario);
      for (const parts of [2, 3]) expect(inParts(scenario, parts)).toEqual(one);
    },
  );

  it('of which many have no agent has the result of the run in one', () => {
    const first = free[0] as Scenario;
    expect(inParts(first, 64)).toEqual(inOne(first));
  });

  const library = new URL('../../scenarios/library/', import.meta.url);
  const files = readdirSync(library).filter((file) => file.endsWith('.yaml'));
  const coupled = [
    'complaint-cartel',
    'freezing-spreads',
    'key-revocation',
    'spawn-tree',
    'sponsorship-farm',
    'sybil-spawner',
  ];

  it.each(files)('%s of the library, shortened, has the result of the run in one', (file) => {
    const whole = parsed(readFileSync(new URL(file, library), 'utf8'), file);
    if (couplingOf(whole) !== null) expect(coupled).toContain(whole.name);
    else {
      const scenario = { ...whole, durationSec: 86_400 + 5_000, expectations: [] };
      expect(inParts(scenario, 3)).toEqual(inOne(scenario));
    }
  });
});
