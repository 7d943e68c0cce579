// Random scenarios; swarm.nightly has more of them, and `.ci/nightly` plays 2,000 with another seed each night.
import { describe, expect, it } from 'vitest';
import { attempt, expectShrunk } from '../../test/fixtures/planted-violation.js';
import { playSwarmScenario } from './swarm.js';
import { draftText, swarmDraft } from './swarm-scenario.js';

const SEED = 1;
const SCENARIOS = 30;

describe('a swarm', () => {
  it(`of ${SCENARIOS} random scenarios breaks no invariant`, () => {
    for (let index = 0; index < SCENARIOS; index += 1) {
      const trial = playSwarmScenario(SEED, index);
      if (!trial.ok) throw new Error(`${trial.message}\n${trial.shrunk}`);
    }
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

it('a planted violation is found, and shrunk to a scenario file that fails alone', () => {
  for (let index = 0; index < SCENARIOS; index += 1) {
    const trial = playSwarmScenario(SEED, index, attempt);
    if (!trial.ok) return expectShrunk(trial);
  }
  throw new Error('nothing was found');
});
