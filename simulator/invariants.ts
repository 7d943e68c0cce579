import { totalLamports } from '../reference/ledger/ledger.js';
import { classColumnOf, heartbeatCap } from '../reference/registry/fees.js';
import { heartbeatsInEpoch } from '../reference/registry/heartbeat.js';
import { FROZEN } from '../reference/registry/state.js';
import { feeShares, feeTypes } from '../spec/vocabulary.js';
import { trailOf } from './trail.js';
import type { World } from './world.js';

/** What must hold in every run, whatever the scenario; by index of `Checks`. */
export const INVARIANTS = [
  {
    name: 'lamports-conserved',
    text: 'All balances add up to what was minted, and the service holds what was paid in fees.',
  },
  { name: 'splits-sum', text: 'The shares of the fees add up to the fees.' },
  {
    name: 'one-fee-a-payment',
    text: 'Every payment paid one fee, of its own amount, and no fee was booked without one.',
  },
  { name: 'frozen-are-silent', text: 'No heartbeat of a frozen agent is accepted.' },
  { name: 'interval', text: 'No two accepted heartbeats of an agent are closer than the minimum interval.' },
  { name: 'epoch-cap', text: 'No agent has more accepted heartbeats in an epoch than its class allows.' },
  { name: 'freeze-not-early', text: 'An agent is frozen only when it has missed more anchors than the DMS allows.' },
  { name: 'freeze-not-late', text: 'No running agent has missed more anchors than the DMS allows.' },
  { name: 'states-agree', text: "Every agent's status and heartbeat count are those that follow from its own calls." },
  { name: 'depth', text: 'A root has the root depth, and a child is one deeper than its parent.' },
] as const;

const CONSERVED = 0;
const SPLITS = 1;
const ONE_FEE = 2;
const SILENT = 3;
const INTERVAL = 4;
const CAP = 5;
const NOT_EARLY = 6;
const NOT_LATE = 7;
const AGREE = 8;
const DEPTH = 9;

/** How often each invariant was checked. */
export type Checks = Float64Array;

/** No checks yet. */
export function createChecks(): Checks {
  return new Float64Array(INVARIANTS.length);
}

const TRAIL_EVENTS = 12;
const NO_AGENT = -1;

/** An invariant does not hold: a mistake in the rules or in the simulator, and never the scenario's. */
export class InvariantViolation extends Error {
  constructor(
    readonly invariant: string,
    readonly seed: number,
    readonly second: number,
    detail: string,
    /** The latest events of the agent concerned, the oldest first. */
    readonly trail: readonly string[],
  ) {
    const lines = trail.map((line) => `\n  ${line}`).join('');
    super(`invariant ${invariant} does not hold at ${second} s with seed ${seed}: ${detail}${lines}`);
    this.name = 'InvariantViolation';
  }
}

function violated(world: World, invariant: number, agent: number, detail: string): never {
  const { name } = INVARIANTS[invariant] as (typeof INVARIANTS)[number];
  const trail = agent === NO_AGENT ? [] : trailOf(world.trail, agent, TRAIL_EVENTS);
  const who = agent === NO_AGENT ? '' : `agent ${agent}: `;
  throw new InvariantViolation(name, world.seed, world.second, who + detail, trail);
}

/** After an accepted heartbeat, before the simulator notes it: against what it noted of earlier ones. `nth`: of the epoch. */
export function checkHeartbeat(world: World, agent: number, nth: number): void {
  const { agents, cells, checks, registry } = world;
  const { protocol } = registry;
  checks[SILENT]! += 1;
  if (agents.frozen(agent)) violated(world, SILENT, agent, 'is frozen, and its heartbeat was accepted');
  checks[INTERVAL]! += 1;
  const last = agents.beatAnchor(agent);
  const { anchorIndex } = registry;
  if (last >= 0 && (anchorIndex - last) * protocol.anchor.beatsPerAnchor < protocol.heartbeat.intervalBeatsMin) {
    violated(world, INTERVAL, agent, `heartbeats at anchors ${last} and ${anchorIndex} were accepted`);
  }
  checks[CAP]! += 1;
  if (nth > heartbeatCap(protocol, classColumnOf(cells.classes[agents.cell(agent)]!))) {
    violated(world, CAP, agent, `heartbeat ${nth} of epoch ${world.epoch} was accepted`);
  }
}

const BOOK_WIDTH = 2 + feeShares.length;

/** After a payment of a fee of type `feeTypes[type]`: against the registry's book and the account of the service. */
export function checkPaid(world: World, agent: number, type: number): void {
  const { checks, feesPaid, feesLamports } = world;
  const { sums } = world.registry.feeBook;
  const at = type * BOOK_WIDTH;
  const total = sums[at + 1]!;
  checks[ONE_FEE]! += 1;
  if (sums[at] !== feesPaid[type] || total !== feesLamports[type]) {
    const detail = `the book has ${sums[at]} ${feeTypes[type]} fees of ${total} lamports, and ${feesPaid[type]} of ${feesLamports[type]} were paid`;
    violated(world, ONE_FEE, agent, detail);
  }
  checks[SPLITS]! += 1;
  const shares = sums[at + 2]! + sums[at + 3]! + sums[at + 4]! + sums[at + 5]! + sums[at + 6]!;
  if (shares !== total) violated(world, SPLITS, agent, `shares of ${shares} lamports of fees of ${total}`);
  checks[CONSERVED]! += 1;
  const held = world.ledger.lamports[world.service]!;
  const paid = feesLamports[0]! + feesLamports[1]! + feesLamports[2]!;
  if (held !== paid) violated(world, CONSERVED, agent, `the service holds ${held} lamports of ${paid} that were paid`);
}

/** When the registry has frozen an agent: against the anchor of its last sign of life. */
export function checkFreeze(world: World, agent: number): void {
  const { checks, registry, agents } = world;
  checks[NOT_EARLY]! += 1;
  const missed = registry.anchorIndex - agents.syncAnchor(agent);
  if (agents.frozen(agent) || missed <= registry.protocol.dms.missedAnchorsMax) {
    violated(world, NOT_EARLY, agent, `was frozen ${missed} anchors after its last sign of life`);
  }
}

/** Everything at once, over all agents and accounts. */
export function checkAll(world: World): void {
  const { checks, ledger, registry, agents } = world;
  checks[CONSERVED]! += 1;
  const total = totalLamports(ledger);
  if (total !== ledger.mintedLamports) {
    violated(
      world,
      CONSERVED,
      NO_AGENT,
      `${ledger.mintedLamports} lamports were minted, and the accounts hold ${total}`,
    );
  }
  for (let type = 0; type < feeTypes.length; type++) checkPaid(world, NO_AGENT, type);
  const { missedAnchorsMax } = registry.protocol.dms;
  for (let row = 0; row < registry.agents.rows; row++) {
    const agent = world.agentOfRow[row]!;
    checkDepth(world, agent, row);
    checks[AGREE]! += 1;
    const frozen = registry.agents.line.status(row) === FROZEN;
    if (frozen !== agents.frozen(agent)) {
      violated(world, AGREE, agent, `the registry has it ${frozen ? 'frozen' : 'running'}, and its calls do not`);
    }
    const counted = heartbeatsInEpoch(registry, row, world.epoch);
    if (counted !== agents.epochBeats(agent)) {
      const detail = `the registry counts ${counted} heartbeats in epoch ${world.epoch}, and it made ${agents.epochBeats(agent)}`;
      violated(world, AGREE, agent, detail);
    }
    checks[NOT_LATE]! += 1;
    const missed = registry.anchorIndex - agents.syncAnchor(agent);
    if (!frozen && missed > missedAnchorsMax && registry.anchorIndex !== world.ruleChangedAtAnchor)
      violated(world, NOT_LATE, agent, `runs, and has missed ${missed} anchors`);
  }
}

function checkDepth(world: World, agent: number, row: number): void {
  const { columns, line } = world.registry.agents;
  world.checks[DEPTH]! += 1;
  const above = columns.parent[row]!;
  const wanted = above < 0 ? world.registry.protocol.agent.rootDepth : line.depth(above) + 1;
  if (line.depth(row) !== wanted)
    violated(world, DEPTH, agent, `has depth ${line.depth(row)}, and should have ${wanted}`);
}
