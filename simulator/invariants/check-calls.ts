/**
 * Checks of single events, as they happen: calls, payments, freezes, anchors. Expected values are computed from the specification's
 * numbers and the simulator's record of earlier calls, never by the rule under check.
 */

import { formulaOf, penaltyFormula } from '../../spec/formula/formulas.js';
import type { Protocol } from '../../spec/protocol.js';
import { feeShares, feeTypes, type IdentityClass, identityClasses } from '../../spec/vocabulary.js';
import {
  CAP,
  CHILD_PRICE,
  COMPLAINT,
  CONSERVED,
  INTERVAL,
  NOT_EARLY,
  ON_TIME,
  ONE_FEE,
  PENALTY,
  SILENT,
  SPLITS,
  TIER_FEE,
} from '../world/invariant-list.js';
import type { World } from '../world/world.js';
import { NO_AGENT, violated } from './violation.js';

/** Checks an accepted heartbeat, the `nth` of the epoch, before the simulator records it. */
export function checkHeartbeat(world: World, agent: number, nth: number, feeLamports: number): void {
  const { agents, checks, registry, features } = world;
  const { heartbeat, anchor, dms } = registry.protocol;
  checks[SILENT]! += 1;
  const saves =
    dms.graceAnchors > 0 && registry.anchorIndex - agents.syncAnchor(agent) <= dms.missedAnchorsMax + dms.graceAnchors;
  if (agents.frozen(agent) && !saves) violated(world, SILENT, agent, 'is frozen, and its heartbeat was accepted');
  checks[INTERVAL]! += 1;
  const last = agents.beatAnchor(agent);
  const { anchorIndex } = registry;
  if (last >= 0 && (anchorIndex - last) * anchor.beatsPerAnchor < heartbeat.intervalBeatsMin) {
    violated(world, INTERVAL, agent, `heartbeats at anchors ${last} and ${anchorIndex} were accepted`);
  }
  checks[CAP]! += 1;
  if (nth > capOf(heartbeat, classOf(world, agent))) {
    violated(world, CAP, agent, `heartbeat ${nth} of epoch ${world.epoch} was accepted`);
  }
  checks[TIER_FEE]! += 1;
  const base = feeOf(heartbeat, nth);
  if (registry.subsidies.size === 0 ? feeLamports !== base : feeLamports > base) {
    violated(world, TIER_FEE, agent, `heartbeat ${nth} of the epoch cost ${feeLamports} lamports in place of ${base}`);
  }
  if (features === null) return;
  checks[COMPLAINT]! += 1;
  if (features.sustainedComplaints[agent]! > 0)
    violated(world, COMPLAINT, agent, 'has a sustained complaint against it, and its heartbeat was accepted');
}

/** The class whose cap holds (4.5, D-50): that of its SIGIL, or narrow_task without one. */
function classOf({ registry, agents, cells }: World, agent: number): IdentityClass {
  const named = registry.agents.line.identityClass(agents.row(agent)) !== 0;
  return named ? cells.classes[agents.cell(agent)]! : identityClasses[0];
}

function capOf(numbers: Protocol['heartbeat'], identityClass: IdentityClass): number {
  switch (identityClass) {
    case 'narrow_task':
      return numbers.narrowTaskCap;
    case 'autonomous':
      return numbers.autonomousCap;
    case 'orchestrator':
      return numbers.orchestratorCap;
    default:
      return identityClass satisfies never;
  }
}

function feeOf(numbers: Protocol['heartbeat'], nth: number): number {
  const once = nth === 1 ? numbers.epochFeeLamports : 0;
  if (nth <= numbers.tier1HeartbeatsMax) return once + numbers.tier1FeeLamports;
  return once + (nth <= numbers.tier2HeartbeatsMax ? numbers.tier2FeeLamports : numbers.tier3FeeLamports);
}

/** Checks an accepted resync (4.10) before the simulator records it. */
export function checkResync(world: World, agent: number, beats: number): void {
  const { agents, checks, registry } = world;
  const { beatsPerMissedAnchor, beatsMax } = registry.protocol.resync;
  checks[PENALTY]! += 1;
  const missed = registry.anchorIndex - agents.syncAnchor(agent);
  const owed = penaltyFormula(registry.protocol)?.(missed) ?? Math.min(beatsPerMissedAnchor * missed, beatsMax);
  if (beats < owed)
    violated(world, PENALTY, agent, `resynced with ${beats} beats, and owes ${owed} for ${missed} anchors`);
}

/** Checks an authorization for a child at `beats` beats, after `siblings` earlier ones of the parent (4.8, D-31). */
export function checkChild(world: World, agent: number, siblings: number, beats: number): void {
  const { agents, checks, registry } = world;
  const { spawn } = registry.protocol;
  const depth = registry.agents.line.depth(agents.row(agent));
  const byFormula = formulaOf(registry.protocol, 'spawn.costBeats')?.(depth, siblings);
  const byDepth = raised(BigInt(spawn.baseBeats), spawn.depthFactorNumerator, spawn.depthFactorDenominator, depth);
  const price =
    byFormula === undefined
      ? raised(byDepth, spawn.siblingFactorNumerator, spawn.siblingFactorDenominator, siblings)
      : BigInt(byFormula ?? Number.MAX_SAFE_INTEGER);
  checks[CHILD_PRICE]! += 1;
  if (BigInt(beats) >= price) return;
  violated(
    world,
    CHILD_PRICE,
    agent,
    `was authorized for child ${siblings + 1} at ${beats} beats in place of ${price}`,
  );
}

/** floor(amount × (numerator / denominator) ^ times). */
function raised(amount: bigint, numerator: number, denominator: number, times: number): bigint {
  let [above, below] = [amount, 1n];
  for (let i = 0; i < times; i += 1) [above, below] = [above * BigInt(numerator), below * BigInt(denominator)];
  return above / below;
}

/**
 * Checks an anchor that was issued on time: its index follows from the second and from anchors that stalls held back.
 */
export function checkAnchorOnTime(world: World): void {
  const { checks, checksOfWhole, registry, second, anchorShiftSec } = world;
  checks[ON_TIME]! += 1;
  checksOfWhole[ON_TIME]! += 1;
  const due = (second - anchorShiftSec) / registry.protocol.anchor.intervalSec;
  if (registry.anchorIndex === due) return;
  violated(world, ON_TIME, NO_AGENT, `anchor ${registry.anchorIndex} was issued in place of ${due}`);
}

const BOOK_WIDTH = 2 + feeShares.length;

/** Checks the registry's book and the service's account after a fee of type `feeTypes[type]` was paid. */
export function checkPaid(world: World, agent: number, type: number): void {
  const { checks, feesPaid, feesLamports, feesBurnt, registry } = world;
  const { sums } = registry.feeBook;
  const at = type * BOOK_WIDTH;
  const total = sums[at + 1]!;
  checks[ONE_FEE]! += 1;
  if (sums[at] !== feesPaid[type] || total !== feesLamports[type]) {
    const detail = `the book has ${sums[at]} ${feeTypes[type]} fees of ${total} lamports, and ${feesPaid[type]} of ${feesLamports[type]} were paid`;
    violated(world, ONE_FEE, agent, detail);
  }
  checks[SPLITS]! += 1;
  const shares = sums[at + 2]! + sums[at + 3]! + sums[at + 4]! + sums[at + 5]! + sums[at + 6]!;
  const burnt = feesBurnt[type]!;
  if (shares + burnt !== total)
    violated(world, SPLITS, agent, `shares of ${shares} lamports of fees of ${total}, of which ${burnt} are burnt`);
  checks[CONSERVED]! += 1;
  const held = world.ledger.lamports[world.serviceAccount]!;
  const paid = feesLamports[0]! + feesLamports[1]! + feesLamports[2]!;
  const deposits = registry.deposits.heldLamports + registry.deposits.forfeitedLamports;
  if (held !== paid + deposits)
    violated(world, CONSERVED, agent, `the service holds ${held} lamports of ${paid + deposits} that were paid`);
}

/** Checks the sums of the registry's deposits against what the simulator has counted. */
export function checkDeposits(world: World, agent: number): void {
  const { heldLamports, forfeitedLamports } = world.registry.deposits;
  const sum = (column: Float64Array): number => column.reduce((total, each) => total + each, 0);
  const forfeited = sum(world.cells.depositsForfeited);
  const held = sum(world.cells.depositsPaid) - forfeited;
  if (heldLamports === held && forfeitedLamports === forfeited) return;
  const detail = `the registry holds deposits of ${heldLamports} lamports and has taken ${forfeitedLamports}, in place of ${held} and ${forfeited}`;
  violated(world, CONSERVED, agent, detail);
}

/** Checks the registry's deposit of an agent that paid or lost one. */
export function checkDeposit(world: World, agent: number): void {
  const { checks, registry, agents } = world;
  checks[CONSERVED]! += 1;
  const [own, due] = [registry.deposits.byAgent.get(agents.row(agent)) ?? 0, agents.deposits.get(agent) ?? 0];
  if (own !== due) violated(world, CONSERVED, agent, `has a deposit of ${own} lamports in place of ${due}`);
}

/** Checks a freeze against the anchor of the agent's last sign of life. */
export function checkFreeze(world: World, agent: number): void {
  const { checks, registry, agents } = world;
  checks[NOT_EARLY]! += 1;
  const missed = registry.anchorIndex - agents.syncAnchor(agent);
  if (agents.frozen(agent) || missed <= registry.protocol.dms.missedAnchorsMax) {
    violated(world, NOT_EARLY, agent, `was frozen ${missed} anchors after its last sign of life`);
  }
}
