/** Quantities that several rules derive from the numbers of the protocol: times, counts, work, fees. It judges nothing. */

import { formulaOf, penaltyFormula } from '../formula/formulas.js';
import { addedClasses } from '../parts.js';
import type { Protocol } from '../protocol.js';
import { DAY_SEC, HOUR_SEC } from '../time.js';
import { type IdentityClass, identityClasses } from '../vocabulary.js';

/** `1234567` as `1,234,567`, and a fraction with at most four digits that count. */
export function shown(value: number): string {
  const rounded = Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(4));
  const [whole = '', fraction] = String(rounded).split('.');
  if (whole.includes('e')) return String(rounded);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `1 heartbeat`, `1,234 heartbeats`. */
export function countOf(count: number, one: string): string {
  return `${shown(count)} ${one}${count === 1 ? '' : 's'}`;
}

/** Lamports as SOL. */
export function sol(lamports: number): string {
  return `${String(Number((lamports / 1e9).toPrecision(6)))} SOL`;
}

/** A time in the largest unit of which it has at least one. */
export function time(seconds: number): string {
  if (seconds >= 2 * DAY_SEC) return `${shown(seconds / DAY_SEC)} days`;
  if (seconds >= 7_200) return `${shown(seconds / HOUR_SEC)} hours`;
  if (seconds >= 120) return `${shown(seconds / 60)} minutes`;
  return `${shown(seconds)} seconds`;
}

/** A number of anchors as a time. */
export function anchorTime({ anchor }: Protocol, anchors: number): string {
  return time(anchors * anchor.intervalSec);
}

/** Anchors in a billing epoch. */
export function epochAnchors({ heartbeat, anchor }: Protocol): number {
  return heartbeat.epochBeats / anchor.beatsPerAnchor;
}

/** The anchors that must pass between two heartbeats of an agent. */
export function intervalAnchors({ heartbeat, anchor }: Protocol): number {
  return Math.ceil(heartbeat.intervalBeatsMin / anchor.beatsPerAnchor);
}

/** The fewest heartbeats in an epoch that keep an agent from missing more anchors than it may. */
export function heartbeatsToLive(protocol: Protocol): number {
  const { missedAnchorsMax } = protocol.dms;
  if (missedAnchorsMax === 0) return Number.POSITIVE_INFINITY;
  return Math.max(0, Math.ceil((epochAnchors(protocol) + 1) / missedAnchorsMax) - 1);
}

/** The most heartbeats that the minimum interval lets an agent send in an epoch. */
export function heartbeatsPossible({ heartbeat, anchor }: Protocol): number {
  const step = Math.max(1, Math.ceil(heartbeat.intervalBeatsMin / anchor.beatsPerAnchor)) * anchor.beatsPerAnchor;
  // With no interval at all, the rate limit is all that is left; a beat may hold any number of heartbeats then.
  return heartbeat.intervalBeatsMin === 0 ? Number.POSITIVE_INFINITY : Math.ceil(heartbeat.epochBeats / step);
}

/** The heartbeats of an epoch that their rate limit has room for, spread evenly over its windows. */
export function heartbeatRoom(protocol: Protocol): number {
  const { count, windowSec } = protocol.limits.heartbeat;
  return Math.floor((epochAnchors(protocol) * protocol.anchor.intervalSec * count) / windowSec);
}

/** 4.5: heartbeats that a class can send in an epoch. */
export function capOf(protocol: Protocol, identityClass: string): number {
  const { narrowTaskCap, autonomousCap, orchestratorCap } = protocol.heartbeat;
  const added = addedClasses(protocol).find(({ name }) => name === identityClass);
  const stated = { narrow_task: narrowTaskCap, autonomous: autonomousCap, orchestrator: orchestratorCap };
  return added?.cap ?? stated[identityClass as IdentityClass];
}

/** The clause that states the cap of a class; a class that an overlay adds has none of its own. */
export function capClause(identityClass: string): string {
  const stated = (identityClasses as readonly string[]).includes(identityClass);
  return stated ? `heartbeat.cap.${identityClass.replace('_', '-')}` : 'service.class.cap';
}

/** 4.6: what a SIGIL of a class costs, in lamports. */
export function sigilFee(protocol: Protocol, identityClass: string): number {
  const { narrowTaskFeeLamports, autonomousFeeLamports, orchestratorFeeLamports } = protocol.sigil;
  const added = addedClasses(protocol).find(({ name }) => name === identityClass);
  const stated = {
    narrow_task: narrowTaskFeeLamports,
    autonomous: autonomousFeeLamports,
    orchestrator: orchestratorFeeLamports,
  };
  return added?.feeLamports ?? stated[identityClass as IdentityClass];
}

/** 4.5: what the first `count` heartbeats of an epoch cost together, in lamports. */
export function heartbeatFees({ heartbeat }: Protocol, count: number): number {
  const { tier1HeartbeatsMax, tier2HeartbeatsMax, tier1FeeLamports, tier2FeeLamports, tier3FeeLamports } = heartbeat;
  const once = count > 0 ? heartbeat.epochFeeLamports : 0;
  const first = Math.min(count, tier1HeartbeatsMax);
  const second = Math.min(count, tier2HeartbeatsMax) - first;
  return once + first * tier1FeeLamports + second * tier2FeeLamports + (count - first - second) * tier3FeeLamports;
}

/** 4.10: penalty beats for `missed` anchors. */
export function penaltyBeats(protocol: Protocol, missed: number): number {
  const { resync } = protocol;
  return penaltyFormula(protocol)?.(missed) ?? Math.min(resync.beatsPerMissedAnchor * missed, resync.beatsMax);
}

/** D-02: a beat takes its difficulty in hashes, and one for its seed. */
export function hashesPerBeat(difficulty: number): number {
  return difficulty + 1;
}

/** D-06: the seconds that a proof may take if it weaves the anchor that is current when it begins. */
export function graceSec({ anchor }: Protocol): number {
  return anchor.graceAnchors * anchor.intervalSec;
}

/** 4.10: the highest penalty, in beats: that of an absence of a whole epoch where a formula has no maximum of its own. */
export function penaltyMost(protocol: Protocol): number {
  const first = penaltyBeats(protocol, protocol.dms.missedAnchorsMax + 1);
  const formula = penaltyFormula(protocol);
  return Math.max(first, formula === undefined ? protocol.resync.beatsMax : formula(epochAnchors(protocol)));
}

/** 4.8: what the first child of a root costs, in beats. */
export function firstChildBeats(protocol: Protocol): number {
  const formula = formulaOf(protocol, 'spawn.costBeats');
  return formula === undefined ? protocol.spawn.baseBeats : (formula(0, 0) ?? Number.MAX_SAFE_INTEGER);
}

/** 4.8: what a child costs in beats, in floating point: the exact cost is within a beat or two. */
export function spawnBeats(protocol: Protocol, depth: number, siblings: number): number {
  const formula = formulaOf(protocol, 'spawn.costBeats');
  if (formula !== undefined) return formula(depth, siblings) ?? Number.POSITIVE_INFINITY;
  const { spawn } = protocol;
  const { baseBeats, depthFactorNumerator, depthFactorDenominator, siblingFactorNumerator, siblingFactorDenominator } =
    spawn;
  const byDepth = (depthFactorNumerator / depthFactorDenominator) ** depth;
  return baseBeats * byDepth * (siblingFactorNumerator / siblingFactorDenominator) ** siblings;
}
