/**
 * The whole state of a simulation at one moment, and its state at second 0. It is changed in agents/ and
 * play/.
 */

import { createLedger, type Ledger, openAccount } from '../../reference/ledger/ledger.js';
import { internAnonymous } from '../../reference/registry/columns/interner.js';
import { createRegistry, PLAYED_POLICY, type Registry } from '../../reference/registry/state.js';
import { optionsByCounts, startOption, variantsOf } from '../../scenarios/adaptation.js';
import { drawArrivalSec, NO_ARRIVAL_YET } from '../../scenarios/behaviours/arrival.js';
import { drawClass } from '../../scenarios/behaviours/class-mix.js';
import { BehaviourFault, type Behaviours } from '../../scenarios/behaviours/own-behaviour.js';
import type { RandomStream } from '../../scenarios/behaviours/random-stream.js';
import type { Population, Scenario } from '../../scenarios/scenario.js';
import { dialects } from '../../spec/dialect.js';
import { feeShares, feeTypes, identityClasses } from '../../spec/vocabulary.js';
import { CountedStream } from '../chance/counted-stream.js';
import { PURPOSES, type StreamKey, streamKey, uniform } from '../chance/counter-random.js';
import { OPTION_PURPOSE } from './adaptation.js';
import { addToAgenda } from './agenda.js';
import { AgentStreams } from './agent-streams.js';
import { AgentView } from './agent-view.js';
import { Agents } from './agents.js';
import { type Cells, createCells } from './cells.js';
import { DUE_ARRIVAL, DUE_ENTRY_PERIOD, DUE_FAULT, DUE_INTERVENTION, DUE_REVISION } from './due-kinds.js';
import { createEventChains, type EventChains } from './event-chain.js';
import { createEventWheel, type EventWheel, scheduleEvent } from './event-wheel.js';
import { createFeatures, type Features, NONE } from './features.js';
import { type Checks, createChecks } from './invariant-list.js';
import { createOperationCounts, type OperationCounts } from './operations.js';
import { agentsBelow, type Share, scenarioNumberOf, WHOLE } from './share.js';
import { createTallies, type Tallies } from './tallies.js';
import { createTrail, type Trail } from './trail.js';

/** Unix ms of second 0: 2026-01-01T00:00:00Z, the start of manual clocks (D-56). */
export const GENESIS_MS = 1_767_225_600_000;

/** The input of a heartbeat with its payment, reused for every call so that none allocates. */
interface HeartbeatInput {
  agent: number;
  readonly payment: { readonly id: null; sender: number; lamports: number; readonly counts: true };
}

/** Called for every event: its second, agent, kind (an index of `EVENT_NAMES`), outcome and lamports. */
export type EventObserver = (second: number, agent: number, what: number, outcome: number, lamports: number) => void;

const TIERS = 3;

/** The state of a run. */
export interface World {
  readonly scenario: Scenario;
  readonly seed: number;
  /** The agents that this world plays. Their numbers here count from 0, in the order of the scenario. */
  readonly share: Share;
  readonly registry: Registry;
  readonly ledger: Ledger;
  /** The account that fees are paid to. */
  readonly serviceAccount: number;
  readonly agents: Agents;
  /** By registry row: the agent. */
  readonly agentOfRow: Int32Array;
  readonly wheel: EventWheel;
  /** The wheel's entries that are due in this second. */
  readonly dueEntries: Int32Array;
  readonly streams: AgentStreams;
  readonly view: AgentView;
  /** Heartbeat behaviours of the user's own, by name. */
  readonly behaviours: Behaviours;
  readonly cells: Cells;
  readonly counts: OperationCounts;
  readonly tallies: Tallies;
  readonly checks: Checks;
  /** Those of the checks that are of the whole state or of an anchor: each of several worlds makes them. */
  readonly checksOfWhole: Checks;
  readonly eventChains: EventChains;
  readonly trail: Trail;
  readonly heartbeatInput: HeartbeatInput;
  /** Number and sum of fees paid, by index of their type. Checked against the registry's own book. */
  readonly feesPaid: Float64Array;
  readonly feesLamports: Float64Array;
  /** The burnt part of each type: rounded down for each fee, and in no share. */
  readonly feesBurnt: Float64Array;
  /** By index of the fee type, then of the share: what has been counted of the registry's book. */
  readonly feeSharesLamports: Float64Array;
  /** Accepted heartbeats by fee tier, from tier 1. */
  readonly tierBeats: Float64Array;
  /** How many top-ups arrived. */
  readonly topUpCount: Float64Array;
  /** Called for every event; it must not change the world. */
  observer: EventObserver | null;
  /**
   * For observers: what the latest call concerns besides its agent: who pays, a child, a target, a complaint or an
   * intervention.
   */
  subject: number;
  /** A sum of what `prefetchEvents` read, so that the engine does not remove the reads. */
  prefetchSum: number;
  /** Null if the scenario uses none. */
  features: Features | null;
  /** Seconds by which anchors come later than their index times the interval, because some were never issued. */
  anchorShiftSec: number;
  /** The second that is being played, and the registry's clock then. */
  second: number;
  nowMs: number;
  /** The billing epoch of the latest anchor. */
  epoch: number;
  /** The latest anchor when the protocol last changed, or -1: the DMS first applies the new numbers at the next one. */
  protocolChangedAtAnchor: number;
}

/**
 * The world of a scenario at second 0, with every arrival, fault and intervention scheduled. Throws BehaviourFault for a scenario that
 * needs a behaviour that is not given. `share`: the agents that it has; absent: all.
 */
export function createWorld(
  scenario: Scenario,
  seed: number,
  behaviours: Behaviours = new Map(),
  share: Share = WHOLE,
): World {
  const { protocol, populations } = scenario;
  for (const { population } of variantsOf(populations)) {
    const { name, heartbeat } = population;
    if (heartbeat.policy !== 'own' || behaviours.has(heartbeat.behaviour)) continue;
    const known = behaviours.size === 0 ? 'none was given' : `known: ${[...behaviours.keys()].join(', ')}`;
    throw new BehaviourFault(`population ${name} needs the behaviour ${heartbeat.behaviour}; ${known}`);
  }
  const size = agentsBelow(
    share,
    populations.reduce((sum, { count }) => sum + count, 0),
  );
  const capacity = Math.max(1, size);
  const registry = createRegistry({
    protocol,
    dialect: dialects.service,
    policy: PLAYED_POLICY,
    seed,
    genesisMs: GENESIS_MS,
    capacity,
  });
  const ledger = createLedger({ seed, capacity: capacity + 1 });
  const serviceAccount = openWallet(registry, ledger);
  const agents = new Agents(size);
  const cells = createCells(populations);
  const features = createFeatures(scenario, share, cells);
  const world: World = {
    scenario,
    seed,
    share,
    registry,
    ledger,
    serviceAccount,
    agents,
    agentOfRow: new Int32Array(size).fill(-1),
    wheel: createEventWheel(agents),
    dueEntries: new Int32Array(size),
    streams: new AgentStreams(agents, features !== null),
    view: new AgentView(),
    behaviours,
    cells,
    counts: createOperationCounts(),
    tallies: createTallies(),
    checks: createChecks(),
    checksOfWhole: createChecks(),
    eventChains: createEventChains(),
    trail: createTrail(),
    feesPaid: new Float64Array(feeTypes.length),
    feesLamports: new Float64Array(feeTypes.length),
    feesBurnt: new Float64Array(feeTypes.length),
    feeSharesLamports: new Float64Array(feeTypes.length * feeShares.length),
    tierBeats: new Float64Array(TIERS),
    topUpCount: new Float64Array(1),
    observer: null,
    subject: -1,
    heartbeatInput: { agent: 0, payment: { id: null, sender: 0, lamports: 0, counts: true } },
    prefetchSum: 0,
    features,
    anchorShiftSec: 0,
    second: 0,
    nowMs: GENESIS_MS,
    epoch: 0,
    protocolChangedAtAnchor: -1,
  };
  let first = 0;
  populations.forEach((population, index) => {
    scheduleArrivals(world, population, index, first);
    first += population.count;
  });
  scheduleDisturbances(world);
  return world;
}

/** The population of an agent, with the option that the agent has. */
export function populationOf({ agents, cells }: World, agent: number): Population {
  return cells.populations[agents.cell(agent)]!;
}

/**
 * Opens an account and a wallet, which have the same number: both are opened here and nowhere else, and count from 0.
 */
export function openWallet(registry: Registry, ledger: Ledger): number {
  const account = openAccount(ledger);
  const wallet = internAnonymous(registry.wallets);
  if (wallet !== account) throw new Error(`wallet ${wallet} was opened beside account ${account}`);
  return account;
}

function scheduleArrivals(world: World, population: Population, index: number, first: number): void {
  const { agents, streams, wheel, seed, scenario, share, cells } = world;
  const { name, count, arrivals, spawned, adapts } = population;
  const options = adapts?.start.kind === 'counts' ? countedOptions(seed, name, adapts.start.of) : null;
  let arrivalSec = NO_ARRIVAL_YET;
  let next = 0;
  const end = agentsBelow(share, first + count);
  for (let agent = agentsBelow(share, first); agent < end; agent += 1) {
    agents.setCell(agent, cells.firstCells[index]!);
    // A child gets its key and its class at birth.
    if (spawned) continue;
    const member = scenarioNumberOf(share, agent) - first;
    if (arrivals.pattern === 'poisson' || arrivals.pattern === 'entry') {
      for (; next < member; next += 1)
        arrivalSec = drawArrivalSec(arrivals, arrivalSec, elsewhere(seed, name, next), next);
      next += 1;
    }
    assignKey(world, agent, streamKey(seed, name, member), options?.[member]);
    arrivalSec = drawArrivalSec(arrivals, arrivalSec, streams.of(agent, PURPOSES.arrival), member);
    if (arrivalSec < scenario.durationSec && !staysOut(world, agent))
      scheduleEvent(wheel, agent, Math.floor(arrivalSec), DUE_ARRIVAL);
  }
}

/** The option of each member of a population that begins with exact counts of agents. */
function countedOptions(seed: number, population: string, counts: readonly number[]): Uint8Array {
  const size = counts.reduce((sum, count) => sum + count, 0);
  const uniforms = Float64Array.from({ length: size }, (_, member) => {
    const { high, low } = streamKey(seed, population, member);
    return uniform(high, low, OPTION_PURPOSE, 0);
  });
  return optionsByCounts(counts, uniforms);
}

/** Whether an agent has an option at its start by which it never arrives. */
function staysOut({ agents, cells, scenario }: World, agent: number): boolean {
  const cell = agents.cell(agent);
  const option = cells.options[cell];
  if (option == null) return false;
  return scenario.populations[cells.indices[cell]!]?.adapts?.options[option]?.leaves === true;
}

/** The draws for the arrival of a member in another world, on which the next arrival of a Poisson process depends. */
function elsewhere(seed: number, population: string, member: number): RandomStream {
  return new CountedStream(streamKey(seed, population, member), PURPOSES.arrival, new Int32Array(1), 0);
}

/** Schedules the first onset of each fault and each intervention, in the order of the scenario, then the first revisions. */
function scheduleDisturbances({ scenario, features }: World): void {
  if (features === null) return;
  scenario.faults.forEach((fault, i) => {
    addToAgenda(features.agenda, fault.kind === 'outages' ? 0 : fault.atSec, DUE_FAULT, NONE, i);
  });
  scenario.interventions.forEach(({ atSec }, i) => {
    addToAgenda(features.agenda, atSec, DUE_INTERVENTION, NONE, i);
  });
  scenario.populations.forEach(({ arrivals }, i) => {
    if (arrivals.pattern === 'entry') addToAgenda(features.agenda, arrivals.everySec, DUE_ENTRY_PERIOD, NONE, i);
  });
  scenario.populations.forEach(({ adapts }, i) => {
    const plan = adapts?.revision ?? null;
    if (plan !== null) addToAgenda(features.agenda, plan.everySec, DUE_REVISION, NONE, i);
  });
}

/** Gives an agent of a population its key, and draws its option, unless it is given, and its class. */
export function assignKey(world: World, agent: number, key: StreamKey, option?: number): void {
  const { agents, streams, cells, scenario } = world;
  streams.setKey(agent, key);
  const index = cells.indices[agents.cell(agent)]!;
  const { adapts } = scenario.populations[index] as Population;
  const taken =
    adapts === undefined ? 0 : (option ?? startOption(adapts.start.of, streams.uniformAt(agent, OPTION_PURPOSE, 0)));
  const first = cells.firstCells[index]! + taken * identityClasses.length;
  const drawn = drawClass(cells.populations[first]!.classes, streams.of(agent, PURPOSES.class));
  agents.setCell(agent, first + identityClasses.indexOf(drawn));
}
