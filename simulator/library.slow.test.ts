import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Scenario } from '../scenarios/scenario.js';
import { parseScenario } from '../scenarios/schema.js';
import { describeProblem } from '../spec/document.js';
import { type Overlay, parseOverlay } from '../spec/overlay.js';
import { lastOf, played } from '../test/fixtures/small-scenario.js';

const library = new URL('../scenarios/library/', import.meta.url);
const names = readdirSync(library)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.slice(0, -'.yaml'.length));

function scenarioOf(name: string, overlay: Overlay = {}): Scenario {
  const file = `${name}.yaml`;
  const parsed = parseScenario(readFileSync(new URL(file, library), 'utf8'), file, overlay);
  if (!parsed.ok) throw new Error(parsed.problems.map(describeProblem).join('\n'));
  return parsed.value;
}

function counterOf(name: string): Overlay {
  const file = `counter/${name}.yaml`;
  const parsed = parseOverlay(readFileSync(new URL(file, library), 'utf8'), file);
  if (!parsed.ok) throw new Error(parsed.problems.map(describeProblem).join('\n'));
  return parsed.value;
}

const failed = (scenario: Scenario, seed = scenario.seed) =>
  played(scenario, seed).expectations.filter(({ holds }) => !holds);

describe('every scenario of the library', () => {
  it('has a counter-overlay of its name, and there are no others', () => {
    const counters = readdirSync(new URL('counter/', library)).map((file) => file.slice(0, -'.yaml'.length));
    expect(counters.toSorted()).toEqual(names.toSorted());
    expect(names.length).toBeGreaterThanOrEqual(12);
  });

  it.each(names)('%s: its answer holds, and does not under its counter-overlay', (name) => {
    const scenario = scenarioOf(name);
    expect(scenario.name).toBe(name);
    expect(scenario.question).toMatch(/\?$/);
    expect(scenario.expectations.length).toBeGreaterThanOrEqual(3);
    expect(failed(scenario)).toEqual([]);
    expect(failed(scenarioOf(name, counterOf(name)))).not.toEqual([]);
  });
});

describe('quickstart', () => {
  it.each([1, 20_260_101])('holds what it expects with seed %i too', (seed) => {
    const result = played(scenarioOf('quickstart'), seed);
    expect(result.expectations.filter(({ holds }) => !holds)).toEqual([]);
    expect(result.manifest.agents).toBe(2_000);
    const refused = result.manifest.operations.by_kind.flatMap(({ refused: codes }) => Object.keys(codes));
    expect(refused).toEqual(expect.arrayContaining(['AGENT_FROZEN', 'HEARTBEAT_TOO_SOON', 'VOLUME_CAP_REACHED']));
    for (const identityClass of ['narrow_task', 'autonomous', 'orchestrator']) {
      expect(lastOf(result, 'freezes', identityClass)).toBeGreaterThan(0);
      expect(lastOf(result, 'resyncs', identityClass)).toBeGreaterThan(0);
    }
  });
});
