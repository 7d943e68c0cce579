/**
 * The numbers of a small world: those of the protocol that count time or heartbeats, scaled down so that every age and counter takes few
 * values. The scaling keeps how they compare (an interval shorter than the silence that freezes, a cap that is reached within an epoch or
 * not), and fees, penalties a missed anchor and costs of children stay as they are. A formula of the penalty gets the shape that it has in the
 * protocol: as many penalties, in the same order.
 */

import { penaltyFormula } from '../spec/formula/formulas.js';
import { penaltyBeats } from '../spec/lint/quantities.js';
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
  /** Anchors from the freeze on in which a heartbeat still brings an agent back. */
  readonly grace: number;
  /** Anchors in a billing epoch. */
  readonly epoch: number;
  /** Missed anchors from the freeze on that a rule tells apart, in order: the freeze, the end of a grace, and where a penalty stops changing. */
  readonly silences: readonly number[];
  /** The last of them. */
  readonly silence: number;
  /** Anchors through which a spawn authorization and the shortest sponsorship are valid. */
  readonly authorization: number;
  readonly sponsorship: number;
}

/** The spans of time of a protocol, in anchors. */
export function spansOf(protocol: Protocol): Spans {
  const { anchor, heartbeat, dms, spawn, sponsor } = protocol;
  const anchors = (sec: number): number => Math.floor(sec / anchor.intervalSec);
  const freeze = dms.missedAnchorsMax + 1;
  const ends = dms.graceAnchors === 0 ? [] : [freeze + dms.graceAnchors];
  const silences = [...new Set([freeze, ...ends, ...turnsOf(protocol, freeze)])].sort((a, b) => a - b);
  return {
    interval: Math.ceil(heartbeat.intervalBeatsMin / anchor.beatsPerAnchor),
    freeze,
    grace: dms.graceAnchors,
    epoch: Math.ceil(heartbeat.epochBeats / anchor.beatsPerAnchor),
    silences,
    silence: silences.at(-1) as number,
    authorization: anchors(spawn.authorizationTtlSec),
    sponsorship: anchors(sponsor.expiresHoursMin * HOUR_SEC),
  };
}

/** A year of anchors of a minute: a formula is followed so far. */
const FOLLOWED = 525_600;
/** Missed anchors that are tried one by one, before they become sparse. */
const DENSE = 2_000;

/** The missed anchors, from the freeze on, at which a penalty is least and greatest, and from which on it stays as after a year. */
function turnsOf(protocol: Protocol, freeze: number): readonly number[] {
  const { beatsPerMissedAnchor: per, beatsMax } = protocol.resync;
  const formula = penaltyFormula(protocol);
  if (formula === undefined) return [Math.max(freeze, per === 0 ? 0 : Math.ceil(beatsMax / per))];
  const tried: number[] = [];
  for (let missed = freeze; missed < FOLLOWED; missed = missed < freeze + DENSE ? missed + 1 : Math.ceil(missed * 1.01))
    tried.push(missed);
  const last = Math.max(FOLLOWED, freeze);
  const given = [...tried, last].map(formula);
  const end = given.at(-1);
  const differs = given.findLastIndex((each) => each !== end);
  let [low, high] = [tried[differs] ?? freeze, differs < 0 ? freeze : (tried[differs + 1] ?? last)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (formula(middle) === end) high = middle;
    else low = middle;
  }
  const at = (value: number): number => tried[given.indexOf(value)] ?? high;
  return [at(given.reduce((a, b) => Math.min(a, b))), at(given.reduce((a, b) => Math.max(a, b))), high];
}

/** Beats between two penalties of a small world. */
const STEP_BEATS = 100;

/** A formula with as many penalties as that of the protocol has at its silences, in the same order: nothing and what nobody can prove stay. */
function smallFormula(numbers: Protocol, stops: number): Overlay {
  const formula = penaltyFormula(numbers);
  if (formula === undefined) return {};
  const given = spansOf(numbers).silences.map(formula);
  const ranked = [...new Set([0, ...given])].sort((a, b) => a - b);
  const small = given.map((each) => (each === Number.MAX_SAFE_INTEGER ? each : STEP_BEATS * ranked.indexOf(each)));
  const steps = small.slice(1).map((each, nth) => {
    const more = each - (small[nth] as number);
    return ` ${more < 0 ? '-' : '+'} ${Math.abs(more)} * min(max(missedAnchors - ${stops + nth}, 0), 1)`;
  });
  return { parts: { formulas: { ...numbers.parts?.formulas, 'resync.penaltyBeats': `${small[0]}${steps.join('')}` } } };
}

/** The overlay that makes a protocol small. */
function smallOverlay(numbers: Protocol, scale: Scale = 1): Overlay {
  const { interval, freeze, epoch, authorization, sponsorship, silences } = spansOf(numbers);
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
  const most = per === 0 ? freeze : Math.max(freeze, Math.ceil(resync.beatsMax / per));
  return {
    ...smallFormula(numbers, stops),
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
    dms: {
      missedAnchorsMax: stops - 1,
      warningAnchors: Math.min(numbers.dms.warningAnchors, stops - 1),
      graceAnchors: numbers.dms.graceAnchors === 0 ? 0 : silences.indexOf(freeze + numbers.dms.graceAnchors),
    },
    resync: { beatsMax: Math.min(resync.beatsMax, per * (stops + Math.max(0, silences.indexOf(most)))) },
    spawn: { authorizationTtlSec: authorization >= freeze ? stops * HOUR_SEC : HOUR_SEC - 1 },
    sponsor: {
      heartbeatsEpochMin: least,
      heartbeatsEpochDefault: Math.max(least, Math.min(numbers.sponsor.heartbeatsEpochDefault, never)),
      expiresHoursMin: sponsorship >= freeze ? stops : 1,
    },
  };
}

/** The most beats of a penalty whose sums with anchors are exact. */
const PENALTY_MAX = 10 ** 12;

/** Why a protocol has no small form; undefined if it has one. */
export function outsideSmallWorld(protocol: Protocol): string | undefined {
  const { interval, freeze, silences } = spansOf(protocol);
  if (protocol.dms.graceAnchors > 0 && freeze < interval)
    return 'dms.graceAnchors lets a heartbeat bring an agent back that freezes before the heartbeat is due (dms.missedAnchorsMax, heartbeat.intervalBeatsMin), and the small world has both at one anchor';
  const dear = silences.find((missed) => {
    const beats = penaltyBeats(protocol, missed);
    return beats > PENALTY_MAX && beats < Number.MAX_SAFE_INTEGER;
  });
  return dear === undefined
    ? undefined
    : `the penalty for ${dear} missed anchors is more than 10^12 beats, which its prices cannot add exactly; nobody can prove more than 2^53 - 1`;
}

/** A protocol with small numbers. */
export function smallNumbers(numbers: Protocol, scale: Scale = 1): Protocol {
  return withOverlay(smallOverlay(numbers, scale), numbers);
}
