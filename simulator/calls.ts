import { fund, pay } from '../reference/ledger/ledger.js';
import { heartbeat } from '../reference/registry/heartbeat.js';
import { init } from '../reference/registry/init.js';
import { registerRoot } from '../reference/registry/register.js';
import { resync } from '../reference/registry/resync.js';
import { sigil } from '../reference/registry/sigil.js';
import { type FeeType, feeTypes, type IdentityClass } from '../spec/vocabulary.js';
import { recordEvent } from './event-chain.js';
import { checkFreeze, checkHeartbeat, checkPaid } from './invariants.js';
import { ACCEPTED, countOperation, FREEZE, HEARTBEAT, INIT, outcomeOf, REGISTER, RESYNC, SIGIL } from './operations.js';
import { leaveTrail } from './trail.js';
import { accountOf, openWallet, type World } from './world.js';

const SIGIL_FEE = feeTypes.indexOf('sigil' satisfies FeeType);
const HEARTBEAT_FEE = feeTypes.indexOf('heartbeat' satisfies FeeType);
const OUTCOMES_MAX = 256;

/** Adds an event to the chain and to the trail. */
export function noteEvent(world: World, agent: number, what: number, outcome: number, lamports: number): void {
  recordEvent(world.chain, world.second, agent, what * OUTCOMES_MAX + outcome, lamports);
  leaveTrail(world.trail, world.second, agent, what, outcome, lamports);
  if (world.observer !== null) world.observer(world.second, agent, what, outcome, lamports);
}

function noteCall(world: World, agent: number, operation: number, outcome: number, lamports: number): void {
  countOperation(world.counts, operation, outcome);
  noteEvent(world, agent, operation, outcome, lamports);
}

/** Registers an agent with a wallet of its own that holds `walletLamports`, and starts its chain (4.2, 4.4). */
export function callRegister(world: World, agent: number, name: string, walletLamports: number): void {
  const { agents, cells, ledger, registry, nowMs } = world;
  const account = openWallet(registry, ledger);
  fund(ledger, account, walletLamports);
  const linked = { wallet: account, model: 'self-custody', chain: 'solana' } as const;
  const { agent: row } = registerRoot(registry, { name, linked }, nowMs);
  agents.setRow(agent, row);
  world.agentOfRow[row] = agent;
  noteCall(world, agent, REGISTER, ACCEPTED, walletLamports);
  init(registry, { agent: row }, nowMs);
  agents.setSyncAnchor(agent, registry.anchorIndex);
  noteCall(world, agent, INIT, ACCEPTED, 0);
  const cell = agents.cell(agent);
  cells.registered[cell]! += 1;
  cells.registeredSec[cell]! -= world.second;
  cells.live[cell]! += 1;
  cells.liveSec[cell]! -= world.second;
}

/** The SIGIL that an agent wants (4.6). */
export function sigilOf({ agents, cells }: World, agent: number) {
  const cell = agents.cell(agent);
  const identityClass = cells.classes[cell]!;
  return { identityClass, principal: cells.populations[cell]!.name, tier: 'ind', name: `n-${agent}` } as const;
}

/** Buys the SIGIL of an agent that can pay `feeLamports` and has none (4.6). */
export function callSigil(world: World, agent: number, identityClass: IdentityClass, feeLamports: number): void {
  const { agents, registry } = world;
  const payment = { id: null, sender: accountOf(world, agent), lamports: feeLamports, counts: true };
  const { principal, tier, name } = sigilOf(world, agent);
  const input = { agent: agents.row(agent), identityClass, principal, tier, name, payment };
  const reply = sigil(registry, input, world.nowMs);
  if (!reply.ok) throw new Error(`agent ${agent} was refused its SIGIL: ${reply.row.code}`);
  noteCall(world, agent, SIGIL, ACCEPTED, feeLamports);
  settle(world, agent, SIGIL_FEE, feeLamports);
}

/** Sends the `nth` heartbeat of the epoch for an agent that can pay `feeLamports` (4.5). Answers the outcome. */
export function callHeartbeat(world: World, agent: number, nth: number, feeLamports: number): number {
  const { agents, call, cells, registry } = world;
  call.agent = agents.row(agent);
  call.payment.sender = accountOf(world, agent);
  call.payment.lamports = feeLamports;
  const reply = heartbeat(registry, call, world.nowMs);
  if (!reply.ok) {
    const outcome = outcomeOf(reply.row.code);
    noteCall(world, agent, HEARTBEAT, outcome, 0);
    cells.heartbeatsRefused[agents.cell(agent)]! += 1;
    return outcome;
  }
  noteCall(world, agent, HEARTBEAT, ACCEPTED, feeLamports);
  checkHeartbeat(world, agent, nth);
  settle(world, agent, HEARTBEAT_FEE, feeLamports);
  agents.setSyncAnchor(agent, registry.anchorIndex);
  agents.setBeatAnchor(agent, registry.anchorIndex);
  agents.setEpochBeats(agent, nth);
  world.tierBeats[reply.tier - 1]! += 1;
  cells.heartbeats[agents.cell(agent)]! += 1;
  return ACCEPTED;
}

/** Moves the fee of an accepted call, which its caller could pay, and holds all books against each other. */
function settle(world: World, agent: number, type: number, feeLamports: number): void {
  if (!pay(world.ledger, accountOf(world, agent), world.service, feeLamports)) {
    throw new Error(`agent ${agent} was let pay ${feeLamports} lamports that it does not have`);
  }
  world.feesPaid[type]! += 1;
  world.feesLamports[type]! += feeLamports;
  world.cells.feesLamports[world.agents.cell(agent)]! += feeLamports;
  checkPaid(world, agent, type);
}

/** Hands in penalty beats for a frozen agent (4.10). Answers the outcome. */
export function callResync(world: World, agent: number, beats: number): number {
  const { agents, cells, registry } = world;
  const reply = resync(registry, { agent: agents.row(agent), simulatedBeats: beats }, world.nowMs);
  const outcome = reply.ok ? ACCEPTED : outcomeOf(reply.row.code);
  noteCall(world, agent, RESYNC, outcome, 0);
  const cell = agents.cell(agent);
  if (!reply.ok) {
    cells.resyncsRefused[cell]! += 1;
    return outcome;
  }
  agents.setSyncAnchor(agent, registry.anchorIndex);
  agents.setFrozen(agent, false);
  cells.resyncs[cell]! += 1;
  cells.live[cell]! += 1;
  cells.liveSec[cell]! -= world.second;
  return ACCEPTED;
}

/** The registry has frozen an agent (3.1). */
export function noteFreeze(world: World, agent: number): void {
  checkFreeze(world, agent);
  noteEvent(world, agent, FREEZE, ACCEPTED, 0);
  world.agents.setFrozen(agent, true);
  const cell = world.agents.cell(agent);
  world.cells.freezes[cell]! += 1;
  world.cells.live[cell]! -= 1;
  world.cells.liveSec[cell]! += world.second;
}
