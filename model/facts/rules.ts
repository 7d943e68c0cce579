/** Facts that follow from a state by the text: epochs, caps, fees, descent, sponsorships, and the Dead Man's Switch. */

import { type ErrorKey, errors } from '../../spec/errors.js';
import { addedClasses, errorRow } from '../../spec/parts.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Known } from '../reading/known.js';
import { perObject } from '../reading/memo.js';
import { at } from '../reading/values.js';
import type { Agent, Receipt, Sponsorship, State } from './state.js';

/** The current beat: by D-04 the index of the latest anchor. */
export function beatOf({ anchor, settings }: State): number | undefined {
  return anchor === undefined ? undefined : anchor * settings.protocol.anchor.beatsPerAnchor;
}

/** 4.5: the billing epoch. */
export function epochOf(state: State): number | undefined {
  const beat = beatOf(state);
  return beat === undefined ? undefined : Math.floor(beat / state.settings.protocol.heartbeat.epochBeats);
}

/** The heartbeats of an agent in the current epoch. */
export function heartbeatsInEpoch(state: State, agent: Agent): number | undefined {
  const epoch = epochOf(state);
  if (agent.heartbeats === 0) return 0;
  if (epoch === undefined || agent.epoch === undefined) return undefined;
  return agent.epoch === epoch ? agent.epochHeartbeats : 0;
}

/** D-47: the first generation of a SIGIL, before a metadata reply shows it. D-57: a purchase that sets generation_trigger counts as one change. */
export function firstGeneration({ settings }: State, { fields }: Agent): number {
  return settings.protocol.metadata.generationStart + ('generation_trigger' in fields ? 1 : 0);
}

/** D-20: whether the latest anchor is too old; unknown within a second of the bound, since its time may be cut to seconds. */
export function isDegraded({ nowMs, slackMs, anchorMs, settings }: State): Known {
  const { degradedIntervals, intervalSec } = settings.protocol.anchor;
  if (nowMs === undefined || anchorMs === undefined) return undefined;
  const pastMs = nowMs - anchorMs - degradedIntervals * intervalSec * 1_000;
  return pastMs > -slackMs && pastMs < 1_000 + slackMs ? undefined : pastMs > 0;
}

/** 4.5: the heartbeats that a class may send in an epoch. */
export function capOf({ settings: { protocol } }: State, identityClass: string): number | undefined {
  return capsOf(protocol)[identityClass];
}

const capsOf = perObject((protocol: Protocol): Readonly<Record<string, number>> => {
  const { heartbeat } = protocol;
  return {
    ...Object.fromEntries(addedClasses(protocol).map(({ name, cap }) => [name, cap])),
    narrow_task: heartbeat.narrowTaskCap,
    autonomous: heartbeat.autonomousCap,
    orchestrator: heartbeat.orchestratorCap,
  };
});

/** The fee tier of the nth heartbeat of an epoch (4.5). */
export function tierOf({ settings }: State, nth: number): 1 | 2 | 3 {
  const { tier1HeartbeatsMax, tier2HeartbeatsMax } = settings.protocol.heartbeat;
  return nth <= tier1HeartbeatsMax ? 1 : nth <= tier2HeartbeatsMax ? 2 : 3;
}

/** Whether `from` is an ancestor of an agent; undefined if a link between them is not yet made. */
export function descends(state: State, agent: Agent, from: string): boolean | undefined {
  let linked = true;
  for (let at: Agent | undefined = agent; at !== undefined && at.parent !== null; ) {
    linked &&= at.linked;
    if (at.parent === from) return linked ? true : undefined;
    at = state.agents.get(at.parent);
  }
  return false;
}

/** The heartbeats that a sponsorship has paid in the current epoch. */
export function usedInEpoch(state: State, { used, epoch }: Sponsorship): number | undefined {
  if (used === 0) return 0;
  const now = epochOf(state);
  return epoch === undefined || now === undefined ? undefined : epoch === now ? used : 0;
}

/** Whether a sponsorship has run out. */
export function isExpired(state: State, { expiresMs }: Sponsorship): Known {
  return expiresMs === null ? false : isPast(state, expiresMs);
}

/** Whether a moment is past. The answer is unknown if the moment is closer to now than the clock is exact. */
export function isPast({ nowMs, slackMs }: State, atMs: number | undefined): Known {
  if (atMs === undefined || nowMs === undefined) return undefined;
  return Math.abs(nowMs - atMs) < slackMs ? undefined : atMs <= nowMs;
}

/** Whether a complaint against an agent is sustained. */
export function isSustained(state: State, hash: string): boolean {
  return (state.sustained.get(hash)?.size ?? 0) > 0;
}

/** Whether a receipt keeps the bounds of age and difficulty that decisions set; the text sets none. */
export function isFreshReceipt({ anchor: now, settings }: State, { anchor, difficulty = 0 }: Receipt): boolean {
  const { receiptAnchorsMax, receiptDifficultyMin } = settings.protocol.work;
  const isNew = anchor !== undefined && now !== undefined && now - anchor < receiptAnchorsMax;
  return isNew && difficulty >= receiptDifficultyMin;
}

/** Whether a receipt is used; unknown if a request with it was refused. */
export function isSpent(receipt: Receipt | undefined): Known {
  return receipt?.used === false && receipt.tried ? undefined : (receipt?.used ?? false);
}

/**
 * The decision by which a service accepts a receipt of a lower difficulty than that of beats. A refusal without a code, or with the code of `row`,
 * breaks only this decision.
 */
export function demandOf({ settings }: State, receipt: Receipt | undefined, json: unknown, row: ErrorKey): string[] {
  const isEasy = receipt?.difficulty !== undefined && receipt.difficulty < settings.protocol.beat.difficulty;
  const { code } = errorRow(errors[row], settings.protocol);
  return isEasy && (at(json, 'code') ?? code) === code ? ['receipt.difficulty-min'] : [];
}

/** The switch may freeze an agent this many anchors late. */
export const LATE_ANCHORS_MAX = 10;

/** The sponsorships with an agent as parent or child that may be active. */
function sponsorshipsOf({ sponsorships }: State, hash: string): readonly Sponsorship[] {
  const own = sponsorships.keys().flatMap((key) => (key.includes(hash) ? (sponsorships.get(key) ?? []) : []));
  return own.filter(({ status }) => status !== 'revoked');
}

/**
 * 3.4: a freeze ends the sponsorships of its agent. A frozen parent cannot sponsor, so all its sponsorships end. For a frozen child, a sponsorship
 * made after the freeze was due may or may not have ended.
 */
function endByFreeze(state: State, { hash, syncAnchor }: Agent): void {
  const { missedAnchorsMax } = state.settings.protocol.dms;
  for (const each of sponsorshipsOf(state, hash)) {
    const isParent = each.parent === hash;
    const missed = each.anchor === undefined || syncAnchor === undefined ? undefined : each.anchor - syncAnchor;
    if (!isParent && missed !== undefined && missed > missedAnchorsMax + LATE_ANCHORS_MAX) continue;
    const isOlder = isParent || (missed !== undefined && missed <= missedAnchorsMax);
    each.status = isOlder ? 'revoked' : 'open';
    each.endedBy = isParent ? 'parent' : 'child';
  }
}

/** Whether a heartbeat still brings an agent back, by a grace that a change gives the Dead Man's Switch; unknown if its missed anchors are. */
export function isInGrace({ settings, anchor }: State, { syncAnchor }: Agent): Known {
  const { missedAnchorsMax, graceAnchors } = settings.protocol.dms;
  if (graceAnchors === 0) return false;
  if (anchor === undefined || syncAnchor === undefined) return undefined;
  return anchor - syncAnchor <= missedAnchorsMax + graceAnchors;
}

/** A heartbeat brings an agent back that may have been frozen: it is unknown whether its sponsorships have ended. */
export function endPerhaps(state: State, { hash }: Agent): void {
  for (const each of sponsorshipsOf(state, hash)) each.status = 'open';
}

/** 3.4: revoking a child's key ends its sponsorships. The text leaves open whether revoking a parent's key does. */
export function endByKey(state: State, hash: string): void {
  for (const each of sponsorshipsOf(state, hash)) {
    each.status = each.child === hash ? 'revoked' : 'open';
    each.endedBy = 'key';
  }
}

/** 3.1: moves the model to a later anchor. An agent with a started chain that missed more than 60 anchors may be frozen from now on. */
export function moveTo(state: State, nowMs: number | undefined, anchor: number | undefined): void {
  if (!state.isTimed) return;
  const before = state.anchor;
  state.nowMs = nowMs;
  state.anchor = anchor;
  if (anchor !== before) state.anchorMs = undefined;
  const { missedAnchorsMax } = state.settings.protocol.dms;
  // Every agent was in sync at `oldestSync` or later, so no freeze is due yet.
  if (anchor === undefined || anchor === before || anchor - state.oldestSync <= missedAnchorsMax) return;
  state.oldestSync = anchor;
  for (const hash of state.agents.keys()) {
    const agent = state.agents.peek(hash);
    if (agent === undefined || !agent.started || agent.frozen !== false) continue;
    // An agent with an unknown last sync may be due as well.
    const { syncAnchor } = agent;
    if (syncAnchor === undefined || anchor - syncAnchor > missedAnchorsMax) forgetFreeze(state, hash);
    else state.oldestSync = Math.min(state.oldestSync, syncAnchor);
  }
}

function forgetFreeze({ agents }: State, hash: string): void {
  const agent = agents.find(hash);
  if (agent !== undefined) agent.frozen = undefined;
}

/** Half of the silence after which an agent freezes, in ms: after it an agent may be frozen for an observer who sees no clock. */
export function halfSilenceMs({ dms, anchor }: Protocol): number {
  return (dms.missedAnchorsMax / 2) * anchor.intervalSec * 1_000;
}

/** Makes it unknown whether agents are frozen, after an unknown amount of time has passed. */
export function forgetFreezes(state: State): void {
  for (const hash of state.agents.keys()) {
    const agent = state.agents.peek(hash);
    if (agent?.started && agent.frozen === false) forgetFreeze(state, hash);
  }
}

/** A reply shows that a due agent is frozen. One run of the switch freezes all due agents, so each agent that was due no later is frozen, too. */
export function noteFreeze(state: State, seen: Agent): void {
  const { syncAnchor: latest = Number.NEGATIVE_INFINITY } = seen;
  for (const hash of state.agents.keys()) {
    const agent = state.agents.get(hash);
    if (agent === undefined || agent.frozen !== undefined) continue;
    const { syncAnchor = Number.POSITIVE_INFINITY } = agent;
    if (hash !== seen.hash && syncAnchor > latest) continue;
    agent.frozen = true;
    agent.lineageEvents += 1;
    endByFreeze(state, agent);
  }
}

/** Whether a sponsorship is active; unknown if its parent or child may be frozen. */
export function isActive(state: State, { status, parent, child }: Sponsorship): Known {
  if (status !== 'active') return status === 'open' ? undefined : false;
  const agents = [parent, child].flatMap((hash) => state.agents.get(hash) ?? []);
  return agents.some(({ frozen }) => frozen === undefined) ? undefined : true;
}
