/** An agent's own calls of registry rules, with payment, record and checks. Calls of parents are in parent-calls.ts. */

import { pay } from '../../reference/ledger/ledger.js';
import { depositWithSigil } from '../../reference/registry/deposit.js';
import { feeSharesAt } from '../../reference/registry/fee-book.js';
import { discountedLamports, flatFeeLamports } from '../../reference/registry/fee-resolution.js';
import { heartbeat } from '../../reference/registry/heartbeat.js';
import { init } from '../../reference/registry/init.js';
import { passport } from '../../reference/registry/passport.js';
import { registerRoot } from '../../reference/registry/register.js';
import { reissueProof } from '../../reference/registry/reissue-proof.js';
import { resync } from '../../reference/registry/resync.js';
import { resyncLamports } from '../../reference/registry/resync-payment.js';
import { sigil } from '../../reference/registry/sigil.js';
import { standingSubsidy } from '../../reference/registry/subsidy.js';
import { type FeeType, feeShares, feeTypes, type IdentityClass } from '../../spec/vocabulary.js';
import { checkDeposit, checkFreeze, checkHeartbeat, checkPaid, checkResync } from '../invariants/check-calls.js';
import { accountOfAgent } from '../world/accounts.js';
import { earn, earnLive } from '../world/adaptation.js';
import { hashEvent } from '../world/event-chain.js';
import { hasDeparted, NONE } from '../world/features.js';
import { countLive } from '../world/live-time.js';
import { mintLamports } from '../world/mint.js';
import {
  ACCEPTED,
  countOperation,
  FREEZE,
  HEARTBEAT,
  hashedOutcome,
  INIT,
  outcomeOf,
  PASSPORT,
  REGISTER,
  REISSUE,
  RESYNC,
  SIGIL,
} from '../world/operations.js';
import { scenarioNumberOf } from '../world/share.js';
import { refusalKey, sponsoredKey, tally } from '../world/tallies.js';
import { addToTrail } from '../world/trail.js';
import { openWallet, type World } from '../world/world.js';
import { countOffline } from './schedule.js';

const SIGIL_FEE = feeTypes.indexOf('sigil' satisfies FeeType);
const HEARTBEAT_FEE = feeTypes.indexOf('heartbeat' satisfies FeeType);
const REISSUANCE_FEE = feeTypes.indexOf('reissuance' satisfies FeeType);
const OUTCOMES_MAX = 256;

/** Adds an event to hash and trail, and notifies the observer. */
export function recordEvent(world: World, agent: number, what: number, outcome: number, lamports: number): void {
  const number = scenarioNumberOf(world.share, agent);
  hashEvent(world.eventChains, world.second, number, what * OUTCOMES_MAX + hashedOutcome(outcome), lamports);
  addToTrail(world.trail, world.second, number, what, outcome, lamports);
  if (world.observer !== null) world.observer(world.second, number, what, outcome, lamports);
}

/** Counts and records a call. */
export function recordCall(world: World, agent: number, operation: number, outcome: number, lamports: number): void {
  countOperation(world.counts, operation, outcome);
  if (outcome !== ACCEPTED) tally(world.tallies.refusals, refusalKey(world.agents.cell(agent), operation, outcome));
  recordEvent(world, agent, operation, outcome, lamports);
}

/** Counts and records a refused call. */
export function recordRefusal(world: World, agent: number, operation: number, outcome: number): void {
  recordCall(world, agent, operation, outcome, 0);
  const cell = world.agents.cell(agent);
  if (operation === HEARTBEAT) world.cells.heartbeatsRefused[cell]! += 1;
  else if (operation === RESYNC) world.cells.resyncsRefused[cell]! += 1;
}

/** Registers an agent with a wallet of its own that holds `walletLamports`, and starts its chain (4.2, 4.4). */
export function callRegister(world: World, agent: number, name: string, walletLamports: number): void {
  const { agents, ledger, registry, nowMs } = world;
  const account = openWallet(registry, ledger);
  mintLamports(world, agent, account, walletLamports);
  const linked = { wallet: account, model: 'self-custody', chain: 'solana' } as const;
  const { agent: row } = registerRoot(registry, { name, linked }, nowMs);
  agents.setRow(agent, row);
  world.agentOfRow[row] = agent;
  recordCall(world, agent, REGISTER, ACCEPTED, walletLamports);
  callInit(world, agent);
}

/** Starts the chain of a registered agent (4.4), and counts the agent. */
export function callInit(world: World, agent: number): void {
  const { agents, cells, registry, nowMs } = world;
  init(registry, { agent: agents.row(agent) }, nowMs);
  agents.setSyncAnchor(agent, registry.anchorIndex);
  agents.offlineCountedSec[agent] = world.second;
  recordCall(world, agent, INIT, ACCEPTED, 0);
  const cell = agents.cell(agent);
  cells.registered[cell]! += 1;
  cells.registeredSec[cell]! -= world.second;
  cells.live[cell]! += 1;
  cells.liveSec[cell]! -= world.second;
  cells.presentSec[cell]! -= world.second;
  countLive(cells, cell, 1, world.second);
  earnLive(world, agent, -1);
}

/** The SIGIL that an agent buys (4.6). */
export function sigilOf({ agents, cells, share }: World, agent: number) {
  const cell = agents.cell(agent);
  const identityClass = cells.classes[cell]!;
  return {
    identityClass,
    principal: cells.populations[cell]!.name,
    tier: 'ind',
    name: `n-${scenarioNumberOf(share, agent)}`,
  } as const;
}

/** Buys the SIGIL of an agent that has none and can pay `feeLamports` (4.6), and the deposit where there is one. */
export function callSigil(world: World, agent: number, identityClass: IdentityClass, feeLamports: number): void {
  const { agents, registry } = world;
  const depositLamports = depositWithSigil(registry, agents.row(agent));
  const lamports = feeLamports + depositLamports;
  const payment = { id: null, sender: accountOfAgent(world, agent), lamports, counts: true };
  const { principal, tier, name } = sigilOf(world, agent);
  const input = { agent: agents.row(agent), identityClass, principal, tier, name, payment };
  const reply = sigil(registry, input, world.nowMs);
  if (!reply.ok) throw new Error(`agent ${agent} was refused its SIGIL: ${reply.row.code}`);
  recordCall(world, agent, SIGIL, ACCEPTED, lamports);
  world.cells.sigils[agents.cell(agent)]! += 1;
  world.cells.sigilFeesLamports[agents.cell(agent)]! += feeLamports;
  settleDeposit(world, agent, depositLamports);
  settle(world, agent, agent, SIGIL_FEE, feeLamports);
  agents.setPassportSec(agent, world.second);
  countSubsidy(world, agent, SIGIL_FEE, world.registry.feeTable.flat[`sigil_${identityClass}`], feeLamports);
}

/** Reissues the passport of an agent that may have one and can pay `feeLamports` (4.7). */
export function callReissue(world: World, agent: number, feeLamports: number): void {
  const { agents, cells, registry } = world;
  const payment = { id: null, sender: accountOfAgent(world, agent), lamports: feeLamports, counts: true };
  const reply = reissueProof(registry, { agent: agents.row(agent), payment }, world.nowMs);
  if (!reply.ok) throw new Error(`agent ${agent} was refused a reissue: ${reply.row.code}`);
  recordCall(world, agent, REISSUE, ACCEPTED, feeLamports);
  settle(world, agent, agent, REISSUANCE_FEE, feeLamports);
  agents.setPassportSec(agent, world.second);
  cells.reissues[agents.cell(agent)]! += 1;
  countSubsidy(world, agent, REISSUANCE_FEE, registry.feeTable.flat.reissuance, feeLamports);
}

/** Reads a new passport of an agent that may have one, without a fee (D-12). */
export function callPassport(world: World, agent: number): void {
  const reply = passport(world.registry, { agent: world.agents.row(agent) });
  if (!reply.ok) throw new Error(`agent ${agent} was refused its passport: ${reply.row.code}`);
  recordCall(world, agent, PASSPORT, ACCEPTED, 0);
  world.agents.setPassportSec(agent, world.second);
}

/**
 * Sends an agent's `nth` heartbeat of the epoch (4.5). `payer`, the agent or its sponsor, can pay `feeLamports`. Returns the
 * outcome.
 */
export function callHeartbeat(world: World, agent: number, nth: number, feeLamports: number, payer: number): number {
  const { agents, heartbeatInput, cells, registry } = world;
  heartbeatInput.agent = agents.row(agent);
  heartbeatInput.payment.sender = accountOfAgent(world, payer);
  heartbeatInput.payment.lamports = feeLamports;
  world.subject = payer;
  const reply = heartbeat(registry, heartbeatInput, world.nowMs);
  if (!reply.ok) {
    const outcome = outcomeOf(reply.row.code);
    recordRefusal(world, agent, HEARTBEAT, outcome);
    return outcome;
  }
  recordCall(world, agent, HEARTBEAT, ACCEPTED, feeLamports);
  checkHeartbeat(world, agent, nth, feeLamports);
  // By a grace that a change gives: a heartbeat brings a frozen agent back.
  if (agents.frozen(agent)) recordReturn(world, agent);
  settle(world, agent, payer, HEARTBEAT_FEE, feeLamports);
  agents.setSyncAnchor(agent, registry.anchorIndex);
  agents.setBeatAnchor(agent, registry.anchorIndex);
  agents.setEpochBeats(agent, nth);
  agents.setPassportSec(agent, world.second);
  world.tierBeats[reply.tier - 1]! += 1;
  const cell = agents.cell(agent);
  cells.heartbeats[cell]! += 1;
  cells.heartbeatFeesLamports[cell]! += feeLamports;
  if (world.features !== null) earn(world, agent, cells.populations[cell]!.economics.heartbeatLamports);
  if (payer !== agent) countSponsored(world, agents.cell(payer), cell, feeLamports);
  const once = nth === 1 ? registry.protocol.heartbeat.epochFeeLamports : 0;
  countSubsidy(world, agent, HEARTBEAT_FEE, once + flatFeeLamports(registry, reply.tier), feeLamports);
  return ACCEPTED;
}

/** Counts what a subsidy took off a fee, for the agents and for the intervention that granted it. */
function countSubsidy(world: World, agent: number, type: number, flatLamports: number, feeLamports: number): void {
  const { agents, cells, registry, features, nowMs } = world;
  if (registry.subsidies.size === 0) return;
  cells.subsidiesLamports[agents.cell(agent)]! += flatLamports - feeLamports;
  const by = features?.subsidyGranted[agent * feeTypes.length + type] ?? NONE;
  if (features === null || by === NONE) return;
  if (feeLamports < flatLamports) features.interventionEffects[by]! += 1;
  const subsidy = standingSubsidy(registry, agents.row(agent), feeTypes[type]!, nowMs);
  if (subsidy !== undefined && feeLamports > discountedLamports(flatLamports, subsidy)) features.floorEffects[by]! += 1;
}

function countSponsored({ cells, tallies }: World, sponsorCell: number, cell: number, feeLamports: number): void {
  cells.heartbeatsSponsored[cell]! += 1;
  cells.feesBySponsorsLamports[cell]! += feeLamports;
  cells.feesForOthersLamports[sponsorCell]! += feeLamports;
  const key = sponsoredKey(sponsorCell, cell);
  tally(tallies.sponsored, key);
  tally(tallies.sponsoredLamports, key, feeLamports);
}

const BPS = 10_000n;

/** Moves the fee of an accepted call, and checks the books. */
function settle(world: World, agent: number, payer: number, type: number, feeLamports: number): void {
  if (!pay(world.ledger, accountOfAgent(world, payer), world.serviceAccount, feeLamports)) {
    throw new Error(`agent ${payer} does not have the ${feeLamports} lamports of a fee that was accepted`);
  }
  world.feesPaid[type]! += 1;
  world.feesLamports[type]! += feeLamports;
  const { burntBps } = world.registry.protocol.feeSplit;
  if (burntBps > 0) world.feesBurnt[type]! += Number((BigInt(feeLamports) * BigInt(burntBps)) / BPS);
  const cell = world.agents.cell(payer);
  world.cells.feesLamports[cell]! += feeLamports;
  if (type !== SIGIL_FEE) earn(world, payer, -feeLamports);
  countShares(world, cell, type);
  checkPaid(world, agent, type);
}

/** Moves a deposit that an agent has paid. */
function settleDeposit(world: World, agent: number, lamports: number): void {
  if (lamports === 0) return;
  if (!pay(world.ledger, accountOfAgent(world, agent), world.serviceAccount, lamports))
    throw new Error(`agent ${agent} does not have the ${lamports} lamports of a deposit that was accepted`);
  world.agents.deposits.set(agent, lamports);
  world.cells.depositsPaid[world.agents.cell(agent)]! += lamports;
  checkDeposit(world, agent);
}

/** Counts the deposit that a freeze has taken, which is a loss of the agent. */
function loseDeposit(world: World, agent: number): void {
  const lamports = world.agents.deposits.get(agent);
  if (lamports === undefined) return;
  world.agents.deposits.delete(agent);
  world.cells.depositsForfeited[world.agents.cell(agent)]! += lamports;
  earn(world, agent, -lamports);
  checkDeposit(world, agent);
}

/** Counts what the registry's book has added to each share of the fees of this type since it was last counted. One line for each share, for speed. */
function countShares({ registry, cells, feeSharesLamports: counted }: World, cell: number, type: number): void {
  const { sums } = registry.feeBook;
  const from = feeSharesAt(type);
  const to = type * feeShares.length;
  cells.feesToOperations[cell]! += sums[from]! - counted[to]!;
  cells.feesToContributors[cell]! += sums[from + 1]! - counted[to + 1]!;
  cells.feesToDevelopment[cell]! += sums[from + 2]! - counted[to + 2]!;
  cells.feesToTreasury[cell]! += sums[from + 3]! - counted[to + 3]!;
  cells.feesToReferral[cell]! += sums[from + 4]! - counted[to + 4]!;
  for (let share = 0; share < feeShares.length; share += 1) counted[to + share] = sums[from + share]!;
}

/** Resyncs a frozen agent with penalty beats (4.10). Returns the outcome. */
export function callResync(world: World, agent: number, beats: number): number {
  const { agents, cells, registry } = world;
  const row = agents.row(agent);
  const lamports = resyncLamports(registry, row);
  const payment = { id: null, sender: registry.agents.line.wallet(row), lamports, counts: true };
  const reply = resync(registry, { agent: row, simulatedBeats: beats, payment }, world.nowMs);
  if (!reply.ok) {
    const outcome = outcomeOf(reply.row.code);
    recordRefusal(world, agent, RESYNC, outcome);
    return outcome;
  }
  recordCall(world, agent, RESYNC, ACCEPTED, lamports);
  checkResync(world, agent, beats);
  settleDeposit(world, agent, reply.depositLamports);
  if (reply.feeLamports > 0) settle(world, agent, agent, REISSUANCE_FEE, reply.feeLamports);
  const cell = agents.cell(agent);
  agents.setSyncAnchor(agent, registry.anchorIndex);
  cells.resyncs[cell]! += 1;
  recordReturn(world, agent);
  return ACCEPTED;
}

/** Records that a frozen agent is active again. */
function recordReturn(world: World, agent: number): void {
  const { agents, cells } = world;
  const cell = agents.cell(agent);
  countOffline(world, agent);
  agents.setFrozen(agent, false);
  cells.live[cell]! += 1;
  cells.liveSec[cell]! -= world.second;
  countLive(cells, cell, 1, world.second);
  earnLive(world, agent, -1);
}

/** Records a freeze by the registry (3.1). */
export function recordFreeze(world: World, agent: number): void {
  checkFreeze(world, agent);
  recordEvent(world, agent, FREEZE, ACCEPTED, 0);
  loseDeposit(world, agent);
  const { agents, cells, features, second } = world;
  const cell = agents.cell(agent);
  if (!agents.everFrozen(agent)) {
    cells.everFrozen[cell]! += 1;
    agents.firstFreezeSec[agent] = second;
  }
  countOffline(world, agent);
  agents.setFrozen(agent, true);
  cells.freezes[cell]! += 1;
  cells.live[cell]! -= 1;
  cells.liveSec[cell]! += second;
  if (hasDeparted(features, agent)) return;
  earnLive(world, agent, 1);
  countLive(cells, cell, -1, second);
}
