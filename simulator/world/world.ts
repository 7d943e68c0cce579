import { createLedger, type Ledger, openAccount } from '../../reference/ledger/ledger.js';
import { anonymous } from '../../reference/registry/columns/interner.js';
import { createRegistry, type Policy, type Registry } from '../../reference/registry/state.js';
import { drawArrivalSec, NOBODY_YET } from '../../scenarios/behaviours/arrival.js';
import { drawClass } from '../../scenarios/behaviours/class-mix.js';
import type { Population, Scenario } from '../../scenarios/scenario.js';
import { dialects } from '../../spec/dialect.js';
import { feeTypes, identityClasses } from '../../spec/vocabulary.js';
import { PURPOSES } from '../chance/stream.js';
import { planAct } from './agenda.js';
import { AgentLuck } from './agent-luck.js';
import { AgentView } from './agent-view.js';
import { Agents } from './agents.js';
import { type Cells, createCells } from './cells.js';
import { createEventChain, type EventChain } from './event-chain.js';
import { ARRIVE, FAULT, INTERVENE } from './event-kinds.js';
import { createEventWheel, type EventWheel, scheduleEvent } from './event-wheel.js';
import { createFeatures, type Features, NONE } from './features.js';
import { type Checks, createChecks } from './invariant-list.js';
import { createOperationCounts, type OperationCounts } from './operations.js';
import { createTrail, type Trail } from './trail.js';

/** Unix ms of second 0: 2026-01-01T00:00:00Z, where manual clocks start (D-56). */
export const START_MS = 1_767_225_600_000;

/** A payment and the call that names it, refilled for every call: an accepted one leaves no record. */
export interface Call {
  agent: number;
  readonly payment: { readonly id: null; sender: number; lamports: number; readonly counts: true };
}

/** Somebody who is told of events as they happen: when, to whom, what (an index of `EVENT_NAMES`), and what came of it. */
export type Observer = (second: number, agent: number, what: number, outcome: number, lamports: number) => void;

const TIERS = 3;

/** Everything that a run is. */
export interface World {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly registry: Registry;
  readonly ledger: Ledger;
  /** The account that fees are paid to. */
  readonly service: number;
  readonly agents: Agents;
  /** By row of the registry: the agent. */
  readonly agentOfRow: Int32Array;
  readonly wheel: EventWheel;
  /** The entries of the events that are due in this second. */
  readonly due: Int32Array;
  readonly luck: AgentLuck;
  readonly view: AgentView;
  readonly cells: Cells;
  readonly counts: OperationCounts;
  readonly checks: Checks;
  readonly chain: EventChain;
  readonly trail: Trail;
  readonly call: Call;
  /** Fees paid by the index of their type: how many, then how much. Held against the registry's own book. */
  readonly feesPaid: Float64Array;
  readonly feesLamports: Float64Array;
  /** Accepted heartbeats by fee tier, from tier 1. */
  readonly tierBeats: Float64Array;
  /** How often money was sent to a wallet that ran low. */
  readonly topUps: Float64Array;
  /** Told of every event, if anybody listens. What it does shows in nothing here. */
  observer: Observer | null;
  /** Whom or what the call besides is about that was made last: a child, a target, a complaint, an intervention. For observers. */
  about: number;
  /** What `warm` read, so that its reads are not optimised away. */
  warmth: number;
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
  ruleChangedAtAnchor: number;
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
    genesisMs: START_MS,
    capacity,
  });
  const ledger = createLedger({ seed, capacity: capacity + 1 });
  const service = openWallet(registry, ledger);
  const agents = new Agents(size);
  const features = createFeatures(scenario);
  const world: World = {
    scenario,
    seed,
    registry,
    ledger,
    service,
    agents,
    agentOfRow: new Int32Array(size).fill(-1),
    wheel: createEventWheel(agents),
    due: new Int32Array(size),
    luck: new AgentLuck(agents, features !== null),
    view: new AgentView(),
    cells: createCells(populations),
    counts: createOperationCounts(),
    checks: createChecks(),
    chain: createEventChain(),
    trail: createTrail(),
    feesPaid: new Float64Array(feeTypes.length),
    feesLamports: new Float64Array(feeTypes.length),
    tierBeats: new Float64Array(TIERS),
    topUps: new Float64Array(1),
    observer: null,
    about: -1,
    call: { agent: 0, payment: { id: null, sender: 0, lamports: 0, counts: true } },
    warmth: 0,
    features,
    anchorShiftSec: 0,
    second: 0,
    nowMs: START_MS,
    epoch: 0,
    ruleChangedAtAnchor: -1,
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
  const wallet = anonymous(registry.wallets);
  if (wallet !== account) throw new Error(`wallet ${wallet} was opened beside account ${account}`);
  return account;
}

/** The account of an agent on the ledger and the number of its wallet: agents open theirs, one each, as they register. */
export function accountOf({ agents, service }: World, agent: number): number {
  return service + 1 + agents.row(agent);
}

function planArrivals(world: World, population: Population, index: number, first: number): void {
  const { agents, luck, wheel, seed, scenario } = world;
  let arrivalSec = NOBODY_YET;
  for (let member = 0; member < population.count; member++) {
    const agent = first + member;
    luck.key(agent, seed, population.name, member);
    const drawn = drawClass(population.classes, luck.of(agent, PURPOSES.class));
    agents.setCell(agent, index * identityClasses.length + identityClasses.indexOf(drawn));
    arrivalSec = drawArrivalSec(population.arrivals, arrivalSec, luck.of(agent, PURPOSES.arrival));
    if (arrivalSec < scenario.durationSec) scheduleEvent(wheel, agent, Math.floor(arrivalSec), ARRIVE);
  }
}

/** Plans what befalls the world: each fault and each intervention of its scenario, in the order in which they stand there. */
function planDisturbances({ scenario, features }: World): void {
  if (features === null) return;
  scenario.faults.forEach((fault, i) => {
    planAct(features.agenda, fault.kind === 'outages' ? 0 : fault.atSec, FAULT, NONE, i);
  });
  scenario.interventions.forEach(({ atSec }, i) => {
    planAct(features.agenda, atSec, INTERVENE, NONE, i);
  });
}
