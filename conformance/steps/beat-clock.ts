/** Steps that read global time and wait for it: the latest anchor, and the end of a billing epoch. */
import { anchorOf } from '../../model/reading/anchor.js';
import type { Reply } from '../assertions/reply.js';
import { notFollowed, Unjudged, unreachable } from '../assertions/unjudged.js';
import type { WovenAnchor } from '../protocol/beats.js';
import type { Trial } from '../trial/trial.js';
import { pauseAnchors } from './waits.js';

/** The latest anchor, from GET /beat/anchor in any form (D-05 gives one). */
export async function latestAnchor(t: Trial): Promise<WovenAnchor> {
  const reply = t.mustSucceed(await t.call('beat-anchor'));
  const { index, hash } = anchorOf(reply);
  const what = (field: string): string => `the ${field} of the latest anchor in ${reply.name}`;
  return { index: t.need(index, what('index'), 'D-05'), hash: t.need(hash, what('hash'), 'D-05') };
}

/**
 * Ends a check that counts beats by anchors if a target does not follow D-04, by which beats are anchors. `reply`: of a heartbeat; its
 * current_beat must be the index of the latest anchor.
 */
export async function beatsAreAnchors(t: Trial, reply: Reply): Promise<void> {
  const { index } = await latestAnchor(t);
  const beat = index * t.protocol.anchor.beatsPerAnchor;
  const current = reply.get('current_beat');
  t.shows('clock.current-beat').field(reply, 'current_beat', beat);
  if (current !== beat)
    throw new Unjudged('not-tested', notFollowed('D-04', 'beats are not anchors, so the suite cannot let beats pass'));
}

/** Sleeps for the minimum interval between two heartbeats of an agent, less `early` anchors. Unreachable if the agent is frozen before. */
export async function pause(t: Trial, early = 0): Promise<void> {
  await t.sleep({ anchors: pauseWithin(t, t.protocol.dms.missedAnchorsMax) - early });
}

/** The anchors of the minimum interval between two heartbeats. Unreachable if it is longer than `anchors`, after which the agent is frozen. */
export function pauseWithin({ protocol }: Pick<Trial, 'protocol'>, anchors: number): number {
  const between = pauseAnchors(protocol);
  if (between <= anchors) return between;
  throw unreachable(`heartbeats are ${between} anchors apart, and an agent is frozen after ${anchors}`);
}

/**
 * Sleeps until `beats` beats before the end of the billing epoch, or of the next epoch if this one has fewer left. Agents that were made before
 * may be frozen after it.
 */
export async function sleepNearEpochEnd(t: Trial, beats: number): Promise<void> {
  const { epochBeats } = t.protocol.heartbeat;
  const { beatsPerAnchor } = t.protocol.anchor;
  const { index } = await latestAnchor(t);
  const toEnd = epochBeats - ((index * beatsPerAnchor) % epochBeats);
  await t.sleep({ anchors: Math.floor((toEnd > beats ? toEnd - beats : toEnd + epochBeats - beats) / beatsPerAnchor) });
}
