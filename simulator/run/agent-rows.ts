/** One row for each agent that registered, as of the current second of a run. Files of them are written by reports/. */

import type { AgentRow } from '../../results/simulation-result.js';
import { variantsOf } from '../../scenarios/adaptation.js';
import type { Population, Scenario } from '../../scenarios/scenario.js';
import { identityClasses } from '../../spec/vocabulary.js';
import { accountOfAgent } from '../world/accounts.js';
import { NEVER } from '../world/agents.js';
import { hasDeparted, NONE } from '../world/features.js';
import { scenarioNumberOf } from '../world/share.js';
import { GENESIS_MS, type World } from '../world/world.js';

/** The numbers of a row; -1 in place of a moment or a parent that there is not. */
const WIDTH = 13;
const NUMBER = 0;
const REGISTERED_SEC = 6;

/** By variant: its population, and the name of its option. */
type Places = readonly { readonly population: Population; readonly option: string | null }[];

function placesOf({ populations }: Scenario): Places {
  return variantsOf(populations).map(({ population, index, option }) => ({
    population,
    option: option === null ? null : (populations[index]?.adapts?.options[option]?.name ?? null),
  }));
}

/** The agents of a run in the order of their registration. */
export function* agentRows(world: World): Generator<AgentRow> {
  const numbers = new Float64Array(WIDTH);
  const places = placesOf(world.scenario);
  for (let row = 0; row < world.registry.agents.rows; row += 1) {
    writeNumbers(world, row, numbers, 0);
    yield agentRow(places, numbers, 0);
  }
}

/** The same as numbers, which cross threads faster. */
export function packedRows(world: World): Float64Array {
  const { rows } = world.registry.agents;
  const numbers = new Float64Array(rows * WIDTH);
  for (let row = 0; row < rows; row += 1) writeNumbers(world, row, numbers, row * WIDTH);
  return numbers;
}

/** True if packed rows can have this many bytes. */
export function isPackedRows(bytes: number): boolean {
  return bytes % (WIDTH * Float64Array.BYTES_PER_ELEMENT) === 0;
}

/**
 * The agents of several worlds that share them out, in the order of their registration in one world. Agents that register in one second do
 * so in the order of their numbers: they are roots, and are all scheduled before the first second.
 */
export function* mergedRows(scenario: Scenario, packs: readonly Float64Array[]): Generator<AgentRow> {
  const at = packs.map(() => 0);
  const places = placesOf(scenario);
  for (;;) {
    let next = -1;
    packs.forEach((pack, i) => {
      const here = at[i]!;
      if (here < pack.length && (next < 0 || isBefore(pack, here, packs[next] as Float64Array, at[next]!))) next = i;
    });
    if (next < 0) return;
    yield agentRow(places, packs[next] as Float64Array, at[next]!);
    at[next]! += WIDTH;
  }
}

function isBefore(one: Float64Array, i: number, other: Float64Array, j: number): boolean {
  const [a, b] = [one[i + REGISTERED_SEC]!, other[j + REGISTERED_SEC]!];
  return a < b || (a === b && one[i + NUMBER]! < other[j + NUMBER]!);
}

function writeNumbers(world: World, row: number, to: Float64Array, at: number): void {
  const { agents, registry, features, ledger, agentOfRow, share } = world;
  const { line, columns } = registry.agents;
  const agent = agentOfRow[row]!;
  const firstFreezeSec = agents.firstFreezeSec[agent]!;
  to.set(
    [
      ...[scenarioNumberOf(share, agent), agents.cell(agent), line.identityClass(row)],
      features === null ? NONE : scenarioNumberOf(share, features.parent[agent]!),
      ...[line.depth(row), columns.children[row]!, (columns.registeredAtMs[row]! - GENESIS_MS) / 1_000],
      firstFreezeSec === NEVER ? NONE : firstFreezeSec,
      features === null ? NONE : features.departedSec[agent]!,
      hasDeparted(features, agent) ? 1 : 0,
      agents.frozen(agent) ? 1 : 0,
      line.totalHeartbeats(row),
      ledger.lamports[accountOfAgent(world, agent)]!,
    ],
    at,
  );
}

function agentRow(places: Places, numbers: Float64Array, at: number): AgentRow {
  const [
    agent,
    cell,
    sigil,
    parent,
    depth,
    children,
    registeredSec,
    firstFreezeSec,
    departedSec,
    left,
    frozen,
    beats,
    wallet,
  ] = numbers.subarray(at, at + WIDTH) as unknown as readonly number[] as Readonly<
    [number, number, number, number, number, number, number, number, number, number, number, number, number]
  >;
  const { population, option } = places[Math.floor(cell / identityClasses.length)] as Places[number];
  return {
    agent,
    population: population.name,
    ...(option === null ? {} : { option }),
    class: identityClasses[cell % identityClasses.length]!,
    sigil: sigil === 0 ? null : (identityClasses[sigil - 1] ?? null),
    parent: parent === NONE ? null : parent,
    depth,
    children,
    registered_ms: registeredSec * 1_000,
    first_freeze_ms: firstFreezeSec === NONE ? null : firstFreezeSec * 1_000,
    departed_ms: departedSec === NONE ? null : departedSec * 1_000,
    departed: left === 1,
    frozen: frozen === 1,
    heartbeats: beats,
    wallet_lamports: wallet,
  };
}
