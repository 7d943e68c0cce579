/** Steps that freeze an agent and reactivate it (4.10). Assertions about it are in the checks. */

import type { Reason } from '../../results/conformance-result.js';
import { penaltyFormula } from '../../spec/formula/formulas.js';
import { servesMode } from '../../spec/parts.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { notFollowed, Unjudged, unreachableReason } from '../assertions/unjudged.js';
import { resync, resyncChallenge, resyncProof } from '../moves/resync.js';
import { proveWork } from '../moves/work-proof.js';
import { asBeatProof, proofOf } from '../protocol/beats.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { chainEnd, chainOn, receiptIn, sharedChain, shownBeats, spendWork } from './work.js';

/** An agent that is frozen, and how many anchors it has missed. */
interface FrozenAgent extends Agent {
  readonly missed: number;
}

/** An agent with a started chain that is frozen after `least` anchors without a heartbeat, or soon after. */
export async function frozen(t: Trial, least: number): Promise<FrozenAgent> {
  const agent = await t.root({ init: true });
  const missed = await lapse(t, agent, { least });
  const again = t.mustSucceed(await t.call('init', { key: agent.key }));
  t.need(again.get('status') === 'frozen' || undefined, 'an agent that is frozen');
  return { ...agent, missed };
}

/**
 * Sleeps until an agent has missed `least` anchors, of which `left` are still to come, and is frozen. Returns the number of
 * missed anchors, which is a little higher if the freeze comes late.
 */
export async function lapse(
  t: Trial,
  agent: Pick<Agent, 'key'>,
  { least = fewest(t), left = least, lives }: { least?: number; left?: number; lives?: () => Promise<boolean> } = {},
): Promise<number> {
  await t.sleep({ anchors: left });
  return least + (await freezeLate(t, agent, lives));
}

/** The most anchors for which the suite waits for a late freeze. */
const LATE_MAX = 10;

/**
 * 3.1: a cron freezes agents, at intervals that the text does not give, so a freeze may come late. Reads the state just before each of the next
 * anchors until the agent is frozen, by init or by `lives`. Returns the number of anchors issued meanwhile.
 */
export async function freezeLate(
  t: Trial,
  { key }: Pick<Agent, 'key'>,
  lives = async (): Promise<boolean> => {
    const reply = await t.call('init', { key, mayLimit: true });
    return reply.get('status') === 'active';
  },
): Promise<number> {
  if (!(await lives())) return 0;
  const moves = t.session.observedSec === 0;
  // Only a clock that the suite moves can stop just before an anchor.
  if (moves) {
    await t.sleep({ ms: t.protocol.anchor.intervalSec * 1_000 - 1 });
    if (!(await lives())) return 0;
  }
  for (let late = 1; late <= LATE_MAX; late += 1) {
    await t.sleep({ anchors: 1 });
    if (!(await lives())) return late;
  }
  return LATE_MAX;
}

/**
 * Resync with a receipt for `beats` beats of the run's shared chain. If that is refused, tries the readings that the specification leaves open: a
 * chain of the check's own, since a server may refuse work that overlaps that of another agent, also at a higher difficulty; and the number of
 * beats that a challenge names, if slightly larger, since the text does not show which anchor is the first missed one.
 */
export async function comeBack(t: Trial, agent: Agent, beats: number): Promise<Reply> {
  const shared = receiptIn(await t.send(proveWork(proofOf(await sharedChain(t, beats)))));
  if (shared !== undefined) {
    const reply = await t.send(resync(agent, shared));
    if (reply.status < 400) return reply;
  }
  const invalid = t.row('resync/INVALID_RECEIPT').code;
  const byOwn = (count: number): Promise<Reply> =>
    spendWork(t, count, invalid, (receipt) => t.send(resync(agent, receipt)));
  const own = await byOwn(beats);
  if (own.get('code') !== invalid) return own;
  if (!servesMode(t.protocol, 'resync/challenge')) return own;
  const challenge = await t.send(resyncChallenge(agent));
  const asked = challenge.get('challenge.required_beats');
  const more = typeof asked === 'number' && asked > beats && asked <= penaltyWithin(t, beats);
  return more ? byOwn(asked) : own;
}

/** The largest penalty, in beats, by a reading that counts one missed anchor more than `beats` pays for; a formula leaves no such reading. */
const penaltyWithin = ({ protocol }: Trial, beats: number): number =>
  penaltyFormula(protocol) === undefined
    ? Math.min(beats + protocol.resync.beatsPerMissedAnchor, protocol.resync.beatsMax)
    : beats;

/**
 * Ends the check if the target requires a receipt in the challenge form, too. Section 7 refuses a resync without a receipt while BEATS_REQUIRED is
 * true, but the challenge form of 4.10 has none, so such a target is not judged by this form.
 */
export function challengeTaken(t: Trial, reply: Reply): Reply {
  if (reply.status !== 402 || (reply.get('code') ?? 'RECEIPT_REQUIRED') !== 'RECEIPT_REQUIRED')
    return t.mustSucceed(reply);
  t.withdrawRefusals(reply);
  t.shows('resync.challenge.either').that('the challenge form', false, 'it is served', reply.status, reply);
  throw new Unjudged('not-tested', notFollowed('D-35', `${reply.name} requires a receipt in the challenge form, too`));
}

/** Resync by challenge, with a proof in which only the shown beats are computed, or with a whole chain if the target computes all beats. */
export async function proveBack(t: Trial, agent: Agent): Promise<Reply> {
  const prove = async (chainOf: typeof chainOn): Promise<Reply> => {
    const asked = challengeTaken(t, await t.send(resyncChallenge(agent)));
    const chain = await chainOf(t, await chainEnd(t, agent), asked.number('challenge.required_beats'));
    return t.send(resyncProof(agent, asked.string('challenge.nonce'), asBeatProof(chain)));
  };
  const reply = await prove(shownBeats);
  return reply.status < 400 ? reply : prove(chainOn);
}

/** 4.10: the penalty, in beats, for `missed` anchors. */
export function penalty({ protocol }: Pick<Trial, 'protocol'>, missed: number): number {
  const { resync: numbers } = protocol;
  return penaltyFormula(protocol)?.(missed) ?? Math.min(numbers.beatsPerMissedAnchor * missed, numbers.beatsMax);
}

/** Missed anchors at which the penalty reaches its cap, if it ever does. */
export const fullAt = (protocol: Protocol): number =>
  protocol.resync.beatsPerMissedAnchor === 0 || penaltyFormula(protocol) !== undefined
    ? Number.POSITIVE_INFINITY
    : Math.floor(protocol.resync.beatsMax / protocol.resync.beatsPerMissedAnchor);

/** The largest number of beats that a check computes for a resync. */
export const BEATS_MAX = 60_000;

/** Why no check can reach the cap of the penalty; undefined if one can. */
export function capUnseen(protocol: Protocol): Reason | undefined {
  if (penaltyFormula(protocol) !== undefined) return unreachableReason('the penalty is a formula, which names no cap');
  const { beatsMax, beatsPerMissedAnchor } = protocol.resync;
  if (beatsPerMissedAnchor > 0 && beatsMax <= BEATS_MAX) return undefined;
  const most = beatsMax.toLocaleString('en');
  return unreachableReason(
    `a penalty of ${most} beats, ${beatsPerMissedAnchor} for each missed anchor, is more than a check computes`,
  );
}

/** The smallest number of missed anchors that freezes an agent. */
export const fewest = ({ protocol }: Pick<Trial, 'protocol'>): number => protocol.dms.missedAnchorsMax + 1;
