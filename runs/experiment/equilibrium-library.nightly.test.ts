import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { parseEquilibrium } from '../../experiments/equilibrium/equilibrium-file.js';
import { percentText, solText } from '../../results/numbers.js';
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

const documented = readFileSync(join(root, 'docs/experiments.md'), 'utf8').replace(/\s+/g, ' ');
const sol = (lamports = 0): string => solText(lamports).replace(' SOL', '');

/** The result of an experiment of the library. */
function experiment(name: string): ReturnType<typeof searchEquilibria> {
  const file = (kind: string): string => readFileSync(join(EXPERIMENTS, `${name}${kind}`), 'utf8');
  const source = {
    file: `${name}.yaml`,
    text: file('.yaml'),
    scenarioFile: name,
    scenarioText: file('.scenario.yaml'),
  };
  return searchEquilibria(parsedOrFail(parseEquilibrium(source.text, source.file)), source, {
    out: undefined,
    workers: 1,
  });
}

describe('experiments of the library', () => {
  it('freezing-equilibrium has the figures that docs/experiments.md says', async () => {
    const { answer, coupling, equilibria } = await experiment('freezing-equilibrium');
    expect([answer, coupling.verdict]).toEqual(['confirmed', 'uncoupled']);
    expect(coupling.differences.every(({ mean }) => mean === 0)).toBe(true);
    const { mean, interval } = equilibria[0]?.deviations[0] ?? { mean: 0, interval: [0, 0] as const };
    const range = `(95 %: ${sol(-interval[1])} to ${sol(-interval[0])})`;
    expect(documented).toContain(`has ${sol(-mean)} SOL a day less ${range}`);
  });

  it('held-availability has the figures that docs/experiments.md says', async () => {
    const { answer, coupling, equilibria } = await experiment('held-availability');
    expect([answer, coupling.verdict, equilibria.length]).toEqual(['confirmed', 'coupled', 1]);
    const [first] = equilibria;
    expect([first?.kind, first?.basin]).toEqual(['mixed', 1]);
    const faithful = percentText(Number(first?.mixture[0]?.[0]?.toFixed(3)));
    expect(documented).toContain(`98 %, ${faithful} of agents stay alive`);
    expect(documented).toContain(`gains more than ${sol(first?.regret.interval[1])} SOL a day by the other option`);
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
