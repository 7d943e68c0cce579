import { createLedger, type Ledger, openAccount } from '../reference/ledger/ledger.js';
import { anonymous } from '../reference/registry/interner.js';
import { createRegistry, type Policy, type Registry } from '../reference/registry/state.js';
import { drawArrivalSec, NOBODY_YET } from '../scenarios/behaviours/arrival.js';
import { drawClass } from '../scenarios/behaviours/class-mix.js';
import type { Population, Scenario } from '../scenarios/scenario.js';
import { dialects } from '../spec/dialect.js';
import { feeTypes, identityClasses } from '../spec/vocabulary.js';
import { AgentLuck } from './agent-luck.js';
import { type Cells, createCells } from './cells.js';
import { createEventChain, type EventChain } from './event-chain.js';
import { createEventWheel, type EventWheel, scheduleEvent } from './event-wheel.js';
import { type Checks, createChecks } from './invariants.js';
import { createOperationCounts, type OperationCounts } from './operations.js';
import { PURPOSES } from './stream.js';
import { createTrail, type Trail } from './trail.js';

/** Unix ms of second 0: 2026-01-01T00:00:00Z, where manual clocks start (D-56). */
export const START_MS = 1_767_225_600_000;

/** What an agent's event is about. */
export const ARRIVE = 0;
export const BUY_SIGIL = 1;
export const BEAT = 2;
export const WORK = 3;

export const NEVER = -1;

/**
 * The agents as the simulator knows them: their plans, and what it remembers of their calls to hold the registry's own
 * columns against. The number of an agent here is its place in the scenario, not its row in the registry.
 */
export interface Agents {
  /** The row in the registry, or -1 before registration. */
  readonly row: Int32Array;
  /** Its population and class: the cell that its doings are counted in. */
  readonly cell: Uint16Array;
  /** The outage that is under way or comes next: it begins at `downFrom` and is over at `downUntil`. */
  readonly downFrom: Int32Array;
  readonly downUntil: Int32Array;
  /** Anchor of the last accepted init, heartbeat or resync. */
  readonly syncAnchor: Int32Array;
  /** Anchor of the last accepted heartbeat, or -1. */
  readonly beatAnchor: Int32Array;
  /** Accepted heartbeats in the billing epoch that runs. */
  readonly epochBeats: Int32Array;
  readonly frozen: Uint8Array;
  readonly dry: Uint8Array;
  /** When money that was asked for arrives, or -1; and how often it was asked for. */
  readonly topUpDue: Int32Array;
  readonly topUps: Int32Array;
  /** Penalty beats that are being computed, and the seconds of work left. */
  readonly workBeats: Float64Array;
  readonly workLeft: Int32Array;
}

/** A payment and the call that names it, refilled for every call: an accepted one leaves no record. */
export interface Call {
  agent: number;
  readonly payment: { readonly id: null; sender: number; lamports: number; readonly counts: true };
}

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
  /** The agents whose events are due in this second. */
  readonly due: Int32Array;
  readonly luck: AgentLuck;
  readonly cells: Cells;
  readonly counts: OperationCounts;
  readonly checks: Checks;
  readonly chain: EventChain;
  readonly trail: Trail;
  readonly call: Call;
  /** Fees paid by the index of their type: how many, then how much. Held against the registry's own book. */
  readonly feesPaid: Float64Array;
  readonly feesLamports: Float64Array;
  /** What `warm` read, so that its reads are not optimised away. */
  warmth: number;
  /** The second that is being played, and the registry's clock in it. */
  second: number;
  nowMs: number;
  /** The billing epoch of the latest anchor. */
  epoch: number;
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
  const world: World = {
    scenario,
    seed,
    registry,
    ledger,
    service,
    agents: createAgents(size),
    agentOfRow: new Int32Array(size).fill(-1),
    wheel: createEventWheel(size),
    due: new Int32Array(size),
    luck: new AgentLuck(size),
    cells: createCells(populations),
    counts: createOperationCounts(),
    checks: createChecks(),
    chain: createEventChain(),
    trail: createTrail(),
    feesPaid: new Float64Array(feeTypes.length),
    feesLamports: new Float64Array(feeTypes.length),
    call: { agent: 0, payment: { id: null, sender: 0, lamports: 0, counts: true } },
    warmth: 0,
    second: 0,
    nowMs: START_MS,
    epoch: 0,
  };
  let first = 0;
  populations.forEach((population, index) => {
    planArrivals(world, population, index, first);
    first += population.count;
  });
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
  return service + 1 + agents.row[agent]!;
}

function createAgents(size: number): Agents {
  const column = (initial = 0): Int32Array =>
    initial === 0 ? new Int32Array(size) : new Int32Array(size).fill(initial);
  return {
    row: column(-1),
    cell: new Uint16Array(size),
    downFrom: column(),
    downUntil: column(),
    syncAnchor: column(-1),
    beatAnchor: column(NEVER),
    epochBeats: column(),
    frozen: new Uint8Array(size),
    dry: new Uint8Array(size),
    topUpDue: column(NEVER),
    topUps: column(),
    workBeats: new Float64Array(size),
    workLeft: column(),
  };
}

function planArrivals(world: World, population: Population, index: number, first: number): void {
  const { agents, luck, wheel, seed, scenario } = world;
  let arrivalSec = NOBODY_YET;
  for (let member = 0; member < population.count; member++) {
    const agent = first + member;
    luck.key(agent, seed, population.name, member);
    const drawn = drawClass(population.classes, luck.of(agent, PURPOSES.class));
    agents.cell[agent] = index * identityClasses.length + identityClasses.indexOf(drawn);
    arrivalSec = drawArrivalSec(population.arrivals, arrivalSec, luck.of(agent, PURPOSES.arrival));
    if (arrivalSec < scenario.durationSec) scheduleEvent(wheel, agent, Math.floor(arrivalSec), ARRIVE);
  }
}
