/**
 * A scenario as a game: its roles are the populations with `adapts`. A cell is played with one more option for the agents that deviate, which
 * comes first; the others keep the options that the cell gives them. So the same agents, with the same random draws, deviate to each option
 * against any play of the others. It plays nothing.
 */

import { parse, stringify } from 'yaml';
import type { Json } from '../../results/json-text.js';
import { type SweepRun, valueAt } from '../../results/sweep-result.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { parseScenario } from '../../scenarios/schema.js';
import { type Parsed, type Problem, problemIn } from '../../spec/document.js';
import { DAY_SEC } from '../../spec/time.js';
import type { ArmSettings } from '../design/designs.js';
import type { EquilibriumFile } from './equilibrium-file.js';
import type { Cell, Role } from './role-game.js';

/** The texts of an equilibrium file and its scenario, and the names of their files. */
export interface EquilibriumSource {
  readonly file: string;
  readonly text: string;
  readonly scenarioFile: string;
  readonly scenarioText: string;
}

/** A scenario as a game that can be played. */
export interface EquilibriumPlan {
  /** The roles of the reduced game. */
  readonly roles: readonly Role[];
  /** The agents of each role. */
  readonly agents: readonly number[];
  /** The scenario file with the option of those that deviate. */
  readonly scenarioText: string;
  /** The sweep file that plays some cells, an arm for each. */
  readonly sweepTextOf: (cells: readonly Cell[], seed: number, replicates: number) => string;
  /** The settings that play a cell, whose counts are of agents. */
  readonly settingsOf: (cell: Cell) => ArmSettings;
  /** The payoff of a cell in a run, in lamports for an agent and day; null for a run that failed. */
  readonly payoffOf: (cell: Cell, run: SweepRun) => number | null;
  /** The payoff of an option that is not played, because its agents leave; null for all others. */
  readonly outsideOf: (cell: Cell) => number | null;
}

type Yaml = Readonly<Record<string, Json>>;
const PLAYERS = 4;
/** One less than a scenario takes. */
const OPTIONS_MAX = 15;
/** More combinations of one option for each role are not gone through. */
const COMBINATIONS_MAX = 4_096;

/** The game of a file, or everything that is wrong with it and its scenario. */
export function planEquilibrium(file: EquilibriumFile, source: EquilibriumSource): Parsed<EquilibriumPlan> {
  const parsed = parseScenario(source.scenarioText, source.scenarioFile);
  if (!parsed.ok) return parsed;
  const problems = problemsOf(file, parsed.value, source);
  if (problems.length > 0) return { ok: false, problems };
  const choosing = parsed.value.populations.flatMap((population) =>
    population.adapts === undefined ? [] : [{ population, adapts: population.adapts }],
  );
  const roles = choosing.map(({ population: { name, count }, adapts }): Role => {
    const players = file.reduction[name] ?? Math.min(PLAYERS, count);
    return { name, players, options: adapts.options.map((option) => option.name) };
  });
  const scenario = parse(source.scenarioText) as Yaml;
  const keys = optionKeys(scenario, roles);
  const deviating = deviatorName(roles);
  const days = (parsed.value.durationSec - file.warmup) / DAY_SEC;
  const times = file.warmup > 0 ? ['', ` at ${file.warmup}s`] : [''];
  const settingsOf = settingsFor(file, roles, keys, deviating);
  return {
    ok: true,
    value: {
      roles,
      agents: choosing.map(({ population }) => population.count),
      scenarioText: stringify(withDeviators(scenario, roles, deviating), { aliasDuplicateObjects: false }),
      settingsOf,
      sweepTextOf: (cells, seed, replicates) => {
        const { format, name, question, scenario: path } = file;
        const measures = roles.flatMap((role) =>
          times.map((time) => `profit_lamports.${role.name}/${deviating}${time}`),
        );
        const rows = cells.map((cell, i) => ({ name: `cell-${i}`, set: settingsOf(cell) }));
        const design = { kind: 'table', rows };
        const sweep = { format, name, question, scenario: path, seed, replicates, measures, design };
        // Two places may have the same value; files have no aliases.
        return stringify(sweep, { aliasDuplicateObjects: false });
      },
      payoffOf: ({ role }, run) => {
        if (run.error !== undefined) return null;
        const [end = 0, start = 0] = times.map((_, i) => valueAt(run, role * times.length + i) ?? 0);
        return (end - start) / (file.deviators * days);
      },
      outsideOf: ({ role, option }) => {
        const adapts = choosing[role]?.adapts;
        return adapts?.options[option]?.leaves === true ? (adapts.revision?.outsideLamports ?? 0) : null;
      },
    },
  };
}

/** The settings of a cell: how many agents have each option, and the option of those that deviate. */
function settingsFor(
  { deviators }: EquilibriumFile,
  roles: readonly Role[],
  keys: readonly (readonly Yaml[])[],
  deviating: string,
): (cell: Cell) => ArmSettings {
  return ({ role, option, others }) =>
    Object.fromEntries(
      roles.flatMap(({ name, options }, of): [string, Json][] => {
        const path = `populations.${name}.adapts`;
        const counts = Object.fromEntries(options.map((each, i) => [each, others[of]?.[i] ?? 0]));
        if (of !== role) return [[`${path}.start`, { counts }]];
        return [
          [`${path}.options.${deviating}`, keys[role]?.[option] as Yaml],
          [`${path}.start`, { counts: { [deviating]: deviators, ...counts } }],
        ];
      }),
    );
}

/** A name for the option of the agents that deviate, which no option has. */
function deviatorName(roles: readonly Role[]): string {
  const taken = new Set(roles.flatMap(({ options }) => options));
  const names = Array.from({ length: taken.size + 1 }, (_, i) => (i === 0 ? 'deviator' : `deviator-${i + 1}`));
  return names.find((name) => !taken.has(name)) ?? 'deviator';
}

function populationOf(scenario: Yaml, { name }: Role): Yaml {
  return (scenario['populations'] as readonly Yaml[]).find((population) => population['name'] === name) as Yaml;
}

/** The keys of each option of each role, without that of leaving: agents that leave are not played. */
function optionKeys(scenario: Yaml, roles: readonly Role[]): readonly (readonly Yaml[])[] {
  return roles.map((role) => {
    const options = (populationOf(scenario, role)['adapts'] as Yaml)['options'] as Readonly<Record<string, Yaml>>;
    return role.options.map((name) => {
      const { leaves: _, ...keys } = options[name] as Yaml;
      return keys;
    });
  });
}

/** A scenario whose agents keep their options, with the option of those that deviate first: exact counts are dealt in this order. */
function withDeviators(scenario: Yaml, roles: readonly Role[], deviating: string): Yaml {
  // Expectations and goals are of the scenario as it is, and are not asked here.
  const { expectations: _, sometimes: __, ...rest } = scenario;
  const populations = (scenario['populations'] as readonly Yaml[]).map((population): Yaml => {
    const adapts = population['adapts'] as Yaml | undefined;
    if (adapts === undefined || roles.every(({ name }) => name !== population['name'])) return population;
    const options = { [deviating]: {}, ...(adapts['options'] as Yaml) };
    return { ...population, adapts: { options, by: 'fixed' } };
  });
  return { ...rest, populations };
}

/** The problems of a file and its scenario. */
function problemsOf(file: EquilibriumFile, scenario: Scenario, source: EquilibriumSource): Problem[] {
  const problems: Problem[] = [];
  const blame = (path: readonly (string | number)[], message: string): void => {
    problems.push(problemIn(source.text, source.file, path, message));
  };
  const roles = scenario.populations.filter(({ adapts }) => adapts !== undefined);
  if (roles.length === 0) blame(['scenario'], 'has no population with adapts, so nobody has a choice');
  for (const { name, count, spawned, adapts } of roles) {
    if (spawned) blame(['scenario'], `has options for ${name}, which are children: their parents make them`);
    if (file.deviators > Math.max(1, count / 2))
      blame(['deviators'], `must be at most half of the ${count} agents of ${name}`);
    const players = file.reduction[name];
    if (players !== undefined && (players > count || (count > 1 && players < 2)))
      blame(['reduction', name], `must be from ${Math.min(2, count)} to the ${count} agents of the population`);
    if (count < 1) blame(['scenario'], `has no agents in ${name}`);
    if ((adapts?.options.length ?? 0) > OPTIONS_MAX)
      blame(['scenario'], `has more than ${OPTIONS_MAX} options for ${name}, and one more is for agents that deviate`);
  }
  const combinations = roles.reduce((product, { adapts }) => product * (adapts?.options.length ?? 1), 1);
  if (combinations > COMBINATIONS_MAX)
    blame(
      ['scenario'],
      `has more than ${COMBINATIONS_MAX} combinations of options: fewer populations with adapts, or fewer options`,
    );
  for (const name of Object.keys(file.reduction)) {
    if (roles.some((role) => role.name === name)) continue;
    const known = roles.map((role) => role.name).join(', ');
    blame(['reduction', name], `is not a population with adapts; known: ${known}`);
  }
  if (file.warmup >= scenario.durationSec) blame(['warmup'], 'must end before the scenario does');
  const earns = scenario.populations.some(
    ({ economics: { liveDayLamports, heartbeatLamports, gigahashLamports } }) =>
      liveDayLamports + heartbeatLamports + gigahashLamports > 0,
  );
  if (!earns) blame(['scenario'], 'has no economics, so no agent has a profit');
  return problems;
}
