import { createLedger, type Ledger, openAccount } from '../../reference/ledger/ledger.js';
import { internAnonymous } from '../../reference/registry/columns/interner.js';
import { createRegistry, type Policy, type Registry } from '../../reference/registry/state.js';
import { drawArrivalSec, NO_ARRIVAL_YET } from '../../scenarios/behaviours/arrival.js';
import { drawClass } from '../../scenarios/behaviours/class-mix.js';
import type { Population, Scenario } from '../../scenarios/scenario.js';
import { dialects } from '../../spec/dialect.js';
import { feeTypes, identityClasses } from '../../spec/vocabulary.js';
import { PURPOSES } from '../chance/counter-random.js';
import { addToAgenda } from './agenda.js';
import { AgentStreams } from './agent-streams.js';
import { AgentView } from './agent-view.js';
import { Agents } from './agents.js';
import { type Cells, createCells } from './cells.js';
import { DUE_ARRIVAL, DUE_FAULT, DUE_INTERVENTION } from './due-kinds.js';
import { createEventChain, type EventChain } from './event-chain.js';
import { createEventWheel, type EventWheel, scheduleEvent } from './event-wheel.js';
import { createFeatures, type Features, NONE } from './features.js';
import { type Checks, createChecks } from './invariant-list.js';
import { createOperationCounts, type OperationCounts } from './operations.js';
import { createTrail, type Trail } from './trail.js';

/** Unix ms of second 0: 2026-01-01T00:00:00Z, where manual clocks start (D-56). */
export const GENESIS_MS = 1_767_225_600_000;

/** A payment and the call that names it, refilled for every call: an accepted one leaves no record. */
export interface HeartbeatInput {
  agent: number;
  readonly payment: { readonly id: null; sender: number; lamports: number; readonly counts: true };
}

/** Somebody who is told of events as they happen: when, to whom, what (an index of `EVENT_NAMES`), and what came of it. */
export type EventObserver = (second: number, agent: number, what: number, outcome: number, lamports: number) => void;

const TIERS = 3;

/** Everything that a run is. */
export interface World {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly registry: Registry;
  readonly ledger: Ledger;
  /** The account that fees are paid to. */
  readonly serviceAccount: number;
  readonly agents: Agents;
  /** By row of the registry: the agent. */
  readonly agentOfRow: Int32Array;
  readonly wheel: EventWheel;
  /** The entries of the events that are due in this second. */
  readonly dueEntries: Int32Array;
  readonly streams: AgentStreams;
  readonly view: AgentView;
  readonly cells: Cells;
  readonly counts: OperationCounts;
  readonly checks: Checks;
  readonly eventChain: EventChain;
  readonly trail: Trail;
  readonly heartbeatInput: HeartbeatInput;
  /** Fees paid by the index of their type: how many, then how much. Held against the registry's own book. */
  readonly feesPaid: Float64Array;
  readonly feesLamports: Float64Array;
  /** Accepted heartbeats by fee tier, from tier 1. */
  readonly tierBeats: Float64Array;
  /** How often money was sent to a wallet that ran low. */
  readonly topUpCount: Float64Array;
  /** Told of every event, if anybody listens. What it does shows in nothing here. */
  observer: EventObserver | null;
  /** Whom or what the call besides is about that was made last: a child, a target, a complaint, an intervention. For observers. */
  subject: number;
  /** What `warm` read, so that its reads are not optimised away. */
  prefetchSum: number;
  /** Null where the scenario uses none. */
  features: Features | null;
  /** By how much anchors come later than on the grid of their interval, for those that were never issued. */
  anchorShiftSec: number;
  /** The second that is being played, and the registry's clock in it. */
  second: number;
  nowMs: number;
  /** The billing epoch of the latest anchor. */
  epoch: number;
  /** The latest anchor when the rules last changed, or -1: until the next one the DMS has not judged by them. */
  protocolChangedAtAnchor: number;
}

/** A registry as the simulator runs it. */
export const POLICY: Policy = {
  network: 'devnet',
  registrationSecret: null,
  byoWallet: true,
  beatsRequired: true,
  lineage: false,
  // Receipts are not verified here, so no key stands behind this one.
  workProofKeyHex: '00'.repeat(32),
};

/** The world of a scenario at second 0, with every arrival planned. */
export function createWorld(scenario: Scenario, seed: number): World {
  const { protocol, populations } = scenario;
  const size = populations.reduce((sum, { count }) => sum + count, 0);
  const capacity = Math.max(1, size);
  const registry = createRegistry({
    protocol,
    dialect: dialects.service,
    policy: POLICY,
    seed,
    genesisMs: GENESIS_MS,
    capacity,
  });
  const ledger = createLedger({ seed, capacity: capacity + 1 });
  const serviceAccount = openWallet(registry, ledger);
  const agents = new Agents(size);
  const features = createFeatures(scenario);
  const world: World = {
    scenario,
    seed,
    registry,
    ledger,
    serviceAccount,
    agents,
    agentOfRow: new Int32Array(size).fill(-1),
    wheel: createEventWheel(agents),
    dueEntries: new Int32Array(size),
    streams: new AgentStreams(agents, features !== null),
    view: new AgentView(),
    cells: createCells(populations),
    counts: createOperationCounts(),
    checks: createChecks(),
    eventChain: createEventChain(),
    trail: createTrail(),
    feesPaid: new Float64Array(feeTypes.length),
    feesLamports: new Float64Array(feeTypes.length),
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
    planArrivals(world, population, index, first);
    first += population.count;
  });
  planDisturbances(world);
  return world;
}

/** An account and a wallet with the same number: both count from 0, and are opened together here and nowhere else. */
export function openWallet(registry: Registry, ledger: Ledger): number {
  const account = openAccount(ledger);
  const wallet = internAnonymous(registry.wallets);
  if (wallet !== account) throw new Error(`wallet ${wallet} was opened beside account ${account}`);
  return account;
}

/** The account of an agent on the ledger and the number of its wallet: agents open theirs, one each, as they register. */
export function accountOfAgent({ agents, serviceAccount }: World, agent: number): number {
  return serviceAccount + 1 + agents.row(agent);
}

function planArrivals(world: World, population: Population, index: number, first: number): void {
  const { agents, streams, wheel, seed, scenario } = world;
  let arrivalSec = NO_ARRIVAL_YET;
  for (let member = 0; member < population.count; member++) {
    const agent = first + member;
    streams.key(agent, seed, population.name, member);
    const drawn = drawClass(population.classes, streams.of(agent, PURPOSES.class));
    agents.setCell(agent, index * identityClasses.length + identityClasses.indexOf(drawn));
    arrivalSec = drawArrivalSec(population.arrivals, arrivalSec, streams.of(agent, PURPOSES.arrival));
    if (arrivalSec < scenario.durationSec) scheduleEvent(wheel, agent, Math.floor(arrivalSec), DUE_ARRIVAL);
  }
}

/** Plans what befalls the world: each fault and each intervention of its scenario, in the order in which they stand there. */
function planDisturbances({ scenario, features }: World): void {
  if (features === null) return;
  scenario.faults.forEach((fault, i) => {
    addToAgenda(features.agenda, fault.kind === 'outages' ? 0 : fault.atSec, DUE_FAULT, NONE, i);
  });
  scenario.interventions.forEach(({ atSec }, i) => {
    addToAgenda(features.agenda, atSec, DUE_INTERVENTION, NONE, i);
  });
}
