// Swarms of random scenarios, and what they make of a mistake.
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type GoalName, goalNames } from '../../scenarios/goals.js';
import { attempt, expectShrunk } from '../../test/fixtures/planted-violation.js';
import type { Run } from '../run/run.js';
import { EVENT_NAMES } from '../world/operations.js';
import { playScenarioText, playSwarmScenario, type SwarmRun } from './swarm.js';
import { type ScenarioDraft, swarmDraft } from './swarm-scenario.js';

const SEED = 1;
const SCENARIOS = 200;

describe('a swarm', () => {
  it(`of ${SCENARIOS} random scenarios breaks no invariant, and comes to everything that a scenario can demand`, () => {
    const reached = new Map<GoalName, number>();
    for (let index = 0; index < SCENARIOS; index += 1) {
      const trial = playSwarmScenario(SEED, index);
      if (!trial.ok) throw new Error(`${trial.message}\n${trial.shrunk}`);
      for (const goal of trial.reached) reached.set(goal, (reached.get(goal) ?? 0) + 1);
    }
    for (const goal of goalNames) expect([goal, (reached.get(goal) ?? 0) >= 3]).toEqual([goal, true]);
  });
});

describe('a planted violation', () => {
  const failures = Array.from({ length: 12 }, (_, index) => playSwarmScenario(SEED, index, attempt)).filter(
    ({ ok }) => !ok,
  );

  it('is found, and shrunk to a scenario file that fails alone', () => {
    expect(failures.length).toBeGreaterThan(2);
    for (const failure of failures) if (!failure.ok) expectShrunk(failure);
  });

  it('is shrunk without regard to what would contradict itself, to somebody who can live and nothing besides', () => {
    const always = (text: string): SwarmRun => {
      const trial = playScenarioText(text);
      return trial.ok ? { ok: false, name: 'planted', message: 'always', second: 10 } : trial;
    };
    const contradicting = ({ protocol: { dms } }: ScenarioDraft): boolean => (dms?.['warningAnchors'] ?? 0) > 60;
    const indexes = Array.from({ length: 40 }, (_, index) => index);
    const contradictions = indexes.filter((index) => contradicting(swarmDraft(SEED, index)));
    expect(contradictions.length).toBeGreaterThan(1);
    for (const index of new Set([...contradictions.slice(0, 3), ...indexes.slice(0, 5)])) {
      const trial = playSwarmScenario(SEED, index, always);
      if (trial.ok) throw new Error(`scenario ${index} did not fail`);
      const { populations, ...rest } = parse(trial.shrunk) as { populations: object[] };
      expect(populations).toHaveLength(1);
      expect(populations[0]).toMatchObject({ name: expect.stringMatching(/^p/), count: 1 });
      expect(Object.keys(rest)).toEqual(['format', 'name', 'question', 'seed', 'duration', 'measures']);
    }
  });

  it('that comes with a scheduled event keeps this one alone', () => {
    const onRules = (run: Run): void => {
      run.world.observer = (_second, _agent, what) => {
        if (EVENT_NAMES[what] === 'rules-changed') run.world.ledger.lamports[0]! += 1;
      };
    };
    const scheduled = Array.from({ length: 8 }, (_, index) =>
      playSwarmScenario(SEED, index, (text) => playScenarioText(text, onRules)),
    );
    const found = scheduled.filter((trial) => !trial.ok);
    expect(found.length).toBeGreaterThan(1);
    for (const { shrunk } of found) {
      const file = parse(shrunk) as { interventions: { kind: string }[] };
      // Both kinds change rules.
      expect(file.interventions).toHaveLength(1);
      expect(['protocol', 'hold']).toContain(file.interventions[0]?.kind);
      expect(file).not.toHaveProperty('faults');
      expect(file).not.toHaveProperty('reviews');
    }
  });

  it('is left as it was drawn when nothing smaller fails', () => {
    const [found] = failures;
    if (found === undefined || found.ok) throw new Error('nothing was found');
    const only = (text: string) => (text === found.drawn ? attempt(text) : playScenarioText(text));
    const trial = playSwarmScenario(SEED, found.index, only);
    expect(trial).toMatchObject({ ok: false, shrunk: found.drawn });
  });
});
