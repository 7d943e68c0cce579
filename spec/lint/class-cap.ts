/** Lint: a class that cannot stay alive for an epoch within its cap, or at all. */

import { classesOf } from '../parts.js';
import type { Finding, LintFacts, LintRule } from './finding.js';
import { anchorTime, capClause, capOf, epochAnchors, heartbeatsToLive, intervalAnchors, shown } from './quantities.js';
import { eitherOf, setTo } from './remedy.js';

/** Between two heartbeats more anchors must pass than may be missed, or just as many. */
function intervals({ protocol }: LintFacts): Finding[] {
  const interval = intervalAnchors(protocol);
  const { missedAnchorsMax } = protocol.dms;
  const slack = missedAnchorsMax - interval;
  if (slack > 0) return [];
  const sum = `a heartbeat may come ${shown(interval)} anchors after the last, and must come within ${shown(missedAnchorsMax)}`;
  return [
    {
      id: 'class-cap/interval',
      severity: slack < 0 ? 'error' : 'warning',
      clauses: ['heartbeat.interval.min', 'dms.freeze'],
      arithmetic:
        slack < 0
          ? `${sum}: nobody can stay alive by heartbeats`
          : `${sum}: one anchor in ${shown(missedAnchorsMax)} is left, and who misses it is frozen`,
      harm: -slack,
      remedy: eitherOf(
        setTo('heartbeat.intervalBeatsMin', 'below', missedAnchorsMax * protocol.anchor.beatsPerAnchor),
        'a higher dms.missedAnchorsMax',
      ),
    },
  ];
}

function find(facts: LintFacts): readonly Finding[] {
  const { protocol } = facts;
  const needed = heartbeatsToLive(protocol);
  const anchors = epochAnchors(protocol);
  const { missedAnchorsMax } = protocol.dms;
  const short = classesOf(protocol)
    .filter((each) => capOf(protocol, each) < needed)
    .map((each): Finding => {
      const alive = Math.min(anchors, (capOf(protocol, each) + 1) * missedAnchorsMax);
      return {
        id: `class-cap/${each.replaceAll('_', '-')}`,
        severity: 'error',
        clauses: [capClause(each), 'dms.freeze', 'constant.billing-epoch'],
        arithmetic: `${shown(capOf(protocol, each))} heartbeats, one every ${shown(missedAnchorsMax)} anchors, last about ${shown(alive)} of ${shown(anchors)} anchors (${anchorTime(protocol, alive)} of ${anchorTime(protocol, anchors)}); ${needed === Number.POSITIVE_INFINITY ? 'no count is enough where 0 anchors may be missed' : `an epoch takes ${shown(needed)}`}`,
        harm: 1 - alive / anchors,
        remedy: eitherOf(
          Number.isFinite(needed) ? `a cap of at least ${shown(needed)}` : undefined,
          setTo('dms.missedAnchorsMax', 'of at least', Math.ceil((anchors + 1) / (capOf(protocol, each) + 1))),
          'a shorter epoch',
        ),
      };
    });
  return [...short, ...intervals(facts)];
}

export const classCap: LintRule = {
  kind: 'class-cap',
  says: 'A class that cannot stay alive for an epoch within its cap.',
  find,
};
