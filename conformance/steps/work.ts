/** Work of checks: chains of beats, their proofs, and receipts. Spending receipts is in spawn-call and resync-call. */

import { sureSpotChecks } from '../../model/facts/proof.js';
import { beatHash } from '../../model/reading/chain.js';
import { jsonOf } from '../../spec/formats.js';
import type { Reply } from '../assertions/reply.js';
import { notFollowed, Unjudged } from '../assertions/unjudged.js';
import { proveWork } from '../moves/work-proof.js';
import {
  asBeatProof,
  type BeatProof,
  type Chain,
  computeChain,
  proofOf,
  type SpotCheck,
  spotCheck,
  spotPlaces,
  type WorkProof,
  type WovenAnchor,
} from '../protocol/beats.js';
import type { Agent } from '../trial/fixtures.js';
import { NotServed } from '../trial/presence.js';
import { needReachableWork } from '../trial/reach.js';
import { once, type Session } from '../trial/session.js';
import type { Trial } from '../trial/trial.js';
import { latestAnchor } from './beat-clock.js';

/** A receipt as the target's beats service returned it: a string, or an object (D-09). */
export type Receipt = string | Readonly<Record<string, unknown>>;

/** The receipt in a reply; undefined where there is none. */
export function receiptIn(reply: Reply): Receipt | undefined {
  const receipt = reply.get('receipt');
  if (typeof receipt === 'string') return receipt === '' ? undefined : receipt;
  return typeof receipt === 'object' && receipt !== null ? (receipt as Receipt) : undefined;
}

/**
 * Asserts that a proof that is valid by D-02 is accepted, for `clauses`. The text does not show how a beat is computed: if the proof is refused,
 * and the target has accepted no such beat elsewhere, the clauses cannot be judged, and the check ends.
 */
export async function workTaken(t: Trial, reply: Reply, ...clauses: readonly string[]): Promise<Reply> {
  const refused = reply.status >= 400 && reply.status < 500;
  const refusedInBody = reply.get('ok') === false || reply.get('valid') === false;
  if (!refused && !refusedInBody) return t.accepted(reply, ...clauses);
  const actual = `${reply.status} ${reply.excerpt()}`;
  if (!(await computesAlike(t))) {
    t.withdrawRefusals(reply);
    t.shows('beat.hash').that('a proof over beats of D-02', false, 'accepted', actual, reply);
    throw new Unjudged('not-tested', notFollowed('D-02', `${reply.name} answers a proof with ${actual}`));
  }
  if (refused) return t.accepted(reply, ...clauses);
  t.withdrawRefusals(reply);
  for (const clause of clauses) t.shows(clause).that('a valid proof', false, 'accepted', actual, reply);
  throw new Unjudged('not-tested', `needs ${reply.name} to accept a valid proof, and got ${actual}`);
}

/** Whether the target accepts beats that are computed as in D-02, by a single beat or a small proof; found once per run. */
function computesAlike({ session }: Trial): Promise<boolean> {
  return once(session, 'beats of D-02', async () => {
    const runTrial = session.runTrial();
    const difficulty = session.facts.protocol.work.difficultyMin;
    const chain = computeChain(runTrial.hex(32), 3, await latestAnchor(runTrial), {
      difficulty,
      spotChecks: sureSpotChecks(session.facts.protocol),
    });
    const beat = { ...spotCheck(chain, 1), anchor_hash: chain.anchor.hash };
    const takesBeat = await answered(async () => {
      const judged = await runTrial.call('beat-verify', { body: { mode: 'beat', beat, difficulty } });
      return judged.get('valid') === true;
    });
    if (takesBeat || !session.offers.has('beats')) return takesBeat;
    return answered(async () => receiptIn(await runTrial.send(proveWork(proofOf(chain)))) !== undefined);
  });
}

/** The reply of an endpoint; false if the target does not serve it. */
async function answered(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof NotServed) return false;
    throw error;
  }
}

/** The difficulty that the target requires, if it refused the lowest one of D-08 and accepted a higher one. */
const difficulties = new WeakMap<Session, number>();

/** The difficulty of the work of checks: the lowest of D-08, or that of agents' chains if only that is accepted. */
export function workDifficulty({ session, protocol }: Trial): number {
  return difficulties.get(session) ?? protocol.work.receiptDifficultyMin;
}

/** Sends a work proof. If it earns no receipt, sends one of the same work at the difficulty of agents' chains. */
async function earnedBy(t: Trial, proof: WorkProof): Promise<Reply> {
  const { difficulty } = t.protocol.beat;
  const reply = await t.send(proveWork(proof));
  if (receiptIn(reply) !== undefined || proof.difficulty >= difficulty) return reply;
  const { anchor_index: index, anchor_hash: hash, from_hash: from, beats_computed: beats } = proof;
  const fromIndex = (proof.spot_checks[0]?.index ?? 1) - 1;
  const harder = await t.send(
    proveWork(proofOf(await t.compute({ from, beats, anchor: { index, hash }, fromIndex, difficulty }))),
  );
  if (receiptIn(harder) === undefined) return reply;
  difficulties.set(t.session, difficulty);
  return harder;
}

/** The receipt of a proof. */
export async function receiptFor(t: Trial, proof: WorkProof): Promise<Receipt> {
  const reply = await workTaken(t, await earnedBy(t, proof));
  return t.need(receiptIn(reply), `a receipt of ${reply.name} (it answered ${reply.excerpt()})`);
}

/** A receipt for `beats` beats of a fresh chain. */
export async function receiptOf(t: Trial, beats: number): Promise<Receipt> {
  return receiptFor(t, proofOf(await ownChain(t, beats)));
}

/**
 * Spends a receipt for `beats` beats of a fresh chain. If the target refuses the receipt itself, as `code` shows, spends one of a higher
 * difficulty, since the text does not give the required difficulty.
 */
export async function spendWork(
  t: Trial,
  beats: number,
  code: string,
  spend: (receipt: Receipt) => Promise<Reply>,
): Promise<Reply> {
  const { difficulty } = t.protocol.beat;
  const easy = workDifficulty(t) < difficulty;
  const reply = await spend(await receiptOf(t, beats));
  if (!easy || reply.get('code') !== code) return reply;
  const harder = await spend(await receiptFor(t, proofOf(await ownChain(t, beats, undefined, difficulty))));
  if (harder.get('code') === code) return reply;
  difficulties.set(t.session, difficulty);
  return harder;
}

/** Computes a fresh chain over the latest anchor, with all beats, at the lowest accepted difficulty. */
export async function ownChain(
  t: Trial,
  beats: number,
  anchor?: WovenAnchor,
  difficulty = workDifficulty(t),
): Promise<Chain> {
  const woven = anchor ?? (await latestAnchor(t));
  return t.compute({ from: t.hex(32), beats, anchor: woven, difficulty, fromIndex: 0 });
}

/** A chain that the checks of a run share. A check that needs more beats waits until the current computation is done. */
interface SharedChain {
  readonly hashes: string[];
  taken: number;
  done: Promise<void>;
}

/** The chains that the checks of a run share, by their difficulty and the hash of the anchor that they weave. */
const sharedChains = new WeakMap<Session, Map<string, SharedChain>>();

/**
 * A number of beats of the run's shared chain over the latest anchor, from a start that no check has used. Every beat is computed once for all
 * checks: work for a resync takes seconds, and D-09 identifies a receipt by its two ends.
 */
export async function sharedChain(t: Trial, beats: number): Promise<Chain> {
  const anchor = await latestAnchor(t);
  const byAnchor = sharedChains.get(t.session) ?? new Map<string, SharedChain>();
  sharedChains.set(t.session, byAnchor);
  const difficulty = workDifficulty(t);
  // Tested before it is queued, since the next check continues at its end.
  needReachableWork(beats, difficulty);
  const name = `${difficulty} ${anchor.hash}`;
  const quarry = byAnchor.get(name) ?? { hashes: [t.hex(32)], taken: 0, done: Promise.resolve() };
  byAnchor.set(name, quarry);
  const fromIndex = quarry.taken;
  quarry.taken += 1;
  quarry.done = quarry.done.then(async () => {
    const known = quarry.hashes.length - 1;
    const from = quarry.hashes[known] ?? '';
    // An earlier check may have computed more of it than is needed now.
    const lacking = Math.max(0, fromIndex + beats - known);
    const more = await t.compute({ from, beats: lacking, anchor, difficulty, fromIndex: known });
    quarry.hashes.push(...more.hashes.slice(1));
  });
  await quarry.done;
  const hashes = quarry.hashes.slice(fromIndex, fromIndex + beats + 1);
  return { hashes, fromIndex, anchor, difficulty, spotChecks: sureSpotChecks(t.protocol) };
}

/** The payload of a receipt in either form; undefined where the string is not that of D-09. */
export function payloadOf(receipt: Receipt): Readonly<Record<string, unknown>> | undefined {
  if (typeof receipt !== 'string') return receipt;
  const value = jsonOf(Buffer.from(receipt, 'base64url').toString('utf8'));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** A payload in the string form of a receipt (D-09). */
export function asString(payload: Readonly<Record<string, unknown>>): string {
  return Buffer.from(JSON.stringify(payload)).toString('base64url');
}

/** A receipt with changed fields under the old signature. In a string of another form than D-09, characters are exchanged. */
export function tampered(receipt: Receipt, change: Readonly<Record<string, unknown>>): Receipt {
  const payload = payloadOf(receipt);
  if (payload === undefined) return [...String(receipt)].reverse().join('');
  const altered = { ...payload, ...change };
  return typeof receipt === 'string' ? asString(altered) : altered;
}

/** The end of an agent's chain. */
interface ChainEnd {
  readonly beat: number;
  readonly hash: string;
}

/** The end of the chain of a started agent, as a repeated init shows it (2.3). */
export async function chainEnd(t: Trial, { key }: Pick<Agent, 'key'>): Promise<ChainEnd> {
  const reply = t.mustSucceed(await t.call('init', { key }));
  return { beat: reply.number('latest_beat'), hash: reply.string('latest_hash').toLowerCase() };
}

/** Continues an agent's chain by `beats` beats over the latest anchor, all computed. */
export async function chainOn(
  t: Trial,
  end: ChainEnd,
  beats: number,
  difficulty = t.protocol.beat.difficulty,
): Promise<Chain> {
  const anchor = await latestAnchor(t);
  return t.compute({ from: end.hash, beats, anchor, difficulty, fromIndex: end.beat });
}

/**
 * A chain for a proof of `beats` beats in which only the spot checks are computed: the first from the end of the agent's chain, each other
 * from a random hash. A server that recomputes only the shown beats cannot distinguish it from a whole chain.
 */
export async function shownBeats(
  t: Trial,
  end: ChainEnd,
  beats: number,
  difficulty = t.protocol.beat.difficulty,
): Promise<Chain> {
  const anchor = await latestAnchor(t);
  const spotChecks = sureSpotChecks(t.protocol);
  const hashes = Array<string>(beats + 1).fill('');
  hashes[0] = end.hash;
  // Also computes the spot checks of a proof of one beat less.
  const places = new Set([...spotPlaces(beats - 1, spotChecks), ...spotPlaces(beats, spotChecks)]);
  for (const place of [...places].toSorted((one, other) => one - other)) {
    const prev = hashes[place - 1] || t.hex(32);
    hashes[place - 1] = prev;
    hashes[place] = beatHash(prev, end.beat + place, anchor.hash, difficulty);
  }
  return { hashes, fromIndex: end.beat, anchor, difficulty, spotChecks };
}

/** A proof of the next `beats` beats of an agent's chain. */
export async function chainProof(t: Trial, end: ChainEnd, beats: number): Promise<BeatProof> {
  return asBeatProof(await chainOn(t, end, beats), beats);
}

/** The spot checks with a random hash in the middle one, which does not follow from its prev. */
export function withOneWrong(t: Trial, checks: readonly SpotCheck[]): readonly SpotCheck[] {
  const middle = Math.floor(checks.length / 2);
  return checks.map((check, place) => (place === middle ? { ...check, hash: t.hex(32) } : check));
}
