// A run in parts has the result of the run in one world; threads are tested in cli/simulate-threads.slow.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SimulationResult } from '../../reports/simulation-result.js';
import { couplingOf } from '../../scenarios/coupling.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { parseScenario } from '../../scenarios/schema.js';
import { describeProblem } from '../../spec/document.js';
import { mixed, others, smallScenario } from '../../test/fixtures/small-scenario.js';
import { draftText, type ScenarioDraft, swarmDraft, withoutDanglingReferences } from '../modes/swarm-scenario.js';
import { shareOf } from '../world/share.js';
import { agentRows, mergedRows, packedRows } from './agent-rows.js';
import { InexactSum, outcomeOfParts, PartSamples, partOf, partSampleOf } from './parts.js';
import { advance, type Run, startRun, stopRun } from './run.js';
import { resultOf, resultOfOutcome } from './simulate.js';

const origin = { source: { file: 'parts.yaml', sha256: '0' }, versions: { aips_lab: '1', node: '20' } };
const cost = { wallSec: 1, peakRssMb: 1 };

interface Told {
  readonly result: SimulationResult;
  readonly agents: readonly unknown[];
}

function inOne(scenario: Scenario, untilSec = scenario.durationSec): Told {
  const run = startRun(scenario, scenario.seed);
  advance(run, untilSec);
  if (untilSec < scenario.durationSec) stopRun(run);
  return { result: resultOf(run, origin, cost), agents: [...agentRows(run.world)] };
}

/** Plays the parts one after the other, the last one first, so that samples come in the least likely order. */
function inParts(scenario: Scenario, parts: number, untilSec = scenario.durationSec): Told {
  const merged = new PartSamples(scenario, parts);
  const runs: Run[] = [];
  for (let part = parts - 1; part >= 0; part -= 1) {
    const run = startRun(scenario, scenario.seed, undefined, shareOf(part, parts));
    run.onSample = (sampled) => merged.add(part, partSampleOf(sampled));
    advance(run, untilSec);
    if (untilSec < scenario.durationSec) stopRun(run);
    runs.unshift(run);
  }
  const outcome = outcomeOfParts(scenario, scenario.seed, structuredClone(runs.map(partOf)));
  const partial = untilSec < scenario.durationSec;
  return {
    result: resultOfOutcome(outcome, merged.samples, { ...origin, partial }, cost),
    agents: [
      ...mergedRows(
        scenario,
        runs.map(({ world }) => packedRows(world)),
      ),
    ],
  };
}

function parsed(text: string, file: string): Scenario {
  const read = parseScenario(text, file);
  if (!read.ok) throw new Error(read.problems.map(describeProblem).join('\n'));
  return read.value;
}

/** A draft without what couples its agents. */
function uncoupled({ reviews: _, ...draft }: ScenarioDraft): ScenarioDraft {
  const populations = draft.populations.map(({ spawning: _s, flagging: _f, ...population }) => population);
  return withoutDanglingReferences({ ...draft, populations });
}

describe('a run in parts', () => {
  const free = Array.from({ length: 60 }, (_, i) => uncoupled(swarmDraft(17, i))).flatMap((draft) => {
    const read = parseScenario(draftText(draft), `${draft.name}.yaml`);
    // A fault may name children, which there are none of any more.
    return read.ok ? [read.value] : [];
  });

  it('is possible for many random scenarios, with every kind of disturbance', () => {
    expect(free.length).toBeGreaterThanOrEqual(40);
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
      for (const parts of [1, 2, 3]) expect(inParts(scenario, parts)).toEqual(one);
    },
  );

  const lively = smallScenario([
    mixed,
    others,
    { name: 'few', count: 3, lifetime: { distribution: 'fixed', meanSec: 40_000 } },
  ]);

  it.each([1, 5, 64])('with %i parts, of which many have no agent, is the same', (parts) => {
    expect(inParts(lively, parts)).toEqual(inOne(lively));
  });

  it('that is stopped at a second between two samples is the run that is stopped there', () => {
    expect(inParts(lively, 3, 40_001)).toEqual(inOne(lively, 40_001));
    expect(inOne(lively, 40_001).result.manifest.partial).toBe(true);
  });

  const library = new URL('../../scenarios/library/', import.meta.url);
  const files = readdirSync(library).filter((file) => file.endsWith('.yaml'));
  const coupled = ['complaint-cartel', 'key-revocation', 'spawn-tree', 'sponsorship-farm', 'sybil-spawner'];

  it.each(files)('%s of the library, shortened, has the result of the run in one', (file) => {
    const whole = parsed(readFileSync(new URL(file, library), 'utf8'), file);
    if (couplingOf(whole) !== null) expect(coupled).toContain(whole.name);
    else {
      const scenario = { ...whole, durationSec: 2 * 86_400 + 5_000, expectations: [] };
      expect(inParts(scenario, 3)).toEqual(inOne(scenario));
    }
  });

  it('is refused if its parts are not those of one run', () => {
    const part = (index: number, untilSec = 3_600) => {
      const run = startRun(lively, 1, undefined, shareOf(index, 2));
      advance(run, untilSec);
      return partOf(run);
    };
    expect(() => outcomeOfParts(lively, 1, [part(1), part(0)])).toThrow('follows hand -1');
    expect(() => outcomeOfParts(lively, 1, [part(0)])).toThrow('the parts have 32 of 64 hands');
    expect(() => outcomeOfParts(lively, 1, [part(0), part(1, 3_601)])).toThrow('parts of one run differ');
    const large = [part(0), part(1)];
    for (const { fees } of large) fees[1] = Number.MAX_SAFE_INTEGER;
    expect(() => outcomeOfParts(lively, 1, large)).toThrow(InexactSum);
  });
});
