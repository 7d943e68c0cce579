import type { Reply } from '../assertions/reply.js';
import { proofOf } from '../protocol/beats.js';
import type { Agent } from '../trial/fixtures.js';
import type { Trial } from '../trial/trial.js';
import { chainEnd, chainProof, ownChain, prove, type Receipt, receiptFor, receiptIn, sharedChain } from './work.js';

/** How an agent is frozen and comes back (4.10). What is asserted of it is in the checks. */

/** As setup: an agent, started, that has let so many anchors pass and is frozen. */
export async function frozen(t: Trial, missed: number): Promise<Agent> {
  const agent = await t.root({ init: true });
  await t.sleep({ anchors: missed });
  return t.setup('a frozen agent', async () => {
    const again = t.accepted(await t.call('init', { key: agent.key }));
    t.alsoShows('dms.freeze').field(again, 'status', 'frozen');
    t.need(again.get('status') === 'frozen' || undefined, 'an agent that is frozen');
    return agent;
  });
}

export function resync(t: Trial, { key }: Agent, beats_receipt?: Receipt): Promise<Reply> {
  return t.call('resync', { key, body: beats_receipt === undefined ? {} : { beats_receipt } });
}

/**
 * Resync with a receipt for so many beats of the run's shared chain. Where that is refused it tries a chain of the
 * check's own: nothing in the specification says that work which overlaps another's must be taken.
 */
export async function comeBack(t: Trial, agent: Agent, beats: number): Promise<Reply> {
  const shared = receiptIn(await prove(t, proofOf(await sharedChain(t, beats))));
  if (shared !== undefined) {
    const reply = await resync(t, agent, shared);
    if (reply.status < 400) return reply;
  }
  return resync(t, agent, await receiptFor(t, proofOf(await ownChain(t, beats))));
}

/** Resync by the challenge form: the beats of its own chain that the target asks for, every one computed. */
export async function proveBack(t: Trial, agent: Agent): Promise<Reply> {
  const { key } = agent;
  const asked = t.accepted(await t.call('resync', { key, body: { action: 'challenge' } }));
  const challenge_nonce = asked.string('challenge.nonce');
  const proof = await chainProof(t, await chainEnd(t, agent), asked.number('challenge.required_beats'));
  return t.call('resync', { key, body: { action: 'prove', challenge_nonce, proof } });
}

/** 4.10: the penalty for so many missed anchors. */
export function penalty({ protocol: { resync: numbers } }: Trial, missed: number): number {
  return Math.min(numbers.beatsPerMissedAnchor * missed, numbers.beatsMax);
}

/** The fewest anchors whose missing freezes an agent. */
export const fewest = ({ protocol }: Pick<Trial, 'protocol'>): number => protocol.dms.missedAnchorsMax + 1;
