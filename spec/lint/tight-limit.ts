/** Lint: rate limits that leave too little room for what must be done in time. */

import { classesOf } from '../parts.js';
import type { Protocol, RateLimit } from '../protocol.js';
import { HOUR_SEC } from '../time.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { resyncAnchors, resyncWays } from './flow-gaps.js';
import { anchorTime, capClause, capOf, heartbeatRoom, heartbeatsPossible, shown, time } from './quantities.js';
import { eitherOf, setTo } from './remedy.js';

/** Seconds between two requests that spread evenly over the windows of a limit. */
const gapSec = ({ count, windowSec }: RateLimit): number => windowSec / count;

const inWords = ({ count, windowSec }: RateLimit): string => `${shown(count)} in ${time(windowSec)}`;

/** The rarest heartbeats that keep an agent alive, and the most frequent ones that its interval allows. */
function heartbeats({ protocol }: LintFacts): Finding[] {
  const { heartbeat, dms, anchor, limits } = protocol;
  const gap = gapSec(limits.heartbeat);
  const deadline = dms.missedAnchorsMax * anchor.intervalSec;
  const least = (heartbeat.intervalBeatsMin / anchor.beatsPerAnchor) * anchor.intervalSec;
  if (gap > deadline) {
    const next = limits.heartbeat.count === 0 ? 'no heartbeat at all' : `one heartbeat in ${time(gap)}`;
    return [
      {
        id: 'tight-limit/heartbeat',
        severity: 'error',
        clauses: ['limit.heartbeat', 'dms.freeze'],
        arithmetic: `limits.heartbeat of ${inWords(limits.heartbeat)} leaves ${next}, and an agent is frozen ${time(deadline + anchor.intervalSec)} after its last one: nobody can stay alive by heartbeats`,
        harm: gap / deadline,
        remedy: eitherOf(
          limits.heartbeat.count === 0
            ? undefined
            : setTo('limits.heartbeat.windowSec', 'of at most', deadline * limits.heartbeat.count),
          deadline === 0 ? 'a dms.missedAnchorsMax above 0' : 'a higher limits.heartbeat.count',
        ),
      },
    ];
  }
  if (gap <= least || least === 0) return [];
  return [
    {
      id: 'tight-limit/heartbeat-interval',
      severity: 'warning',
      clauses: ['limit.heartbeat', 'heartbeat.interval.min'],
      arithmetic: `a heartbeat may come ${time(least)} after the last, and limits.heartbeat of ${inWords(limits.heartbeat)} leaves one in ${time(gap)}`,
      harm: gap / least,
      remedy: `limits.heartbeat of at least one in ${time(least)}`,
    },
  ];
}

/** The heartbeats of an epoch that the limit has room for, against the cap of each class. */
function caps({ protocol }: LintFacts): Finding[] {
  const most = heartbeatRoom(protocol);
  return classesOf(protocol)
    .filter((each) => capOf(protocol, each) > most && most < heartbeatsPossible(protocol))
    .map((each) => ({
      id: `tight-limit/cap-${each.replaceAll('_', '-')}`,
      severity: 'warning',
      clauses: ['limit.heartbeat', capClause(each)],
      arithmetic: `an epoch has room for ${shown(most)} heartbeats at ${inWords(protocol.limits.heartbeat)}, and the cap of ${each} is ${shown(capOf(protocol, each))}: it refuses nothing`,
      harm: capOf(protocol, each) / most,
      remedy: 'a higher limits.heartbeat, or a lower cap',
    }));
}

/** A frozen agent comes back by a resync, and may be frozen again before the limits allow the next. */
function resyncs(facts: LintFacts): Finding[] {
  const { protocol, hashesPerSec } = facts;
  const round = protocol.dms.missedAnchorsMax + 1;
  const anchors = resyncAnchors(facts);
  if (anchors <= round) return [];
  const ways = resyncWays(facts).map((way) => {
    const by = way.flow.replace('resync-', 'by ');
    const often = Number.isFinite(way.gapSec) ? `once in ${time(way.gapSec)}` : 'never';
    const limit = `limits.${way.limit} of ${inWords(protocol.limits[way.limit])}`;
    return way.hashesPerSec > hashesPerSec
      ? `${by} only at ${shown(way.hashesPerSec)} hashes a second`
      : `${by} ${often} (${limit})`;
  });
  const end = Number.isFinite(anchors) ? 'it is frozen for the rest of the time' : 'who is frozen never comes back';
  return [
    {
      id: 'tight-limit/resync',
      severity: 'error',
      clauses: ['limit.resync.receipt', 'limit.resync.challenge', 'resync.transition.active', 'dms.freeze'],
      arithmetic: `without heartbeats an agent of ${shown(hashesPerSec)} hashes a second is frozen ${anchorTime(protocol, round)} after a resync, and comes back ${ways.join(', ')}: ${end}`,
      harm: anchors / round,
      remedy: `limits.resyncReceipt of at least one in ${anchorTime(protocol, round)}`,
    },
  ];
}

function passports({ protocol }: LintFacts): Finding[] {
  const { limits, passport } = protocol;
  const [gap, valid] = [gapSec(limits.passport), passport.validityHours * HOUR_SEC];
  if (limits.passport.count === 0 || gap <= valid) return [];
  return [
    {
      id: 'tight-limit/passport',
      severity: 'warning',
      clauses: ['limit.passport', 'passport.validity'],
      arithmetic: `limits.passport of ${inWords(limits.passport)} leaves one in ${time(gap)}, and each is valid for ${time(valid)}: ${time(gap - valid)} are without one`,
      harm: gap - valid,
      remedy: `limits.passport of at least one in ${time(valid)}`,
    },
  ];
}

/** One request counts against two limits: the one for many must leave room for more than the one for each. */
const SHARED: readonly (readonly [
  id: string,
  each: keyof Protocol['limits'],
  all: keyof Protocol['limits'],
  clauses: string[],
])[] = [
  [
    'register-token',
    'registerToken',
    'registerTokenGlobal',
    ['limit.register-token.ip', 'limit.register-token.global'],
  ],
  ['flag-address', 'flagReporter', 'flag', ['limit.flag.reporter', 'limit.flag.ip']],
  ['flag-target', 'flagReporter', 'flagTarget', ['limit.flag.reporter', 'limit.flag.target']],
];

function shared({ protocol: { limits } }: LintFacts): Finding[] {
  return SHARED.filter(([, each, all]) => gapSec(limits[all]) > gapSec(limits[each])).map(
    ([id, each, all, clauses]) => ({
      id: `tight-limit/${id}`,
      severity: 'warning',
      clauses,
      arithmetic: `limits.${each} allows ${inWords(limits[each])}, and limits.${all}, which counts the same requests of others too, ${inWords(limits[all])}: one alone uses it up`,
      harm: gapSec(limits[all]) / gapSec(limits[each]),
      remedy: `limits.${all} of more than ${inWords(limits[each])}`,
    }),
  );
}

export const tightLimit: LintRule = {
  kind: 'tight-limit',
  says: 'A rate limit that leaves too little room for what must be done in time.',
  find: (facts) => [...heartbeats(facts), ...caps(facts), ...resyncs(facts), ...passports(facts), ...shared(facts)],
};
