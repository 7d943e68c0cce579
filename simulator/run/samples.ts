/**
 * Samples of every measure, by class and population, over protocol time. Counters are in world/cells.ts; expectations
 * read the samples.
 */

import { missedAnchors } from '../../reference/registry/state.js';
import type { Series } from '../../results/simulation-result.js';
import { classesOf, groupNames } from '../../scenarios/groups.js';
import { type FeatureMeasureName, type MeasureName, measureNames, measures } from '../../scenarios/measures.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { DAY_SEC, HOUR_SEC } from '../../spec/time.js';
import { identityClasses } from '../../spec/vocabulary.js';
import { countOffline, isDown } from '../agents/schedule.js';
import { accountOfAgent } from '../world/accounts.js';
import { NEVER } from '../world/agents.js';
import type { Counter } from '../world/cells.js';
import { hasDeparted } from '../world/features.js';
import type { World } from '../world/world.js';

const GIGA = 1e9;

/** Agents that are measured together. The name is null for all agents. */
interface AgentGroup {
  readonly name: string | null;
  readonly cells: readonly number[];
}

/** One measure of one group over time. */
interface MeasureTrack {
  readonly measure: MeasureName;
  readonly group: AgentGroup;
  readonly values: number[];
}

/** The counts that measures are computed from, besides those that each sample makes again. */
type CellsInput = Pick<World, 'cells' | 'second'>;

/** The samples so far. */
export interface Samples {
  readonly timesSec: number[];
  readonly groups: readonly AgentGroup[];
  readonly tracks: readonly MeasureTrack[];
  /** By cell, counted again for each sample. */
  readonly warning: Float64Array;
  readonly offline: Float64Array;
  readonly dry: Float64Array;
  readonly walletLamports: Float64Array;
  readonly complained: Float64Array;
  readonly passportsValid: Float64Array;
  readonly frozenPassportsValid: Float64Array;
  readonly depthMax: Float64Array;
}

/** The groups of a scenario: all agents, then each class, then each population. */
function groupsOf({ populations }: Scenario): AgentGroup[] {
  const width = identityClasses.length;
  const cells = populations.flatMap(({ classes }, p) =>
    identityClasses.flatMap((name, c) => (classes[name] > 0 ? [{ cell: p * width + c, population: p, class: c }] : [])),
  );
  const where = (holds: (cell: (typeof cells)[number]) => boolean): number[] =>
    cells.filter(holds).map(({ cell }) => cell);
  return [
    { name: null, cells: where(() => true) },
    ...identityClasses.map((name, c) => ({ name, cells: where((cell) => cell.class === c) })),
    ...populations.map(({ name }, p) => ({ name, cells: where((cell) => cell.population === p) })),
  ];
}

/** No samples yet, with a track for every measure that the scenario lists or has an expectation about. */
export function createSamples({ scenario, cells }: Pick<World, 'scenario' | 'cells'>): Samples {
  const expected = scenario.expectations.map(({ measure }) => measure);
  const wanted = measureNames.filter((name) => scenario.measures.names.includes(name) || expected.includes(name));
  const groups = groupsOf(scenario);
  const count = cells.live.length;
  return {
    timesSec: [],
    groups,
    tracks: wanted.flatMap((measure) => groups.map((group) => ({ measure, group, values: [] }))),
    warning: new Float64Array(count),
    offline: new Float64Array(count),
    dry: new Float64Array(count),
    walletLamports: new Float64Array(count),
    complained: new Float64Array(count),
    passportsValid: new Float64Array(count),
    frozenPassportsValid: new Float64Array(count),
    depthMax: new Float64Array(count),
  };
}

/** Begins a sample of the state before this second is played. Count each agent, then end it. */
export function beginSample({ timesSec: _t, groups: _g, tracks: _r, ...counts }: Samples): void {
  for (const column of Object.values(counts)) column.fill(0);
}

/** Counts an agent in the current sample. */
export function countAgent(world: World, samples: Samples, agent: number, row: number): void {
  const { agents, ledger, registry } = world;
  const cell = agents.cell(agent);
  const { warningAnchors } = registry.protocol.dms;
  if (!agents.frozen(agent) && missedAnchors(registry, row) > warningAnchors) samples.warning[cell]! += 1;
  if (holdsPassport(world, agent)) {
    samples.passportsValid[cell]! += 1;
    if (agents.frozen(agent)) samples.frozenPassportsValid[cell]! += 1;
  }
  countOffline(world, agent);
  if (!hasDeparted(world.features, agent)) {
    if (isDown(world, agent)) samples.offline[cell]! += 1;
    if (agents.dry(agent)) samples.dry[cell]! += 1;
  }
  if (world.features !== null) {
    if (registry.agents.line.complaints(row) > 0) samples.complained[cell]! += 1;
    samples.depthMax[cell] = Math.max(samples.depthMax[cell]!, registry.agents.line.depth(row));
  }
  samples.walletLamports[cell]! += ledger.lamports[accountOfAgent(world, agent)]!;
}

/** Whether the latest passport of an agent is still valid (2.6): a freeze does not end it. */
function holdsPassport({ agents, registry, second }: World, agent: number): boolean {
  const issuedSec = agents.passportSec(agent);
  return issuedSec !== NEVER && second < issuedSec + registry.protocol.passport.validityHours * HOUR_SEC;
}

/** Ends the current sample. */
export function endSample(counted: CellsInput, samples: Samples): void {
  samples.timesSec.push(counted.second);
  for (const { measure, group, values } of samples.tracks) values.push(measured(counted, samples, measure, group));
}

/** A measure of a group as of the latest sample. */
export function latest(counted: CellsInput, samples: Samples, measure: MeasureName, group: string | null): number {
  const found = samples.groups.find(({ name }) => name === group);
  if (found === undefined) throw new Error(`there is no class or population ${group}`);
  return shownValue(measured(counted, samples, measure, found));
}

/** The sum of a counter over a group. */
function sumOf(column: Float64Array, { cells }: AgentGroup): number {
  let sum = 0;
  for (const cell of cells) sum += column[cell]!;
  return sum;
}

/** A ratio that divides by nothing has no value: NaN. Pictures and totals show 0, and no expectation passes. */
function ratio(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : part / whole;
}

/** The number that results show: 0 where a measure has no value. */
export function shownValue(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}

function measured(counted: CellsInput, samples: Samples, measure: MeasureName, group: AgentGroup): number {
  const { cells, second } = counted;
  const of = (column: Counter): number => sumOf(cells[column], group);
  const liveSec = (): number => of('liveSec') + of('live') * second;
  switch (measure) {
    case 'registered':
      return of('registered');
    case 'active':
      return of('live') - sumOf(samples.warning, group);
    case 'warning':
      return sumOf(samples.warning, group);
    case 'frozen':
      return of('registered') - of('live');
    case 'never_frozen':
      return of('registered') - of('everFrozen');
    case 'never_frozen_share':
      return ratio(of('registered') - of('everFrozen'), of('registered'));
    case 'passports_valid':
      return sumOf(samples.passportsValid, group);
    case 'passport_share':
      return ratio(sumOf(samples.passportsValid, group), of('registered'));
    case 'frozen_passports_valid':
      return sumOf(samples.frozenPassportsValid, group);
    case 'offline':
      return sumOf(samples.offline, group);
    case 'dry':
      return sumOf(samples.dry, group);
    case 'frozen_share':
      return ratio(of('registered') - of('live'), of('registered'));
    case 'live_share':
      return ratio(of('live'), of('registered'));
    case 'wallet_lamports':
      return sumOf(samples.walletLamports, group);
    case 'heartbeats':
      return of('heartbeats');
    case 'heartbeats_refused':
      return of('heartbeatsRefused');
    case 'heartbeats_skipped':
      return of('heartbeatsSkipped');
    case 'freezes':
      return of('freezes');
    case 'resyncs':
      return of('resyncs');
    case 'resyncs_refused':
      return of('resyncsRefused');
    case 'fees_lamports':
      return of('feesLamports');
    case 'fees_to_operations_lamports':
      return of('feesToOperations');
    case 'fees_to_contributors_lamports':
      return of('feesToContributors');
    case 'fees_to_development_lamports':
      return of('feesToDevelopment');
    case 'fees_to_treasury_lamports':
      return of('feesToTreasury');
    case 'fees_to_referral_lamports':
      return of('feesToReferral');
    case 'top_ups_lamports':
      return of('topUpsLamports');
    case 'frozen_days':
      return (presentSec(counted, group) - livePresentSec(counted, group)) / DAY_SEC;
    case 'live_days':
      return liveSec() / DAY_SEC;
    case 'uptime_share':
      return ratio(liveSec(), of('registeredSec') + of('registered') * second);
    case 'availability_share':
      return ratio(livePresentSec(counted, group) - of('offlineSec'), presentSec(counted, group));
    case 'live_day_cost_lamports':
      return ratio(of('feesLamports') * DAY_SEC, liveSec());
    case 'heartbeat_cost_lamports':
      return ratio(of('heartbeatFeesLamports'), of('heartbeats'));
    default:
      return featureMeasured(counted, samples, measure, group);
  }
}

function featureMeasured(
  counted: CellsInput,
  samples: Samples,
  measure: FeatureMeasureName,
  group: AgentGroup,
): number {
  const of = (column: Counter): number => sumOf(counted.cells[column], group);
  switch (measure) {
    case 'present':
      return of('registered') - of('left');
    case 'departed':
      return of('left');
    case 'frozen_present':
      return of('registered') - of('left') - of('livePresent');
    case 'frozen_share_of_present': {
      const present = of('registered') - of('left');
      return ratio(present - of('livePresent'), present);
    }
    case 'life_uptime_share':
      return ratio(livePresentSec(counted, group), presentSec(counted, group));
    case 'fees_by_sponsors_lamports':
      return of('feesBySponsorsLamports');
    case 'fees_for_others_lamports':
      return of('feesForOthersLamports');
    case 'reissues':
      return of('reissues');
    case 'spawns':
      return of('spawns');
    case 'depth_max':
      return group.cells.reduce((most, cell) => Math.max(most, samples.depthMax[cell]!), 0);
    case 'heartbeats_sponsored':
      return of('heartbeatsSponsored');
    case 'flags':
      return of('flags');
    case 'flags_sustained':
      return of('flagsSustained');
    case 'refused_share':
      return ratio(sumOf(samples.complained, group), of('registered'));
    case 'payments_troubled':
      return of('paymentsTroubled');
    case 'keys_revoked':
      return of('keysRevoked');
    case 'subsidies_lamports':
      return of('subsidiesLamports');
    case 'gigahashes':
      return of('hashes') / GIGA;
    case 'income_lamports':
      return incomeLamports(counted, group);
    case 'profit_lamports':
      return incomeLamports(counted, group) - of('feesLamports') - workLamports(counted, group);
    default:
      return measure satisfies never;
  }
}

/** Agent-seconds until departure, and those of them not frozen. */
function presentSec({ cells, second }: CellsInput, group: AgentGroup): number {
  const present = sumOf(cells.registered, group) - sumOf(cells.left, group);
  return sumOf(cells.presentSec, group) + present * second;
}

function livePresentSec({ cells, second }: CellsInput, group: AgentGroup): number {
  return sumOf(cells.livePresentSec, group) + sumOf(cells.livePresent, group) * second;
}

/** Income outside the ledger: each cell at the rates of its population. Agents that have departed earn nothing, frozen or not. */
function incomeLamports({ cells, second }: CellsInput, group: AgentGroup): number {
  return group.cells.reduce((sum, cell) => {
    const { liveDayLamports, heartbeatLamports } = cells.populations[cell]!.economics;
    const liveSec = cells.livePresentSec[cell]! + cells.livePresent[cell]! * second;
    return sum + (liveSec * liveDayLamports) / DAY_SEC + cells.heartbeats[cell]! * heartbeatLamports;
  }, 0);
}

function workLamports({ cells }: CellsInput, group: AgentGroup): number {
  return group.cells.reduce((sum, cell) => {
    const { gigahashLamports } = cells.populations[cell]!.economics;
    return sum + (cells.hashes[cell]! * gigahashLamports) / GIGA;
  }, 0);
}

/** The groups that a summary shows: all agents, and classes and populations where there are at least two. Tables have them all. */
export function shownGroups(scenario: Scenario): readonly AgentGroup[] {
  const classes: readonly string[] = classesOf(scenario);
  const populations = scenario.populations.map(({ name }) => name);
  return groupsOf(scenario).filter(({ name }) => {
    if (name === null) return true;
    return (classes.length > 1 && classes.includes(name)) || (populations.length > 1 && populations.includes(name));
  });
}

/** The series that the scenario lists: for all agents, for each class that some agent can have, and for each population. */
export function seriesOf(scenario: Scenario, samples: Samples): Series[] {
  const groups = new Set<string | null>([null, ...groupNames(scenario)]);
  return samples.tracks
    .filter(({ measure, group }) => scenario.measures.names.includes(measure) && groups.has(group.name))
    .map(({ measure, group, values }) => ({
      name: measure,
      unit: measures[measure].unit,
      label: measures[measure].label,
      ...(group.name === null ? {} : { group: group.name }),
      values: values.map(shownValue),
    }));
}

/** The samples of a measure of a group, NaN where it has no value. Throws if it is not tracked. */
export function trackOf(samples: Samples, measure: MeasureName, group: string | null): readonly number[] {
  const track = samples.tracks.find((candidate) => candidate.measure === measure && candidate.group.name === group);
  if (track === undefined) throw new Error(`${measure} of ${group ?? 'all'} was not measured`);
  return track.values;
}
