/** Checks of POST /agent/resync by challenge: the nonce, the proof of the agent's own chain, and which agents get no challenge. */

import { groups } from '../../spec/clauses/groups.js';
import { servesMode } from '../../spec/parts.js';
import type { Protocol } from '../../spec/protocol.js';
import type { Reply } from '../assertions/reply.js';
import { submitBeats } from '../moves/beats-submit.js';
import { lookup } from '../moves/lookup.js';
import { proofFaults } from '../moves/proof.js';
import { resync, resyncChallenge, resyncProof } from '../moves/resync.js';
import { linkChallenge } from '../moves/wallet.js';
import type { Chain } from '../protocol/beats.js';
import { asBeatProof, type BeatProof } from '../protocol/beats.js';
import { judgeLimit } from '../steps/limit.js';
import { capUnseen, challengeTaken, comeBack, fewest, frozen, fullAt, lapse } from '../steps/resync-call.js';
import { untilFrozen, windowOf } from '../steps/waits.js';
import { chainEnd, chainOn, chainProof, shownBeats, workTaken } from '../steps/work.js';
import type { WrittenCheck } from '../trial/check.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { OTHERS } from './resync.js';

const base = { needs: ['clock'], waits: untilFrozen() } as const;

/** Waits that outlast the freeze of an agent and the life of a nonce. */
const pastNonce: WrittenCheck['waits'] = (protocol) =>
  untilFrozen(Math.ceil((protocol.resync.nonceTtlSec + 2) / protocol.anchor.intervalSec))(protocol);

/** Requests a challenge, and returns its nonce. */
const nonceFor = async (t: Trial, agent: Agent, address?: string): Promise<string> =>
  challengeTaken(t, await t.send(resyncChallenge(agent), { address })).string('challenge.nonce');

/** Beats that the agent submits before it is frozen. */
const EARLIER_BEATS = 7;

const proved: WrittenCheck = {
  ...base,
  id: 'resync/challenge',
  title: 'A proof of the beats that a challenge names reactivates a frozen agent, within 300 seconds',
  waits: pastNonce,
  async run(t) {
    const agent = await t.root({ init: true });
    const earlier = await chainProof(t, await chainEnd(t, agent), EARLIER_BEATS);
    await workTaken(t, await t.send(submitBeats(agent, earlier)));
    await lapse(t, agent);
    await t.call('init', { key: agent.key });
    const reply = await t.send(resyncChallenge(agent), { mayBeOff: true });
    if (!servesMode(t.protocol, 'resync/challenge')) return;
    const old = challengeTaken(t, reply).string('challenge.nonce');
    await t.sleep({ ms: 1_500 });
    const startMs = t.nowMs();
    const asked = challengeTaken(t, await t.send(resyncChallenge(agent)));
    await t.sleepUntil(startMs + t.protocol.resync.nonceTtlSec * 1_000 - 500, true);
    // The calls differ only in the age of the nonce: 301 s and 299.5 s.
    const proof = asBeatProof(await chainFor(t, asked));
    await t.send(resyncProof(agent, old, proof));
    const taken = await provedAtOnce(t, agent, asked.string('challenge.nonce'), proof);
    await workTaken(t, taken, ...groups.resyncNonceTtl);
    await t.call('init', { key: agent.key });
    await t.send(lookup('status', agent.hash));
    await t.send(lookup('beat-status', agent.hash));
  },
};

/** Sends answers with one fault each. All use one chain, since a refused answer does not change the chain of the agent. Returns whether one is accepted. */
async function acceptsFaulty(
  t: Trial,
  agent: Agent,
  asked: Reply,
  chain: Chain,
  foreign: readonly unknown[],
): Promise<boolean> {
  const [proof, beats] = [asBeatProof(chain), chain.hashes.length - 1];
  for (const nonce of [t.hex(t.protocol.resync.nonceBytes), ...foreign]) {
    const reply = await t.send(resyncProof(agent, nonce, proof), { address: t.newAddress() });
    if (reply.status < 400) return true;
  }
  const short = await t.send(resyncProof(agent, asked.string('challenge.nonce'), asBeatProof(chain, beats - 1)));
  if (short.status < 400) return true;
  const [first = '', ...others] = chain.hashes;
  const made = asBeatProof({ ...chain, hashes: [first, ...others.map(() => t.hex(32))] });
  for (const spoilt of [made, ...Object.values(proofFaults).map((spoil) => spoil(proof))]) {
    // From a new address: waiting for the limit of one address would make the proof too short.
    const address = t.newAddress();
    if (address === undefined) continue;
    // The text leaves open whether a refused answer uses up its nonce, so each answer has a new one.
    const reply = await t.send(resyncProof(agent, await nonceFor(t, agent, address), spoilt), { address });
    if (reply.status < 400) return true;
  }
  return false;
}

const refused: WrittenCheck = {
  ...base,
  id: 'resync/challenge-refused',
  title:
    'A resync proof with an unknown or foreign nonce, too few or invalid beats, or by an agent that is not frozen is refused',
  async run(t) {
    const [agent, other] = [await t.root({ init: true }), await t.root({ init: true })];
    // If the target recomputes only the shown beats of a proof, the faulty answers need no chain of thousands of beats.
    const shown = await t.send(
      submitBeats(agent, asBeatProof(await shownBeats(t, await chainEnd(t, agent), SHOWN_BEATS))),
    );
    // Requests the nonce of a wallet link while the agent is active; it is still valid when the agent is frozen.
    const early = Math.max(0, fewest(t) - 2);
    await t.sleep({ anchors: early });
    const linking = await t.send(linkChallenge(agent));
    await lapse(t, agent, { left: fewest(t) - early });
    const asked = challengeTaken(t, await t.send(resyncChallenge(agent)));
    const chain = await chainFor(t, asked, shown.status < 300 ? shownBeats : chainOn);
    // A nonce of another agent with the same penalty, and one for linking a wallet.
    const foreign = [await nonceFor(t, other, t.newAddress()), linking.get('nonce')];
    if (await acceptsFaulty(t, agent, asked, chain, foreign)) return;
    await t.call('init', { key: agent.key });
    const spare = await nonceFor(t, agent);
    if (!t.session.offers.has('beats')) {
      await workTaken(t, await t.send(resyncProof(agent, spare, asBeatProof(chain))));
      return;
    }
    t.mustSucceed(await comeBack(t, agent, chain.hashes.length - 1));
    // The answer is valid except that the agent is no longer frozen.
    await t.send(resyncProof(agent, spare, asBeatProof(chain)));
  },
};

/** A number of beats, larger than the number that a proof shows. */
const SHOWN_BEATS = 100;

/** The highest difficulty that the suite computes. */
const DIFFICULTY_MAX = 5_000;

/** The chain that a challenge asks for: its number of beats, its start and its difficulty. */
async function chainFor(t: Trial, asked: Reply, chainOf = chainOn): Promise<Chain> {
  const [beats, difficulty] = [asked.number('challenge.required_beats'), asked.number('challenge.difficulty')];
  const bearable = beats >= 1 && beats <= t.protocol.resync.beatsMax && difficulty >= 0 && difficulty <= DIFFICULTY_MAX;
  t.need(bearable || undefined, `a challenge that a check can compute, not ${beats} beats of difficulty ${difficulty}`);
  const hash = asked.string('challenge.start_from_hash').toLowerCase();
  return chainOf(t, { beat: asked.number('challenge.start_from_beat'), hash }, beats, difficulty);
}

const cap: WrittenCheck = {
  ...base,
  id: 'resync/challenge-cap',
  title: 'A challenge after a long absence names 10,000 beats',
  unsuitableFor: ({ protocol }) => capUnseen(protocol),
  waits: (protocol) => ({ anchors: wayBeyondCap(protocol) }),
  async run(t) {
    challengeTaken(t, await t.send(resyncChallenge(await frozen(t, wayBeyondCap(t.protocol)))));
  },
};

/** An absence of more than twice the missed anchors at which the penalty reaches its cap. */
const wayBeyondCap = (protocol: Protocol): number => Math.max(fewest({ protocol }), 2 * fullAt(protocol) + 3);

/**
 * Sends an answer twice at the same moment: its nonce can be used once, and a reactivated agent is no longer frozen. If both are refused it sends
 * the answer again, since the text does not require one of them to be accepted.
 */
async function provedAtOnce(t: Trial, agent: Agent, nonce: string, proof: BeatProof): Promise<Reply> {
  const send = (): Promise<Reply> => t.send(resyncProof(agent, nonce, proof), { address: t.newAddress() });
  const replies = await Promise.all([send(), send()]);
  return replies.find(({ status }) => status < 300) ?? send();
}

const notFrozen: WrittenCheck = {
  id: 'resync/challenge-not-frozen',
  title: 'A challenge for an agent that is not frozen, or whose chain has not started, is refused',
  async run(t) {
    for (const agent of [await t.root({ init: true }), await t.root()])
      await t.send(resyncChallenge(agent), { address: t.newAddress() });
  },
};

const limit: WrittenCheck = {
  ...base,
  id: 'resync/challenge-limit',
  title: 'The sixth resync call of the challenge form from an address in a minute, over all agents, is refused',
  needs: ['clock', 'client-ip'],
  waits: windowOf('resyncChallenge'),
  async run(t) {
    const [agent, other] = [await t.root({ init: true }), await t.root({ init: true })];
    const elsewhere = t.newAddress();
    const send = ({ key }: Agent, address?: string): Promise<Reply> =>
      t.send(resyncChallenge({ key }), { mayLimit: true, address });
    for (let n = 0; n < Math.min(t.protocol.limits.resyncReceipt.count, OTHERS); n += 1)
      await t.send(resync(agent, 'none'), { mayLimit: true });
    await judgeLimit(t, {
      limit: 'resyncChallenge',
      clause: 'limit.resync.challenge',
      send: () => send(agent),
      other: async () => {
        // Section 8 counts by address, section 5 by agent; D-34 decides which applies.
        t.refused(await send(other), 429, 'limit.per-ip.path');
        return send(other, elsewhere);
      },
    });
  },
};

export const resyncChallengeChecks: readonly WrittenCheck[] = [proved, refused, cap, notFrozen, limit];
