import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chartFile } from '../reports/charts/chart-file.js';
import type { Scenario } from '../scenarios/scenario.js';
import { parseScenario } from '../scenarios/schema.js';
import { played } from './fixtures/small-scenario.js';

const library = new URL('../scenarios/library/', import.meta.url);
const names = readdirSync(library).flatMap((file) => (file.endsWith('.yaml') ? [file.slice(0, -'.yaml'.length)] : []));

function scenarioOf(file: string): Scenario {
  const parsed = parseScenario(readFileSync(new URL(file, library), 'utf8'), file);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  return parsed.value;
}

describe('the finding in the README and in docs/simulate.md', () => {
  it('has the chart that its command writes, and names what was measured', () => {
    const scenario = scenarioOf('strategic-freezing.yaml');
    const svg = chartFile(played(scenario, scenario.seed), 'fees_lamports');
    expect(readFileSync(new URL('../docs/figures/strategic-freezing.svg', import.meta.url), 'utf8')).toBe(svg);
    const [readme, simulate] = ['../README.md', '../docs/simulate.md'].map((path) =>
      readFileSync(new URL(path, import.meta.url), 'utf8'),
    );
    for (const name of ['faithful', 'sleepers', 'freeloaders']) {
      const [, measured] = new RegExp(`${name}: ([0-9.]+ SOL) at the end`).exec(svg ?? '') ?? [];
      for (const text of [readme, simulate]) expect(text).toContain(`${name} ${measured}`);
    }
    const listed = [...(simulate ?? '').matchAll(/^\| ([a-z, -]+) \| .*\? \|$/gm)].flatMap(([, cell]) =>
      (cell ?? '').split(', '),
    );
    expect(listed.toSorted()).toEqual(names.toSorted());
  });
});
