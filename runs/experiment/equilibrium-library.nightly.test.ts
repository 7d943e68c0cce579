import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { parseEquilibrium } from '../../experiments/equilibrium/equilibrium-file.js';
import { solText } from '../../results/numbers.js';
import { couplingOf } from '../../scenarios/coupling.js';
import { parseScenario } from '../../scenarios/schema.js';
import { root } from '../../test/source-tree.js';
import { parsedOrFail } from '../host/files.js';
import { searchEquilibria } from './equilibrium.js';

const LIBRARY = join(root, 'scenarios/library');
/** As many agents show what couples them as more would. */
const AGENTS = 4;

interface PopulationFile {
  readonly name: string;
  readonly count: number;
  readonly economics?: object;
}

/** A scenario of the library with few agents, of which those of the first population have a choice. */
function withChoice(text: string): string {
  const scenario = parse(text) as { readonly populations: readonly PopulationFile[] };
  const populations = scenario.populations.map((population, i) => ({
    ...population,
    count: Math.min(AGENTS, population.count),
    economics: { live_day: '0.02 SOL', gigahash: '1000 lamports', ...population.economics },
    ...(i > 0
      ? {}
      : {
          adapts: {
            options: { 'as-it-is': {}, freezing: { heartbeat: { policy: 'interval', every: '65m' } } },
            by: 'fixed',
          },
        }),
  }));
  return stringify({ ...scenario, populations, expectations: [], sometimes: [] }, { aliasDuplicateObjects: false });
}

const EXPERIMENTS = join(root, 'scenarios/experiments');

describe('the experiment freezing-equilibrium', () => {
  it('has the figures that docs/experiments.md says', async () => {
    const text = readFileSync(join(EXPERIMENTS, 'freezing-equilibrium.yaml'), 'utf8');
    const scenarioText = readFileSync(join(EXPERIMENTS, 'freezing-equilibrium.scenario.yaml'), 'utf8');
    const source = { file: 'freezing-equilibrium.yaml', text, scenarioFile: 'scenario.yaml', scenarioText };
    const parsed = parsedOrFail(parseEquilibrium(text, source.file));
    const { answer, coupling, equilibria } = await searchEquilibria(parsed, source, { out: undefined, workers: 1 });
    expect([answer, coupling.verdict]).toEqual(['confirmed', 'uncoupled']);
    expect(coupling.differences.every(({ mean }) => mean === 0)).toBe(true);
    const [faithful] = equilibria[0]?.deviations ?? [];
    const sol = (lamports = 0): string => solText(-lamports).replace(' SOL', '');
    const [low, high] = faithful?.interval ?? [];
    const documented = readFileSync(join(root, 'docs/experiments.md'), 'utf8').replace(/\s+/g, ' ');
    expect(documented).toContain(`has ${sol(faithful?.mean)} SOL a day less (95 %: ${sol(high)} to ${sol(low)})`);
  });
});

const scenarios = readdirSync(LIBRARY)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => [name, readFileSync(join(LIBRARY, name), 'utf8')] as const);
const uncoupled = scenarios.filter(([name, text]) => couplingOf(parsedOrFail(parseScenario(text, name))) === null);

describe('library scenarios without coupling', () => {
  it('are most of them', () => {
    expect(uncoupled.length).toBeGreaterThan(scenarios.length / 2);
  });

  it.each(uncoupled)('%s is called uncoupled, and everyone has a best response', async (name, text) => {
    const limits = 'replicates: 2\nreplicates_max: 2\nheld_out: 2\nheld_out_max: 2\n';
    const file = `format: 1\nname: library\nquestion: Does the play of others matter?\nscenario: ${name}\n${limits}`;
    const source = { file: 'library.yaml', text: file, scenarioFile: name, scenarioText: withChoice(text) };
    const parsed = parsedOrFail(parseEquilibrium(file, 'library.yaml'));
    const { coupling, equilibria } = await searchEquilibria(parsed, source, { out: undefined, workers: 1 });
    expect(coupling.verdict).toBe('uncoupled');
    expect(coupling.differences.map(({ mean }) => mean)).toEqual(new Array(4).fill(0));
    expect(equilibria.map(({ kind }) => kind)).toEqual(['pure']);
  });
});
