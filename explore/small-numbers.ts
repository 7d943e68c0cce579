/**
 * The numbers of a small world: those of the protocol that count time or heartbeats, scaled down so that every age and counter takes few
 * values. The scaling keeps how they compare (an interval shorter than the silence that freezes, a cap that is reached within an epoch or
 * not), and fees, penalties a missed anchor and costs of children stay as they are.
 */

import { penaltyFormula } from '../spec/formula/formulas.js';
import { type Overlay, withOverlay } from '../spec/overlay.js';
import type { Protocol } from '../spec/protocol.js';
import { HOUR_SEC } from '../spec/time.js';

/** How many anchors the minimum interval takes in the small world. A verdict must not depend on it. */
type Scale = 1 | 2;

/** A cap that is reached within an epoch is this in the small world, so that an epoch has heartbeats on both sides of a tier. */
const CAP = 2;

/** The time of the protocol's own numbers in anchors. */
interface Spans {
  /** Anchors between two heartbeats of an agent, at least. */
  readonly interval: number;
  /** Missed anchors with which the Dead Man's Switch freezes. */
  readonly freeze: number;
  /** Anchors in a billing epoch. */
  readonly epoch: number;
  /** The most anchors for which a penalty still grows. */
  readonly penalty: number;
  /** Anchors through which a spawn authorization and the shortest sponsorship are valid. */
  readonly authorization: number;
  readonly sponsorship: number;
}

/** The spans of time of a protocol, in anchors. */
export function spansOf({ anchor, heartbeat, dms, resync, spawn, sponsor }: Protocol): Spans {
  const anchors = (sec: number): number => Math.floor(sec / anchor.intervalSec);
  const per = resync.beatsPerMissedAnchor;
  const freeze = dms.missedAnchorsMax + 1;
  return {
    interval: Math.ceil(heartbeat.intervalBeatsMin / anchor.beatsPerAnchor),
    freeze,
    epoch: Math.ceil(heartbeat.epochBeats / anchor.beatsPerAnchor),
    penalty: Math.max(freeze, per === 0 ? 0 : Math.ceil(resync.beatsMax / per)),
    authorization: anchors(spawn.authorizationTtlSec),
    sponsorship: anchors(sponsor.expiresHoursMin * HOUR_SEC),
  };
}

/** The overlay that makes a protocol small. */
function smallOverlay(numbers: Protocol, scale: Scale = 1): Overlay {
  const { interval, freeze, epoch, authorization, sponsorship, penalty } = spansOf(numbers);
  const { heartbeat, resync } = numbers;
  const step = interval === 0 ? 0 : scale;
  // An agent that freezes before its next heartbeat is due does so in the small world too.
  const stops = freeze <= interval ? Math.max(1, step) : freeze <= 2 * interval ? 2 * scale : 3 * scale;
  const isReached = (cap: number): boolean => cap * interval < epoch;
  const narrow = heartbeat.narrowTaskCap;
  const reached = Math.min(narrow, heartbeat.tier2HeartbeatsMax < narrow ? CAP + 1 : CAP);
  const freezesCapped = (narrow - 1) * interval + freeze <= epoch;
  const ends = Math.max(1, freezesCapped ? (reached - 1) * step + stops : reached * step + 1);
  const never = Math.floor(ends / Math.max(1, step)) + 1;
  const cap = (of: number): number => (isReached(of) ? Math.min(of, reached) : never);
  // The smallest cap of a sponsorship that no child reaches before its own is not reached in the small world either.
  const least = numbers.sponsor.heartbeatsEpochMin < narrow ? 1 : Math.max(1, cap(narrow));
  const tier1 = Math.min(heartbeat.tier1HeartbeatsMax, heartbeat.tier1HeartbeatsMax >= narrow ? reached : 1);
  const per = resync.beatsPerMissedAnchor;
  const grows = penalty > freeze;
  return {
    anchor: { intervalSec: HOUR_SEC, beatsPerAnchor: 1 },
    heartbeat: {
      intervalBeatsMin: step,
      epochBeats: ends,
      narrowTaskCap: cap(narrow),
      autonomousCap: cap(heartbeat.autonomousCap),
      orchestratorCap: cap(heartbeat.orchestratorCap),
      tier1HeartbeatsMax: tier1,
      tier2HeartbeatsMax: tier1 + 1,
    },
    dms: { missedAnchorsMax: stops - 1, warningAnchors: Math.min(numbers.dms.warningAnchors, stops - 1) },
    resync: { beatsMax: Math.min(resync.beatsMax, per * (grows ? stops + 1 : stops)) },
    spawn: { authorizationTtlSec: authorization >= freeze ? stops * HOUR_SEC : HOUR_SEC - 1 },
    sponsor: {
      heartbeatsEpochMin: least,
      heartbeatsEpochDefault: Math.max(least, Math.min(numbers.sponsor.heartbeatsEpochDefault, never)),
      expiresHoursMin: sponsorship >= freeze ? stops : 1,
    },
  };
}

/** Why a protocol has no small form; undefined if it has one. */
export function outsideSmallWorld(protocol: Protocol): string | undefined {
  if (protocol.dms.graceAnchors > 0)
    return 'dms.graceAnchors is a time that ends while an agent is frozen, and the small world counts no anchors from there on';
  return penaltyFormula(protocol) === undefined
    ? undefined
    : 'formulas.resync.penaltyBeats is a formula of missed anchors, and the small world has few of them: what it gives there is not what it gives in the protocol';
}

/** A protocol with small numbers. */
export function smallNumbers(numbers: Protocol, scale: Scale = 1): Protocol {
  return withOverlay(smallOverlay(numbers, scale), numbers);
}
