import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type GoalName, goalNames } from '../../scenarios/goals.js';
import { parseScenario } from '../../scenarios/schema.js';
import type { Run } from '../run/run.js';
import { EVENT_NAMES } from '../world/operations.js';
import { playScenarioText, playSwarmScenario, type SwarmRun } from './swarm.js';
import { draftText, type ScenarioDraft, swarmDraft } from './swarm-scenario.js';

const SEED = 1;
// `.ci/nightly` plays 2,000 with another seed each night.
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

  it('is the same for the same seed, and every scenario of it is another', () => {
    const texts = (seed: number): string[] => Array.from({ length: 40 }, (_, i) => draftText(swarmDraft(seed, i)));
    expect(texts(3)).toEqual(texts(3));
    expect(new Set([...texts(3), ...texts(4)]).size).toBe(80);
  });

  it('switches every feature on and off', () => {
    const drafts = Array.from({ length: 60 }, (_, i) => swarmDraft(SEED, i));
    const populations = drafts.flatMap((draft) => draft.populations);
    for (const key of ['outages', 'arrivals', 'resync'] as const) {
      expect(new Set(populations.map((population) => population[key] === undefined)).size).toBe(2);
    }
    expect(new Set(populations.map(({ budget }) => budget.top_up === undefined)).size).toBe(2);
    for (const group of ['dms', 'heartbeat', 'resync', 'anchor']) {
      expect(new Set(drafts.map(({ protocol }) => group in protocol)).size).toBe(2);
    }
  });
});

/**
 * A mistake that shows only when at least two agents run, one of them was frozen, and a quarter of an hour has
 * passed.
 */
function plant({ world }: Run): void {
  let freezes = 0;
  world.observer = (second, _agent, what) => {
    if (what === 5) freezes += 1;
    if (freezes > 0 && second >= 900 && world.registry.agents.rows >= 2) world.ledger.lamports[1]! += 1;
  };
}

describe('a planted violation', () => {
  const attempt = (text: string) => playScenarioText(text, plant);
  const failures = Array.from({ length: 12 }, (_, index) => playSwarmScenario(SEED, index, attempt)).filter(
    ({ ok }) => !ok,
  );

  it('is found, and shrunk to a scenario file that fails alone', () => {
    expect(failures.length).toBeGreaterThan(2);
    for (const failure of failures) {
      if (failure.ok) continue;
      expect(failure.name).toBe('lamports-conserved');
      const again = attempt(failure.shrunk);
      expect(again).toMatchObject({ ok: false, name: 'lamports-conserved', message: failure.message });
      expect(parseScenario(failure.shrunk, 'shrunk.yaml')).toMatchObject({ ok: true });
      // Without the mistake the same file holds.
      expect(playScenarioText(failure.shrunk)).toMatchObject({ ok: true });
      const agents = (text: string): number =>
        (parse(text) as { populations: { count: number }[] }).populations.reduce((sum, { count }) => sum + count, 0);
      expect(agents(failure.shrunk)).toBeLessThanOrEqual(8);
      expect(failure.shrunk.length).toBeLessThan(failure.drawn.length);
    }
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
