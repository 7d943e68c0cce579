/** Rows for the numbers of heartbeats, freezes and resyncs: how each shows on the wire. */

import type { IdentityClass } from '../../spec/vocabulary.js';
import { CHEAP } from './beats.js';
import { answerOf, type Lab } from './lab.js';
import { heartbeatsMade } from './money.js';
import { edged, lasts, least, most, type Numbers, type Row, told } from './row.js';

/** One price, so that the tier is all that changes. */
const ONE_PRICE: Numbers = { 'heartbeat.tier2FeeLamports': 500_000, 'heartbeat.tier3FeeLamports': 500_000 };
/** The first anchor without a sign of life freezes: one anchor is missed. */
const FREEZES_AT_ONCE: Numbers = { 'dms.missedAnchorsMax': 0, 'dms.warningAnchors': 0 };

/** The tier of an agent's n-th heartbeat of the epoch, or why it is refused. */
const nth = (identityClass: IdentityClass) => async (lab: Lab, n: number) => {
  const agent = await lab.sigilAgent(identityClass);
  heartbeatsMade(lab, agent.hash, n - 1);
  const reply = await lab.sendHeartbeat(agent, agent);
  return reply.status === 200 ? (reply.body.fee.tier as number) : answerOf(reply);
};
const cap = (identityClass: IdentityClass, inside: number) => ({
  ask: nth(identityClass),
  inside,
  outside: '429 VOLUME_CAP_REACHED',
  here: true as const,
  alongside: ONE_PRICE,
});

/** A heartbeat so many anchors after another. */
async function againAfter(lab: Lab, anchors: number): Promise<string> {
  const agent = await lab.sigilAgent();
  await lab.sendHeartbeat(agent, agent);
  await lab.anchors(anchors);
  return answerOf(await lab.sendHeartbeat(agent, agent));
}

/** The billing epoch at a global beat. */
async function epochAt(lab: Lab, beat: number): Promise<number> {
  const { hash } = await lab.plain();
  await lab.anchors(beat - (await lab.anchor()).beat_index);
  return (await lab.done(`GET /agent/beat-status/${hash}`)).heartbeat_epoch.billing_epoch;
}

/** How an agent stands so many anchors after its chain started. */
async function standingAfter(lab: Lab, anchors: number): Promise<string> {
  const { hash, key } = await lab.plain();
  await lab.done('POST /agent/init', {}, key);
  await lab.anchors(anchors);
  return (await lab.done(`GET /status/${hash}`)).status;
}

/** A frozen agent that has missed one anchor. */
async function frozen(lab: Lab): Promise<{ readonly hash: string; readonly key: string }> {
  const agent = await lab.plain();
  await lab.done('POST /agent/init', {}, agent.key);
  await lab.anchors(1);
  return agent;
}

/** A frozen agent that has missed one anchor comes back with a receipt of so many beats. */
async function backWith(lab: Lab, beats: number): Promise<string> {
  const { key } = await frozen(lab);
  const beats_receipt = await lab.receipt({ beats, difficulty: 1 });
  return answerOf(await lab.call('POST /agent/resync', { beats_receipt }, key));
}

/** The same by a challenge, so long after it. */
async function provenAfter(lab: Lab, ms: number): Promise<string> {
  const { key } = await frozen(lab);
  const { challenge } = await lab.done('POST /agent/resync', { action: 'challenge' }, key);
  const { nonce, start_from_hash: hash, start_from_beat: index, required_beats, difficulty } = challenge;
  await lab.advance(ms);
  const proof = await lab.chainProof({ hash, index }, required_beats, difficulty);
  return answerOf(await lab.call('POST /agent/resync', { action: 'prove', challenge_nonce: nonce, proof }, key));
}

/** Heartbeats, the switch that freezes, and the way back. */
export const livenessRows: readonly Row[] = [
  least('heartbeat.intervalBeatsMin', 10, { ask: againAfter, outside: '429 HEARTBEAT_TOO_SOON' }),
  edged(
    'heartbeat.epochBeats',
    100_000,
    (n) => [
      [n - 1, 0],
      [n, 1],
    ],
    { ask: epochAt },
  ),
  most('heartbeat.tier1HeartbeatsMax', 100, {
    ask: nth('narrow_task'),
    inside: 1,
    outside: 2,
    here: true,
    alongside: ONE_PRICE,
  }),
  most('heartbeat.tier2HeartbeatsMax', 1_000, {
    ask: nth('autonomous'),
    inside: 2,
    outside: 3,
    here: true,
    alongside: ONE_PRICE,
  }),
  most('heartbeat.narrowTaskCap', 1_000, {
    ...cap('narrow_task', 2),
    alongside: { ...ONE_PRICE, 'heartbeat.tier2HeartbeatsMax': 2_000 },
  }),
  most('heartbeat.autonomousCap', 5_000, cap('autonomous', 3)),
  most('heartbeat.orchestratorCap', 20_000, cap('orchestrator', 3)),

  most('dms.missedAnchorsMax', 60, { ask: standingAfter, inside: 'warning', outside: 'frozen' }),
  most('dms.warningAnchors', 48, { ask: standingAfter, inside: 'active', outside: 'warning' }),

  least('resync.beatsPerMissedAnchor', 100, {
    ask: backWith,
    outside: '402 INVALID_RECEIPT',
    alongside: { ...CHEAP, ...FREEZES_AT_ONCE },
  }),
  least('resync.beatsMax', 10_000, {
    ask: backWith,
    outside: '402 INVALID_RECEIPT',
    alongside: { ...CHEAP, ...FREEZES_AT_ONCE, 'resync.beatsPerMissedAnchor': 20_000 },
  }),
  told(
    'resync.nonceBytes',
    32,
    async (lab) => {
      const { key } = await frozen(lab);
      return (await lab.done('POST /agent/resync', { action: 'challenge' }, key)).challenge.nonce.length / 2;
    },
    { alongside: FREEZES_AT_ONCE },
  ),
  lasts('resync.nonceTtlSec', 300, {
    ask: provenAfter,
    outside: '400 VALIDATION',
    alongside: { ...FREEZES_AT_ONCE, 'resync.beatsPerMissedAnchor': 3 },
  }),
];
