/** Steps that read global time and wait for it: the latest anchor, and the end of a billing epoch. */
import { anchorOf } from '../../model/reading/anchor.js';
import type { Reply } from '../assertions/reply.js';
import { notFollowed, Unjudged, unreachable } from '../assertions/unjudged.js';
import type { WovenAnchor } from '../protocol/beats.js';
import type { Trial } from '../trial/trial.js';
import { pauseAnchors } from './waits.js';

/** The latest anchor, in whatever form GET /beat/anchor shows it (D-05 gives one). */
export async function latestAnchor(t: Trial): Promise<WovenAnchor> {
  const reply = t.mustSucceed(await t.call('beat-anchor'));
  const { index, hash } = anchorOf(reply);
  const what = (field: string): string => `the ${field} of the latest anchor in ${reply.name}`;
  return { index: t.need(index, what('index'), 'D-05'), hash: t.need(hash, what('hash'), 'D-05') };
}

/**
 * A check that counts beats by letting anchors pass rests on D-04: beats are anchors. Where a heartbeat's current_beat is
 * not the anchor's index, that decision is not followed, and what the check is about cannot be judged.
 */
export async function beatsAreAnchors(t: Trial, reply: Reply): Promise<void> {
  const { index } = await latestAnchor(t);
  const beat = index * t.protocol.anchor.beatsPerAnchor;
  const current = reply.get('current_beat');
  t.shows('clock.current-beat').field(reply, 'current_beat', beat);
  if (current !== beat)
    throw new Unjudged('not-tested', notFollowed('D-04', 'beats are not anchors, so none can be let pass'));
}

/** Lets the least interval between two heartbeats of an agent pass, less `early` anchors. An agent that is frozen earlier cannot send a second one. */
export async function pause(t: Trial, early = 0): Promise<void> {
  await t.sleep({ anchors: pauseWithin(t, t.protocol.dms.missedAnchorsMax) - early });
}

/** The anchors of the shortest interval between two heartbeats. Out of reach if an agent is frozen within `anchors`. */
export function pauseWithin({ protocol }: Pick<Trial, 'protocol'>, anchors: number): number {
  const between = pauseAnchors(protocol);
  if (between <= anchors) return between;
  throw unreachable(`heartbeats are ${between} anchors apart, and nobody who sends them lives longer than ${anchors}`);
}

/**
 * Sleeps until a number of beats before the end of a billing epoch, or of the next epoch if this one is nearly over, since an agent that was made
 * earlier would be frozen by then.
 */
export async function sleepNearEpochEnd(t: Trial, beats: number): Promise<void> {
  const { epochBeats } = t.protocol.heartbeat;
  const { beatsPerAnchor } = t.protocol.anchor;
  const { index } = await latestAnchor(t);
  const toEnd = epochBeats - ((index * beatsPerAnchor) % epochBeats);
  await t.sleep({ anchors: Math.floor((toEnd > beats ? toEnd - beats : toEnd + epochBeats - beats) / beatsPerAnchor) });
}
