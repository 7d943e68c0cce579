/**
 * Samples of every measure, by class and population, over protocol time. Counters are in world/cells.ts; expectations
 * read the samples.
 */

import { flatFeeLamports } from '../../reference/registry/fee-resolution.js';
import { missedAnchors } from '../../reference/registry/state.js';
import type { Series } from '../../results/simulation-result.js';
import { groupNames } from '../../scenarios/groups.js';
import { type FeatureMeasureName, type MeasureName, measureNames, measures } from '../../scenarios/measures.js';
import type { Scenario } from '../../scenarios/scenario.js';
import { DAY_SEC, HOUR_SEC } from '../../spec/time.js';
import { countOffline, isDown } from '../agents/schedule.js';
import { accountOfAgent } from '../world/accounts.js';
import { NEVER } from '../world/agents.js';
import type { Counter } from '../world/cells.js';
import { hasDeparted } from '../world/features.js';
import { incomeLamports, livePresentSec, presentSec, profitLamports, sumOf } from '../world/profit.js';
import type { World } from '../world/world.js';
import { type AgentGroup, groupsOf } from './agent-groups.js';

const GIGA = 1e9;

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
  /** The fees in force, the same for every cell. */
  readonly tier1Fee: Float64Array;
  readonly tier2Fee: Float64Array;
  readonly tier3Fee: Float64Array;
}

/** Counts of which a whole has the greatest of its parts; of all others it has the sum. */
export const GREATEST: readonly string[] = ['depthMax', 'tier1Fee', 'tier2Fee', 'tier3Fee'] satisfies (keyof Samples)[];

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
    tier1Fee: new Float64Array(count),
    tier2Fee: new Float64Array(count),
    tier3Fee: new Float64Array(count),
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

/** Counts the rules of the current sample. */
export function countRules({ registry }: World, samples: Samples): void {
  samples.tier1Fee.fill(flatFeeLamports(registry, 1));
  samples.tier2Fee.fill(flatFeeLamports(registry, 2));
  samples.tier3Fee.fill(flatFeeLamports(registry, 3));
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
  if (found === undefined) throw new Error(`there is no class, population or option ${group}`);
  return shownValue(measured(counted, samples, measure, found));
}

function greatest(column: Float64Array, { cells }: AgentGroup): number {
  return cells.reduce((most, cell) => Math.max(most, column[cell]!), 0);
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
  const of = (column: Counter): number => sumOf(cells[column], group.cells);
  const liveSec = (): number => of('liveSec') + of('live') * second;
  switch (measure) {
    case 'registered':
      return of('registered');
    case 'active':
      return of('live') - sumOf(samples.warning, group.cells);
    case 'warning':
      return sumOf(samples.warning, group.cells);
    case 'frozen':
      return of('registered') - of('live');
    case 'never_frozen':
      return of('registered') - of('everFrozen');
    case 'never_frozen_share':
      return ratio(of('registered') - of('everFrozen'), of('registered'));
    case 'passports_valid':
      return sumOf(samples.passportsValid, group.cells);
    case 'passport_share':
      return ratio(sumOf(samples.passportsValid, group.cells), of('registered'));
    case 'frozen_passports_valid':
      return sumOf(samples.frozenPassportsValid, group.cells);
    case 'offline':
      return sumOf(samples.offline, group.cells);
    case 'dry':
      return sumOf(samples.dry, group.cells);
    case 'frozen_share':
      return ratio(of('registered') - of('live'), of('registered'));
    case 'live_share':
      return ratio(of('live'), of('registered'));
    case 'wallet_lamports':
      return sumOf(samples.walletLamports, group.cells);
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
      return (presentSec(counted, group.cells) - livePresentSec(counted, group.cells)) / DAY_SEC;
    case 'live_days':
      return liveSec() / DAY_SEC;
    case 'uptime_share':
      return ratio(liveSec(), of('registeredSec') + of('registered') * second);
    case 'availability_share':
      return ratio(livePresentSec(counted, group.cells) - of('offlineSec'), presentSec(counted, group.cells));
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
  const of = (column: Counter): number => sumOf(counted.cells[column], group.cells);
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
      return ratio(livePresentSec(counted, group.cells), presentSec(counted, group.cells));
    case 'fees_by_sponsors_lamports':
      return of('feesBySponsorsLamports');
    case 'fees_for_others_lamports':
      return of('feesForOthersLamports');
    case 'reissues':
      return of('reissues');
    case 'spawns':
      return of('spawns');
    case 'depth_max':
      return greatest(samples.depthMax, group);
    case 'stayed_out':
      return of('stayedOut');
    case 'tier1_fee_lamports':
      return greatest(samples.tier1Fee, group);
    case 'tier2_fee_lamports':
      return greatest(samples.tier2Fee, group);
    case 'tier3_fee_lamports':
      return greatest(samples.tier3Fee, group);
    case 'heartbeats_sponsored':
      return of('heartbeatsSponsored');
    case 'flags':
      return of('flags');
    case 'flags_sustained':
      return of('flagsSustained');
    case 'refused_share':
      return ratio(sumOf(samples.complained, group.cells), of('registered'));
    case 'payments_troubled':
      return of('paymentsTroubled');
    case 'keys_revoked':
      return of('keysRevoked');
    case 'subsidies_lamports':
      return of('subsidiesLamports');
    case 'gigahashes':
      return of('hashes') / GIGA;
    case 'income_lamports':
      return incomeLamports(counted, group.cells);
    case 'profit_lamports':
      return profitLamports(counted, group.cells);
    case 'profit_day_lamports':
      return ratio(profitLamports(counted, group.cells) * DAY_SEC, presentSec(counted, group.cells));
    case 'present_share': {
      const { registered, left } = counted.cells;
      const whole = sumOf(registered, group.within) - sumOf(left, group.within);
      return ratio(of('registered') - of('left'), whole);
    }
    case 'deposits_paid_lamports':
      return of('depositsPaid');
    case 'deposits_forfeited_lamports':
      return of('depositsForfeited');
    case 'switches':
      return of('switches');
    default:
      return measure satisfies never;
  }
}

/** The series that the scenario lists: for all agents, for each class that some agent can have, and for each population and option. */
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
